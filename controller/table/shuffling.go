package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// origin is where a step's report came from.
type origin struct {
	by     custody.Person // a dealer's step
	key    string         // of the request
	sensor bool
	tick   uint32 // a machine's step: its own clock
}

// mayShuffle tells whether the deck in play may be shuffled now.
func (t *turn) mayShuffle() Refusal {
	d := t.s.deck(t.s.InPlay)
	switch {
	case !t.s.Open:
		return Refusal{Code: TableIsClosed}
	case t.s.Hold:
		return Refusal{Code: IsHeld}
	case !d.Present():
		return Refusal{SlotEmpty, t.s.InPlay.String()}
	case !d.Usable():
		return Refusal{DeckNotUsable, d.Lock.String()}
	case t.s.Hand.CardsOut(): // H13, S8
		return Refusal{HandInPlay, t.s.Hand.Stage.String()}
	case t.s.Shuffle.Active:
		return Refusal{Code: ShuffleUnderWay}
	case t.s.Shuffle.Complete:
		return Refusal{AlreadySo, "shuffled"}
	case t.s.Checking == t.s.InPlay:
		return Refusal{CheckUnderWay, t.s.Checking.String()}
	}
	return Refusal{}
}

// beginShuffle starts a pass of the deck in play. A hand that has begun is
// bound to the new pass and keeps its number and tag (H3).
func (t *turn) beginShuffle(byHand bool) {
	p := t.s.Settings.Procedure
	if byHand {
		p = p.AllBy(shuffle.Dealer)
	}
	d := t.s.deck(t.s.InPlay)
	due := d.WashDue
	if p.WashAlways {
		due = due.With(shuffle.WashAlways)
	}
	by, key := custody.Person{}, ""
	if byHand {
		by, key = t.act.By, t.act.Key
	}
	t.emit(ShuffleStarted{
		Shuffle: t.s.LastShuffle + 1, Slot: t.s.InPlay, Deck: d.ID, Hand: t.s.Hand.Number, ByHand: byHand, Wash: due != 0, WashFor: due,
		Procedure: p.Version, Approved: p.Approved, By: by, Key: key,
	})
	t.s.Progress = shuffle.Begin(p, due != 0, deckSize)
	t.s.Verified = byHand // no machine had it; the gather's count stands
	t.s.ShuffleSince = t.at.Mono
}

func (BeginShuffle) Name() string { return "begin_shuffle" }

// By hand the dealer says when it begins; with the machine the pack in the tray
// does.
func (e BeginShuffle) apply(t *turn) {
	switch {
	case !t.onDuty():
	case !t.s.Out:
		t.refuse(MachineInService, "")
	default:
		if r := t.mayShuffle(); r.Refused() {
			t.refuseWith(r)
			return
		}
		t.beginShuffle(true)
	}
}

// onDuty refuses anybody but the dealer who holds the table.
func (t *turn) onDuty() bool {
	switch {
	case !t.may(custody.Dealer):
	case t.act.By != t.s.Dealer:
		t.refuse(NotOnDuty, t.s.Dealer.String())
	default:
		return true
	}
	return false
}

// machineIsNext tells whether the pass waits for a step of the machine.
func (t *turn) machineIsNext() bool {
	next, _, ok := t.s.Progress.Next()
	return ok && next.Actor == shuffle.Machine
}

// barsRiffle is what keeps the first riffle waiting where it would begin a hand
// (H1, H5).
func (s State) barsRiffle() hand.Reason {
	if !s.Settings.Triggers.Has(hand.FirstRiffle) || s.Hand.InPlay() || !s.Progress.BeforeFirstRiffle() {
		return hand.Open
	}
	return s.gate(s.Shuffle.Slot).Check()
}

func (DealerStep) Name() string { return "dealer_step" }

func (e DealerStep) apply(t *turn) {
	switch {
	case !t.onDuty():
	case !t.s.Shuffle.Active:
		t.refuse(NoShuffle, "")
	case t.s.Hold:
		t.refuse(IsHeld, "")
	case t.tooEarly(e.Step):
		t.refuse(NotNow, "pack_in_machine")
	case e.Step == shuffle.Cut && !t.s.Hand.InPlay() && !t.s.Settings.Triggers.Has(hand.FirstRiffle): // the cut follows inside the hand (H5)
		t.refuse(NoHandInPlay, "")
	case e.Phase == StepStarted || e.Phase == StepPerformed:
		if !t.dealerReport(e, shuffle.Started) || e.Phase == StepStarted {
			return
		}
		t.dealerReport(e, shuffle.Done)
	case e.Phase == StepDone:
		t.dealerReport(e, shuffle.Done)
	default:
		t.refuse(BadInput, "phase")
	}
}

