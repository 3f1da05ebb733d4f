package custody

import (
	"fmt"

	"shuffler/deckcheck"
)

// Cause is why a deck is changed, taken away or retired (D6). None of them is a
// player's wish: players cannot ask for another deck. The zero value is none.
type Cause uint8

// The causes. What F0 §3.3 looks for on a card comes first. FloorOrder needs a
// word of its own why.
const (
	NoCause Cause = iota
	Damaged       // scratched, creased, torn
	Dirty
	Sticky
	Marked      // a mark that can be known from the back
	BacksDiffer // the backs are not alike
	Incomplete  // a card is missing, or one too many
	Fouled      // a wrong card was found in play (H9)
	NotGood     // its check is not good
	CheckIsDue  // its identity check is due again (D11), and the other deck plays meanwhile
	Scheduled   // after so many hours or shuffles in use
	FloorOrder  // the floor's order; the note says why
)

var causeNames = [...]string{"", "damaged", "dirty", "sticky", "marked", "backs_differ", "incomplete", "fouled", "not_good", "check_due", "scheduled", "floor_order"}

func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return fmt.Sprintf("cause(%d)", uint8(c))
}

// Causes lists all causes but none, in the order in which a person is offered
// them.
func Causes() (l []Cause) {
	for c := Damaged; int(c) < len(causeNames); c++ {
		l = append(l, c)
	}
	return l
}

// ParseCause reads a cause's name; an empty text is none.
func ParseCause(s string) (Cause, error) {
	for i, n := range causeNames {
		if n == s {
			return Cause(i), nil
		}
	}
	return NoCause, fmt.Errorf("cause %q: want one of %v; that a player asks for another deck is none (D6)", s, causeNames[1:])
}

// MarshalText writes the cause's name, none as an empty text.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (c *Cause) UnmarshalText(b []byte) (err error) {
	*c, err = ParseCause(string(b))
	return err
}

// SentAway is why a deck goes into quarantine (D5). There are no other reasons
// than these. The zero value is none.
type SentAway uint8

// The reasons of D5. The first two need two checks that found it.
const (
	NotSentAway SentAway = iota
	DuplicateConfirmed
	BackConfirmed
	JokerInPlay
	DuplicateInPlay
	SentByFloor // the floor's order; the note says why
)

var sentNames = [...]string{"", "duplicate_confirmed", "foreign_back_confirmed", "joker_in_play", "duplicate_in_play", "floor_order"}

func (s SentAway) String() string {
	if int(s) < len(sentNames) {
		return sentNames[s]
	}
	return fmt.Sprintf("sent_away(%d)", uint8(s))
}

// ParseSentAway reads a reason's name; an empty text is none.
func ParseSentAway(t string) (SentAway, error) {
	for i, n := range sentNames {
		if n == t {
			return SentAway(i), nil
		}
	}
	return NotSentAway, fmt.Errorf("cause %q: want one of %v", t, sentNames[1:])
}

// MarshalText writes the reason's name, none as an empty text.
func (s SentAway) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *SentAway) UnmarshalText(b []byte) (err error) {
	*s, err = ParseSentAway(string(b))
	return err
}

// SendAway tells whether D5 lets the deck go into quarantine for the reason that
// is said. Where none is said, what two checks have found is the reason, else it
// is the floor's order. A find that no second check has confirmed is none.
func (d Deck) SendAway(said SentAway) (SentAway, Refusal) {
	switch {
	case said == NotSentAway && d.Confirmed() && d.Verdict.Duplicate.Len() > 0:
		return DuplicateConfirmed, OK
	case said == NotSentAway && d.Confirmed():
		return BackConfirmed, OK
	case said == NotSentAway:
		return SentByFloor, OK
	case said == DuplicateConfirmed && !(d.Confirmed() && d.Verdict.Duplicate.Len() > 0),
		said == BackConfirmed && !(d.Confirmed() && d.Verdict.Backs > 0):
		return said, NotConfirmed
	}
	return said, OK
}

// Remedy is what a deck needs whose last check was not good (D2, D3, D5).
type Remedy uint8

// The remedies.
const (
	NoRemedy   Remedy = iota
	ScanAgain         // not read, or a probable misread: nobody is blamed
	ScanToKnow        // a second check confirms the find, or not
	PutRight          // set right and scan again
	Replace           // the floor takes it away, or has the find cleared up
	Quarantine        // confirmed: it goes for good
)

// Remedy tells what the deck's last verdict calls for. Jokers are set right in a
// new pack only: in one that has been played they were dealt, and the floor
// decides.
func (d Deck) Remedy() Remedy {
	v := d.Verdict
	switch {
	case d.Confirmed():
		return Quarantine
	case v.Outcome == deckcheck.Unread, v.Hint != deckcheck.NoHint:
		return ScanAgain
	case v.Outcome != deckcheck.Bad:
		return NoRemedy
	case v.Duplicate.Len() > 0 || v.Backs > 0:
		return ScanToKnow
	case v.Jokers > 0 && (!d.New || d.Freed != 0):
		return Replace
	case v.Jokers == 0 && v.Boxed == 0 && v.Short == 0 && v.Long == 0 && v.Missing.Len() == 0: // only the two counts differ
		return ScanAgain
	}
	return PutRight
}
