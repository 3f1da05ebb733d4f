package sim

import (
	"strings"
	"testing"
)

func TestNewPack_Is52Different(t *testing.T) {
	p := NewPack("red")
	seen := map[Card]bool{}
	for _, c := range p {
		seen[c] = true
	}
	if len(p) != 52 || len(seen) != 52 || p[0].Face.String() != "AS" || p[51].Face.String() != "KC" {
		t.Errorf("%d cards, %d different", len(p), len(seen))
	}
}

func TestMixing_KeepsTheCards(t *testing.T) {
	for n := range 130 {
		p := append(append(NewPack("red"), NewPack("blue")...), NewPack("green")...)[:n]
		want := p.Sorted()
		rng := seeded(uint64(n))
		p.Riffle(rng)
		p.Strip(rng)
		p.Cut(n / 3)
		p.Wash(rng)
		if !equal(p.Sorted(), want) {
			t.Fatalf("%d cards: not the same afterwards", n)
		}
	}
}

// TestRiffle_TwoRisingSequences: that is what one riffle leaves, and over many
// the cut lies in the middle.
func TestRiffle_TwoRisingSequences(t *testing.T) {
	rng := seeded(1)
	new, one, top := NewPack("red"), 0, 0
	for range 1000 {
		p := new.Clone()
		p.Riffle(rng)
		switch risingSequences(new, p) {
		case 1:
			one++
		case 2:
		default:
			t.Fatal("more than two rising sequences")
		}
		if p[0].Face == 0 {
			top++
		}
	}
	// A riffle that changes nothing has chance 53/2^52; the top card stays
	// with chance 1/2.
	if one > 0 || top < 400 || top > 600 {
		t.Errorf("of 1000: %d changed nothing, %d kept the top card", one, top)
	}
}

func TestStrip_ReversesPackets(t *testing.T) {
	p := NewPack("red")
	p.Strip(seeded(1))
	packets := 1
	for i := 1; i < len(p); i++ {
		switch {
		case p[i].Face == p[i-1].Face+1:
		case p[i].Face < p[i-1].Face:
			packets++
		default:
			t.Fatalf("%s on %s", p[i-1].Face, p[i].Face)
		}
	}
	if packets < 52/stripMost || packets > 52/stripLeast {
		t.Errorf("%d packets", packets)
	}
}

func TestCut_MovesTheTop(t *testing.T) {
	for depth := -1; depth <= 53; depth++ {
		p := NewPack("red")
		p.Cut(depth)
		want := 0
		if depth > 0 && depth < 52 {
			want = depth
		}
		if int(p[0].Face) != want || !equal(p.Sorted(), NewPack("red")) {
			t.Errorf("depth %d: %s on top", depth, p[0].Face)
		}
	}
}

func TestFace_Text(t *testing.T) {
	for f := Face(0); f <= Joker; f++ {
		if again, err := ParseFace(strings.ToLower(f.String())); err != nil || again != f {
			t.Errorf("%s: %s, %v", f, again, err)
		}
	}
	if f, err := ParseFace("th"); err != nil || f.String() != "10H" {
		t.Errorf("%s, %v", f, err)
	}
	for _, s := range []string{"", "A", "S", "1S", "11S", "AX", "10", "T0H", "TTH", "♠A"} {
		if f, err := ParseFace(s); err == nil {
			t.Errorf("%q is %s", s, f)
		}
	}
}

func TestFlaw_Text(t *testing.T) {
	for _, s := range []string{"swap:QD>JD", "missing:QD", "extra:JD", "joker", "back:QD=blue", "boxed:7S", "dirty:10S"} {
		f, err := ParseFlaw(s)
		if err != nil || f.String() != s {
			t.Errorf("%s: %s, %v", s, f, err)
		}
	}
	for _, s := range []string{"", "bent:QD", "swap:QD", "swap:>JD", "missing", "joker:2", "back:QD", "boxed:1S"} {
		if f, err := ParseFlaw(s); err == nil {
			t.Errorf("%q: %+v", s, f)
		}
	}
	if _, err := NewPack("red").With(Flaw{Kind: FlawMissing, Card: 3}, Flaw{Kind: FlawMissing, Card: 3}); err == nil {
		t.Error("took a card that is not there")
	}
	p := NewPack("red")
	if _, err := p.With(Flaw{Kind: FlawSwap, Card: 3, As: 4}); err != nil || !equal(p, NewPack("red")) {
		t.Error("the pack itself was changed")
	}
}
