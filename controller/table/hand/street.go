package hand

import "fmt"

// Street is how far the board of a hand in play has come, as far as anybody has
// stated it. The zero value is before the flop.
type Street uint8

// The streets.
const (
	Preflop Street = iota
	Flop
	Turn
	River
)

var streetNames = [...]string{"preflop", "flop", "turn", "river"}

func (s Street) String() string {
	if int(s) < len(streetNames) {
		return streetNames[s]
	}
	return fmt.Sprintf("street(%d)", uint8(s))
}

// ParseStreet reads a street's name.
func ParseStreet(s string) (Street, error) {
	for i, n := range streetNames {
		if n == s {
			return Street(i), nil
		}
	}
	return Preflop, fmt.Errorf("street %q: want preflop, flop, turn or river", s)
}

// MarshalText writes the street's name.
func (s Street) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Street) UnmarshalText(b []byte) (err error) {
	*s, err = ParseStreet(string(b))
	return err
}

// board is how many cards the street turns up.
func (s Street) board() uint8 {
	switch s {
	case Flop:
		return 3
	case Turn, River:
		return 1
	}
	return 0
}
