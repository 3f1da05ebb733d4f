package deckcheck

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// MaxConfusions is how many pairs a confusion list can hold.
const MaxConfusions = 16

// Confusions is the room's list of card pairs that its camera takes for one
// another, beyond those of the same rank and colour, which it always may (D3).
// Comparable: two lists with the same pairs are equal, in whatever order they
// were written. The zero value is an empty list.
type Confusions struct {
	pairs [MaxConfusions][2]Card // lower card first, sorted
	n     uint8
}

// ParseConfusions reads pairs such as "JD/QD". The order within a pair and of
// the pairs means nothing; a pair that stands twice counts once. It fails, with
// the entry's place, for a text that is no pair, for a card with itself, and for
// more than MaxConfusions pairs.
func ParseConfusions(list []string) (Confusions, error) {
	var c Confusions
	for i, entry := range list {
		pair, err := parsePair(entry)
		if err != nil {
			return Confusions{}, fmt.Errorf("deckcheck: confusion list, entry %d: %w", i+1, err)
		}
		if c.Has(pair[0], pair[1]) {
			continue
		}
		if c.n == MaxConfusions {
			return Confusions{}, fmt.Errorf("deckcheck: confusion list, entry %d: more than %d pairs; a camera that bad needs service", i+1, MaxConfusions)
		}
		c.pairs[c.n] = pair
		c.n++
	}
	slices.SortFunc(c.pairs[:c.n], func(a, b [2]Card) int { return (int(a[0])-int(b[0]))*DeckSize + int(a[1]) - int(b[1]) })
	return c, nil
}

func parsePair(entry string) ([2]Card, error) {
	left, right, ok := strings.Cut(entry, "/")
	if !ok {
		return [2]Card{}, fmt.Errorf("%s is no pair: want two cards with a stroke between, as in JD/QD", quote(entry))
	}
	a, err := ParseCard(left)
	if err != nil {
		return [2]Card{}, err
	}
	b, err := ParseCard(right)
	if err != nil {
		return [2]Card{}, err
	}
	if a == b {
		return [2]Card{}, fmt.Errorf("%s pairs a card with itself", quote(entry))
	}
	return [2]Card{min(a, b), max(a, b)}, nil
}

// Has tells whether the pair is on the list, either way round.
func (c Confusions) Has(a, b Card) bool {
	return slices.Contains(c.pairs[:c.n], [2]Card{min(a, b), max(a, b)})
}

// Len is the number of pairs.
func (c Confusions) Len() int { return int(c.n) }

// List gives the pairs as ParseConfusions reads them, in card order.
func (c Confusions) List() []string {
	list := make([]string, 0, c.n)
	for _, p := range c.pairs[:c.n] {
		list = append(list, p[0].String()+"/"+p[1].String())
	}
	return list
}

// MarshalJSON writes List.
func (c Confusions) MarshalJSON() ([]byte, error) { return json.Marshal(c.List()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Confusions) UnmarshalJSON(data []byte) error {
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("deckcheck: confusion list: want a list of pairs: %w", err)
	}
	parsed, err := ParseConfusions(list)
	if err == nil {
		*c = parsed
	}
	return err
}

// confusable tells whether a camera may take one card for the other (D3).
func (c Confusions) confusable(a, b Card) bool {
	return a.Rank() == b.Rank() && a.Red() == b.Red() || c.Has(a, b)
}
