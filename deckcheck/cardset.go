package deckcheck

import (
	"encoding/json"
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// CardSet is a set of cards: bit i stands for Card i. The zero value is the
// empty set. It can be compared with == and never tells in which order cards
// came (X1): it is always listed in the order of the cards themselves.
type CardSet uint64

// FullDeck is the set of all 52 (D1).
const FullDeck CardSet = 1<<DeckSize - 1

// With is the set with c in it. Values that are no cards are left out.
func (s CardSet) With(c Card) CardSet {
	if !c.Valid() {
		return s
	}
	return s | 1<<c
}

// Has tells whether c is in the set.
func (s CardSet) Has(c Card) bool { return c.Valid() && s>>c&1 == 1 }

// Len is the number of cards in the set.
func (s CardSet) Len() int { return bits.OnesCount64(uint64(s & FullDeck)) }

// first is the lowest card of a set that is not empty.
func (s CardSet) first() Card { return Card(bits.TrailingZeros64(uint64(s))) }

// All gives the cards of the set in card order.
func (s CardSet) All() iter.Seq[Card] {
	return func(yield func(Card) bool) {
		for rest := s & FullDeck; rest != 0; rest &= rest - 1 {
			if !yield(Card(bits.TrailingZeros64(uint64(rest)))) {
				return
			}
		}
	}
}

// String lists the cards in card order: "JD QD".
func (s CardSet) String() string {
	names := make([]string, 0, s.Len())
	for c := range s.All() {
		names = append(names, c.String())
	}
	return strings.Join(names, " ")
}

// Symbols lists the cards in card order for people: "J♦ Q♦".
func (s CardSet) Symbols() string {
	names := make([]string, 0, s.Len())
	for c := range s.All() {
		names = append(names, c.Symbol())
	}
	return strings.Join(names, " ")
}

// MarshalJSON writes an array of card names in card order. It fails for a value
// with bits that are no cards.
func (s CardSet) MarshalJSON() ([]byte, error) {
	if s&^FullDeck != 0 {
		return nil, fmt.Errorf("deckcheck: card set %#x has bits that are no cards", uint64(s))
	}
	names := make([]string, 0, s.Len())
	for c := range s.All() {
		names = append(names, c.String())
	}
	return json.Marshal(names)
}

// UnmarshalJSON reads an array of card names in any order. It fails for anything
// else, for a name that is no card, and for a card that stands twice: a set
// would swallow it.
func (s *CardSet) UnmarshalJSON(data []byte) error {
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		return fmt.Errorf("deckcheck: card set: want a list of card names: %w", err)
	}
	var set CardSet
	for i, name := range names {
		c, err := ParseCard(name)
		if err != nil {
			return fmt.Errorf("deckcheck: card set, entry %d: %w", i+1, err)
		}
		if set.Has(c) {
			return fmt.Errorf("deckcheck: card set, entry %d: %v stands twice", i+1, c)
		}
		set = set.With(c)
	}
	*s = set
	return nil
}
