// Package custody knows who holds what: the decks in a table's two slots, what
// locks them and what sends them away for good (D4-D7), and the handoff from
// one dealer to the next (P1, P3). It knows no events and no records: it takes
// values and returns values, or a typed reason why not.
package custody

import (
	"fmt"

	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// Slot is one of a table's two deck places.
type Slot uint8

// The slots of a table. Spare decks have no slot (D7).
const (
	NoSlot Slot = iota
	A
	B
)

// Slots is how many decks a table holds.
const Slots = 2

func (s Slot) String() string {
	switch s {
	case A:
		return "A"
	case B:
		return "B"
	}
	return ""
}

// Other is the slot beside s.
func (s Slot) Other() Slot {
	switch s {
	case A:
		return B
	case B:
		return A
	}
	return NoSlot
}

// ParseSlot reads "A" or "B".
func ParseSlot(t string) (Slot, error) {
	switch t {
	case "A", "a":
		return A, nil
	case "B", "b":
		return B, nil
	case "":
		return NoSlot, nil
	}
	return NoSlot, fmt.Errorf("slot %q: want A or B", t)
}

// MarshalText writes "A" or "B", no slot as an empty text.
func (s Slot) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Slot) UnmarshalText(b []byte) (err error) {
	*s, err = ParseSlot(string(b))
	return err
}

// Lock says why a deck may not be shuffled or dealt (D5).
type Lock uint8

// The reasons of a lock. Only Quarantined is final.
const (
	Free Lock = iota
	Unchecked
	CheckNotGood
	CountFailed
	CheckDue
	Quarantined
	UsedForDraw // D9: cards were drawn from it, and the room wants a check after that
)

var lockNames = [...]string{"", "unchecked", "check_not_good", "count_failed", "check_due", "quarantined", "used_for_draw"}

func (l Lock) String() string { return lockNames[l] }

// MarshalText writes the lock's name.
func (l Lock) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (l *Lock) UnmarshalText(b []byte) error {
	for i, n := range lockNames {
		if n == string(b) {
			*l = Lock(i)
			return nil
		}
	}
	return fmt.Errorf("unknown lock %q", b)
}

// Deck is one pack in a slot. The zero value is an empty slot. Comparable.
type Deck struct {
	ID, Back string
	New      bool // never used: D4 asks for the floor's countersignature
	Lock     Lock
	Check    uint64            // number of its last check, 0 = none yet
	Verdict  deckcheck.Verdict // of that check
	Attested bool              // the dealer's part of D4 is given for that check
	By       Person            // who gave it
	Signed   bool              // the floor countersigned that check
	Grave    uint8             // checks that found a duplicate or a foreign back (D5: the second confirms)
	WashDue  shuffle.WashReasons
	Shuffles uint32 // completed since it was placed
	Hands    uint32 // hands begun with it since its last good check
	Freed    int64  // when that check was attested, Unix milliseconds
	Placed   int64  // when it came into the slot, Unix milliseconds; 0 where an older version placed it
	Before   Wear   // what it had behind it then
}

// Wear is how long and how much a deck has been in use, over all tables: from its
// placing in a slot to its leaving, and shuffles that were completed.
type Wear struct {
	MS       int64  `json:"used_ms,omitempty"`
	Shuffles uint32 `json:"shuffles,omitempty"`
}

// Plus adds up two times of use.
func (w Wear) Plus(more Wear) Wear { return Wear{w.MS + more.MS, w.Shuffles + more.Shuffles} }

// Here is the deck's use since it came into its slot, at a time in Unix
// milliseconds. A clock that was set back takes nothing off.
func (d Deck) Here(now int64) Wear {
	w := Wear{Shuffles: d.Shuffles}
	if d.Placed != 0 && now > d.Placed {
		w.MS = now - d.Placed
	}
	return w
}

// Present tells whether the slot holds a deck.
func (d Deck) Present() bool { return d.ID != "" }

// Place puts a deck into an empty slot, unchecked; it owes a wash (S2).
// other is the deck in the neighbouring slot: backs must differ (D7).
func Place(id, back string, isNew bool, other Deck) (Deck, Refusal) {
	switch {
	case CheckID(id) != nil || CheckID(back) != nil:
		return Deck{}, BadID
	case other.Present() && other.ID == id:
		return Deck{}, SameDeck
	case other.Present() && other.Back == back:
		return Deck{}, SameBack
	}
	due := shuffle.WashReasons(0).With(shuffle.WashTableOpen)
	if isNew {
		due = due.With(shuffle.WashNewDeck)
	}
	return Deck{ID: id, Back: back, New: isNew, Lock: Unchecked, WashDue: due}, OK
}

// Judged takes the verdict of check number n. Anything but good locks the
// deck (D5); a good one frees it only when attested (see Usable). The second
// check that finds a duplicate or a foreign back confirms it, unless the first
// was a probable misread (D3), which locks without counting.
func (d Deck) Judged(n uint64, v deckcheck.Verdict) Deck {
	stands := v.Hint == deckcheck.NoHint || d.Verdict.Same(v)
	if v.Outcome == deckcheck.Bad && stands && (v.Duplicate.Len() > 0 || v.Backs > 0) && d.Grave < 255 {
		d.Grave++
	}
	if v.Outcome == deckcheck.Good {
		d.Grave = 0
	}
	d.Check, d.Verdict, d.Attested, d.By, d.Signed = n, v, false, Person{}, false
	if d.Lock != Quarantined {
		d.Lock = Unchecked
		if v.Outcome != deckcheck.Good {
			d.Lock = CheckNotGood
		}
	}
	return d
}

// Confirmed tells whether D5 calls for quarantine: a duplicate or a foreign
// back was found by two checks.
func (d Deck) Confirmed() bool { return d.Grave >= 2 }

// Attest takes a statement for the last check, at a time in Unix milliseconds:
// the dealer's, with or without the floor's signature, or the floor's alone (D4).
// It frees the deck when nothing more is owed.
func (d Deck) Attest(by Person, signed, countersignNew bool, now int64) Deck {
	if by.Role == Dealer {
		d.Attested, d.By = true, by
	}
	d.Signed = d.Signed || signed
	if d.Lock == Unchecked && d.Attested && d.Verdict.Outcome == deckcheck.Good && (!d.New || !countersignNew || d.Signed) {
		d.Lock, d.Hands, d.Freed = Free, 0, now
	}
	return d
}

// Fail locks the deck after a count that failed (D5).
func (d Deck) Fail() Deck {
	if d.Lock != Quarantined {
		d.Lock = CountFailed
	}
	return d
}

// Begin counts a hand begun with the deck.
func (d Deck) Begin() Deck { d.Hands++; return d }

// Due tells whether an identity check is due again (D11) after so many hands or
// so many milliseconds, 0 = never. It is asked between hands: one that has begun
// is played.
func (d Deck) Due(hands uint16, ms, now int64) bool {
	return d.Lock == Free && (hands > 0 && d.Hands >= uint32(hands) || ms > 0 && now-d.Freed >= ms)
}

// Expire locks a deck whose check is due again.
func (d Deck) Expire() Deck {
	if d.Lock == Free {
		d.Lock = CheckDue
	}
	return d
}

// MayWait tells whether nobody is asked for a check of the deck while it rests:
// it was found whole once.
func (d Deck) MayWait() bool {
	return d.Lock == CheckDue || d.Lock == CountFailed || d.Lock == UsedForDraw
}

// Usable tells whether the deck may be shuffled and dealt (D1, D5).
func (d Deck) Usable() bool { return d.Present() && d.Lock == Free }
