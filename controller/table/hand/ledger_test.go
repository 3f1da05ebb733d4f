package hand

import (
	"math/rand/v2"
	"testing"
)

// sum adds up every area.
func sum(l Ledger) (n int) {
	for a := Stub; a < areas; a++ {
		n += int(l.Count(a))
	}
	return n
}

// TestH10_AlwaysSumsTo52: whatever is asked, in whatever order, the areas hold
// 52 cards together, and a refused move changes nothing.
func TestH10_AlwaysSumsTo52(t *testing.T) {
	moved, refused := map[OddMove]int{}, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 10))
		l := DealtTo(rng.IntN(MaxSeats + 2))
		for range 40 {
			before := l
			m := Odd{Kind: OddMove(rng.IntN(len(oddNames) + 1)), Acted: rng.IntN(2) == 0, Cards: uint8(rng.IntN(5) * rng.IntN(60)), From: Area(rng.IntN(int(areas) + 1)), To: Area(rng.IntN(int(areas) + 1)), SA: rng.IntN(2) == 0, Button: rng.IntN(2) == 0}
			var why MoveRefusal
			if rng.IntN(3) == 0 {
				l, why = l.DealStreet(Street(rng.IntN(6)), rng.IntN(4) == 0)
			} else if l, why = l.Move(m); why == Moved {
				moved[m.Kind]++
			}
			if why != Moved {
				refused++
				if l != before {
					t.Fatalf("seed %d: %+v was refused (%d) and changed %+v to %+v", seed, m, why, before, l)
				}
			}
			if n := sum(l); n != packSize || int(l.out()) != packSize {
				t.Fatalf("seed %d: %+v makes %d cards of %+v: %+v", seed, m, n, before, l)
			}
		}
	}
	for _, k := range OddMoves() {
		if moved[k] == 0 {
			t.Errorf("%s was never done", k)
		}
	}
	if refused == 0 || moved[NoOddMove] != 0 {
		t.Errorf("%d refused, %d done of no kind", refused, moved[NoOddMove])
	}
	if sum(Ledger{}) != packSize || (Ledger{}).Dealing() {
		t.Error("the zero value is no whole pack")
	}
}

// step is one thing that happens to a ledger.
type step func(Ledger) (Ledger, MoveRefusal)

func deal(s Street) step {
	return func(l Ledger) (Ledger, MoveRefusal) { return l.DealStreet(s, false) }
}

func unburnt(s Street) step {
	return func(l Ledger) (Ledger, MoveRefusal) { return l.DealStreet(s, true) }
}

func mix(l Ledger) (Ledger, MoveRefusal) { return l.Mix().Mixed(), Moved }

func unmix(l Ledger) (Ledger, MoveRefusal) { return l.Mix().Unmix(), Moved }

func mixing(l Ledger) (Ledger, MoveRefusal) { return l.Mix(), Moved }

func odd(m Odd) step { return func(l Ledger) (Ledger, MoveRefusal) { return l.Move(m) } }

