package sim

import (
	"cmp"
	"slices"
	"strings"
)

// Pack is a pile of cards, the top first. Its order is the secret of the game
// (X1): it is known to this package and to the hands that hold it.
type Pack []Card

// NewPack gives 52 good cards with this back in the order of a new deck.
func NewPack(back string) Pack {
	p := make(Pack, 52)
	for i := range p {
		p[i] = Card{Face: Face(i), Back: back}
	}
	return p
}

// Clone gives a pack of its own with the same cards in the same order.
func (p Pack) Clone() Pack { return slices.Clone(p) }

// Sorted gives the same cards in the order of a new deck: two packs hold the
// same cards if and only if their sorted forms are equal.
func (p Pack) Sorted() Pack {
	s := p.Clone()
	s.sort()
	return s
}

func (p Pack) sort() { slices.SortFunc(p, compareCards) }

func compareCards(a, b Card) int {
	return cmp.Or(
		cmp.Compare(a.Face, b.Face),
		strings.Compare(a.Back, b.Back),
		compareBool(a.Boxed, b.Boxed),
		compareBool(a.Unreadable, b.Unreadable),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// find gives the place of the first card with this face, or -1.
func (p Pack) find(f Face) int {
	return slices.IndexFunc(p, func(c Card) bool { return c.Face == f })
}
