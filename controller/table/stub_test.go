package table

import (
	"testing"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// TestH8_AStubsPassIsNoShuffleOfADeck: whatever the least cut of the room and the
// stub's size, a pass that the floor has confirmed is done by hand, leaves hand,
// deck and ledger as they were, and can be cut.
func TestH8_AStubsPassIsNoShuffleOfADeck(t *testing.T) {
	floor := Act{By: custody.Person{Role: custody.Floor, ID: "7"}}
	dealer := Act{By: custody.Person{Role: custody.Dealer, ID: "3"}}
	for least := uint8(shuffle.LeastMinCut); least <= shuffle.MostMinCut; least++ {
		for stub := 1; stub <= 40; stub++ {
			ss := newSession()
			ss.quietly(t, "streets_dealt")
			s := ss.s
			s.Settings.Procedure.MinCut = least
			if away := 40 - stub; away > 0 {
				s, _ = s.Apply(ss.at, MoveOddly{Act: floor, Kind: hand.RuledMove, Cards: away, From: hand.Stub, To: hand.Muck, Reason: "r"})
			}
			before := s
			s, out := s.Apply(ss.at, ReshuffleStub{floor, hand.StubOnly, hand.Preflop, stub, "r", ""})
			if refused := out.Refusal.Code == TooFewCards; refused != (stub < 6) {
				t.Fatalf("min_cut %d, stub %d: %v", least, stub, out.Refusal)
			} else if refused {
				continue
			}
			if g := s.Settings.stubCut(uint8(stub)); !g.Possible() || g.Pass(2) || stub >= 2*int(least) && g.Min != least {
				t.Fatalf("min_cut %d, stub %d: the cut is %+v", least, stub, g)
			}
			for _, step := range []shuffle.Step{shuffle.Wash, shuffle.Riffle, shuffle.Cut, shuffle.CutCard} {
				s, out = s.Apply(ss.at, DealerStep{Act: dealer, Step: step, Phase: StepPerformed})
				if out.Refusal.Refused() || out.Halt != 0 || len(out.Commands) != 0 {
					t.Fatalf("min_cut %d, stub %d, %s: %+v", least, stub, step, out)
				}
			}
			after := s.Facts
			after.N, after.StubCountedInDown = before.N, before.StubCountedInDown
			if after != before.Facts {
				t.Fatalf("min_cut %d, stub %d: facts changed\nfrom %+v\nto   %+v", least, stub, before.Facts, after)
			}
		}
	}
}
