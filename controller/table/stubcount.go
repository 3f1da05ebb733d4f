package table

import "shuffler/controller/table/hand"

// CountStub tells how many cards the stub has, counted face down: once in a
// dealer's down, best on the first hand that reaches the river (P2).
type CountStub struct {
	Act
	Street hand.Street
	Cards  int
}

// Name is the action's name in the API.
func (CountStub) Name() string { return "count_stub" }

func (e CountStub) apply(t *turn) {
	if !t.inHand(hand.Dealt) {
		return
	}
	l := t.s.CardsOf(t.s.InPlay)
	switch {
	case l.Mixing:
		t.refuse(ShuffleUnderWay, "")
	case e.Street != l.Street:
		t.refuse(WrongStreet, l.Street.String())
	case e.Cards < 1 || e.Cards > deckSize:
		t.refuse(BadInput, "cards")
	default:
		t.stubCount(e.Act, uint8(e.Cards))
	}
}

// StubCountDue tells whether the dealer on duty has not counted a stub yet (P2).
func (f Facts) StubCountDue() bool { return f.Open && f.Dealer.Known() && !f.StubCountedInDown }

// stubCountHint is the reminder on a hand that has reached the river; it bars
// nothing.
func (s State) stubCountHint() (Prompt, bool) {
	if l := s.CardsOf(s.InPlay); !s.StubCountDue() || !l.Exact(hand.River) {
		return Prompt{}, false
	}
	return dealerDo(DoCountStub), true
}
