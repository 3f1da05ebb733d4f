package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// ReshuffleStub is the floor's word on a stub that was dropped, mixed, or dealt
// from too early, in the middle of a hand (H8). Cards is the stub counted face
// down; it is asked for unless the order is restored. Street says how far the
// board has come, which makes the ledger's size exact.
type ReshuffleStub struct {
	Act
	Outcome hand.StubOutcome
	Street  hand.Street
	Cards   int
	Reason  string
	// Exception is why it is fair to leave a stub as it is although a card went back
	// into it (H14); else empty.
	Exception string
}

// A stub's pass. It is no shuffle of a deck: it starts no hand, wants no 52 cards
// and makes no pack ready.
type (
	StubRuled struct {
		Act
		Hand      uint64           `json:"hand"`
		Slot      custody.Slot     `json:"slot"`
		Deck      string           `json:"deck"`
		Outcome   hand.StubOutcome `json:"outcome"`
		Street    hand.Street      `json:"street"`
		Cards     uint8            `json:"cards,omitempty"` // to be washed and cut
		Bound     bool             `json:"count_attested,omitempty"`
		Procedure string           `json:"procedure,omitempty"`
		Approved  bool             `json:"approved,omitempty"`
		MinCut    uint8            `json:"min_cut,omitempty"`
		Reason    string           `json:"reason"`
	}
	StubStep struct {
		Hand   uint64         `json:"hand"`
		Slot   custody.Slot   `json:"slot"`
		Index  uint8          `json:"index"`
		Step   shuffle.Step   `json:"step"`
		Phase  shuffle.Phase  `json:"phase"`
		By     custody.Person `json:"by,omitzero"`
		Key    string         `json:"key,omitempty"`
		Sensor bool           `json:"sensor,omitempty"`
	}
	StubVoid struct { // it starts over when the floor has confirmed it again
		Act
		Hand   uint64             `json:"hand"`
		Slot   custody.Slot       `json:"slot"`
		Reason shuffle.StopReason `json:"reason"`
		Break  shuffle.Break      `json:"break,omitzero"`
	}
	StubReady struct {
		Hand uint64       `json:"hand"`
		Slot custody.Slot `json:"slot"`
	}
	// StubCounted holds a count against the ledger: whether it agrees, and by how
	// much it does not.
	StubCounted struct {
		Act
		Hand  uint64       `json:"hand"`
		Slot  custody.Slot `json:"slot"`
		OK    bool         `json:"ok"`
		Off   int16        `json:"difference,omitempty"`
		Bound bool         `json:"stub_at_most,omitempty"` // the seats are not known
	}
)

// Type is the record's name in the journal.
func (StubRuled) Type() string { return "stub_ruled" }

// Type is the record's name in the journal.
func (StubStep) Type() string { return "stub_step" }

// Type is the record's name in the journal.
func (StubVoid) Type() string { return "stub_void" }

// Type is the record's name in the journal.
func (StubReady) Type() string { return "stub_ready" }

// Type is the record's name in the journal.
func (StubCounted) Type() string { return "stub_counted" }

func (r StubRuled) fold(f Facts) Facts {
	if r.Outcome == hand.OrderRestored {
		return f.withCards(r.Slot, f.CardsOf(r.Slot).Mixed())
	}
	return f.withCards(r.Slot, f.CardsOf(r.Slot).Mix())
}

func (StubStep) fold(f Facts) Facts    { return f }
func (r StubVoid) fold(f Facts) Facts  { return f.withCards(r.Slot, f.CardsOf(r.Slot).Unmix()) }
func (r StubReady) fold(f Facts) Facts { return f.withCards(r.Slot, f.CardsOf(r.Slot).Mixed()) }

func (r StubCounted) fold(f Facts) Facts {
	f.StubCountedInDown = true
	return f
}

// stubMixing tells whether the stub of the hand in play is washed and cut.
func (f Facts) stubMixing() bool {
	return f.Hand.Stage == hand.Dealt && f.CardsOf(f.InPlay).Mixing
}

