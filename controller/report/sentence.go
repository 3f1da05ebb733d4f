package report

import (
	"time"

	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// Sentence says in plain language what a record of a table or of the room means,
// on one line that begins with the time of day. It is empty for records that
// nobody needs to hear: checkpoints, the start of a step, triggers that are told
// by the hand they began, a deck's way between table and store.
func Sentence(o Options, wall time.Time, rec any) string {
	w := o.words()
	var s string
	switch r := rec.(type) {
	case table.Record:
		s = w.tableSentence(r)
	case room.Record:
		s = w.roomSentence(r)
	}
	if s == "" {
		return ""
	}
	return wall.In(o.zone()).Format(clockForm) + "  " + plain(clean(s))
}

// tableSentence asks each chapter of the records in turn.
func (w words) tableSentence(r table.Record) string {
	for _, chapter := range []func(table.Record) (string, bool){
		w.lifeSentence, w.deckSentence, w.checkSentence, w.shuffleSentence, w.stopSentence, w.handSentence, w.cardsSentence, w.triggerSentence, w.dutySentence, w.partSentence,
	} {
		if s, mine := chapter(r); mine {
			return s
		}
	}
	return ""
}

// Life of the table.
func (w words) lifeSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.Boot:
		return w.bootSentence(r), true
	case table.Stop:
		return w.say("sentence.stopped"), true
	case table.SettingsApplied:
		return w.say("sentence.settings", "procedure", w.procedure(procedureOf(r.Settings.Procedure)), "triggers", w.triggers(r.Settings.Triggers.List())), true
	case table.ClockStep:
		return w.say("sentence.clock_step", "seconds", signedSeconds(r.MS)), true
	case table.Checkpoint:
		return "", true
	case table.TableOpened:
		return w.say("sentence.table_opened", "session", r.Session, "card", r.ActivityCard, "manual", r.Manual, "floor", r.Floor, "deputy", r.Deputy), true
	case table.TableClosed:
		return w.say("sentence.table_closed", "session", r.Session, "by", r.By), true
	case table.FloorChanged:
		return w.say("sentence.floor_changed", "floor", r.Floor, "deputy", r.Deputy, "by", r.By, "reason", r.Reason), true
	case table.SignedIn:
		return w.say("sentence.signed_in", "by", r.By), true
	case table.RequestRefused:
		what, todo := w.refusal(r.Refusal)
		return w.together(w.say("sentence.refused", "by", w.acting(r.Act), "action", w.term("action", r.Action)), what, todo), true
	case table.Notice:
		return w.noticeSentence(r), true
	}
	return "", false
}

func (w words) bootSentence(r table.Boot) string {
	s := w.say("sentence.boot", "version", r.Version, "run", r.Run)
	switch {
	case r.Unsure:
		s = w.together(s, w.say("sentence.boot_unsure", "hand", r.Hand))
	case r.Hand != 0:
		s = w.together(s, w.say("sentence.boot_hand", "hand", r.Hand))
	}
	if r.ConfirmLevel {
		s = w.together(s, w.say("sentence.boot_level"))
	}
	return s
}

func (w words) noticeSentence(r table.Notice) string {
	arg := r.Arg
	switch r.Code {
	case table.ButtonBarred:
		arg = w.term("gate", r.Arg)
	case table.PackUnexpected:
		arg = w.say("refusal."+r.Arg+".what", "arg", "")
	case table.MotionIgnored:
		arg = w.step(r.Arg)
	case table.FloorNotNamed:
		arg = w.personText(r.Arg)
	}
	return w.say("notice."+string(r.Code), "part", w.term("part", r.Part.String()), "arg", arg)
}

