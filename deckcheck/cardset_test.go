package deckcheck

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func cards(t testing.TB, names string) (s CardSet) {
	t.Helper()
	for _, name := range strings.Fields(names) {
		c, err := ParseCard(name)
		if err != nil {
			t.Fatal(err)
		}
		s = s.With(c)
	}
	return s
}

func TestCardSet_ListsInCardOrder(t *testing.T) {
	s := cards(t, "QD AS JD KC 10H")
	if got, want := s.String(), "AS 10H JD QD KC"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if got, want := s.Symbols(), "A♠ 10♥ J♦ Q♦ K♣"; got != want {
		t.Errorf("Symbols() = %q, want %q", got, want)
	}
	for c := range s.All() {
		if c.String() != "AS" {
			t.Errorf("first card is %v", c)
		}
		break // an iterator can be left
	}
	if CardSet(0).With(DeckSize) != 0 || FullDeck.Has(DeckSize) || FullDeck.Has(200) || FullDeck.Len() != 52 {
		t.Error("a value that is no card counts as one")
	}
}

func TestCardSet_JSONReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := CardSet(rapid.Uint64().Draw(t, "set")) & FullDeck
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back CardSet
		if err := json.Unmarshal(data, &back); err != nil || back != s {
			t.Fatalf("%s reads back as %v, %v", data, back, err)
		}
		if n := len(slices.Collect(s.All())); n != s.Len() {
			t.Fatalf("%d cards, Len %d", n, s.Len())
		}
	})
	if data, _ := json.Marshal(cards(t, "QD JD")); string(data) != `["JD","QD"]` {
		t.Errorf("JSON is %s", data)
	}
}

func TestCardSet_BadJSONIsNamed(t *testing.T) {
	for data, want := range map[string]string{
		`["JD","XX"]`: "entry 2", `["JD","QD","JD"]`: "JD stands twice", `"JD"`: "want a list", `{}`: "want a list", `[1]`: "want a list",
	} {
		s := CardSet(1)
		if err := json.Unmarshal([]byte(data), &s); err == nil || !strings.Contains(err.Error(), want) || s != 1 {
			t.Errorf("%s reads as %v, %v; want an error with %q", data, s, err, want)
		}
	}
	if data, err := json.Marshal(CardSet(1 << DeckSize)); err == nil {
		t.Errorf("a set with a bit too many marshals as %s", data)
	}
}
