package deckcheck

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCard_EachOfThe52ReadsBackFromEveryForm(t *testing.T) {
	seen := map[string]Card{}
	for c := Card(0); c < DeckSize; c++ {
		if other, twice := seen[c.String()]; twice {
			t.Fatalf("%d and %d are both %v", c, other, c)
		}
		seen[c.String()] = c
		if NewCard(c.Rank(), c.Suit()) != c {
			t.Errorf("%v: rank %d and suit %d make %v", c, c.Rank(), c.Suit(), NewCard(c.Rank(), c.Suit()))
		}
		for _, form := range []string{c.String(), c.Symbol(), strings.ToLower(c.String()), "  " + c.String() + "\t", strings.Replace(c.String(), "10", "T", 1), c.Symbol() + "\ufe0f"} {
			got, err := ParseCard(form)
			if err != nil || got != c {
				t.Errorf("ParseCard(%q) = %v, %v, want %v", form, got, err, c)
			}
		}
	}
}

func TestCard_TheIndexIsSuitTimes13PlusRank(t *testing.T) {
	for _, c := range []struct {
		index        Card
		name, symbol string
		red          bool
	}{
		{0, "AS", "A♠", false}, {9, "10S", "10♠", false}, {12, "KS", "K♠", false}, {13, "AH", "A♥", true},
		{36, "JD", "J♦", true}, {37, "QD", "Q♦", true}, {39, "AC", "A♣", false}, {51, "KC", "K♣", false},
	} {
		if c.index.String() != c.name || c.index.Symbol() != c.symbol || c.index.Red() != c.red || !c.index.Valid() {
			t.Errorf("%d is %v, %v, red %v; want %v, %v, red %v", c.index, c.index, c.index.Symbol(), c.index.Red(), c.name, c.symbol, c.red)
		}
	}
	if Card(DeckSize).Valid() || Card(255).Valid() || Card(52).String() != "Card(52)" {
		t.Error("52 and up are no cards")
	}
}

func TestParseCard_BadInputIsNamed(t *testing.T) {
	for _, text := range []string{"", " ", "A", "S", "1S", "11S", "AX", "0H", "010H", "A S", "ASS", "A♠♠", "QQ", "A\x00S", "aſ", strings.Repeat("A", 1000)} {
		c, err := ParseCard(text)
		if err == nil {
			t.Errorf("ParseCard(%q) = %v", text, c)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, "10H") || len(msg) > 250 {
			t.Errorf("ParseCard(%q): %q does not show the form wanted, or is too long", text, msg)
		}
	}
}

func TestCard_TextOfNoCardFails(t *testing.T) {
	if b, err := json.Marshal(Card(52)); err == nil {
		t.Errorf("card 52 marshals as %s", b)
	}
	c := NewCard(Queen, Diamonds)
	if err := json.Unmarshal([]byte(`"XX"`), &c); err == nil || c != NewCard(Queen, Diamonds) {
		t.Errorf("XX reads as %v, %v", c, err)
	}
}

func FuzzParseCard(f *testing.F) {
	for _, s := range []string{"AS", "10H", "TH", "A♠", "qd", " kc\n", "", "1S", "10", "♥", "A♥\ufe0f", "aſ", "\xff♠"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCard(s)
		if err != nil {
			if c != 0 || len(err.Error()) > 500 {
				t.Fatalf("ParseCard(%q) = %v with an error of %d bytes", s, c, len(err.Error()))
			}
			return
		}
		if !c.Valid() {
			t.Fatalf("ParseCard(%q) = %v", s, c)
		}
		for _, form := range []string{c.String(), c.Symbol()} {
			if again, err := ParseCard(form); err != nil || again != c {
				t.Fatalf("%q reads as %v, which writes %q, which reads as %v, %v", s, c, form, again, err)
			}
		}
		if len(strings.TrimSpace(s)) > len("10♥\ufe0f") {
			t.Fatalf("%q is too long for a card and reads as %v", s, c)
		}
	})
}
