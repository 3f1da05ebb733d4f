package web

import (
	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// snapshot shows a table as the journal has it. What it leaves out is as much
// its duty as what it shows: nothing of the pack's order, no card of a deck
// that is being read or is in a hand (X1, X2, D10).
func snapshot(in controller.Snapshot) api.Snapshot {
	s := in.State
	next := s.Next()
	out := api.Snapshot{
		Table: in.Table, N: s.N, Head: in.Head.String(), Open: s.Open, Session: s.Session, Dealer: s.Dealer.String(),
		Proof: s.Settings.Proof, SignedIn: s.Settings.Proof && s.Proven, LastHand: s.LastHand, LastCheck: s.LastCheck,
		Next:   api.Next{Do: string(next.Do), Who: next.Who, Slot: next.Slot, Step: next.Step, Arg: next.Arg},
		InPlay: s.InPlay.String(), Hold: s.Hold, Break: s.Break.On, Before: s.Break.Hand, Service: !s.Out, Decks: []api.Deck{},
	}
	if s.Open {
		out.Floor, out.Deputy = s.Floor.String(), s.Deputy.String()
	}
	if s.Level.InForce() {
		l := level(s.Level)
		out.Level = &l
	}
	if h := s.Hand; h.InPlay() {
		out.Hand = &api.Hand{Number: h.Number, Stage: h.Stage.String(), Tag: level(h.Tag), Button: h.Button, Seats: h.Seats.List(), SA: h.SA}
		if l := s.CardsOf(s.InPlay); l.Dealing() && h.CardsOut() {
			out.Hand.Street = l.Street.String()
		}
	}
	for _, slot := range []custody.Slot{custody.A, custody.B} {
		if d := s.DeckIn(slot); d.Present() {
			out.Decks = append(out.Decks, deck(slot, d))
		}
	}
	if s.Checking != custody.NoSlot {
		out.Check = &api.Check{Slot: s.Checking.String(), Cards: s.Scanner.Cards}
	}
	out.Shuffle = shuffling(s, s.InPlay)
	out.Resting = shuffling(s, s.InPlay.Other())
	if r := s.Rotation; r.On || r.Next {
		out.Rotation = &api.Rotation{On: r.On, Next: r.Next}
	}
	if h := s.Handoff; h.Pending() {
		out.Handoff = &api.Handoff{From: h.From.String(), To: h.To.String(), Refused: h.Stage == custody.HandoffRefused, MidHand: h.MidHand}
	}
	for p := fault.Shuffler; p < fault.Parts; p++ {
		for _, c := range s.Faults[p].List() {
			out.Faults = append(out.Faults, api.Fault{Part: p.String(), Code: c.String()})
		}
	}
	out.Devices = []api.Device{device(fault.Shuffler, s.Machine), device(fault.Scanner, s.Scanner)}
	return out
}

func level(l hand.Level) api.Level {
	return api.Level{Number: l.Number, SmallBlind: l.SmallBlind, BigBlind: l.BigBlind, BigBlindAnte: l.BigBlindAnte}
}

func deck(slot custody.Slot, d custody.Deck) api.Deck {
	out := api.Deck{Slot: slot.String(), ID: d.ID, Back: d.Back, Lock: d.Lock.String(), Shuffles: d.Shuffles}
	if d.Check != 0 {
		out.Verdict = d.Verdict.Outcome.String()
	}
	if d.Verdict.Outcome == deckcheck.Bad {
		for _, f := range d.Verdict.Findings() {
			out.Findings = append(out.Findings, f.String())
		}
	}
	return out
}

// shuffling is the pass of the deck in slot; nil if none is under way.
func shuffling(s table.State, slot custody.Slot) *api.Shuffle {
	p := s.PassIn(slot)
	if !p.Active {
		return nil
	}
	out := &api.Shuffle{ID: p.ID, Slot: slot.String(), ByHand: p.ByHand, Ready: s.PackVerified(slot)}
	for step := range s.ProgressIn(slot).Steps() {
		out.Steps = append(out.Steps, api.Step{Step: step.Step.String(), Actor: step.Actor.String(), State: step.State.String()})
		if step.State == shuffle.StepRunning && step.Actor == shuffle.Machine {
			out.Cards = s.Machine.Cards
		}
	}
	return out
}

func device(p fault.Part, l table.Lane) api.Device {
	return api.Device{Part: p.String(), Linked: l.Linked, Model: l.Device.Model, Serial: l.Device.Serial, Authenticated: l.Device.Authenticated}
}
