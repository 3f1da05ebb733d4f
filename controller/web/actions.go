package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"shuffler/controller/api"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// maker reads the arguments of one action.
type maker func(act table.Act, args json.RawMessage) (table.Action, error)

// makers are the actions by name. A test holds the names against the actions'
// own.
var makers = map[string]maker{
	"open_table": with(func(act table.Act, a api.OpenTable) (table.Action, error) {
		floor, err := custody.ParsePerson(a.Floor)
		deputy, err2 := custody.ParsePerson(a.Deputy)
		return table.OpenTable{Act: act, ActivityCard: a.ActivityCard, Manual: a.Manual, Floor: floor, Deputy: deputy}, errors.Join(err, err2)
	}),
	"close_table": bare(func(act table.Act) table.Action { return table.CloseTable{Act: act} }),
	"sign_in":     bare(func(act table.Act) table.Action { return table.SignIn{Act: act} }),
	"place_deck": with(func(act table.Act, a api.PlaceDeck) (table.Action, error) {
		slot, err := custody.ParseSlot(a.Slot)
		return table.PlaceDeck{Act: act, Slot: slot, Deck: a.Deck, Back: a.Back, New: a.New, Reason: a.Reason}, err
	}),
	"remove_deck": with(func(act table.Act, a api.Slot) (table.Action, error) {
		slot, err := custody.ParseSlot(a.Slot)
		return table.RemoveDeck{Act: act, Slot: slot, Reason: a.Reason}, err
	}),
	"use_deck": with(func(act table.Act, a api.Slot) (table.Action, error) {
		slot, err := custody.ParseSlot(a.Slot)
		return table.UseDeck{Act: act, Slot: slot, Reason: a.Reason}, err
	}),
	"start_check": with(func(act table.Act, a api.Slot) (table.Action, error) {
		slot, err := custody.ParseSlot(a.Slot)
		return table.StartCheck{Act: act, Slot: slot, Stated: a.StatedCount}, err
	}),
	"quarantine_deck": with(func(act table.Act, a api.QuarantineDeck) (table.Action, error) {
		slot, err := custody.ParseSlot(a.Slot)
		return table.QuarantineDeck{Act: act, Slot: slot, Envelope: a.Envelope, Reason: a.Reason}, err
	}),
	"attest_deck": with(func(act table.Act, a api.AttestDeck) (table.Action, error) {
		slot, err := custody.ParseSlot(a.Slot)
		return table.AttestDeck{Act: act, Slot: slot, Attestation: deckcheck.Attestation{
			Condition: a.Condition, Backs: a.Backs, CutCard: a.CutCard, Button: a.Button, Timer: a.Timer, StatedCount: a.StatedCount,
		}}, err
	}),
	"confirm_seats": with(func(act table.Act, a api.ConfirmSeats) (table.Action, error) {
		return table.ConfirmSeats{Act: act, Button: a.Button, Seats: a.Seats}, nil
	}),
	"confirm_level": with(func(act table.Act, a api.ConfirmLevel) (table.Action, error) {
		return table.ConfirmLevel{Act: act, Number: a.Number}, nil
	}),
	"request_wash": with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.RequestWash{Act: act, Reason: a.Reason}, nil
	}),
	"begin_shuffle": bare(func(act table.Act) table.Action { return table.BeginShuffle{Act: act} }),
	"dealer_step":   with(dealerStep),
	"void_shuffle": with(func(act table.Act, a api.Reason) (table.Action, error) {
		var why shuffle.StopReason
		err := why.UnmarshalText([]byte(a.Reason))
		return table.VoidShuffle{Act: act, Reason: why}, err
	}),
	"deal_begun":         bare(func(act table.Act) table.Action { return table.DealBegun{Act: act} }),
	"substantial_action": bare(func(act table.Act) table.Action { return table.ReportSA{Act: act} }),
	"end_hand":           bare(func(act table.Act) table.Action { return table.EndHand{Act: act} }),
	"abandon_hand": with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.AbandonHand{Act: act, Reason: a.Reason}, nil
	}),
	"resume_hand": with(func(act table.Act, a api.ResumeHand) (table.Action, error) {
		return table.ResumeHand{Act: act, Said: table.PackSaid(a.Said)}, nil
	}),
	"call_floor": with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.CallFloor{Act: act, Reason: a.Reason}, nil
	}),
	"lift_hold": with(func(act table.Act, a api.LiftHold) (table.Action, error) {
		return table.LiftHold{Act: act, Ruling: a.Ruling, Basis: a.Basis, ReadBack: a.ReadBack}, nil
	}),
	"propose_handoff": with(func(act table.Act, a api.ProposeHandoff) (table.Action, error) {
		to, err := custody.ParsePerson(a.To)
		return table.ProposeHandoff{Act: act, To: to}, err
	}),
	"accept_handoff": with(func(act table.Act, a api.AcceptHandoff) (table.Action, error) {
		return table.AcceptHandoff{Act: act, Head: a.Head}, nil
	}),
	"refuse_handoff": with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.RefuseHandoff{Act: act, Reason: a.Reason}, nil
	}),
	"settle_handoff": with(func(act table.Act, a api.SettleHandoff) (table.Action, error) {
		return table.SettleHandoff{Act: act, Complete: a.Complete, Reason: a.Reason}, nil
	}),
	"clear_fault": with(func(act table.Act, a api.ClearFault) (table.Action, error) {
		part, err := fault.ParsePart(a.Part)
		code, err2 := fault.ParseCode(a.Code)
		return table.ClearFault{Act: act, Part: part, Code: code, Note: a.Note}, errors.Join(err, err2)
	}),
	"set_service": with(func(act table.Act, a api.SetService) (table.Action, error) {
		return table.SetService{Act: act, Out: a.Out, Reason: a.Reason}, nil
	}),
}

