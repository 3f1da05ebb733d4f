package hand

import "fmt"

// StubOutcome is what the floor confirms of a stub that was dropped, mixed, or
// dealt from too early (H8). The zero value is none.
type StubOutcome uint8

// The outcomes.
const (
	NoStubOutcome StubOutcome = iota
	OrderRestored             // every card is where it was: nothing is shuffled
	StubOnly                  // the stub alone is washed and cut by hand, face down
	StubRebuilt               // it was mixed with other areas; the floor rebuilds it, then as above
)

var outcomeNames = [...]string{"", "restored", "stub_only", "rebuilt"}

func (o StubOutcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// ParseStubOutcome reads an outcome's name.
func ParseStubOutcome(s string) (StubOutcome, error) {
	for i, n := range outcomeNames {
		if n == s && i > 0 {
			return StubOutcome(i), nil
		}
	}
	return NoStubOutcome, fmt.Errorf("outcome %q: want restored, stub_only or rebuilt", s)
}

// MarshalText writes the outcome's name, none as an empty text.
func (o StubOutcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (o *StubOutcome) UnmarshalText(b []byte) (err error) {
	*o = NoStubOutcome
	if len(b) > 0 {
		*o, err = ParseStubOutcome(string(b))
	}
	return err
}

// Mix is the ledger while the stub is washed and cut: nothing comes off it.
func (l Ledger) Mix() Ledger {
	l.Owed, l.Mixing = true, true
	return l
}

// Unmix is the ledger after that was stopped: the stub owes it still.
func (l Ledger) Unmix() Ledger {
	l.Mixing = false
	return l
}

// Mixed is the ledger after it is done.
func (l Ledger) Mixed() Ledger {
	l.Owed, l.Mixing = false, false
	return l
}
