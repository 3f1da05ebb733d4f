package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// DealStreet tells that flop, turn or river lie on the table (H10). It is
// optional: a hand whose streets nobody stated ends all the same.
type DealStreet struct {
	Act
	Street hand.Street
	NoBurn bool // it was dealt without its burn
}

// MoveOddly is a move of cards that is no ordinary deal, burn or board (F0 §13,
// §14). Seat is the hand that it is about, where there is one.
type MoveOddly struct {
	Act
	Kind     hand.OddMove
	Seat     int       // 0 where no seat matters
	Cards    int       // boxed cards, or of a ruling
	Acted    bool      // an action followed the flop without a burn, a check too
	From, To hand.Area // of a ruling
	Reason   string    // of a ruling
}

// What the ledger takes down. Stub is what it holds afterwards.
type (
	StreetDealt struct {
		Act
		Hand   uint64       `json:"hand"`
		Slot   custody.Slot `json:"slot"`
		Street hand.Street  `json:"street"`
		NoBurn bool         `json:"no_burn,omitempty"`
		Stub   uint8        `json:"stub"`
		Bound  bool         `json:"stub_at_most,omitempty"` // nobody stated the seats
	}
	CardsMoved struct {
		Act
		Hand   uint64       `json:"hand"`
		Slot   custody.Slot `json:"slot"`
		Kind   hand.OddMove `json:"kind"`
		Seat   uint8        `json:"seat,omitempty"`
		Cards  uint8        `json:"cards,omitempty"`
		Acted  bool         `json:"acted,omitempty"`
		From   hand.Area    `json:"from,omitzero"`
		To     hand.Area    `json:"to,omitzero"`
		SA     bool         `json:"substantial_action,omitempty"`
		Button bool         `json:"buttons_hand,omitempty"`
		Reason string       `json:"reason,omitempty"`
		Stub   uint8        `json:"stub"`
		Bound  bool         `json:"stub_at_most,omitempty"`
	}
)

// Type is the record's name in the journal.
func (StreetDealt) Type() string { return "street_dealt" }

// Type is the record's name in the journal.
func (CardsMoved) Type() string { return "cards_moved" }

func (r StreetDealt) fold(f Facts) Facts {
	l, _ := f.CardsOf(r.Slot).DealStreet(r.Street, r.NoBurn)
	return f.withCards(r.Slot, l)
}

func (r CardsMoved) fold(f Facts) Facts {
	l, _ := f.CardsOf(r.Slot).Move(r.odd())
	return f.withCards(r.Slot, l)
}

func (r CardsMoved) odd() hand.Odd {
	return hand.Odd{Kind: r.Kind, Acted: r.Acted, Cards: r.Cards, From: r.From, To: r.To, SA: r.SA, Button: r.Button}
}

// CardsOf counts the cards of the deck in slot by area (H10): of the hand in
// play, and after it until they are gathered.
func (f Facts) CardsOf(slot custody.Slot) hand.Ledger {
	if slot != custody.A && slot != custody.B {
		return hand.Ledger{}
	}
	return f.Cards[slot-1]
}

func (f Facts) withCards(slot custody.Slot, l hand.Ledger) Facts {
	if slot == custody.A || slot == custody.B {
		f.Cards[slot-1] = l
	}
	return f
}

// dealt opens the ledger of the hand whose cards go out now.
func (f Facts) dealt() Facts {
	seats := 0
	if f.Hand.Stated {
		seats = len(f.Hand.Seats.List())
	}
	return f.withCards(f.InPlay, hand.DealtTo(seats))
}

// gathered closes it: the cards are one pack again.
func (f Facts) gathered(slot custody.Slot) Facts { return f.withCards(slot, hand.Ledger{}) }

// Name is the action's name in the API.
func (DealStreet) Name() string { return "street_dealt" }

func (e DealStreet) apply(t *turn) {
	if !t.inHand(hand.Dealt) { // H12: no board in a hold
		return
	}
	slot := t.s.InPlay
	l, why := t.s.CardsOf(slot).DealStreet(e.Street, e.NoBurn)
	switch {
	case t.s.Handoff.Pending(): // P3: nothing is dealt
		t.refuse(HandoffOpen, "")
	case why != hand.Moved:
		t.refuseWith(t.moveRefusal(why, slot))
	default:
		t.emit(StreetDealt{Act: e.Act, Hand: t.s.Hand.Number, Slot: slot, Street: e.Street, NoBurn: e.NoBurn, Stub: l.Stub, Bound: !l.Seats})
	}
}

// Name is the action's name in the API.
func (MoveOddly) Name() string { return "odd_move" }

// The floor supervises every repair (F0 §14), in a hold as well; one exposed card
// the dealer on duty replaces alone (F0 §13).
func (e MoveOddly) apply(t *turn) {
	alone := e.Kind == hand.ExposedCard && e.By.Role == custody.Dealer && !e.ApprovedBy.Known()
	switch {
	case alone && !t.inHand(hand.Dealt):
	case !alone && !t.floorApproves():
	case !t.s.Hand.InPlay():
		t.refuse(NoHandInPlay, "")
	case t.s.Hand.Stage != hand.Dealt:
		t.refuse(WrongStage, t.s.Hand.Stage.String())
	case e.Kind == hand.NoOddMove:
		t.refuse(BadInput, "move")
	case e.Seat < 0 || e.Seat > hand.MaxSeats || e.Seat == 0 && e.Kind.OfOneHand() || e.Seat != 0 && !t.s.mayHoldCards(e.Seat):
		t.refuse(BadInput, "seat")
	case e.Cards < 0 || e.Cards > deckSize || e.Cards == 0 && e.Kind.Counts():
		t.refuse(BadInput, "cards")
	case e.Kind == hand.RuledMove && !t.reason(e.Reason):
	case !t.note("reason", e.Reason):
	default:
		t.moveOddly(e)
	}
}

// mayHoldCards tells whether a seat was dealt in, where that is known.
func (f Facts) mayHoldCards(seat int) bool {
	return !f.CardsOf(f.InPlay).Seats || f.Hand.Seats.Has(seat)
}

func (t *turn) moveOddly(e MoveOddly) {
	slot := t.s.InPlay
	r := CardsMoved{
		Act: e.Act, Hand: t.s.Hand.Number, Slot: slot, Kind: e.Kind, Seat: uint8(e.Seat), Cards: uint8(e.Cards), Acted: e.Acted, From: e.From, To: e.To,
		SA: t.s.Hand.SA, Button: e.Seat != 0 && uint8(e.Seat) == t.s.Hand.Button, Reason: e.Reason,
	}
	l, why := t.s.CardsOf(slot).Move(r.odd())
	if why != hand.Moved {
		t.refuseWith(t.moveRefusal(why, slot))
		return
	}
	r.Stub, r.Bound = l.Stub, !l.Seats
	t.emit(r)
}

// moveRefusal says why cards cannot have moved so.
func (t *turn) moveRefusal(why hand.MoveRefusal, slot custody.Slot) Refusal {
	code := [...]Code{
		hand.Moved: "", hand.WrongStreet: WrongStreet, hand.BurnInPlace: BurnInPlace, hand.BurnNotMissing: BurnNotMissing,
		hand.TooFewCards: TooFewCards, hand.MisdealDue: MisdealDue, hand.NotAMove: NotAMove, hand.StubOwed: StubNotReady,
	}[why]
	if code == WrongStreet {
		return Refusal{code, t.s.CardsOf(slot).Street.String()}
	}
	return Refusal{Code: code}
}
