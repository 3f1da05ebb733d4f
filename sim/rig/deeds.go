package rig

import (
	"cmp"
	"time"

	"shuffler/controller/api"
)

// act does the one next action that the screen names.
func (c *Crew) act(now time.Duration, s api.Snapshot) {
	switch s.Next.Who {
	case "floor":
		c.floorActs(s)
	case "incoming":
		c.ask(s.Next.Arg, "", "accept_handoff", api.AcceptHandoff{Head: s.Head})
	case "dealer":
		c.dealerActs(now, s)
	}
}

func (c *Crew) floorActs(s api.Snapshot) {
	slot := s.Next.Slot
	switch s.Next.Do {
	case "open_table":
		c.ask(c.Floor, "", "open_table", api.OpenTable{ActivityCard: "AC-2026-12", Manual: "V0.2", Floor: c.Floor, Deputy: "floor:8"})
	case "place_deck":
		c.placeDeck(slot)
	case "countersign":
		c.ask(c.Floor, "", "attest_deck", attestation(slot))
	case "quarantine":
		c.world.take(slot)
		c.ask(c.Floor, s.Dealer, "quarantine_deck", api.QuarantineDeck{Slot: slot, Envelope: "E-" + slot, Reason: "confirmed by a second check"})
	case "replace_deck":
		c.world.take(slot)
		c.ask(c.Floor, "", "remove_deck", api.ChangeDeck{Slot: slot, Cause: "not_good"})
	case "announce_level":
		c.announce()
	case "confirm_level":
		c.ask(c.Floor, "", "confirm_level", api.ConfirmLevel{Number: s.Level.Number})
	case "settle_handoff":
		c.ask(c.Floor, "", "settle_handoff", api.SettleHandoff{Complete: true, Reason: "recounted together"})
	case "lift_hold":
		c.ask(c.Floor, "", "lift_hold", api.LiftHold{Ruling: "play goes on", Basis: "F0 1.2", ReadBack: true})
	case "clear_fault":
		part, code := faultOf(s.Next.Arg)
		c.remove(part, code)
		c.ask(c.Floor, "", "clear_fault", api.ClearFault{Part: part, Code: code, Note: "looked at and set right"})
	}
}

// placeDeck brings a deck from the store. Where one has lain before, it has gone
// for good and another is unwrapped.
func (c *Crew) placeDeck(slot string) {
	w := c.world
	if c.placed[slot] {
		w.unwrap(slot)
	}
	c.placed[slot] = true
	c.ask(c.Floor, "", "place_deck", api.PlaceDeck{Slot: slot, Deck: w.deckID(slot), Back: w.backs[slot], New: true, Reason: "from the store"})
}

// remove sets the physical cause of a fault right.
func (c *Crew) remove(part, code string) {
	w := c.world
	m := w.Shuffler
	if part == "scanner" {
		m = w.Scanner
	}
	m.SetCover(false)
	m.SetEStop(false)
	_ = m.SetSortMode(false)
	if part == "shuffler" || part == "scanner" {
		w.clear(m)
	}
}

func (c *Crew) dealerActs(now time.Duration, s api.Snapshot) {
	w, slot, by := c.world, s.Next.Slot, s.Dealer
	switch s.Next.Do {
	case "sign_in":
		c.ask(c.Dealers[0], "", "sign_in", struct{}{})
	case "check_deck", "scan_again", "fix_deck":
		if !c.placed[slotB] { // the second deck comes along
			c.placeDeck(slotB)
			return
		}
		w.take(slot)
		if s.Next.Do == "fix_deck" {
			w.mend(slot)
		}
		w.wipe(slot)
		w.put(slot, w.Scanner)
		c.ask(by, "", "start_check", api.Slot{Slot: slot})
	case "attest":
		c.ask(by, "", "attest_deck", attestation(slot))
	case "confirm_seats":
		c.button = c.button%9 + 1
		c.ask(by, "", "confirm_seats", api.ConfirmSeats{Button: c.button, Seats: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}})
	case "say_pack":
		c.ask(by, "", "resume_hand", api.ResumeHand{Said: "untouched"})
	case "put_pack_in":
		if !w.put(cmp.Or(slot, s.InPlay), w.Shuffler) {
			w.clear(w.Shuffler)
			c.due = now + c.plan.Pace.Move
		}
		c.n = 0
	case "begin_shuffle":
		w.take(s.InPlay)
		c.ask(by, "", "begin_shuffle", struct{}{})
	case "dealer_step":
		c.begins(s)
	case "finish_step":
		c.ask(by, "", "dealer_step", api.DealerStep{Step: s.Next.Step, Phase: "done"})
	case "deal":
		c.ask(by, "", "deal_begun", struct{}{})
	case "play_and_end":
		c.plays(s)
	}
}

// begins is a step by hand; the pack is really mixed and cut.
func (c *Crew) begins(s api.Snapshot) {
	w := c.world
	w.take(s.InPlay)
	pack := w.hands[s.InPlay]
	phase := "performed"
	switch s.Next.Step {
	case "wash":
		pack.Wash(w.rng)
		phase = "started"
	case "riffle":
		pack.Riffle(w.rng)
	case "strip":
		pack.Strip(w.rng)
	case "cut":
		pack.Cut(10 + w.rng.IntN(33))
	}
	step := api.DealerStep{Step: s.Next.Step, Phase: phase}
	if s.Next.Step == "gather" {
		step.Cards = uint16(len(pack))
	}
	c.ask(s.Dealer, "", "dealer_step", step)
}

// plays a hand: action forms, then the pots are pushed.
func (c *Crew) plays(s api.Snapshot) {
	if !s.Hand.SA {
		c.ask(s.Dealer, "", "substantial_action", struct{}{})
		return
	}
	c.ask(s.Dealer, "", "end_hand", struct{}{})
}

func attestation(slot string) api.AttestDeck {
	return api.AttestDeck{Slot: slot, Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}
}
