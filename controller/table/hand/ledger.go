package hand

import "fmt"

// Area is a place where cards of a hand lie (H10). The zero value is none.
type Area uint8

// The areas. Gathered is the pack itself, before the deal and after the
// gathering.
const (
	NoArea Area = iota
	Stub
	Hands
	Board
	Burns
	Muck
	Scrap // boxed cards, put aside
	Gathered
	areas
)

var areaNames = [...]string{"", "stub", "hands", "board", "burns", "muck", "scrap", "gathered"}

func (a Area) String() string {
	if int(a) < len(areaNames) {
		return areaNames[a]
	}
	return fmt.Sprintf("area(%d)", uint8(a))
}

// ParseArea reads an area's name; an empty text is none.
func ParseArea(s string) (Area, error) {
	for i, n := range areaNames {
		if n == s {
			return Area(i), nil
		}
	}
	return NoArea, fmt.Errorf("area %q: want stub, hands, board, burns, muck, scrap or gathered", s)
}

// MarshalText writes the area's name, none as an empty text.
func (a Area) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (a *Area) UnmarshalText(b []byte) (err error) {
	*a, err = ParseArea(string(b))
	return err
}

// packSize is the number of cards that every ledger accounts for.
const packSize = 52

// Ledger counts the cards of one deck by area (H10): counts and never which
// cards (X1, D10). What no other area holds is gathered, so that it always sums
// to 52; the zero value is a pack that is all together. A fold is not stated:
// Hands are the cards that players were dealt and no move has taken away.
type Ledger struct {
	Stub, Hands, Board, Burns, Muck, Scrap uint8

	Street    Street
	BurnAhead bool // the burn of the next street lies there already
	Unburnt   bool // the street was dealt without its burn, and nothing was decided of it
	Owed      bool // the stub is to be washed and cut before a card comes off it (H8)
	Mixing    bool // that is under way
	Seats     bool // the seats dealt in are known; else cards of players count as stub
}

// Count is how many cards an area holds.
func (l Ledger) Count(a Area) uint8 {
	switch a {
	case Gathered:
		return packSize - l.out()
	case NoArea:
		return 0
	}
	if p := l.area(a); p != nil {
		return *p
	}
	return 0
}

// out is how many cards lie anywhere but in the pack.
func (l Ledger) out() uint8 { return l.Stub + l.Hands + l.Board + l.Burns + l.Muck + l.Scrap }

// area is where the count of an area stands; nil for none and for Gathered,
// which is the rest.
func (l *Ledger) area(a Area) *uint8 {
	switch a {
	case Stub:
		return &l.Stub
	case Hands:
		return &l.Hands
	case Board:
		return &l.Board
	case Burns:
		return &l.Burns
	case Muck:
		return &l.Muck
	case Scrap:
		return &l.Scrap
	}
	return nil
}

// DealtTo is a pack from which two cards went to each of so many seats. With 0
// seats nobody knows how many, and the stub's size is only a bound.
func DealtTo(seats int) Ledger {
	l := Ledger{Stub: packSize}
	if seats > 0 && seats <= MaxSeats {
		l.Seats = true
		l.Hands = uint8(2 * seats)
		l.Stub -= l.Hands
	}
	return l
}

// Dealing tells whether the pack is dealt and not gathered again.
func (l Ledger) Dealing() bool { return l.out() != 0 }

// Exact tells whether the stub has exactly the size that the ledger gives, for
// somebody who states that the board has come as far as street. The streets are
// optional at a table: what nobody stated, the ledger does not have, and the
// stub has at most as many cards.
func (l Ledger) Exact(street Street) bool { return l.Seats && l.Dealing() && l.Street == street }

// MoveRefusal is why cards cannot have moved so. The zero value is that they can.
type MoveRefusal uint8

// The refusals of a move.
const (
	Moved          MoveRefusal = iota
	WrongStreet                // the hand is at another street
	BurnInPlace                // the next burn lies there already
	BurnNotMissing             // the street has its burn
	TooFewCards                // an area has not so many cards
	MisdealDue                 // F0 §12.2 wants the hand dealt again instead
	NotAMove                   // no kind, no area, no count
	StubOwed                   // the stub is to be washed and cut first
)

// DealStreet turns up the board of the next street. Its burn comes off the stub
// unless one lies there already (F0 §14) or was forgotten.
func (l Ledger) DealStreet(s Street, noBurn bool) (Ledger, MoveRefusal) {
	switch {
	case !l.Dealing() || s == Preflop || s > River || s != l.Street+1:
		return l, WrongStreet
	case l.Owed:
		return l, StubOwed
	case noBurn && l.BurnAhead:
		return l, BurnInPlace
	}
	n, burn := s.board(), uint8(1)
	if noBurn || l.BurnAhead {
		burn = 0
	}
	if l.Stub < n+burn {
		return l, TooFewCards
	}
	l.Stub -= n + burn
	l.Board += n
	l.Burns += burn
	l.Street, l.BurnAhead, l.Unburnt = s, false, noBurn
	return l, Moved
}

// take moves n cards from one area to another.
func (l Ledger) take(from, to Area, n uint8) (Ledger, bool) {
	if l.Count(from) < n {
		return l, false
	}
	if p := l.area(from); p != nil {
		*p -= n
	}
	if p := l.area(to); p != nil {
		*p += n
	}
	return l, true
}

// Missing names the areas where cards that a gathering lacks may have been left:
// those with exactly as many, and boxed cards put aside whenever there are any.
func (l Ledger) Missing(n uint16) (left []Area) {
	for a := Stub; a < Gathered; a++ {
		if c := l.Count(a); c != 0 && (a == Scrap || uint16(c) == n) {
			left = append(left, a)
		}
	}
	return left
}
