package deckcheck

import "math"

// Read is what a scanner makes of one card: a face, or a class without one.
// The zero value is Unreadable, so a value that nobody set is never taken for a
// card.
type Read uint8

// The classes that carry no face. Every card that passes the reader gives
// exactly one Read.
const (
	Unreadable  Read = iota // the reader could not tell
	Joker                   // a joker, or any card that belongs to no pack of 52
	ForeignBack             // the back of another pack
	Boxed                   // facing the wrong way, so that its face is not seen
	firstFace
)

// Face is the read of a card's face; Unreadable if c is no card.
func Face(c Card) Read {
	if !c.Valid() {
		return Unreadable
	}
	return firstFace + Read(c)
}

// Card is the face that was read, if it was one.
func (r Read) Card() (c Card, ok bool) {
	c = Card(r - firstFace)
	return c, r >= firstFace && c.Valid()
}

// Tally is how a scan ended: how many cards of each kind passed, and in no
// order (X1). It is comparable. The zero value is an empty scan that ran to its
// end; [Judge] calls it unread.
//
// Counts stop at the largest value they can hold and never wrap: a tally that
// overflows does not fit its own feed count and is never good.
type Tally struct {
	// Fed is the number of cards that passed, counted by a sensor which is not
	// the reader, or stated by the dealer.
	Fed uint16
	// FedAttested says that Fed is the dealer's word, because the device has no
	// feed counter (D1). Fed is 0 until it is stated.
	FedAttested bool
	// Faces is how often each card was read.
	Faces [DeckSize]uint8
	// Classes of cards without a face; see [Read].
	Jokers, Backs, Boxed, Unreadable uint16
	// Unnamed counts cards that were read, and whose faces are dropped because
	// the scan did not run to its end (D10).
	Unnamed uint16
	// Stop is why the scan did not run to its end; NotStopped if it did.
	Stop UnreadReason
}

// Reads is the number of cards that were read, whatever they were.
func (t Tally) Reads() int {
	n := int(t.Jokers) + int(t.Backs) + int(t.Boxed) + int(t.Unreadable) + int(t.Unnamed)
	for _, k := range t.Faces {
		n += int(k)
	}
	return n
}

// with counts one read more.
func (t *Tally) with(r Read) {
	if c, ok := r.Card(); ok {
		if t.Faces[c] < math.MaxUint8 {
			t.Faces[c]++
		}
		return
	}
	switch r {
	case Joker:
		up(&t.Jokers)
	case ForeignBack:
		up(&t.Backs)
	case Boxed:
		up(&t.Boxed)
	default: // a class that this version does not know is not read
		up(&t.Unreadable)
	}
}

// unnamed is the tally without faces: only their number remains (D10).
func (t Tally) unnamed() Tally {
	for i, k := range t.Faces {
		t.Unnamed = clip(int(t.Unnamed) + int(k))
		t.Faces[i] = 0
	}
	return t
}

func up(n *uint16) {
	if *n < math.MaxUint16 {
		*n++
	}
}

func clip(n int) uint16 { return uint16(min(max(n, 0), math.MaxUint16)) }