// Name is the action's name in the API.
func (ReshuffleStub) Name() string { return "reshuffle_stub" }

// The floor comes in a hold and may rule in it; the steps wait until it is lifted
// (H12).
func (e ReshuffleStub) apply(t *turn) {
	l := t.s.CardsOf(t.s.InPlay)
	switch {
	case !t.floorApproves():
	case !t.s.Hand.InPlay():
		t.refuse(NoHandInPlay, "")
	case t.s.Hand.Stage != hand.Dealt:
		t.refuse(WrongStage, t.s.Hand.Stage.String())
	case l.Mixing:
		t.refuse(ShuffleUnderWay, "")
	case e.Outcome == hand.NoStubOutcome:
		t.refuse(BadInput, "outcome")
	case e.Outcome == hand.OrderRestored && l.Owed && e.Exception == "": // a card went back into it
		t.refuse(StubNotReady, "")
	case e.Exception != "" && !(e.Outcome == hand.OrderRestored && l.Owed): // nothing is set aside
		t.refuse(BadInput, "exception")
	case !t.note("exception", e.Exception):
	case e.Street != l.Street:
		t.refuse(WrongStreet, l.Street.String())
	case e.Cards < 0 || e.Cards > deckSize || e.Cards == 0 && e.Outcome != hand.OrderRestored:
		t.refuse(BadInput, "cards")
	case e.Outcome != hand.OrderRestored && !t.s.Settings.stubCut(uint8(e.Cards)).Possible():
		t.refuse(TooFewCards, "")
	case !t.reason(e.Reason):
	case e.Cards != 0 && !t.stubCount(e.unkeyed(), uint8(e.Cards)):
		t.refuse(StubCountWrong, "")
	default:
		t.ruleStub(e)
	}
}

// stubCount holds a count against the ledger (H10). A wrong one is a fact, and
// holds the table until the floor has found the card or moved it by a ruling.
func (t *turn) stubCount(act Act, cards uint8) bool {
	l := t.s.CardsOf(t.s.InPlay)
	off := int16(cards) - int16(l.Stub)
	ok := off == 0 || !l.Seats && off < 0
	if !l.Seats && ok { // fewer than the bound says nothing
		off = 0
	}
	t.emit(StubCounted{Act: act, Hand: t.s.Hand.Number, Slot: t.s.InPlay, OK: ok, Off: off, Bound: !l.Seats})
	if !ok && !t.s.Hold {
		t.emit(HoldBegan{Hand: t.s.Hand.Number, Reason: fault.CountFailed.String()})
	}
	return ok
}

func (t *turn) ruleStub(e ReshuffleStub) {
	slot := t.s.InPlay
	r := StubRuled{Act: e.Act, Hand: t.s.Hand.Number, Slot: slot, Deck: t.s.deck(slot).ID, Outcome: e.Outcome, Street: e.Street, Reason: e.Reason}
	if e.Outcome == hand.OrderRestored {
		if e.Exception != "" {
			t.except(e.unkeyed(), hand.ExceptStub, e.Exception)
		}
		t.emit(r)
		return
	}
	p := t.s.Settings.stubProcedure(uint8(e.Cards))
	r.Cards, r.Bound, r.Procedure, r.Approved, r.MinCut = uint8(e.Cards), !t.s.CardsOf(slot).Seats, p.Version, p.Approved, p.MinCut
	t.emit(r)
	t.s.StubPass = shuffle.Begin(p, true, uint8(e.Cards))
}

// stubCut is the cut of a stub of so many cards (S7): the room's least one, or for
// a stub too small for that on both sides, the middle. One of fewer than six has no
// cut.
func (s Settings) stubCut(cards uint8) shuffle.CutGate {
	return shuffle.CutGate{Min: max(min(s.Procedure.MinCut, cards/2), shuffle.LeastMinCut), Size: cards}
}