// tooEarly tells whether the dealer names the right step while the machine is
// still handing the pack out. The wrong step is a break, wherever the pack is.
func (t *turn) tooEarly(s shuffle.Step) bool {
	next, _, ok := t.s.Progress.Next()
	return ok && next.Step == s && next.Actor == shuffle.Dealer && t.s.packInMachine()
}

// packInMachine tells whether the pack of the pass under way is inside the
// machine or on its way out.
func (s State) packInMachine() bool {
	return !s.Shuffle.ByHand && (s.Machine.Lines.Chamber || s.Machine.Kind == ReleaseOp)
}

func (t *turn) dealerReport(e DealerStep, phase shuffle.Phase) bool {
	rep := shuffle.Report{Step: e.Step, Phase: phase, By: shuffle.Dealer}
	if phase == shuffle.Done {
		rep.Cards = e.Cards
		if e.Step == shuffle.Cut {
			rep.Cut = shuffle.CutPassed // the dealer's word: at least the least cut (S7)
		}
	}
	from := origin{by: e.By, sensor: e.Sensor}
	if phase == shuffle.Started || e.Phase == StepDone { // once in a turn
		from.key = e.Key
	}
	return t.stepReported(rep, from)
}

// stepReported takes one report of a step, whoever made it. Only the next step
// of the procedure is accepted (S3).
func (t *turn) stepReported(rep shuffle.Report, from origin) bool {
	if !t.s.Shuffle.Active {
		return false
	}
	sh := t.s.Shuffle
	progress, res := t.s.Progress.Apply(rep)
	switch {
	case res.CountFailed:
		t.wrongCount(rep.Step.String(), rep.Step != shuffle.Gather, res.Want, res.Got)
		if t.name != "" {
			t.refuse(CountIsWrong, "")
		}
		return false
	case res.CutRefused:
		t.s.Progress = progress
		t.emit(CutRefused{Shuffle: sh.ID, Hand: t.s.Hand.Number, Actor: rep.By, By: from.by})
		return true
	case !res.Accepted:
		t.sequenceBroken(res.Break, from)
		return false
	}
	if res.FirstRiffle {
		if why := t.s.barsRiffle(); why != hand.Open {
			t.riffleRefused(why, rep, from)
			return false
		}
	}
	t.s.Progress = progress
	if res.FirstRiffle {
		t.trigger(hand.FirstRiffle, from.tick)
	}
	t.emit(ShuffleStep{
		Shuffle: sh.ID, Slot: sh.Slot, Hand: t.s.Hand.Number, Index: res.Index, Step: rep.Step, Phase: rep.Phase, Actor: rep.By,
		By: from.by, Key: from.key, Sensor: from.sensor, Tick: from.tick, Cards: rep.Cards, Stated: rep.By == shuffle.Dealer && rep.Cards != 0, Cut: rep.Cut,
	})
	t.finishShuffle()
	return true
}

// riffleRefused: a riffle that started although no hand may begin. It triggers
// nothing; it is logged with its time (H1). The machine stops, and what it has
// begun to mix is void; a dealer is told to wait.
func (t *turn) riffleRefused(why hand.Reason, rep shuffle.Report, from origin) {
	t.emit(Triggered{Trigger: hand.FirstRiffle, Why: why.String(), Tick: from.tick})
	if rep.By == shuffle.Dealer {
		t.refuseWith(gateRefusal(why))
		return
	}
	t.halt(HaltMachine)
	t.void(shuffle.StopHold, Act{})
}

// sequenceBroken stops the machine and voids the pass (S3). Nobody can skip.
func (t *turn) sequenceBroken(b shuffle.Break, from origin) {
	t.emit(SequenceBroken{Shuffle: t.s.Shuffle.ID, Hand: t.s.Hand.Number, Break: b, By: from.by, Tick: from.tick})
	t.halt(HaltMachine)
	t.void(shuffle.StopSequenceBreak, Act{})
	if t.name != "" {
		t.refuse(NotYourStep, b.WantStep.String())
	}
}

