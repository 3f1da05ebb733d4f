package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"shuffler/controller/api"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// action is one thing that can be asked for at a table: the HTTP operation, its
// schema and its handler all come from here.
type action struct {
	name  string
	about string // for the API's documentation
	taker
}

// taker reads the arguments of one action.
type taker struct {
	make     func(act table.Act, args json.RawMessage) (table.Action, error)
	register func(huma.API, huma.Operation, actionHandler)
}

// actions are the actions of a table. A test holds the names against the
// actions' own.
var actions = []action{
	{"open_table", "Open the table: activity card, manual, floor and deputy on duty (D11)", with(func(act table.Act, a api.OpenTable) (table.Action, error) {
		floor, err := person("floor", a.Floor)
		deputy, err2 := person("deputy", a.Deputy)
		return table.OpenTable{Act: act, ActivityCard: a.ActivityCard, Manual: a.Manual, Floor: floor, Deputy: deputy}, errors.Join(err, err2)
	})},
	{"change_floor", "Name another floor or deputy on duty (D11)", with(func(act table.Act, a api.ChangeFloor) (table.Action, error) {
		floor, err := person("floor", a.Floor)
		deputy, err2 := person("deputy", a.Deputy)
		return table.ChangeFloor{Act: act, Floor: floor, Deputy: deputy, Reason: a.Reason}, errors.Join(err, err2)
	})},
	{"close_table", "Close the table", bare(func(act table.Act) table.Action { return table.CloseTable{Act: act} })},
	{"sign_in", "A dealer takes a table that nobody deals at", bare(func(act table.Act) table.Action { return table.SignIn{Act: act} })},
	{"place_deck", "Bring a deck to a slot (D6, D7)", with(func(act table.Act, a api.PlaceDeck) (table.Action, error) {
		slot, err := slotOf(a.Slot)
		cause, err2 := custody.ParseCause(a.Cause)
		return table.PlaceDeck{Act: act, Slot: slot, Deck: a.Deck, Back: a.Back, New: a.New, Seal: a.Seal, Cause: cause, Reason: a.Reason}, errors.Join(err, about("cause", err2))
	})},
	{"remove_deck", "Take a deck back to the store", with(func(act table.Act, a api.ChangeDeck) (table.Action, error) {
		slot, err := slotOf(a.Slot)
		cause, err2 := custody.ParseCause(a.Cause)
		return table.RemoveDeck{Act: act, Slot: slot, Cause: cause, Reason: a.Reason}, errors.Join(err, about("cause", err2))
	})},
	{"use_deck", "Change the deck in play (D6)", with(func(act table.Act, a api.ChangeDeck) (table.Action, error) {
		slot, err := slotOf(a.Slot)
		cause, err2 := custody.ParseCause(a.Cause)
		return table.UseDeck{Act: act, Slot: slot, Cause: cause, Reason: a.Reason}, errors.Join(err, about("cause", err2))
	})},
	{"start_check", "Begin a deck check; the pack lies in the scanner (D1)", with(func(act table.Act, a api.Slot) (table.Action, error) {
		slot, err := slotOf(a.Slot)
		return table.StartCheck{Act: act, Slot: slot, Stated: a.StatedCount}, err
	})},
	{"quarantine_deck", "Send a deck away for good; needs a second person (D5)", with(func(act table.Act, a api.QuarantineDeck) (table.Action, error) {
		slot, err := slotOf(a.Slot)
		cause, err2 := custody.ParseSentAway(a.Cause)
		return table.QuarantineDeck{Act: act, Slot: slot, Envelope: a.Envelope, Cause: cause, Reason: a.Reason}, errors.Join(err, about("cause", err2))
	})},
	{"attest_deck", "Attest what no device sees; the floor countersigns a new deck (D4)", with(func(act table.Act, a api.AttestDeck) (table.Action, error) {
		slot, err := slotOf(a.Slot)
		return table.AttestDeck{Act: act, Slot: slot, Attestation: deckcheck.Attestation{
			Condition: a.Condition, Backs: a.Backs, CutCard: a.CutCard, Button: a.Button, Timer: a.Timer, StatedCount: a.StatedCount,
		}}, err
	})},
	{"confirm_seats", "Confirm button and seats dealt in (H5)", with(func(act table.Act, a api.ConfirmSeats) (table.Action, error) {
		return table.ConfirmSeats{Act: act, Button: a.Button, Seats: a.Seats}, nil
	})},
	{"confirm_level", "Confirm the level after a restart (M3)", with(func(act table.Act, a api.ConfirmLevel) (table.Action, error) {
		return table.ConfirmLevel{Act: act, Number: a.Number}, nil
	})},
	{"use_for_draw", "Draw cards of a deck for seats or the button, or in a chip race (D9)", with(func(act table.Act, a api.UseForDraw) (table.Action, error) {
		slot, err := slotOf(a.Slot)
		kind, err2 := custody.ParseDrawKind(a.Kind)
		return table.UseForDraw{Act: act, Slot: slot, Kind: kind}, errors.Join(err, about("kind", err2))
	})},
	{"request_wash", "Have the next shuffle begin with a wash (S2)", with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.RequestWash{Act: act, Reason: a.Reason}, nil
	})},
	{"begin_shuffle", "Begin a shuffle by hand", bare(func(act table.Act) table.Action { return table.BeginShuffle{Act: act} })},
	{"dealer_step", "Report a dealer's step of the shuffle (S4)", with(dealerStep)},
	{"void_shuffle", "Void the shuffle under way: it starts again (S5)", with(func(act table.Act, a api.VoidShuffle) (table.Action, error) {
		var why shuffle.StopReason
		err := why.UnmarshalText([]byte(a.Reason))
		slot, err2 := slotOf(a.Slot)
		return table.VoidShuffle{Act: act, Slot: slot, Reason: why}, errors.Join(about("reason", err), err2)
	})},
	{"set_rotation", "Let two decks take turns from the next hand, or no longer (D7)", with(func(act table.Act, a api.SetRotation) (table.Action, error) {
		return table.SetRotation{Act: act, On: a.On, Reason: a.Reason}, nil
	})},
	{"set_break", "Begin a break, or end it (H11)", with(func(act table.Act, a api.SetBreak) (table.Action, error) {
		return table.SetBreak{Act: act, On: a.On, Reason: a.Reason}, nil
	})},
	{"deal_begun", "The first card leaves the pack (H5)", bare(func(act table.Act) table.Action { return table.DealBegun{Act: act} })},
	{"substantial_action", "Substantial action has formed (H6)", bare(func(act table.Act) table.Action { return table.ReportSA{Act: act} })},
	{"end_hand", "The pots are pushed (H13)", bare(func(act table.Act) table.Action { return table.EndHand{Act: act} })},
	{"abandon_hand", "Give up a hand that was never dealt (H3)", with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.AbandonHand{Act: act, Reason: a.Reason}, nil
	})},
	{"resume_hand", "Say what became of the pack during a restart (M3)", with(func(act table.Act, a api.ResumeHand) (table.Action, error) {
		return table.ResumeHand{Act: act, Said: table.PackSaid(a.Said)}, nil
	})},
	{"street_dealt", "Flop, turn or river lie on the table (H10)", with(func(act table.Act, a api.DealStreet) (table.Action, error) {
		street, err := hand.ParseStreet(a.Street)
		return table.DealStreet{Act: act, Street: street, NoBurn: a.NoBurn}, about("street", err)
	})},
	{"odd_move", "Cards moved otherwise than by deal, burn and board (H10)", with(oddMove)},
	{"reshuffle_stub", "Confirm what becomes of a stub that was dropped, mixed or dealt from too early (H8)", with(func(act table.Act, a api.ReshuffleStub) (table.Action, error) {
		outcome, err := hand.ParseStubOutcome(a.Outcome)
		street, err2 := hand.ParseStreet(a.Street)
		return table.ReshuffleStub{Act: act, Outcome: outcome, Street: street, Cards: a.Cards, Reason: a.Reason, Exception: a.Exception}, errors.Join(about("outcome", err), about("street", err2))
	})},
	{"count_stub", "The stub is counted face down: once in a dealer's down (P2)", with(func(act table.Act, a api.CountStub) (table.Action, error) {
		street, err := hand.ParseStreet(a.Street)
		return table.CountStub{Act: act, Street: street, Cards: a.Cards}, about("street", err)
	})},
	{"record_exception", "Record that a rule is set aside for once: H4, H7 or H8 (H14)", with(func(act table.Act, a api.RecordException) (table.Action, error) {
		return table.RecordException{Act: act, Rule: a.Rule, Why: a.Why}, nil
	})},
	{"call_floor", "Call the floor: the table is held (H12)", with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.CallFloor{Act: act, Reason: a.Reason}, nil
	})},
	{"lift_hold", "Lift the hold by a ruling with its basis, read back (H12)", with(func(act table.Act, a api.LiftHold) (table.Action, error) {
		return table.LiftHold{Act: act, Ruling: a.Ruling, Basis: a.Basis, ReadBack: a.ReadBack}, nil
	})},
	{"propose_handoff", "The outgoing dealer signs (P3)", with(func(act table.Act, a api.ProposeHandoff) (table.Action, error) {
		to, err := person("to", a.To)
		return table.ProposeHandoff{Act: act, To: to}, err
	})},
	{"accept_handoff", "The incoming dealer has read the report and accepts (P3)", with(func(act table.Act, a api.AcceptHandoff) (table.Action, error) {
		return table.AcceptHandoff{Act: act, Head: a.Head}, nil
	})},
	{"refuse_handoff", "The incoming dealer refuses with a reason (P3)", with(func(act table.Act, a api.Reason) (table.Action, error) {
		return table.RefuseHandoff{Act: act, Reason: a.Reason}, nil
	})},
	{"settle_handoff", "The floor decides after a refusal (P3)", with(func(act table.Act, a api.SettleHandoff) (table.Action, error) {
		return table.SettleHandoff{Act: act, Complete: a.Complete, Reason: a.Reason}, nil
	})},
	{"clear_fault", "Clear a latched fault whose cause is gone (M1)", with(func(act table.Act, a api.ClearFault) (table.Action, error) {
		part, err := fault.ParsePart(a.Part)
		code, err2 := fault.ParseCode(a.Code)
		return table.ClearFault{Act: act, Part: part, Code: code, Note: a.Note}, errors.Join(about("part", err), about("code", err2))
	})},
	{"set_service", "Take the shuffler out of service or return it (M1, S4)", with(func(act table.Act, a api.SetService) (table.Action, error) {
		return table.SetService{Act: act, Out: a.Out, Reason: a.Reason}, nil
	})},
}

