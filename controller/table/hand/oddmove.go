package hand

import "fmt"

// OddMove is a kind of move of cards that is no ordinary deal, burn or board (F0
// §13, §14). The zero value is none.
type OddMove uint8

// The odd moves.
const (
	NoOddMove       OddMove = iota
	ExposedCard             // a card that the dealer showed becomes the flop's burn; the stub replaces it
	FourCardFlop            // one of four, taken blindly, becomes the turn's burn
	FlopBurnMissing         // before any action one of the three becomes the burn; after one the flop stands
	PrematureBoard          // the street's cards go back into the stub; its burn stays
	BoxedCard               // put aside as scrap; it is no burn
	ButtonCompleted         // the button's missing card comes from the stub
	ShortHandDead           // a hand of one card is dead
	LongHandDead            // a hand of three is dead; the third card is no burn
	RuledMove               // what the floor rules where no repair is written
)

var oddNames = [...]string{"", "exposed_card", "four_card_flop", "flop_burn_missing", "premature_board", "boxed_card",
	"button_completed", "short_hand_dead", "long_hand_dead", "ruled"}

func (k OddMove) String() string {
	if int(k) < len(oddNames) {
		return oddNames[k]
	}
	return fmt.Sprintf("odd_move(%d)", uint8(k))
}

// OddMoves lists the kinds.
func OddMoves() (l []OddMove) {
	for k := ExposedCard; int(k) < len(oddNames); k++ {
		l = append(l, k)
	}
	return l
}

// ParseOddMove reads a kind's name; an empty text is none.
func ParseOddMove(s string) (OddMove, error) {
	for i, n := range oddNames {
		if n == s {
			return OddMove(i), nil
		}
	}
	return NoOddMove, fmt.Errorf("kind %q is no odd move of cards", s)
}

// MarshalText writes the kind's name, none as an empty text.
func (k OddMove) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (k *OddMove) UnmarshalText(b []byte) (err error) {
	*k, err = ParseOddMove(string(b))
	return err
}

// Odd is one odd move with what its kind asks for.
type Odd struct {
	Kind     OddMove
	Acted    bool  // FlopBurnMissing: any action followed the flop, a check too
	Cards    uint8 // BoxedCard and RuledMove: how many
	From, To Area  // RuledMove
	SA       bool  // substantial action has formed (H6)
	Button   bool  // the hand that it is about is the button's
}

// Move does an odd move, or tells why it cannot be the one.
func (l Ledger) Move(m Odd) (Ledger, MoveRefusal) {
	if !l.Dealing() {
		return l, WrongStreet
	}
	if l.Mixing {
		return l, StubOwed
	}
	switch m.Kind {
	case ExposedCard:
		return l.exposed()
	case FourCardFlop:
		return l.fourthCard()
	case FlopBurnMissing:
		return l.flopBurn(m.Acted)
	case PrematureBoard:
		return l.premature()
	case BoxedCard:
		return l.boxed(m)
	case ButtonCompleted:
		return l.buttonCompleted()
	case ShortHandDead, LongHandDead:
		return l.deadHand(m)
	case RuledMove:
		return l.ruled(m)
	}
	return l, NotAMove
}

// exposed: one card only. A second one is dealt again or ruled (F0 §13).
func (l Ledger) exposed() (Ledger, MoveRefusal) {
	switch {
	case l.Street != Preflop:
		return l, WrongStreet
	case l.BurnAhead:
		return l, MisdealDue
	case l.Hands == 0 || l.Stub == 0:
		return l, TooFewCards
	}
	l.Stub--
	l.Burns++
	l.BurnAhead = true
	return l, Moved
}

// fourthCard: the flop is stated as three cards; the fourth came off the stub
// too.
func (l Ledger) fourthCard() (Ledger, MoveRefusal) {
	switch {
	case l.Street != Flop:
		return l, WrongStreet
	case l.BurnAhead:
		return l, BurnInPlace
	case l.Unburnt: // two errors at once are the floor's (F0 §14)
		return l, NotAMove
	case l.Stub == 0:
		return l, TooFewCards
	}
	l.Stub--
	l.Burns++
	l.BurnAhead = true
	return l, Moved
}

// flopBurn: the turn still burns one card and no more.
func (l Ledger) flopBurn(acted bool) (Ledger, MoveRefusal) {
	switch {
	case l.Street != Flop:
		return l, WrongStreet
	case !l.Unburnt:
		return l, BurnNotMissing
	case !acted && l.Stub == 0:
		return l, TooFewCards
	}
	if !acted { // one of the three becomes the burn, and the stub's top card joins the other two
		l.Stub--
		l.Burns++
	}
	l.Unburnt = false
	return l, Moved
}

// premature: the burn stays and serves when the street is dealt again. The stub
// into which the cards went is washed and cut before that (H8).
func (l Ledger) premature() (Ledger, MoveRefusal) {
	n := l.Street.board()
	switch {
	case l.Street == Preflop:
		return l, WrongStreet
	case l.BurnAhead: // a fourth card besides: the floor's
		return l, BurnInPlace
	case l.Unburnt:
		return l, NotAMove
	case l.Board < n:
		return l, TooFewCards
	}
	l.Board -= n
	l.Stub += n
	l.Street--
	l.BurnAhead, l.Owed = true, true
	return l, Moved
}

// boxed: the next card below takes its place. Two in the first deal are a
// misdeal (F0 §12.2).
func (l Ledger) boxed(m Odd) (Ledger, MoveRefusal) {
	switch {
	case m.Cards == 0:
		return l, NotAMove
	case m.Cards > l.Stub:
		return l, TooFewCards
	case l.Street == Preflop && !m.SA && l.Scrap+m.Cards > 1:
		return l, MisdealDue
	}
	l.Stub -= m.Cards
	l.Scrap += m.Cards
	return l, Moved
}

// buttonCompleted: the ledger had counted the missing card as dealt, so nothing
// moves; that it was is said.
func (l Ledger) buttonCompleted() (Ledger, MoveRefusal) {
	switch {
	case l.Street != Preflop:
		return l, WrongStreet
	case l.Hands < 2:
		return l, TooFewCards
	}
	return l, Moved
}

// deadHand: before SA a wrong number of cards is a misdeal, except for a button
// that played a short hand (F0 §13). The ledger had counted two.
func (l Ledger) deadHand(m Odd) (Ledger, MoveRefusal) {
	third := m.Kind == LongHandDead
	switch {
	case !m.SA && (third || !m.Button):
		return l, MisdealDue
	case l.Hands < 2 || third && l.Stub == 0:
		return l, TooFewCards
	}
	l.Hands -= 2
	if third {
		l.Stub--
		l.Muck += 3
	} else {
		l.Stub++
		l.Muck++
	}
	return l, Moved
}

// ruled: nothing goes back to the pack before it is gathered (S8).
func (l Ledger) ruled(m Odd) (Ledger, MoveRefusal) {
	if m.Cards == 0 || m.From == m.To || l.area(m.From) == nil || l.area(m.To) == nil {
		return l, NotAMove
	}
	moved, ok := l.take(m.From, m.To, m.Cards)
	if !ok {
		return l, TooFewCards
	}
	return moved, Moved
}

// OfOneHand tells whether the move is about the cards of one player.
func (k OddMove) OfOneHand() bool {
	switch k {
	case ExposedCard, ButtonCompleted, ShortHandDead, LongHandDead:
		return true
	}
	return false
}

// Counts tells whether the move asks how many cards.
func (k OddMove) Counts() bool { return k == BoxedCard || k == RuledMove }