// Decks.
func (w words) deckSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.DeckPlaced:
		key := "sentence.deck_placed"
		if r.New {
			key = "sentence.deck_placed_new"
		}
		return w.say(key, "deck", r.Deck, "back", r.Back, "slot", r.Slot, "seal", r.Seal, "why", w.because("cause", r.Cause.String(), r.Reason)), true
	case table.DeckRemoved:
		return w.say("sentence.deck_removed", "deck", r.Deck, "slot", r.Slot, "by", w.acting(r.Act), "why", w.because("cause", r.Cause.String(), r.Reason)), true
	case table.RotationSet:
		key := "sentence.rotation_off"
		switch {
		case r.On:
			key = "sentence.rotation_on"
		case r.Cause == table.RotationOneDeck:
			key = "sentence.rotation_one_deck"
		}
		return w.say(key, "hand", r.From, "by", r.By, "reason", r.Reason), true
	case table.BreakSet:
		key := "sentence.break_ends"
		switch {
		case r.On && r.InPlay:
			key = "sentence.break_begins_in_hand"
		case r.On:
			key = "sentence.break_begins"
		}
		return w.say(key, "hand", r.Last, "by", r.By), true
	case table.DeckInPlay:
		return w.say("sentence.deck_in_play", "deck", r.Deck, "slot", r.Slot, "by", w.acting(r.Act), "why", w.because("cause", r.Cause.String(), r.Reason)), true
	case table.DeckQuarantined:
		return w.say("sentence.deck_quarantined", "deck", r.Deck, "envelope", r.Envelope, "by", w.acting(r.Act), "why", w.because("sent_away", r.Cause.String(), r.Reason)), true
	case table.DeckUsedForDraw:
		key := "sentence.deck_used_for_draw"
		if r.Check {
			key = "sentence.deck_used_for_draw_check"
		}
		return w.say(key, "draw", w.term("draw", r.Kind.String()), "deck", r.Deck, "slot", r.Slot, "by", r.By), true
	case table.DeckDue:
		return w.say("sentence.check_due", "deck", r.Deck, "slot", r.Slot), true
	case table.WashAsked:
		return w.say("sentence.wash_asked", "deck", r.Deck, "by", r.By, "reason", r.Reason), true
	}
	return "", false
}

// Deck checks.
func (w words) checkSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.CheckStarted:
		return w.say("sentence.check_started", "check", r.Check, "deck", r.Deck, "slot", r.Slot, "by", r.By), true
	case table.CheckEnded:
		return w.checkEndedSentence(r), true
	case table.DeckAttested:
		key := "sentence.deck_attested"
		switch {
		case r.Countersign && r.ApprovedBy.Known():
			key = "sentence.deck_attested_signed"
		case r.Countersign:
			key = "sentence.deck_countersigned"
		}
		return w.say(key, "deck", r.Deck, "by", r.By, "approved", r.ApprovedBy), true
	}
	return "", false
}

func (w words) checkEndedSentence(r table.CheckEnded) string {
	v := r.Verdict
	s := w.say("sentence.check_"+v.Outcome.String(), "deck", r.Deck, "slot", r.Slot, "fed", v.Fed, "read", v.Read,
		"findings", w.findings(v), "reason", w.term("unread", v.Reason.String()))
	if v.CountAttested && v.Outcome == deckcheck.Good {
		s = w.together(s, w.say("sentence.count_attested"))
	}
	if v.Hint != deckcheck.NoHint {
		s = w.together(s, w.term("hint", v.Hint.String()))
	}
	if r.Confirm {
		s = w.together(s, w.say("sentence.quarantine_due"))
	}
	return s
}

// A shuffle, step by step.
func (w words) shuffleSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.ShuffleStarted:
		key := "sentence.shuffle_started"
		if r.ByHand {
			key = "sentence.shuffle_started_by_hand"
		}
		wash := ""
		if r.Wash {
			wash = w.terms("wash", r.WashFor.List())
		}
		hand := any("")
		if r.Hand != 0 {
			hand = r.Hand
		}
		return w.say(key, "shuffle", r.Shuffle, "deck", r.Deck, "wash", wash, "hand", hand, "by", r.By), true
	case table.ShuffleStep:
		if r.Phase != shuffle.Done {
			return "", true
		}
		cards := any("")
		if r.Cards != 0 {
			cards = r.Cards
		}
		return w.say("sentence.step_done", "step", w.step(r.Step.String()), "actor", w.stepActor(r.Actor.String(), r.By.String()), "cards", cards), true
	case table.PackVerified:
		return w.say("sentence.pack_verified", "cards", r.Cards), true
	case table.CutRefused:
		return w.say("sentence.cut_refused"), true
	case table.ShuffleComplete:
		return w.say("sentence.shuffle_complete", "shuffle", r.Shuffle, "deck", r.Deck, "took", w.took(r.TookMS)), true
	}
	return "", false
}