func oddMove(act table.Act, a api.OddMove) (table.Action, error) {
	kind, err := hand.ParseOddMove(a.Kind)
	from, err2 := hand.ParseArea(a.From)
	to, err3 := hand.ParseArea(a.To)
	return table.MoveOddly{Act: act, Kind: kind, Seat: a.Seat, Cards: a.Cards, Acted: a.Acted, From: from, To: to, Reason: a.Reason},
		errors.Join(about("kind", err), about("from", err2), about("to", err3))
}

func dealerStep(act table.Act, a api.DealerStep) (table.Action, error) {
	var step shuffle.Step
	err := about("step", step.UnmarshalText([]byte(a.Step)))
	phases := map[string]table.StepPhase{"started": table.StepStarted, "done": table.StepDone, "performed": table.StepPerformed}
	phase, known := phases[a.Phase]
	if !known {
		err = errors.Join(err, about("phase", fmt.Errorf("phase %q: want started, done or performed", a.Phase)))
	}
	return table.DealerStep{Act: act, Step: step, Phase: phase, Cards: a.Cards, Sensor: a.Sensor}, err
}

// Actions lists the names of a table's actions in order.
func Actions() []string {
	l := make([]string, 0, len(actions))
	for _, a := range actions {
		l = append(l, a.name)
	}
	slices.Sort(l)
	return l
}

