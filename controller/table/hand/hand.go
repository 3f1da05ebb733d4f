// Package hand is the life of one hand: what lets it begin (H1, H5), the level
// tag frozen at that instant (H2-H4), and its stages up to pots pushed (H13).
// It knows no events and no records: values in, values or a typed reason out.
package hand

import (
	"encoding/json"
	"fmt"
)

// Trigger is what began a hand (H1).
type Trigger uint8

// The triggers of H1. Which of them count is a setting per mode.
const (
	NoTrigger Trigger = iota
	FirstRiffle
	ShufflerButton
	DealerPush
)

var triggerNames = [...]string{"", "first_riffle", "shuffler_button", "dealer_push"}

func (t Trigger) String() string { return triggerNames[t] }

// ParseTrigger reads a trigger's name.
func ParseTrigger(s string) (Trigger, error) {
	for i, n := range triggerNames {
		if n == s && i > 0 {
			return Trigger(i), nil
		}
	}
	return NoTrigger, fmt.Errorf("trigger %q: want first_riffle, shuffler_button or dealer_push", s)
}

// MarshalText writes the trigger's name.
func (t Trigger) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (t *Trigger) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*t = NoTrigger
		return nil
	}
	*t, err = ParseTrigger(string(b))
	return err
}

// Triggers is the set of triggers that a mode allows. The first of them begins
// the hand; the others are only noted.
type Triggers uint8

// With adds a trigger to the set.
func (s Triggers) With(t Trigger) Triggers { return s | 1<<t }

// Has tells whether t is allowed.
func (s Triggers) Has(t Trigger) bool { return t != NoTrigger && s&(1<<t) != 0 }

// List names the triggers in the order of H1.
func (s Triggers) List() (l []Trigger) {
	for t := FirstRiffle; t <= DealerPush; t++ {
		if s.Has(t) {
			l = append(l, t)
		}
	}
	return l
}

// MarshalJSON writes the set as a list of names.
func (s Triggers) MarshalJSON() ([]byte, error) {
	l := s.List()
	if l == nil {
		l = []Trigger{}
	}
	return json.Marshal(l)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Triggers) UnmarshalJSON(b []byte) error {
	var l []Trigger
	if err := json.Unmarshal(b, &l); err != nil {
		return err
	}
	*s = 0
	for _, t := range l {
		if t == NoTrigger {
			return fmt.Errorf("a trigger without a name in %s", b)
		}
		*s = s.With(t)
	}
	return nil
}

// Stage is how far a hand has come.
type Stage uint8

// The stages of a hand. Unsure is Ready after a restart (M3): the dealer says
// whether the pack is untouched.
const (
	None Stage = iota
	Begun
	Ready
	Unsure
	Dealt
)

var stageNames = [...]string{"none", "begun", "ready", "unsure", "dealt"}

func (s Stage) String() string { return stageNames[s] }

// MarshalText writes the stage's name.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Stage) UnmarshalText(b []byte) error {
	for i, n := range stageNames {
		if n == string(b) {
			*s = Stage(i)
			return nil
		}
	}
	return fmt.Errorf("unknown stage %q of a hand", b)
}

// Hand is the hand in play. The zero value is none. Number and Tag are written
// once, by Begin, and by nothing else (H3, H4).
type Hand struct {
	Number  uint64
	Tag     Level
	Trigger Trigger
	Stage   Stage
	SA      bool   // substantial action has formed (H6)
	Button  uint8  // seat of the button
	Seats   Seats  // dealt in, frozen at the trigger (H13)
	Stated  bool   // the seats were confirmed for this hand
	Shuffle uint64 // the shuffle it is bound to
}

// InPlay tells whether a hand has begun and not ended.
func (h Hand) InPlay() bool { return h.Stage != None }

// CardsOut tells whether cards of the pack may be in players' hands: nothing is
// shuffled then (S8), and cards are not named (D10).
func (h Hand) CardsOut() bool { return h.Stage == Dealt || h.Stage == Unsure }

// MaxSeats is the largest table.
const MaxSeats = 10

// Seats is a set of seat numbers 1..MaxSeats.
type Seats uint16

// With adds seat n.
func (s Seats) With(n int) Seats { return s | 1<<n }

// Has tells whether seat n is in the set.
func (s Seats) Has(n int) bool { return n >= 1 && n <= MaxSeats && s&(1<<n) != 0 }

// List gives the seat numbers in order.
func (s Seats) List() []int {
	l := []int{}
	for n := 1; n <= MaxSeats; n++ {
		if s.Has(n) {
			l = append(l, n)
		}
	}
	return l
}

// MarshalJSON writes the set as a list of numbers.
func (s Seats) MarshalJSON() ([]byte, error) { return json.Marshal(s.List()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Seats) UnmarshalJSON(b []byte) error {
	var l []int
	if err := json.Unmarshal(b, &l); err != nil {
		return err
	}
	seats, err := ParseSeats(l)
	*s = seats
	return err
}

// ParseSeats makes a set of numbers, refusing one that is no seat or is named
// twice.
func ParseSeats(l []int) (s Seats, err error) {
	for _, n := range l {
		if n < 1 || n > MaxSeats {
			return 0, fmt.Errorf("seat %d: want 1 to %d", n, MaxSeats)
		}
		if s.Has(n) {
			return 0, fmt.Errorf("seat %d is named twice", n)
		}
		s = s.With(n)
	}
	return s, nil
}
