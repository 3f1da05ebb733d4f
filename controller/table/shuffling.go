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

// turnSlot is the deck that the next pass takes: that of the hand as long as no
// card of it is dealt and its pack is not ready, else the one that rests (D7).
// Between two hands it is the deck whose turn comes.
func (f Facts) turnSlot() custody.Slot {
	if f.Hand.InPlay() && (f.pass(f.InPlay).Live() || f.Hand.CardsOut()) {
		return f.resting()
	}
	return f.InPlay
}

// handOf is the hand that the pass of the deck in slot is for, 0 if it is for
// the next one.
func (f Facts) handOf(slot custody.Slot) uint64 {
	if slot != f.InPlay || f.Hand.CardsOut() {
		return 0
	}
	return f.Hand.Number
}

// machineSlot is the deck whose pass takes up the machine: until the last
// machine's step is done and the pack is counted out.
func (s State) machineSlot() custody.Slot {
	for _, slot := range [...]custody.Slot{custody.A, custody.B} {
		p, g := s.pass(slot), s.passing(slot)
		if p.Active && !p.ByHand && (!g.Verified || g.Progress.Left(shuffle.Machine)) {
			return slot
		}
	}
	return custody.NoSlot
}

// mayShuffle tells whether a pass of the deck in slot may begin now.
func (t *turn) mayShuffle(slot custody.Slot) Refusal {
	d := t.s.deck(slot)
	switch {
	case !t.s.Open:
		return Refusal{Code: TableIsClosed}
	case t.s.Hold:
		return Refusal{Code: IsHeld}
	case slot == custody.NoSlot && t.s.Hand.CardsOut(): // H13, S8
		return Refusal{HandInPlay, t.s.Hand.Stage.String()}
	case slot == custody.NoSlot && t.s.Hand.InPlay():
		return t.passLives(t.s.InPlay)
	case !d.Present():
		return Refusal{SlotEmpty, slot.String()}
	case t.s.onBreak(slot):
		return Refusal{Code: OnBreak}
	case !d.Usable():
		return Refusal{DeckNotUsable, d.Lock.String()}
	case t.s.pass(slot).Live():
		return t.passLives(slot)
	case t.s.Checking == slot:
		return Refusal{CheckUnderWay, slot.String()}
	}
	return Refusal{}
}

func (t *turn) passLives(slot custody.Slot) Refusal {
	if t.s.pass(slot).Active {
		return Refusal{Code: ShuffleUnderWay}
	}
	return Refusal{AlreadySo, "shuffled"}
}

// beginShuffle starts a pass of the deck in slot. A hand that has begun is
// bound to the new pass and keeps its number and tag (H3).
func (t *turn) beginShuffle(slot custody.Slot, byHand bool) {
	p := t.s.Settings.Procedure
	if byHand {
		p = p.AllBy(shuffle.Dealer)
	}
	d := t.s.deck(slot)
	due := d.WashDue
	if p.WashAlways {
		due = due.With(shuffle.WashAlways)
	}
	by, key := custody.Person{}, ""
	if byHand {
		by, key = t.act.By, t.act.Key
	}
	t.emit(ShuffleStarted{
		Shuffle: t.s.LastShuffle + 1, Slot: slot, Deck: d.ID, Hand: t.s.handOf(slot), ByHand: byHand, Wash: due != 0, WashFor: due,
		Procedure: p.Version, Approved: p.Approved, By: by, Key: key,
	})
	t.track(slot, func(g *Passing) {
		*g = Passing{Progress: shuffle.Begin(p, due != 0, deckSize), Since: t.at.Mono}
		g.Verified = byHand // no machine had it; the gather's count stands
	})
}

func (BeginShuffle) Name() string { return "begin_shuffle" }

// By hand the dealer says when it begins; with the machine the pack in the tray
// does.
func (e BeginShuffle) apply(t *turn) {
	slot := t.s.turnSlot()
	switch {
	case !t.onDuty():
	case !t.s.byHandNow(slot):
		t.refuse(MachineInService, "")
	default:
		if r := t.mayShuffle(slot); r.Refused() {
			t.refuseWith(r)
			return
		}
		t.beginShuffle(slot, true)
	}
}