// What goes wrong in a shuffle.
func (w words) stopSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.SequenceBroken:
		return w.say("sentence.sequence_break", "break", w.breakText(r.Break)), true
	case table.CountWrong:
		s := w.say("sentence.count_wrong", "step", w.step(r.Step), "want", r.Want, "got", r.Got)
		if len(r.Places) > 0 {
			s = w.together(s, w.say("sentence.look_in", "places", w.terms("place", r.Places)))
		}
		if r.Locks {
			s = w.together(s, w.say("sentence.count_locks", "deck", r.Deck))
		}
		return s, true
	case table.ShuffleVoid:
		s := w.say("sentence.shuffle_void", "shuffle", r.Shuffle, "reason", w.term("stop", r.Reason.String()), "by", r.By)
		if r.Wash {
			s = w.together(s, w.say("sentence.wash_owed"))
		}
		return s, true
	}
	return "", false
}

// A hand, and the levels.
func (w words) handSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.LevelInForce:
		return w.say("sentence.level_in_force", "level", r.Level, "by", r.By), true
	case table.LevelConfirmed:
		return w.say("sentence.level_confirmed", "level", r.Level, "by", r.By), true
	case table.SeatsConfirmed:
		return w.say("sentence.seats_confirmed", "button", r.Button, "seats", w.seats(r.Seats), "by", r.By), true
	case table.HandStarted:
		return w.say("sentence.hand_started", "hand", r.Hand, "level", r.Tag, "trigger", w.term("trigger", r.Trigger.String()),
			"deck", r.Deck, "button", r.Button, "seats", w.seats(r.Seats), "dealer", r.Dealer), true
	case table.HandReady:
		return w.say("sentence.hand_ready", "hand", r.Hand), true
	case table.HandResumed:
		return w.say("sentence.hand_resumed", "hand", r.Hand, "by", r.By, "said", w.term("said", string(r.Said))), true
	case table.DealStarted:
		return w.say("sentence.deal_begun", "hand", r.Hand), true
	case table.ActionFormed:
		return w.say("sentence.substantial_action", "hand", r.Hand), true
	case table.HandEnded:
		return w.say("sentence.hand_ended", "hand", r.Hand), true
	case table.ExceptionRecorded:
		return w.say("sentence.exception", "rule", r.Rule, "hand", r.Hand, "by", w.acting(r.Act), "why", r.Why), true
	case table.HandAbandoned:
		return w.say("sentence.hand_abandoned", "hand", r.Hand, "by", r.By, "reason", r.Reason), true
	}
	return "", false
}

// triggerSentence is for triggers that began nothing and should have, perhaps
// (H1); the riffle of a mode where riffles begin no hand is none of these.
func (w words) triggerSentence(rec table.Record) (string, bool) {
	r, ok := rec.(table.Triggered)
	if !ok || !worthTelling(r.Began, r.Why) {
		return "", ok
	}
	return w.say("sentence.trigger", "trigger", w.term("trigger", r.Trigger.String()), "why", w.term("gate", r.Why)), true
}

// Reasons of a trigger that are as they should be.
const (
	whyHandInPlay = "hand_in_play"
	whyNoTrigger  = "not_a_trigger"
)

func worthTelling(began bool, why string) bool {
	return !began && why != whyHandInPlay && why != whyNoTrigger
}

// Holds and handoffs.
func (w words) dutySentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.HoldBegan:
		return w.say("sentence.hold", "by", r.By, "reason", w.holdText(r.Reason, r.By.Known())), true
	case table.HoldLifted:
		return w.say("sentence.hold_lifted", "by", r.By, "ruling", r.Ruling, "basis", r.Basis), true
	case table.HandoffProposed:
		key := "sentence.handoff_proposed"
		if r.MidHand {
			key = "sentence.handoff_proposed_mid"
		}
		return w.say(key, "from", r.From, "to", r.To, "last", r.Last, "approved", r.ApprovedBy), true
	case table.HandoffAccepted:
		return w.say("sentence.handoff_accepted", "from", r.From, "to", r.To), true
	case table.HandoffRefused:
		return w.say("sentence.handoff_refused", "to", r.To, "reason", r.Reason), true
	case table.HandoffSettled:
		key := "sentence.handoff_kept"
		if r.Complete {
			key = "sentence.handoff_completed"
		}
		return w.say(key, "by", r.By, "from", r.From, "to", r.To, "reason", r.Reason), true
	}
	return "", false
}

