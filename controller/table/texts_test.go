package table

import (
	"strings"
	"testing"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
)

// TestHostileTextsAreRefused: whatever text a person or program sends, it is one
// line and bounded, or nothing but the refusal is recorded.
func TestHostileTextsAreRefused(t *testing.T) {
	floor := Act{By: custody.Person{Role: custody.Floor, ID: "7"}, ApprovedBy: custody.Person{Role: custody.Dealer, ID: "3"}}
	dealer := Act{By: custody.Person{Role: custody.Dealer, ID: "3"}}
	for _, bad := range []string{"two\nlines", "bell\a", "\x7f", strings.Repeat("x", maxText+1), "broken \xff", "line\u2028separator", "turned \u202eround"} {
		for name, ask := range map[string]struct {
			start string
			a     Action
		}{
			"activity card": {"", OpenTable{Act: floor, ActivityCard: bad, Manual: "M", Floor: floor.By, Deputy: custody.Person{Role: custody.Floor, ID: "8"}}},
			"manual":        {"", OpenTable{Act: floor, ActivityCard: "A", Manual: bad, Floor: floor.By, Deputy: custody.Person{Role: custody.Floor, ID: "8"}}},
			"deck":          {"restart_check", PlaceDeck{Act: floor, Slot: custody.B, Deck: bad, Back: "blue"}},
			"back":          {"restart_check", PlaceDeck{Act: floor, Slot: custody.B, Deck: "D", Back: bad}},
			"place reason":  {"restart_check", PlaceDeck{Act: floor, Slot: custody.B, Deck: "D", Back: "blue", Reason: bad}},
			"remove":        {"opening", RemoveDeck{Act: floor, Slot: custody.A, Reason: bad}},
			"use":           {"opening", UseDeck{Act: floor, Slot: custody.B, Reason: bad}},
			"envelope":      {"opening", QuarantineDeck{Act: floor, Slot: custody.A, Envelope: bad, Reason: "r"}},
			"quarantine":    {"opening", QuarantineDeck{Act: floor, Slot: custody.A, Envelope: "E", Reason: bad}},
			"wash":          {"opening", RequestWash{dealer, bad}},
			"call":          {"opening", CallFloor{dealer, bad}},
			"service out":   {"opening", SetService{floor, true, bad}},
			"abandon":       {"ready", AbandonHand{floor, bad}},
			"note":          {"jam", ClearFault{floor, fault.Shuffler, fault.JamEntry, bad}},
			"handoff to":    {"one_hand", ProposeHandoff{dealer, custody.Person{Role: custody.Dealer, ID: bad}}},
		} {
			ss := newSession()
			if ask.start != "" {
				ss.quietly(t, ask.start)
			}
			if name == "note" { // the script clears it at its end
				ss.s.Faults, _ = ss.s.Faults.Latch(fault.Shuffler, fault.JamEntry)
			}
			_, out := ss.s.Apply(ss.at, ask.a)
			if !out.Refusal.Refused() || len(out.Records) == 0 {
				t.Errorf("%s %q: not refused", name, bad)
			}
			for _, r := range out.Records {
				if _, payload, err := Encode(r); err != nil || strings.Contains(string(payload), strings.Repeat("x", maxText)) {
					t.Errorf("%s %q: recorded as %s, %v", name, bad, payload, err)
				}
			}
		}
	}
}

// TestD4_NothingIsAttestedOfADeckThatIsNotGood pins the order of the questions.
func TestD4_NothingIsAttestedOfADeckThatIsNotGood(t *testing.T) {
	ss := newSession()
	ss.quietly(t, "misread")
	dealer := Act{By: custody.Person{Role: custody.Dealer, ID: "3"}}
	_, out := ss.s.Apply(ss.at, AttestDeck{Act: dealer, Slot: custody.A, Attestation: deckcheck.Attestation{Condition: true}})
	if !out.Refusal.Refused() {
		t.Error("a deck that has gone was attested")
	}
}