// stubProcedure is the room's for a stub of so many cards, all by hand (H8).
func (s Settings) stubProcedure(cards uint8) shuffle.Procedure {
	p := s.StubProcedure
	if p.N == 0 {
		p = shuffle.ForStub()
	}
	p = p.AllBy(shuffle.Dealer)
	p.MinCut = s.stubCut(cards).Min
	return p
}

// stubTakes tells whether a dealer's step is one of the stub's pass: not where
// only the resting deck's waits for it (D7).
func (t *turn) stubTakes(step shuffle.Step) bool {
	if !t.s.stubMixing() {
		return false
	}
	rest := t.s.InPlay.Other()
	return t.s.stubNow().Step == step || !t.s.pass(rest).Active || !t.dealersNow(rest, step)
}

// stubNow is the step of the stub's pass that runs or comes next.
func (s State) stubNow() shuffle.Planned {
	if now, _, running := s.StubPass.Running(); running {
		return now
	}
	next, _, _ := s.StubPass.Next()
	return next
}

// stubStep takes a dealer's report of a step of the stub's pass. Its riffle is no
// trigger (H8).
func (t *turn) stubStep(e DealerStep) {
	phases := []shuffle.Phase{shuffle.Started, shuffle.Done}
	switch e.Phase {
	case StepStarted:
		phases = phases[:1]
	case StepDone:
		phases = phases[1:]
	case StepPerformed:
	default:
		t.refuse(BadInput, "phase")
		return
	}
	key := e.Key
	for _, phase := range phases {
		rep := shuffle.Report{Step: e.Step, Phase: phase, By: shuffle.Dealer}
		if phase == shuffle.Done {
			rep.Cards, rep.Cut = e.Cards, shuffle.CutPassed // the dealer's word (S7)
		}
		if !t.stubReported(rep, origin{by: e.By, key: key, sensor: e.Sensor}) {
			return
		}
		key = "" // once in a turn
	}
}

func (t *turn) stubReported(rep shuffle.Report, from origin) bool {
	h, slot := t.s.Hand.Number, t.s.InPlay
	progress, res := t.s.StubPass.Apply(rep)
	switch {
	case res.CountFailed:
		t.stubCount(Act{By: from.by, Auth: t.act.Auth}, uint8(min(res.Got, deckSize)))
		t.voidStub(shuffle.StopCountFailed, Act{}, shuffle.Break{})
		if t.name != "" {
			t.refuse(StubCountWrong, "")
		}
		return false
	case !res.Accepted:
		t.voidStub(shuffle.StopSequenceBreak, Act{}, res.Break)
		if t.name != "" {
			t.refuse(NotYourStep, res.Break.WantStep.String())
		}
		return false
	}
	t.s.StubPass = progress
	t.emit(StubStep{Hand: h, Slot: slot, Index: res.Index, Step: rep.Step, Phase: rep.Phase, By: from.by, Key: from.key, Sensor: from.sensor})
	if res.Complete {
		t.emit(StubReady{Hand: h, Slot: slot})
		t.s.StubPass = shuffle.Progress{}
	}
	return true
}

// voidStub stops the stub's pass, if one is under way (S3, S5, M3).
func (t *turn) voidStub(why shuffle.StopReason, act Act, b shuffle.Break) {
	if t.s.stubMixing() {
		t.emit(StubVoid{Act: act, Hand: t.s.Hand.Number, Slot: t.s.InPlay, Reason: why, Break: b})
		t.s.StubPass = shuffle.Progress{}
	}
}

// nextStub is what the stub of a hand in play needs before a card comes off it.
func (s State) nextStub() (Prompt, bool) {
	switch {
	case s.stubMixing():
		now, do := s.stubNow(), DoDealerStep
		if _, _, running := s.StubPass.Running(); running {
			do = DoFinishStep
		}
		p := dealerDo(do)
		p.Step, p.Arg = now.Step.String(), "stub"
		return p, true
	case s.CardsOf(s.InPlay).Owed:
		return floorDo(DoReshuffleStub), true
	}
	return Prompt{}, false
}
