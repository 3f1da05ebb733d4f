package config

import (
	"fmt"
	"strings"

	"shuffler/controller/table"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// TableSettings are the choices that table t takes: all of procedure, hand,
// check and machine, and its own mode. After Load there is no error; a Config made by hand gets
// the error of the package whose rule it breaks (S1, H1, D3).
func (c Config) TableSettings(t Table) (table.Settings, error) {
	p, err := c.ShuffleProcedure()
	if err != nil {
		return table.Settings{}, fmt.Errorf("procedure: %w", err)
	}
	stub, err := c.StubProcedure()
	if err != nil {
		return table.Settings{}, fmt.Errorf("procedure.stub_steps: %w", err)
	}
	var triggers [3]hand.Triggers
	for i, l := range []struct {
		key   string
		names []string
	}{{"triggers", c.Hand.Triggers}, {"triggers_rotating", c.Hand.TriggersRotating}, {"triggers_by_hand", c.Hand.TriggersByHand}} {
		if triggers[i], err = triggerSet(l.names); err != nil {
			return table.Settings{}, fmt.Errorf("hand.%s: %w", l.key, err)
		}
	}
	confusions, err := deckcheck.ParseConfusions(c.Check.Confusions)
	if err != nil {
		return table.Settings{}, fmt.Errorf("check.confusions: %w", err)
	}
	return table.Settings{
		Procedure: p, StubProcedure: stub, Rotation: t.Mode == modeRotation, Triggers: triggers[0], TriggersRotating: triggers[1], TriggersByHand: triggers[2], ConfirmSeats: c.Hand.ConfirmButtonAndBlinds,
		CountersignNew: c.Check.CountersignNewDeck, Confusions: confusions,
		RecheckHands: uint16(c.Check.RecheckEveryHands), RecheckAfter: c.Check.RecheckAfter, // the key's bound fits
		StepTimeout: c.Machine.StepTimeout, ScanTimeout: c.Check.ScanTimeout,
		WashAfterStop: c.Procedure.WashAfterStop, CheckAfterDraw: c.Check.AfterDraw == checkAfterDraw,
	}, nil
}

// modeRotation is the mode of a table whose decks take turns (D7).
const modeRotation = "rotation"

// ShuffleProcedure is the procedure as the shuffle takes it (S1). After Load
// there is no error.
func (c Config) ShuffleProcedure() (shuffle.Procedure, error) {
	p, err := shuffle.Parse(c.Procedure.Version, c.Procedure.Steps)
	if err != nil {
		return shuffle.Procedure{}, err
	}
	p.WashAlways = c.Procedure.Wash == washAlways
	p.MinCut = uint8(c.Procedure.MinCutCards)
	p.ApprovedBy, p.ApprovedAt = c.Procedure.ApprovedBy, c.Procedure.ApprovedAt
	p.Approved = p.ApprovedBy != "" && p.ApprovedAt != ""
	return p, p.Validate()
}

// StubProcedure is how a stub is reshuffled in the middle of a hand: by hand, and
// under the approval of the whole procedure (H8). After Load there is no error.
func (c Config) StubProcedure() (shuffle.Procedure, error) {
	for _, s := range c.Procedure.StubSteps {
		if strings.Contains(s, "@") {
			return shuffle.Procedure{}, fmt.Errorf("%q: the dealer does every step of a stub by hand; leave out what stands behind @", s)
		}
	}
	p, err := shuffle.Parse(c.Procedure.Version+"/stub", c.Procedure.StubSteps)
	if err != nil {
		return shuffle.Procedure{}, err
	}
	p = p.AllBy(shuffle.Dealer)
	p.MinCut = uint8(c.Procedure.MinCutCards)
	p.ApprovedBy, p.ApprovedAt = c.Procedure.ApprovedBy, c.Procedure.ApprovedAt
	p.Approved = p.ApprovedBy != "" && p.ApprovedAt != ""
	return p, p.Validate()
}

// triggerSet asks the package of H1 about each name.
func triggerSet(names []string) (hand.Triggers, error) {
	var set hand.Triggers
	for _, name := range names {
		t, err := hand.ParseTrigger(name)
		if err != nil {
			return 0, err
		}
		set = set.With(t)
	}
	return set, nil
}

// Tag is the level as the table takes it (H2), not yet announced.
func (l Level) Tag() hand.Level {
	return hand.Level{Number: uint16(l.Number), SmallBlind: uint32(l.SmallBlind), BigBlind: uint32(l.BigBlind), BigBlindAnte: uint32(l.BigBlindAnte)}
}
