// Package fault keeps what is wrong with a table's parts: faults latch until a
// named person clears them (M1), and each blocks what uses its part. It knows
// no events and no records.
package fault

import (
	"encoding/json"
	"fmt"
	"math/bits"
)

// Part is a part of the table's equipment.
type Part uint8

// The parts of M1.
const (
	NoPart Part = iota
	Shuffler
	Scanner
	Panel
	Journal
)

// Parts is one more than the last part, for arrays indexed by Part.
const Parts = 5

var partNames = [Parts]string{"", "shuffler", "scanner", "panel", "journal"}

func (p Part) String() string {
	if p < Parts {
		return partNames[p]
	}
	return fmt.Sprintf("part(%d)", uint8(p))
}

// ParsePart reads a part's name.
func ParsePart(s string) (Part, error) {
	for i, n := range partNames {
		if n == s && i > 0 {
			return Part(i), nil
		}
	}
	return NoPart, fmt.Errorf("part %q: want shuffler, scanner, panel or journal", s)
}

// MarshalText writes the part's name.
func (p Part) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (p *Part) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*p = NoPart
		return nil
	}
	*p, err = ParsePart(string(b))
	return err
}

// Set is a set of fault codes. The zero value is none.
type Set uint64

// Has tells whether c is in the set.
func (s Set) Has(c Code) bool { return s&(1<<c) != 0 }

// With adds c.
func (s Set) With(c Code) Set { return s | 1<<c }

// Without removes c.
func (s Set) Without(c Code) Set { return s &^ (1 << c) }

// First is the lowest code of the set, or None.
func (s Set) First() Code {
	if s == 0 {
		return None
	}
	return Code(bits.TrailingZeros64(uint64(s)))
}

// List gives the codes in order.
func (s Set) List() (l []Code) {
	for s != 0 {
		c := s.First()
		l, s = append(l, c), s.Without(c)
	}
	return l
}

// MarshalJSON writes the set as a list of names: numbers are not stored.
func (s Set) MarshalJSON() ([]byte, error) {
	l := s.List()
	if l == nil {
		l = []Code{}
	}
	return json.Marshal(l)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Set) UnmarshalJSON(b []byte) error {
	var l []Code
	if err := json.Unmarshal(b, &l); err != nil {
		return err
	}
	*s = 0
	for _, c := range l {
		if c == None {
			return fmt.Errorf("a fault without a name in %s", b)
		}
		*s = s.With(c)
	}
	return nil
}

// Board holds the latched faults of each part. The zero value is all clear.
type Board [Parts]Set

// Latch adds a fault; fresh tells whether it was not there already, so that a
// device that repeats itself makes one record.
func (b Board) Latch(p Part, c Code) (_ Board, fresh bool) {
	if c == None || p == NoPart || p >= Parts {
		return b, false
	}
	fresh = !b[p].Has(c)
	b[p] = b[p].With(c)
	return b, fresh
}

// Clear takes one fault off a part.
func (b Board) Clear(p Part, c Code) Board {
	b[p] = b[p].Without(c)
	return b
}

// Blocked tells whether any fault is latched on the part.
func (b Board) Blocked(p Part) bool { return b[p] != 0 }