// byHandNow tells whether the deck in slot is shuffled by hand: the machine is
// out of service, or has the other deck inside while the hand waits for its own.
func (s State) byHandNow(slot custody.Slot) bool {
	return s.Out || s.handOf(slot) != 0 && s.machineSlot() == slot.Other()
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

// machineIsNext tells whether a pass waits for a step of the machine.
func (t *turn) machineIsNext() bool {
	next, _, ok := t.s.passing(t.s.machineSlot()).Progress.Next()
	return ok && next.Actor == shuffle.Machine
}

// barsRiffle is what keeps the first riffle of the deck in slot waiting where it
// would begin a hand (H1, H5).
func (s State) barsRiffle(slot custody.Slot) hand.Reason {
	if !s.triggers(slot).Has(hand.FirstRiffle) || s.Hand.InPlay() || slot != s.InPlay || !s.passing(slot).Progress.BeforeFirstRiffle() {
		return hand.Open
	}
	return s.gate(slot).Check()
}

// stepSlot is the pass that a dealer's step belongs to: the one that waits for
// this very step, first that of the hand or of the next one. A step that none
// waits for breaks the sequence of the one that the dealer should be at (S3).
func (t *turn) stepSlot(s shuffle.Step) custody.Slot {
	first, second := t.s.InPlay, t.s.InPlay.Other()
	switch {
	case !t.s.pass(first).Active:
		return second
	case !t.s.pass(second).Active || t.dealersNow(first, s) || !t.dealersNow(second, s):
		return first
	}
	return second
}

// dealersNow tells whether step s is the dealer's, and the one that runs or
// comes next in the pass of the deck in slot.
func (t *turn) dealersNow(slot custody.Slot, s shuffle.Step) bool {
	p := t.s.passing(slot).Progress
	now, _, ok := p.Running()
	if !ok {
		now, _, ok = p.Next()
	}
	return ok && now == shuffle.Planned{Step: s, Actor: shuffle.Dealer}
}

func (DealerStep) Name() string { return "dealer_step" }

func (e DealerStep) apply(t *turn) {
	slot := t.stepSlot(e.Step)
	switch {
	case !t.onDuty():
	case !t.s.pass(slot).Active && !t.s.stubMixing():
		t.refuse(NoShuffle, "")
	case t.s.Hold:
		t.refuse(IsHeld, "")
	case t.stubTakes(e.Step):
		t.stubStep(e)
	case e.Step == shuffle.Cut && t.s.waitsForTrigger(slot): // the cut follows inside the hand (H5)
		t.refuse(NoHandInPlay, "")
	case t.tooEarly(slot, e.Step):
		t.refuse(NotNow, "pack_in_machine")
	case e.Phase == StepStarted || e.Phase == StepPerformed:
		if !t.dealerReport(slot, e, shuffle.Started) || e.Phase == StepStarted {
			return
		}
		t.dealerReport(slot, e, shuffle.Done)
	case e.Phase == StepDone:
		t.dealerReport(slot, e, shuffle.Done)
	default:
		t.refuse(BadInput, "phase")
	}
}

// waitsForTrigger tells whether the deck in slot waits, with nothing but the
// cut left, for a trigger that begins its hand.
func (s State) waitsForTrigger(slot custody.Slot) bool {
	if s.handOf(slot) != 0 || s.triggers(slot).Has(hand.FirstRiffle) {
		return false
	}
	p := s.passing(slot).Progress
	next, _, ok := p.Next()
	return p.Complete() || ok && next.Step == shuffle.Cut
}

// tooEarly tells whether the dealer names the right step while the machine is
// still handing the pack out. The wrong step is a break, wherever the pack is.
func (t *turn) tooEarly(slot custody.Slot, s shuffle.Step) bool {
	next, _, ok := t.s.passing(slot).Progress.Next()
	return ok && next.Step == s && next.Actor == shuffle.Dealer && t.s.packInMachine(slot)
}

// packInMachine tells whether the pack of that pass is inside the machine or on
// its way out.
func (s State) packInMachine(slot custody.Slot) bool {
	return slot != custody.NoSlot && s.machineSlot() == slot && (s.Machine.Lines.Chamber || s.Machine.Kind == ReleaseOp)
}

func (t *turn) dealerReport(slot custody.Slot, e DealerStep, phase shuffle.Phase) bool {
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
	return t.stepReported(slot, rep, from)
}

// stepReported takes one report of a step, whoever made it. Only the next step
// of the procedure is accepted (S3).
func (t *turn) stepReported(slot custody.Slot, rep shuffle.Report, from origin) bool {
	sh := t.s.pass(slot)
	if !sh.Active {
		return false
	}
	progress, res := t.s.passing(slot).Progress.Apply(rep)
	keep := func() { t.track(slot, func(g *Passing) { g.Progress = progress }) }
	switch {
	case res.CountFailed:
		t.wrongCount(slot, rep.Step.String(), rep.Step != shuffle.Gather, res.Want, res.Got)
		if t.name != "" {
			t.refuse(CountIsWrong, "")
		}
		return false
	case res.CutRefused:
		keep()
		t.emit(CutRefused{Shuffle: sh.ID, Hand: t.s.handOf(slot), Actor: rep.By, By: from.by})
		return true
	case !res.Accepted:
		t.sequenceBroken(slot, res.Break, from)
		return false
	}
	if res.FirstRiffle {
		if why := t.s.barsRiffle(slot); why != hand.Open {
			t.riffleRefused(slot, why, rep, from)
			return false
		}
	}
	keep()
	if res.FirstRiffle {
		t.trigger(hand.FirstRiffle, slot, from.tick)
	}
	t.emit(ShuffleStep{
		Shuffle: sh.ID, Slot: slot, Hand: t.s.handOf(slot), Index: res.Index, Step: rep.Step, Phase: rep.Phase, Actor: rep.By,
		By: from.by, Key: from.key, Sensor: from.sensor, Tick: from.tick, Cards: rep.Cards, Stated: rep.By == shuffle.Dealer && rep.Cards != 0, Cut: rep.Cut,
	})
	t.finishShuffle(slot)
	return true
}

// riffleRefused: a riffle that started although no hand may begin. It triggers
// nothing; it is logged with its time (H1). The machine stops, and what it has
// begun to mix is void; a dealer is told to wait.
func (t *turn) riffleRefused(slot custody.Slot, why hand.Reason, rep shuffle.Report, from origin) {
	t.emit(Triggered{Trigger: hand.FirstRiffle, Why: why.String(), Tick: from.tick})
	if rep.By == shuffle.Dealer {
		if t.name != "" {
			t.refuseWith(gateRefusal(why))
		}
		return
	}
	t.halt(HaltMachine)
	t.void(slot, shuffle.StopHold, Act{})
}

// sequenceBroken stops the machine and voids the pass (S3). Nobody can skip.
func (t *turn) sequenceBroken(slot custody.Slot, b shuffle.Break, from origin) {
	t.emit(SequenceBroken{Shuffle: t.s.pass(slot).ID, Hand: t.s.handOf(slot), Break: b, By: from.by, Tick: from.tick})
	t.stopMachineFor(slot)
	t.void(slot, shuffle.StopSequenceBreak, Act{})
	if t.name != "" {
		t.refuse(NotYourStep, b.WantStep.String())
	}
}

// stopMachineFor halts the machine unless it is the other deck that it has.
func (t *turn) stopMachineFor(slot custody.Slot) {
	if other := slot.Other(); other == custody.NoSlot || t.s.machineSlot() != other {
		t.halt(HaltMachine)
	}
}

// wrongCount: a gathering that comes up short is looked for (H10); a count that
// fails after a shuffle locks the deck and stops the machine (D5).
func (t *turn) wrongCount(slot custody.Slot, step string, locks bool, want, got uint16) {
	sh := t.s.pass(slot)
	w := CountWrong{Shuffle: sh.ID, Slot: slot, Deck: t.s.deck(slot).ID, Hand: t.s.handOf(slot), Step: step, Want: want, Got: got, Locks: locks}
	if got < want { // H10: where a card hides
		w.Places = t.s.places(slot, want-got)
	}
	t.emit(w)
	if locks {
		t.latch(fault.Shuffler, fault.CountFailed, 0)
		t.halt(HaltMachine)
	}
	t.void(slot, shuffle.StopCountFailed, Act{})
}

// places are where missing cards may be: first what the last hand left as large
// as the shortfall, then where single cards get lost.
func (f Facts) places(slot custody.Slot, missing uint16) (l []string) {
	for _, a := range f.CardsOf(slot).Missing(missing) {
		if a != hand.Hands {
			l = append(l, a.String())
		}
	}
	return append(l, "players_hand", "under_rail", "used_as_cut_card", "machine_well")
}

// released: the pack came out of the machine, counted at the exit (S6).
func (t *turn) released(cards uint16) {
	slot := t.s.machineSlot()
	if slot == custody.NoSlot {
		return // a stray pack; it is gathered and counted before any shuffle
	}
	if cards != deckSize { // a shuffler without an exit counter is not accepted
		t.wrongCount(slot, "release", true, deckSize, cards)
		return
	}
	t.track(slot, func(g *Passing) { g.Counted, g.Verified = false, true })
	t.emit(PackVerified{Shuffle: t.s.pass(slot).ID, Deck: t.s.deck(slot).ID, Cards: deckSize})
	t.finishShuffle(slot)
}

// finishShuffle makes the pack ready once every step is done and the pack is
// out of the machine and verified. Cut and cut card are steps, so there is no
// ready without them (H5, S7).
func (t *turn) finishShuffle(slot custody.Slot) {
	sh, g := t.s.pass(slot), t.s.passing(slot)
	if !sh.Active || !g.Progress.Complete() || !g.Verified || t.s.packInMachine(slot) {
		return
	}
	h := t.s.handOf(slot)
	t.emit(ShuffleComplete{Shuffle: sh.ID, Slot: slot, Deck: t.s.deck(slot).ID, Hand: h, TookMS: (t.at.Mono - g.Since).Milliseconds()})
	if h != 0 && t.s.Hand.Stage == hand.Begun {
		t.emit(HandReady{Hand: h, Shuffle: sh.ID})
	}
}

// void ends the pass of the deck in slot, or takes back one that is complete and
// not yet dealt. The next one starts from the first step (S3, S5).
func (t *turn) void(slot custody.Slot, why shuffle.StopReason, act Act) {
	sh := t.s.pass(slot)
	if !sh.Live() {
		return
	}
	t.emit(ShuffleVoid{
		Act: act, Shuffle: sh.ID, Slot: slot, Deck: t.s.deck(slot).ID, Hand: t.s.voidsHand(slot), Reason: why, Wash: t.s.Settings.WashAfterStop,
	})
	t.track(slot, func(g *Passing) { *g = Passing{} })
}

// voidsHand is the hand whose pack is taken back with the pass of the deck in
// slot: after a restart its dealer may not know whether it was dealt (M3).
func (f Facts) voidsHand(slot custody.Slot) uint64 {
	if slot == f.InPlay && f.Hand.Stage == hand.Unsure {
		return f.Hand.Number
	}
	return f.handOf(slot)
}

// stopMachinePass voids the pass that the machine takes part in. A pack that is
// shuffled and counted out already, or shuffled by hand, is not the machine's
// any more.
func (t *turn) stopMachinePass(why shuffle.StopReason, act Act) {
	t.void(t.s.machineSlot(), why, act)
}

func (VoidShuffle) Name() string { return "void_shuffle" }

// A dealer stops the shuffle for what S5 names; the floor for any reason. Where
// two decks have one, it is the one in the hand unless the other is named.
func (e VoidShuffle) apply(t *turn) {
	slot, stub := e.Slot, t.s.stubMixing() && (e.Slot == custody.NoSlot || e.Slot == t.s.InPlay) // H8
	if slot == custody.NoSlot {
		if slot = t.s.InPlay; !t.s.pass(slot).Live() {
			slot = slot.Other()
		}
	}
	switch {
	case !t.may(custody.Dealer, custody.Floor):
	case e.By.Role == custody.Dealer && e.By != t.s.Dealer:
		t.refuse(NotOnDuty, t.s.Dealer.String())
	case !stub && (!t.s.pass(slot).Live() || t.s.cardsOut(slot)):
		t.refuse(NoShuffle, "")
	case e.By.Role == custody.Dealer && !e.Reason.DealerMay():
		t.refuse(BadInput, "reason")
	case e.By.Role == custody.Floor && e.Reason == shuffle.NoStop:
		t.refuse(ReasonMissing, "")
	case stub:
		t.voidStub(e.Reason, e.Act, shuffle.Break{})
	default:
		if !t.s.pass(slot).ByHand {
			t.stopMachineFor(slot)
		}
		t.void(slot, e.Reason, e.Act)
	}
}

func (e LocalMotion) apply(t *turn) {
	slot := t.s.machineSlot()
	if slot == custody.NoSlot {
		t.emit(Notice{Code: MotionIgnored, Part: fault.Shuffler, Arg: e.Step.String(), Tick: e.Tick})
		return
	}
	// Even the right step at the right time: the machine moves when it is told to.
	t.sequenceBroken(slot, t.s.passing(slot).Progress.Unasked(e.Step), origin{tick: e.Tick})
	t.latch(fault.Shuffler, fault.SequenceBreak, e.Tick)
}
