package table

import (
	"time"

	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// Settings are the room's choices for one table (DOMAIN: what a source only
// proposes is a setting with default, version and approval mark). Comparable.
// A hand or shuffle that began keeps what it began with: the shuffle holds its
// own copy of the procedure.
type Settings struct {
	Procedure        shuffle.Procedure    `json:"procedure"`
	StubProcedure    shuffle.Procedure    `json:"stub_procedure,omitzero"` // H8; none, as an older journal has it, is shuffle.ForStub
	Rotation         bool                 `json:"rotation"`                // D7: a table with two decks lets them take turns
	Triggers         hand.Triggers        `json:"triggers"`                // H1: one deck in the machine
	TriggersRotating hand.Triggers        `json:"triggers_rotating"`       // H1: decks that take turns
	TriggersByHand   hand.Triggers        `json:"triggers_by_hand"`        // H1: shuffled by hand
	ConfirmSeats     bool                 `json:"confirm_seats"`           // H5: button, blinds and seats are confirmed before each hand
	CountersignNew   bool                 `json:"countersign_new_deck"`    // D4
	RecheckAfter     time.Duration        `json:"recheck_after_ns"`        // D11, 0 = never
	RecheckHands     uint16               `json:"recheck_every_hands"`     // D11, 0 = never
	Confusions       deckcheck.Confusions `json:"confusions"`              // D3
	StepTimeout      time.Duration        `json:"step_timeout_ns"`         // a machine's motion may take this long
	ScanTimeout      time.Duration        `json:"scan_timeout_ns"`         // a whole deck check may take this long
	WashAfterStop    bool                 `json:"wash_after_stop"`         // S2's house default
	CheckAfterDraw   bool                 `json:"check_after_draw"`        // D9: a deck that was drawn from is checked, not only counted
	Proof            bool                 `json:"proof,omitempty"`         // P6: people prove who they are, for there is a staff file
}

// DefaultSettings are the room's defaults: the draft house procedure, hands
// that begin at the first riffle, seats confirmed, new decks countersigned.
func DefaultSettings() Settings {
	return Settings{
		Procedure: shuffle.Default(), StubProcedure: shuffle.ForStub(), Triggers: hand.Triggers(0).With(hand.FirstRiffle),
		TriggersRotating: hand.Triggers(0).With(hand.ShufflerButton), TriggersByHand: hand.Triggers(0).With(hand.FirstRiffle), ConfirmSeats: true, CountersignNew: true,
		StepTimeout: time.Minute, ScanTimeout: time.Minute, WashAfterStop: true,
	}
}