func actionNamed(name string) (action, bool) {
	i := slices.IndexFunc(actions, func(a action) bool { return a.name == name })
	if i < 0 {
		return action{}, false
	}
	return actions[i], true
}

// people are who a request says is acting.
func people(r api.Request) (by, second custody.Person, err error) {
	if by, err = person("by", r.By); err != nil {
		return by, second, err
	}
	second, err = person("approved_by", r.ApprovedBy)
	return by, second, err
}

// read makes the table's action of a request, for people who are proven so far.
func read(r api.Request, act table.Act) (table.Action, error) {
	known, ok := actionNamed(r.Action)
	if !ok {
		return nil, fmt.Errorf("action %q: there is none of that name", r.Action)
	}
	a, err := known.make(act, r.Args)
	if err != nil {
		return nil, fmt.Errorf("action %s: %w", r.Action, err)
	}
	return a, nil
}

// argError is a bad argument with its name.
type argError struct {
	arg string
	err error
}

func (e *argError) Error() string { return e.err.Error() }
func (e *argError) Unwrap() error { return e.err }

// about names the argument that an error is about; nil stays nil.
func about(arg string, err error) error {
	if err == nil {
		return nil
	}
	return &argError{arg, err}
}

func person(arg, s string) (custody.Person, error) {
	p, err := custody.ParsePerson(s)
	return p, about(arg, err)
}

func slotOf(s string) (custody.Slot, error) {
	slot, err := custody.ParseSlot(s)
	return slot, about("slot", err)
}

// NoArgs are the arguments of an action that has none.
type NoArgs struct{}

func bare(f func(table.Act) table.Action) taker {
	t := with(func(act table.Act, _ NoArgs) (table.Action, error) { return f(act), nil })
	t.register = func(h huma.API, op huma.Operation, do actionHandler) {
		huma.Register(h, op, func(ctx context.Context, in *askedBare) (*answered, error) {
			return do(ctx, in.Asked, nil)
		})
	}
	return t
}

func with[A any](f func(table.Act, A) (table.Action, error)) taker {
	return taker{
		make: func(act table.Act, args json.RawMessage) (table.Action, error) {
			var a A
			if err := strict(args, &a); err != nil {
				return nil, err
			}
			return f(act, a)
		},
		register: func(h huma.API, op huma.Operation, do actionHandler) {
			huma.Register(h, op, func(ctx context.Context, in *askedWith[A]) (*answered, error) {
				return do(ctx, in.Asked, api.Args(in.Body))
			})
		},
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