// wrongCount: a gathering that comes up short is looked for (H10); a count that
// fails after a shuffle locks the deck and stops the machine (D5).
func (t *turn) wrongCount(step string, locks bool, want, got uint16) {
	sh := t.s.Shuffle
	w := CountWrong{Shuffle: sh.ID, Slot: sh.Slot, Deck: t.s.deck(sh.Slot).ID, Hand: t.s.Hand.Number, Step: step, Want: want, Got: got, Locks: locks}
	if got < want { // H10: where a card hides
		w.Places = []string{"players_hand", "under_rail", "used_as_cut_card", "machine_well"}
	}
	t.emit(w)
	if locks {
		t.latch(fault.Shuffler, fault.CountFailed, 0)
		t.halt(HaltMachine)
	}
	t.void(shuffle.StopCountFailed, Act{})
}

// released: the pack came out of the machine, counted at the exit (S6).
func (t *turn) released(cards uint16) {
	if !t.s.Shuffle.Active {
		return // a stray pack; it is gathered and counted before any shuffle
	}
	if cards != deckSize { // a shuffler without an exit counter is not accepted
		t.wrongCount("release", true, deckSize, cards)
		return
	}
	t.s.Verified = true
	t.emit(PackVerified{Shuffle: t.s.Shuffle.ID, Deck: t.s.deck(t.s.Shuffle.Slot).ID, Cards: deckSize})
	t.finishShuffle()
}

// finishShuffle makes the pack ready once every step is done and the pack is
// out of the machine and verified. Cut and cut card are steps, so there is no
// ready without them (H5, S7).
func (t *turn) finishShuffle() {
	sh := t.s.Shuffle
	if !sh.Active || !t.s.Progress.Complete() || !t.s.Verified || !sh.ByHand && t.s.Machine.Lines.Chamber {
		return
	}
	h := t.s.Hand
	t.emit(ShuffleComplete{Shuffle: sh.ID, Slot: sh.Slot, Deck: t.s.deck(sh.Slot).ID, Hand: h.Number, TookMS: (t.at.Mono - t.s.ShuffleSince).Milliseconds()})
	if h.Stage == hand.Begun {
		t.emit(HandReady{Hand: h.Number, Shuffle: sh.ID})
	}
}

// void ends the pass under way, or takes back one that is complete and not yet
// dealt. The next one starts from the first step (S3, S5).
func (t *turn) void(why shuffle.StopReason, act Act) {
	sh := t.s.Shuffle
	if !sh.Active && !(sh.Complete && t.s.Hand.Stage != hand.Dealt) {
		return
	}
	t.emit(ShuffleVoid{
		Act: act, Shuffle: sh.ID, Slot: sh.Slot, Deck: t.s.deck(sh.Slot).ID, Hand: t.s.Hand.Number, Reason: why, Wash: t.s.Settings.WashAfterStop,
	})
	t.s.Progress, t.s.Verified = shuffle.Progress{}, false
}

// stopMachinePass voids a pass that the machine takes part in. A pack that is
// shuffled and cut already, or shuffled by hand, is not the machine's any more.
func (t *turn) stopMachinePass(why shuffle.StopReason, act Act) {
	if t.s.Shuffle.Active && !t.s.Shuffle.ByHand {
		t.void(why, act)
	}
}

func (VoidShuffle) Name() string { return "void_shuffle" }

// A dealer stops the shuffle for what S5 names; the floor for any reason.
func (e VoidShuffle) apply(t *turn) {
	switch {
	case !t.may(custody.Dealer, custody.Floor):
	case e.By.Role == custody.Dealer && e.By != t.s.Dealer:
		t.refuse(NotOnDuty, t.s.Dealer.String())
	case !t.s.Shuffle.Active && !(t.s.Shuffle.Complete && !t.s.Hand.CardsOut()):
		t.refuse(NoShuffle, "")
	case e.By.Role == custody.Dealer && !e.Reason.DealerMay():
		t.refuse(BadInput, "reason")
	case e.By.Role == custody.Floor && e.Reason == shuffle.NoStop:
		t.refuse(ReasonMissing, "")
	default:
		if !t.s.Shuffle.ByHand {
			t.halt(HaltMachine)
		}
		t.void(e.Reason, e.Act)
	}
}

func (e LocalMotion) apply(t *turn) {
	if !t.s.Shuffle.Active || t.s.Shuffle.ByHand {
		t.emit(Notice{Code: MotionIgnored, Part: fault.Shuffler, Arg: e.Step.String(), Tick: e.Tick})
		return
	}
	// Even the right step at the right time: the machine moves when it is told to.
	t.sequenceBroken(t.s.Progress.Unasked(e.Step), origin{tick: e.Tick})
	t.latch(fault.Shuffler, fault.SequenceBreak, e.Tick)
}
