package shuffle

import "testing"

func TestS7_ACutMovesARealPart(t *testing.T) {
	for _, c := range []struct {
		gate     CutGate
		n        int
		pass     bool
		possible bool
	}{
		{CutGate{10, 52}, 9, false, true}, {CutGate{10, 52}, 10, true, true}, {CutGate{10, 52}, 26, true, true}, {CutGate{10, 52}, 42, true, true},
		{CutGate{10, 52}, 43, false, true}, {CutGate{10, 52}, 1, false, true}, {CutGate{10, 52}, 2, false, true}, {CutGate{10, 52}, -1, false, true},
		{CutGate{10, 52}, 0, false, true}, {CutGate{10, 52}, 52, false, true},
		{CutGate{10, 20}, 10, true, true}, {CutGate{10, 20}, 9, false, true}, {CutGate{10, 20}, 11, false, true}, // H8: a stub of 20 cuts in half only
		{CutGate{10, 19}, 9, false, false}, {CutGate{10, 19}, 10, false, false}, // H8: a stub too small
		{CutGate{1, 52}, 2, false, true}, {CutGate{0, 52}, 3, true, true}, {CutGate{0, 52}, 50, false, true}, // one or two cards are no cut
		{CutGate{}, 0, false, false}, {CutGate{255, 255}, 0, false, false},
	} {
		if got := c.gate.Pass(c.n); got != c.pass {
			t.Errorf("%+v, %d cards: %v", c.gate, c.n, got)
		}
		if got := c.gate.Possible(); got != c.possible {
			t.Errorf("%+v: possible %v", c.gate, got)
		}
	}
}

func TestH8_EveryGateFitsItsPack(t *testing.T) {
	for size := range 80 {
		for least := range 50 {
			g := CutGate{uint8(least), uint8(size)}
			lo, hi := g.Bounds()
			any := false
			for n := -1; n <= size+1; n++ {
				want := n >= least && n >= 3 && size-n >= least && size-n >= 3
				if g.Pass(n) != want {
					t.Fatalf("%+v, %d cards: %v", g, n, g.Pass(n))
				}
				any = any || want
			}
			if any != g.Possible() || any != (lo <= hi) {
				t.Fatalf("%+v: possible %v, bounds %d to %d", g, g.Possible(), lo, hi)
			}
		}
	}
}
