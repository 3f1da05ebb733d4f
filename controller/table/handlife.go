package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// An announcement is in force at once (H2). The one that was in force when a
// hand began stays that hand's tag.
func (e LevelAnnounced) apply(t *turn) {
	switch {
	case e.Level.Check() != nil:
		t.emit(Notice{Code: LevelRefused, Arg: e.Level.String()})
	case e.Level.Announcement <= t.s.Level.Announcement:
		// delivered again, as after a restart
	default:
		t.emit(LevelInForce(e))
	}
}

func (ConfirmLevel) Name() string { return "confirm_level" }

func (e ConfirmLevel) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Level.InForce():
		t.refuse(NoLevelYet, "")
	case !t.s.ConfirmLevel:
		t.refuse(AlreadySo, "")
	case e.Number != t.s.Level.Number: // another level is announced, not confirmed
		t.refuse(BadInput, "number")
	default:
		t.emit(LevelConfirmed{Act: e.Act, Level: t.s.Level})
	}
}

func (ConfirmSeats) Name() string { return "confirm_seats" }

// Button, blinds and the seats to be dealt in are confirmed before each hand
// (H5); the list freezes at the trigger (H13).
func (e ConfirmSeats) apply(t *turn) {
	seats, err := hand.ParseSeats(e.Seats)
	switch {
	case !t.onDuty():
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case t.s.Hand.InPlay():
		t.refuse(HandInPlay, "")
	case err != nil || len(e.Seats) < 2:
		t.refuse(BadInput, "seats")
	case e.Button < 1 || e.Button > hand.MaxSeats: // a dead button may stand at an empty seat (F0 §5)
		t.refuse(BadInput, "button")
	default:
		t.emit(SeatsConfirmed{Act: e.Act, Button: uint8(e.Button), Seats: seats.List()})
	}
}

// trigger notes a trigger and begins a hand with the deck in slot if it is the
// first allowed one (H1).
func (t *turn) trigger(by hand.Trigger, slot custody.Slot, tick uint32) {
	sh := t.s.pass(slot)
	why := ""
	switch {
	case t.s.Hand.InPlay():
		why = "hand_in_play" // a shuffle that starts over, or of the resting deck, begins nothing (H1, H3)
	case !t.s.triggers(slot).Has(by):
		why = "not_a_trigger"
	case by != hand.FirstRiffle && !t.s.PackVerified(slot):
		why = "nothing_ready"
	default:
		why = t.s.gate(slot).Check().String()
	}
	t.emit(Triggered{Trigger: by, Began: why == "", Why: why, Tick: tick})
	if why != "" {
		return
	}
	t.emit(HandStarted{
		Hand: t.s.LastHand + 1, Tag: t.s.Level, Trigger: by, Shuffle: sh.ID, Slot: slot, Deck: t.s.deck(slot).ID,
		Button: t.s.Button, Seats: t.s.Seats.List(), Dealer: t.s.Dealer, Tick: tick,
	})
	if sh.Complete {
		t.emit(HandReady{Hand: t.s.Hand.Number, Shuffle: sh.ID})
	}
}

// PackVerified tells whether the machine's steps of the pass of the deck in slot
// are done and the pack is counted, in the machine or on its way out: what a
// button or a push needs (H5).
func (s State) PackVerified(slot custody.Slot) bool {
	p, g := s.pass(slot), s.passing(slot)
	if p.Complete {
		return true
	}
	next, _, ok := g.Progress.Next()
	return p.Active && (g.Verified || g.Counted && s.Machine.Linked) && (g.Progress.Complete() || ok && next.Step == shuffle.Cut)
}

// button is the green button: a trigger where the mode says so, and otherwise
// named and starting nothing (M4).
func (t *turn) button() {
	slot := t.s.InPlay
	why := t.s.gate(slot).Check().String()
	if t.s.Panel.Cover || t.s.Machine.Lines.Cover {
		why = fault.CoverOpen.String()
	}
	switch {
	case !t.s.triggers(slot).Has(hand.ShufflerButton) || t.s.Hand.InPlay() || !t.s.PackVerified(slot):
		t.emit(Notice{Code: ButtonNothingReady, Part: fault.Panel})
	case why != "":
		t.emit(Notice{Code: ButtonBarred, Part: fault.Panel, Arg: why})
		t.emit(Triggered{Trigger: hand.ShufflerButton, Why: why})
	default:
		t.trigger(hand.ShufflerButton, slot, 0)
	}
}

// inHand refuses an action of the dealer on duty unless the hand is at stage.
func (t *turn) inHand(want hand.Stage) bool {
	switch {
	case !t.onDuty():
	case !t.s.Hand.InPlay():
		t.refuse(NoHandInPlay, "")
	case t.s.Hand.Stage != want:
		t.refuse(WrongStage, t.s.Hand.Stage.String())
	case t.s.Hold:
		t.refuse(IsHeld, "")
	default:
		return true
	}
	return false
}

func (DealBegun) Name() string { return "deal_begun" }

func (e DealBegun) apply(t *turn) {
	switch {
	case !t.inHand(hand.Ready):
	case t.s.Handoff.Pending(): // P3: until accepted nothing is dealt
		t.refuse(HandoffOpen, "")
	case t.s.Faults.Blocked(fault.Journal):
		t.refuse(PartFaulty, fault.Journal.String())
	default:
		t.emit(DealStarted{Act: e.Act, Hand: t.s.Hand.Number})
	}
}

func (ReportSA) Name() string { return "substantial_action" }

func (e ReportSA) apply(t *turn) {
	switch {
	case !t.inHand(hand.Dealt):
	case t.s.Hand.SA:
		t.refuse(AlreadySo, "")
	default:
		t.emit(ActionFormed{Act: e.Act, Hand: t.s.Hand.Number})
	}
}

func (EndHand) Name() string { return "end_hand" }

// The hand ends when the pots are pushed (H13).
func (e EndHand) apply(t *turn) {
	if t.inHand(hand.Dealt) {
		t.emit(HandEnded{Act: e.Act, Hand: t.s.Hand.Number, Slot: t.s.InPlay})
	}
}

func (AbandonHand) Name() string { return "abandon_hand" }

// A hand begun and never dealt is abandoned by the floor; its number is not
// used again (H3).
func (e AbandonHand) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Hand.InPlay():
		t.refuse(NoHandInPlay, "")
	case t.s.Hand.Stage == hand.Dealt:
		t.refuse(WrongStage, t.s.Hand.Stage.String())
	case t.reason(e.Reason):
		if slot := t.s.InPlay; t.s.machineSlot() == slot {
			t.halt(HaltMachine)
		}
		t.void(t.s.InPlay, shuffle.StopFloorVoid, e.unkeyed())
		t.emit(HandAbandoned{Act: e.Act, Hand: t.s.Hand.Number, Reason: e.Reason})
	}
}

func (ResumeHand) Name() string { return "resume_hand" }

// After a restart between ready and the deal, the dealer says what became of
// the pack (M3).
func (e ResumeHand) apply(t *turn) {
	if !t.inHand(hand.Unsure) {
		return
	}
	switch e.Said {
	case Untouched, PackDealt:
		t.emit(HandResumed{Act: e.Act, Hand: t.s.Hand.Number, Said: e.Said})
	case PackUnsure:
		t.emit(HandResumed{Act: e.Act, Hand: t.s.Hand.Number, Said: e.Said})
		t.void(t.s.InPlay, shuffle.StopRestarted, e.unkeyed())
	default:
		t.refuse(BadInput, "said")
	}
}
