package table

import (
	"strconv"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// Prompt is the one thing that should happen next, and who does it. In every
// state there is exactly one, so that a screen never has to choose (tested).
type Prompt struct {
	Do   PromptCode `json:"do"`
	Who  string     `json:"who"` // dealer, floor, incoming, machine, technician
	Slot string     `json:"slot,omitempty"`
	Step string     `json:"step,omitempty"`
	Arg  string     `json:"arg,omitempty"`
}

// PromptCode names a next action.
type PromptCode string

// The next actions.
const (
	DoWaitStop      PromptCode = "stopped"
	DoClearFault    PromptCode = "clear_fault" // arg: part/code
	DoLiftHold      PromptCode = "lift_hold"
	DoOpenTable     PromptCode = "open_table"
	DoPlaceDeck     PromptCode = "place_deck"   // slot
	DoSignIn        PromptCode = "sign_in"      // arg: the dealer on duty, who has not proven it
	DoCheckDeck     PromptCode = "check_deck"   // slot
	DoWaitCheck     PromptCode = "wait_check"   // slot
	DoQuarantine    PromptCode = "quarantine"   // slot
	DoFixDeck       PromptCode = "fix_deck"     // slot: set right and scan again; arg: what was found
	DoRescan        PromptCode = "scan_again"   // slot: not read, a probable misread, or a find that a second check confirms or not
	DoReplaceDeck   PromptCode = "replace_deck" // slot: nothing that a dealer may set right
	DoAttest        PromptCode = "attest"       // slot
	DoCountersign   PromptCode = "countersign"  // slot
	DoConnect       PromptCode = "connect"      // arg: part
	DoAnnounceLevel PromptCode = "announce_level"
	DoConfirmLevel  PromptCode = "confirm_level"
	DoAcceptHandoff PromptCode = "accept_handoff"
	DoSettleHandoff PromptCode = "settle_handoff"
	DoConfirmSeats  PromptCode = "confirm_seats"
	DoSayPack       PromptCode = "say_pack"
	DoPutPack       PromptCode = "put_pack_in"
	DoWaitMachine   PromptCode = "wait_machine" // step
	DoTakePack      PromptCode = "wait_release"
	DoDealerStep    PromptCode = "dealer_step" // step
	DoFinishStep    PromptCode = "finish_step" // step
	DoBeginShuffle  PromptCode = "begin_shuffle"
	DoPressButton   PromptCode = "press_button"
	DoDeal          PromptCode = "deal"
	DoPlay          PromptCode = "play_and_end"
	DoEndBreak      PromptCode = "end_break" // arg: the last hand before the break
	DoReshuffleStub PromptCode = "reshuffle_stub"
	DoCountStub     PromptCode = "count_stub" // a hint: the hand may go on and end without it
)

func dealerDo(c PromptCode) Prompt  { return Prompt{Do: c, Who: "dealer"} }
func floorDo(c PromptCode) Prompt   { return Prompt{Do: c, Who: "floor"} }
func machineDo(c PromptCode) Prompt { return Prompt{Do: c, Who: "machine"} }

// Next is the next action as things stand. Order: what stops everything, what
// an opening needs, what the hand in play needs, what the next hand needs.
func (s State) Next() Prompt {
	if p, ok := s.nextStop(); ok {
		return p
	}
	if p, ok := s.nextOpening(); ok {
		return p
	}
	switch s.Hand.Stage {
	case hand.Unsure:
		return dealerDo(DoSayPack)
	case hand.Dealt:
		if p, ok := s.nextStub(); ok {
			return p
		}
		if p, ok := s.stubCountHint(); ok {
			return p
		}
		return dealerDo(DoPlay)
	}
	if s.Handoff.Pending() {
		if s.Handoff.Stage == custody.HandoffRefused {
			return floorDo(DoSettleHandoff)
		}
		return Prompt{Do: DoAcceptHandoff, Who: "incoming", Arg: s.Handoff.To.String()}
	}
	if s.Hand.Stage == hand.Ready {
		if p, ok := s.nextResting(); ok {
			return p
		}
		return dealerDo(DoDeal)
	}
	if s.Break.On && !s.Hand.InPlay() {
		p := floorDo(DoEndBreak)
		p.Arg = strconv.FormatUint(s.Break.Hand, 10)
		return p
	}
	return s.nextShuffle()
}

func (s State) nextStop() (Prompt, bool) {
	if s.Stopping {
		return Prompt{Do: DoWaitStop, Who: "technician"}, true
	}
	for _, p := range []fault.Part{fault.Journal, fault.Panel, fault.Shuffler, fault.Scanner} {
		if s.Faults.Blocked(p) && !(p == fault.Shuffler && s.Out) {
			pr := floorDo(DoClearFault)
			pr.Arg = p.String() + "/" + s.Faults[p].First().String()
			return pr, true
		}
	}
	if s.Hold {
		return floorDo(DoLiftHold), true
	}
	return Prompt{}, false
}

func (s State) nextOpening() (Prompt, bool) {
	slotted := func(p Prompt, slot custody.Slot) (Prompt, bool) { p.Slot = slot.String(); return p, true }
	switch {
	case !s.Open:
		return floorDo(DoOpenTable), true
	case !s.dealerSignedIn():
		p := dealerDo(DoSignIn)
		p.Arg = s.Dealer.String()
		return p, true
	case s.Checking != custody.NoSlot:
		return slotted(machineDo(DoWaitCheck), s.Checking)
	case s.Hand.CardsOut() || s.Hand.Stage == hand.Ready || s.pass(s.InPlay).Active:
		return Prompt{}, false // nothing of the opening may interrupt it
	}
	for _, slot := range []custody.Slot{s.InPlay, s.InPlay.Other()} {
		if s.InPlay == custody.NoSlot {
			return slotted(floorDo(DoPlaceDeck), custody.A)
		}
		d := s.deck(slot)
		later := slot != s.InPlay && d.MayWait() // it rests; the other can be played
		if d.Present() && !d.Usable() && !later {
			return slotted(s.nextCheck(d), slot)
		}
	}
	switch {
	case !s.Level.InForce():
		return floorDo(DoAnnounceLevel), true
	case s.ConfirmLevel:
		return floorDo(DoConfirmLevel), true
	}
	return Prompt{}, false
}

// nextCheck is what an unusable deck needs.
func (s State) nextCheck(d custody.Deck) Prompt {
	switch {
	case d.Confirmed():
		return floorDo(DoQuarantine)
	case d.Lock == custody.CheckNotGood && d.Remedy() == custody.Replace:
		return floorDo(DoReplaceDeck)
	case d.Lock == custody.Unchecked && d.Check != 0 && d.Verdict.Outcome == deckcheck.Good && !d.Attested:
		return dealerDo(DoAttest)
	case d.Lock == custody.Unchecked && d.Check != 0 && d.Verdict.Outcome == deckcheck.Good:
		return floorDo(DoCountersign)
	case !s.Scanner.Linked:
		return Prompt{Do: DoConnect, Who: "technician", Arg: fault.Scanner.String()}
	case d.Lock == custody.CheckNotGood:
		return remedyPrompt(d)
	}
	return dealerDo(DoCheckDeck)
}

// nextShuffle is what the pack of the hand, or of the next one, needs.
func (s State) nextShuffle() Prompt {
	slot := s.InPlay
	if !s.pass(slot).Active {
		return s.nextPack()
	}
	g := s.passing(slot)
	if p, _, running := g.Progress.Running(); running {
		pr := machineDo(DoWaitMachine)
		if p.Actor == shuffle.Dealer {
			pr = dealerDo(DoFinishStep)
		}
		pr.Step = p.Step.String()
		return pr
	}
	next, _, ok := g.Progress.Next()
	if !s.pass(slot).ByHand && s.machineSlot() == slot && !s.Machine.Linked {
		return Prompt{Do: DoConnect, Who: "technician", Arg: fault.Shuffler.String()}
	}
	if s.PackVerified(slot) && s.waitsForTrigger(slot) {
		return s.nextTrigger()
	}
	if !ok || next.Actor == shuffle.Dealer && s.packInMachine(slot) {
		return machineDo(DoTakePack)
	}
	if next.Step == shuffle.Riffle {
		switch s.barsRiffle(slot) {
		case hand.SeatsUnconfirmed:
			return dealerDo(DoConfirmSeats)
		case hand.NoLevel:
			return floorDo(DoAnnounceLevel)
		case hand.LevelUnconfirmed:
			return floorDo(DoConfirmLevel)
		}
	}
	if next.Actor == shuffle.Dealer {
		pr := dealerDo(DoDealerStep)
		pr.Step = next.Step.String()
		return pr
	}
	if !s.Machine.Lines.Tray && !s.Machine.Lines.Chamber {
		return s.putPack(slot)
	}
	pr := machineDo(DoWaitMachine)
	pr.Step = next.Step.String()
	return pr
}

// nextPack: no pass of that deck is under way.
func (s State) nextPack() Prompt {
	switch {
	case s.pass(s.InPlay).Complete && !s.Hand.InPlay():
		return s.nextTrigger()
	case s.Out || s.byHandNow(s.InPlay):
		return dealerDo(DoBeginShuffle)
	case !s.Machine.Linked:
		return Prompt{Do: DoConnect, Who: "technician", Arg: fault.Shuffler.String()}
	case s.Machine.Lines.Chamber || s.Machine.Busy():
		return machineDo(DoTakePack)
	}
	return s.putPack(s.InPlay)
}

// putPack names the slot where there are two decks to be mistaken.
func (s State) putPack(slot custody.Slot) Prompt {
	pr := dealerDo(DoPutPack)
	if s.twoDecks() {
		pr.Slot = slot.String()
	}
	if s.deck(slot).WashDue.Has(shuffle.WashAfterDraw) && !s.pass(slot).Live() {
		pr.Arg = "after_draw"
	}
	return pr
}

// nextResting tells whether the deck that was played goes into the machine now:
// it is at hand before the next one is cut and dealt (D7).
func (s State) nextResting() (Prompt, bool) {
	slot := s.resting()
	m := s.Machine
	if slot == custody.NoSlot || s.Out || s.Break.On || !m.Linked || m.Busy() || m.Lines.Chamber || m.Lines.Tray || s.machineSlot() != custody.NoSlot {
		return Prompt{}, false
	}
	if !s.deck(slot).Usable() || s.pass(slot).Live() || s.turnSlot() != slot {
		return Prompt{}, false
	}
	return s.putPack(slot), true
}

// nextTrigger: the pack is ready and no hand has begun.
func (s State) nextTrigger() Prompt {
	switch {
	case s.seatsDue():
		return dealerDo(DoConfirmSeats)
	case s.triggers(s.InPlay).Has(hand.ShufflerButton):
		return dealerDo(DoPressButton)
	}
	return s.putPack(s.InPlay)
}

func (s State) seatsDue() bool {
	return s.Settings.ConfirmSeats && !s.SeatsOK && !s.Hand.InPlay()
}