// TestH10_TheOddMovesOfTheManual holds the stub's size after each of F0 §13 and
// §14, at a table of six: 52 less twelve.
func TestH10_TheOddMovesOfTheManual(t *testing.T) {
	for name, c := range map[string]struct {
		steps              []step
		stub, board, burns uint8
		muck, scrap        uint8
	}{
		"to the river":              {[]step{deal(Flop), deal(Turn), deal(River)}, 32, 5, 3, 0, 0},
		"exposed card":              {[]step{odd(Odd{Kind: ExposedCard}), deal(Flop)}, 36, 3, 1, 0, 0},
		"exposed, then the turn":    {[]step{odd(Odd{Kind: ExposedCard}), deal(Flop), deal(Turn)}, 34, 4, 2, 0, 0},
		"four-card flop":            {[]step{deal(Flop), odd(Odd{Kind: FourCardFlop}), deal(Turn)}, 34, 4, 2, 0, 0},
		"no flop burn, no action":   {[]step{unburnt(Flop), odd(Odd{Kind: FlopBurnMissing}), deal(Turn)}, 34, 4, 2, 0, 0},
		"no flop burn, a check":     {[]step{unburnt(Flop), odd(Odd{Kind: FlopBurnMissing, Acted: true}), deal(Turn)}, 35, 4, 1, 0, 0},
		"premature flop":            {[]step{deal(Flop), odd(Odd{Kind: PrematureBoard}), mix, deal(Flop)}, 36, 3, 1, 0, 0},
		"premature turn":            {[]step{deal(Flop), deal(Turn), odd(Odd{Kind: PrematureBoard})}, 35, 3, 2, 0, 0},
		"premature river, again":    {[]step{deal(Flop), deal(Turn), deal(River), odd(Odd{Kind: PrematureBoard}), mix, deal(River)}, 32, 5, 3, 0, 0},
		"one boxed":                 {[]step{odd(Odd{Kind: BoxedCard, Cards: 1})}, 39, 0, 0, 0, 1},
		"two boxed, on the flop":    {[]step{deal(Flop), odd(Odd{Kind: BoxedCard, Cards: 2})}, 34, 3, 1, 0, 2},
		"three boxed, after action": {[]step{odd(Odd{Kind: BoxedCard, Cards: 3, SA: true})}, 37, 0, 0, 0, 3},
		"the button's card":         {[]step{odd(Odd{Kind: ButtonCompleted, SA: true})}, 40, 0, 0, 0, 0},
		"the button played short":   {[]step{odd(Odd{Kind: ShortHandDead, Button: true})}, 41, 0, 0, 1, 0},
		"one card, after action":    {[]step{odd(Odd{Kind: ShortHandDead, SA: true})}, 41, 0, 0, 1, 0},
		"a dead third card":         {[]step{odd(Odd{Kind: LongHandDead, SA: true}), deal(Flop)}, 35, 3, 1, 3, 0},
		"a fifth card goes back":    {[]step{deal(Flop), odd(Odd{Kind: RuledMove, From: Stub, To: Board, Cards: 2})}, 34, 5, 1, 0, 0},
	} {
		l := DealtTo(6)
		for i, s := range c.steps {
			var why MoveRefusal
			if l, why = s(l); why != Moved {
				t.Errorf("%s: step %d is refused: %d", name, i, why)
			}
		}
		if l.Stub != c.stub || l.Board != c.board || l.Burns != c.burns || l.Muck != c.muck || l.Scrap != c.scrap || sum(l) != packSize {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// TestH10_WhatCannotHaveBeen: one repair is not used for another error.
func TestH10_WhatCannotHaveBeen(t *testing.T) {
	for name, c := range map[string]struct {
		steps []step // the last is refused
		why   MoveRefusal
	}{
		"the turn before the flop":         {[]step{deal(Turn)}, WrongStreet},
		"the flop twice":                   {[]step{deal(Flop), deal(Flop)}, WrongStreet},
		"a street after the river":         {[]step{deal(Flop), deal(Turn), deal(River), deal(River + 1)}, WrongStreet},
		"a second exposed card":            {[]step{odd(Odd{Kind: ExposedCard}), odd(Odd{Kind: ExposedCard})}, MisdealDue},
		"exposed on the flop":              {[]step{deal(Flop), odd(Odd{Kind: ExposedCard})}, WrongStreet},
		"no burn where one lies":           {[]step{odd(Odd{Kind: ExposedCard}), unburnt(Flop)}, BurnInPlace},
		"four cards twice":                 {[]step{deal(Flop), odd(Odd{Kind: FourCardFlop}), odd(Odd{Kind: FourCardFlop})}, BurnInPlace},
		"four cards on the turn":           {[]step{deal(Flop), deal(Turn), odd(Odd{Kind: FourCardFlop})}, WrongStreet},
		"four cards without a burn":        {[]step{unburnt(Flop), odd(Odd{Kind: FourCardFlop})}, NotAMove},
		"a burn that is not missing":       {[]step{deal(Flop), odd(Odd{Kind: FlopBurnMissing})}, BurnNotMissing},
		"the turn's missing burn":          {[]step{deal(Flop), unburnt(Turn), odd(Odd{Kind: FlopBurnMissing})}, WrongStreet},
		"premature before any":             {[]step{odd(Odd{Kind: PrematureBoard})}, WrongStreet},
		"premature and four cards":         {[]step{deal(Flop), odd(Odd{Kind: FourCardFlop}), odd(Odd{Kind: PrematureBoard})}, BurnInPlace},
		"premature without a burn":         {[]step{unburnt(Flop), odd(Odd{Kind: PrematureBoard})}, NotAMove},
		"again, and the stub not washed":   {[]step{deal(Flop), odd(Odd{Kind: PrematureBoard}), deal(Flop)}, StubOwed},
		"again, and the washing stopped":   {[]step{deal(Flop), unmix, deal(Turn)}, StubOwed},
		"a move off a stub being washed":   {[]step{mixing, odd(Odd{Kind: ExposedCard})}, StubOwed},
		"two boxed in the deal":            {[]step{odd(Odd{Kind: BoxedCard, Cards: 2})}, MisdealDue},
		"another boxed in the deal":        {[]step{odd(Odd{Kind: BoxedCard, Cards: 1}), odd(Odd{Kind: BoxedCard, Cards: 1})}, MisdealDue},
		"three cards before action":        {[]step{odd(Odd{Kind: LongHandDead})}, MisdealDue},
		"three of the button before":       {[]step{odd(Odd{Kind: LongHandDead, Button: true})}, MisdealDue},
		"one card before action":           {[]step{odd(Odd{Kind: ShortHandDead})}, MisdealDue},
		"a ruling to the pack":             {[]step{odd(Odd{Kind: RuledMove, From: Stub, To: Gathered, Cards: 1})}, NotAMove},
		"a ruling of more than there are":  {[]step{odd(Odd{Kind: RuledMove, From: Burns, To: Stub, Cards: 1})}, TooFewCards},
		"a ruling from nowhere to nowhere": {[]step{odd(Odd{Kind: RuledMove, Cards: 1})}, NotAMove},
	} {
		l := DealtTo(6)
		for i, s := range c.steps {
			after, why := s(l)
			if last := i == len(c.steps)-1; last && why != c.why || !last && why != Moved {
				t.Errorf("%s: step %d gives %d, want %d", name, i, why, c.why)
			}
			l = after
		}
	}
}

// TestH10_TheStubIsABoundWhereNobodySaid: without the seats, or with streets that
// nobody stated, there is no exact size.
func TestH10_TheStubIsABoundWhereNobodySaid(t *testing.T) {
	l := DealtTo(0)
	if l.Exact(Preflop) || l.Stub != packSize {
		t.Errorf("of unknown seats: %+v", l)
	}
	if _, why := l.Move(Odd{Kind: ExposedCard}); why != TooFewCards {
		t.Errorf("a card of nobody is exposed: %d", why)
	}
	l, _ = DealtTo(6).DealStreet(Flop, false)
	if !l.Exact(Flop) || l.Exact(River) {
		t.Errorf("on the flop, as stated: %+v", l)
	}
	if (Ledger{}).Exact(Preflop) {
		t.Error("a pack that is not dealt has a stub")
	}
}

// TestH10_WhereCardsWereLeft names the area that is as large as the shortfall.
func TestH10_WhereCardsWereLeft(t *testing.T) {
	l, _ := DealtTo(6).DealStreet(Flop, false)
	l, _ = l.Move(Odd{Kind: BoxedCard, Cards: 1})
	if got := l.Missing(3); len(got) != 2 || got[0] != Board || got[1] != Scrap {
		t.Errorf("three are missing, where: %v", got)
	}
	if got := (Ledger{}).Missing(1); got != nil {
		t.Errorf("of a whole pack: %v", got)
	}
}
