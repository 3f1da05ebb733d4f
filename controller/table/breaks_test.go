package table

import (
	"testing"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// TestH11_ABreakVoidsWhatIsShuffledAndOwesAWash: wherever the table stands, a
// break leaves no pack shuffled but that of the hand that has begun, keeps the
// gate shut, and is over with a wash for every deck (S2).
func TestH11_ABreakVoidsWhatIsShuffledAndOwesAWash(t *testing.T) {
	floor := Act{By: custody.Person{Role: custody.Floor, ID: "7"}, Auth: custody.AuthPIN}
	for _, start := range []string{"opening", "riffle", "square", "ready", "one_hand", "by_hand", "button", "rotation_opening", "rotation", "proof_ready"} {
		t.Run(start, func(t *testing.T) {
			ss := newSession()
			ss.quietly(t, start)
			before := ss.s
			s, out := before.Apply(ss.at, SetBreak{Act: floor, On: true})
			if out.Refusal.Refused() || s.Hand.Number != before.Hand.Number || s.Break.Hand != before.LastHand {
				t.Fatalf("refused %v, hand %d, last before the break %d", out.Refusal, s.Hand.Number, s.Break.Hand)
			}
			for _, slot := range []custody.Slot{custody.A, custody.B} {
				if s.PassIn(slot).Live() && s.voidsHand(slot) == 0 {
					t.Errorf("the pack of %s lies shuffled on the break", slot)
				}
			}
			g := s.gate(s.InPlay)
			g.PreviousInPlay = false
			if why := g.Check(); s.Faults == before.Faults && !s.partsFaulty() && why != hand.OnBreak {
				t.Errorf("the gate says %q", why)
			}
			if s, _ = s.Apply(ss.at, SetBreak{Act: floor}); s.Break != (Break{}) {
				t.Errorf("after the break: %+v", s.Break)
			}
			for _, slot := range []custody.Slot{custody.A, custody.B} {
				if d := s.DeckIn(slot); d.Present() && !d.WashDue.Has(shuffle.WashAfterBreak) {
					t.Errorf("the deck in %s owes no wash", slot)
				}
			}
		})
	}
}