// holdText is what a person wrote, or the fault for which the controller itself
// held the table.
func (w words) holdText(reason string, person bool) string {
	if c, err := fault.ParseCode(reason); err == nil && c != fault.None && !person {
		return w.faultShort(c.String())
	}
	return reason
}

// Parts of the table.
func (w words) partSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.FaultLatched:
		what, _, next := w.faultText(r.Code.String())
		return w.together(w.say("sentence.fault", "part", w.term("part", r.Part.String())), what, next), true
	case table.FaultCleared:
		return w.say("sentence.fault_cleared", "fault", w.fault(r.Part.String(), r.Code.String()), "by", r.By, "note", r.Note), true
	case table.ServiceSet:
		key := "sentence.service_in"
		switch {
		case r.Inside:
			key = "sentence.service_out_inside"
		case r.Out:
			key = "sentence.service_out"
		}
		return w.say(key, "part", w.term("part", r.Part.String()), "by", r.By, "reason", r.Reason), true
	case table.DeviceHere:
		d := r.Device
		return w.say("sentence.device_up", "part", w.term("part", r.Part.String()), "device", w.device(d.Maker, d.Model, d.Serial, d.Firmware, d.Authenticated)), true
	case table.DeviceGone:
		return w.say("sentence.device_down", "part", w.term("part", r.Part.String()), "reason", w.term("down", string(r.Reason))), true
	}
	return "", false
}

// The room.
func (w words) roomSentence(rec room.Record) string {
	switch r := rec.(type) {
	case room.LevelAnnounced:
		return w.say("sentence.room_level", "level", r.Level, "by", r.By, "source", w.term("source", r.Source))
	case room.DeckRegistered:
		return w.say("sentence.room_deck", "deck", r.Deck, "back", r.Back)
	case room.RestoredFrom:
		return w.say("sentence.room_restored", "head", r.Head, "by", r.By)
	case room.DeckQuarantineNoted:
		return w.say("sentence.room_quarantine", "deck", r.Deck, "envelope", r.Envelope)
	}
	return w.staffSentence(rec)
}

// staffSentence is for the people who may act. It is empty for checkpoints, for
// where decks lie, which the table has told, and for a PIN that was right again.
func (w words) staffSentence(rec room.Record) string {
	switch r := rec.(type) {
	case room.StaffApplied:
		if !r.Staff.InForce {
			return w.say("sentence.room_staff_none")
		}
		return w.say("sentence.room_staff", "n", len(r.Staff.People))
	case room.ProofRefused:
		what, _ := w.refusal(table.Refusal{Code: table.Code(r.Code), Arg: r.Arg})
		return w.together(w.say("sentence.room_proof_refused", "action", w.term("action", r.Action), "table", r.Table, "by", w.two(r.By, r.ApprovedBy)), what)
	case room.PINFailed:
		return w.say("sentence.room_pin_wrong", "by", r.By, "table", r.Table, "wrong", r.Wrong)
	case room.LockBegan:
		return w.say("sentence.room_locked", "id", r.Staff, "until", w.at(r.Until, clockForm))
	case room.LockLifted:
		return w.say("sentence.room_lock_lifted", "by", r.By, "id", r.Staff)
	}
	return ""
}

// because is a cause with its note; where there is no cause, or it is the floor's
// order, the note says it.
func (w words) because(section, cause, note string) string {
	if cause == "" || cause == custody.FloorOrder.String() && note != "" {
		return note
	}
	return w.say("common.why", "cause", w.term(section, cause), "note", note)
}

// stepActor is the machine, or the dealer by id.
func (w words) stepActor(actor, by string) string {
	if by == "" {
		return w.term("actor", actor)
	}
	return w.personText(by)
}

// signedSeconds writes a jump of the clock: +3.500.
func signedSeconds(ms int64) string {
	sign := "+"
	if ms < 0 {
		sign, ms = "-", -ms
	}
	return sign + (time.Duration(ms) * time.Millisecond).String()
}