func dealerStep(act table.Act, a api.DealerStep) (table.Action, error) {
	var step shuffle.Step
	err := step.UnmarshalText([]byte(a.Step))
	phases := map[string]table.StepPhase{"started": table.StepStarted, "done": table.StepDone, "performed": table.StepPerformed}
	phase, known := phases[a.Phase]
	if !known {
		err = errors.Join(err, fmt.Errorf("phase %q: want started, done or performed", a.Phase))
	}
	return table.DealerStep{Act: act, Step: step, Phase: phase, Cards: a.Cards, Sensor: a.Sensor}, err
}

// Actions lists the names of a table's actions in order.
func Actions() []string {
	l := make([]string, 0, len(makers))
	for n := range makers {
		l = append(l, n)
	}
	slices.Sort(l)
	return l
}

// action makes the table's action of a request.
func action(r api.Request) (table.Action, error) {
	m := makers[r.Action]
	if m == nil {
		return nil, fmt.Errorf("action %q: there is none of that name", r.Action)
	}
	by, err := custody.ParsePerson(r.By)
	if err != nil {
		return nil, err
	}
	second, err := custody.ParsePerson(r.ApprovedBy)
	if err != nil {
		return nil, err
	}
	if len(r.Key) > maxKey {
		return nil, fmt.Errorf("idempotency key has %d bytes, at most %d", len(r.Key), maxKey)
	}
	a, err := m(table.Act{By: by, ApprovedBy: second, Auth: authNone, Key: r.Key}, r.Args)
	if err != nil {
		return nil, fmt.Errorf("action %s: %w", r.Action, err)
	}
	return a, nil
}

// maxKey bounds an idempotency key in bytes.
const maxKey = 128

// authNone: identity is asserted, not proven, and the record says so.
const authNone = "none"

func bare(f func(table.Act) table.Action) maker {
	return func(act table.Act, args json.RawMessage) (table.Action, error) {
		if err := strict(args, &struct{}{}); err != nil {
			return nil, err
		}
		return f(act), nil
	}
}

func with[A any](f func(table.Act, A) (table.Action, error)) maker {
	return func(act table.Act, args json.RawMessage) (table.Action, error) {
		var a A
		if err := strict(args, &a); err != nil {
			return nil, err
		}
		return f(act, a)
	}
}

// strict reads arguments; an unknown name is an error, for it is a misspelt one.
func strict(args json.RawMessage, into any) error {
	if len(bytes.TrimSpace(args)) == 0 {
		args = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("arguments: something follows after the JSON object")
	}
	return nil
}
