package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
)

func (OpenTable) Name() string { return "open_table" }

// Opening the table states activity card and manual and names the floor on
// duty (D11). Every deck at the table is to be checked and washed from then on.
func (e OpenTable) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case t.s.Open:
		t.refuse(TableIsOpen, "")
	case e.Floor.Role != custody.Floor:
		t.refuse(BadInput, "floor")
	case e.Deputy.Role != custody.Floor || e.Deputy == e.Floor:
		t.refuse(BadInput, "deputy")
	case !plainText(e.ActivityCard):
		t.refuse(BadInput, "activity_card")
	case !plainText(e.Manual):
		t.refuse(BadInput, "manual")
	default:
		t.emit(TableOpened{Act: e.Act, Session: t.s.Session + 1, ActivityCard: e.ActivityCard, Manual: e.Manual, Floor: e.Floor, Deputy: e.Deputy})
		t.openRotation()
	}
}

func (CloseTable) Name() string { return "close_table" }

func (e CloseTable) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case t.s.Hand.InPlay():
		t.refuse(HandInPlay, "")
	case t.s.pass(custody.A).Active || t.s.pass(custody.B).Active:
		t.refuse(ShuffleUnderWay, "")
	case t.s.Checking != custody.NoSlot:
		t.refuse(CheckUnderWay, "")
	case t.s.Hold:
		t.refuse(IsHeld, "")
	case t.s.Handoff.Pending():
		t.refuse(HandoffOpen, "")
	default:
		t.emit(TableClosed{Act: e.Act, Session: t.s.Session})
	}
}

func (SignIn) Name() string { return "sign_in" }

func (e SignIn) apply(t *turn) {
	switch {
	case !t.may(custody.Dealer):
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case t.s.Dealer == e.By && t.s.dealerSignedIn():
		t.refuse(AlreadySo, "")
	case t.s.Dealer.Known() && t.s.Dealer != e.By: // leaving goes through a handoff (P1)
		t.refuse(NotOnDuty, t.s.Dealer.String())
	default:
		t.emit(SignedIn(e))
	}
}

func (PlaceDeck) Name() string { return "place_deck" }

// A deck comes from the store or from the spare place of the table (D7). Once a
// hand has begun at the table it is a change (D6).
func (e PlaceDeck) apply(t *turn) {
	deck, why := custody.Place(e.Deck, e.Back, e.New, t.s.deck(e.Slot.Other()))
	switch {
	case !t.floorApproves():
	case e.Slot != custody.A && e.Slot != custody.B:
		t.refuse(BadInput, "slot")
	case t.s.deck(e.Slot).Present():
		t.refuse(SlotTaken, e.Slot.String())
	case why != custody.OK:
		t.refuseWith(custodyRefusal(why))
	case e.Registry != "":
		t.refuse(DeckBarred, e.Registry)
	case t.s.Open && t.s.LastHand > 0 && !t.because(&e.Cause, e.Reason): // D6
	case !t.note("reason", e.Reason):
	case e.Seal != "" && custody.CheckID(e.Seal) != nil:
		t.refuse(BadInput, "seal")
	default:
		t.emit(DeckPlaced{
			Act: e.Act, Slot: e.Slot, Deck: deck.ID, Back: deck.Back, New: deck.New, Cause: e.Cause, Reason: e.Reason, Brand: e.Brand, Seal: e.Seal,
			Used: e.Used, At: t.at.Wall.UnixMilli(),
		})
		t.openRotation()
	}
}

func (RemoveDeck) Name() string { return "remove_deck" }

func (e RemoveDeck) apply(t *turn) {
	if t.floorApproves() && t.atRest(e.Slot) && t.because(&e.Cause, e.Reason) {
		d := t.s.deck(e.Slot)
		t.emit(DeckRemoved{Act: e.Act, Slot: e.Slot, Deck: d.ID, Cause: e.Cause, Reason: e.Reason, Here: d.Here(t.at.Wall.UnixMilli())})
	}
}

func (QuarantineDeck) Name() string { return "quarantine_deck" }

// Quarantine is final, needs two signers and an envelope, and is only for what D5
// lists.
func (e QuarantineDeck) apply(t *turn) {
	d := t.s.deck(e.Slot)
	cause, why := d.SendAway(e.Cause)
	switch {
	case !t.may(custody.Floor) || !t.atRest(e.Slot):
	case t.act.ApprovedBy.Role != custody.Dealer && t.act.ApprovedBy.Role != custody.Floor:
		t.refuse(NeedsSecond, "dealer,floor")
	case t.act.ApprovedBy.ID == t.act.By.ID:
		t.refuse(SamePerson, "")
	case custody.CheckID(e.Envelope) != nil:
		t.refuse(BadInput, "envelope")
	case why != custody.OK:
		t.refuse(CauseUnconfirmed, cause.String())
	case cause == custody.SentByFloor && !t.reason(e.Reason):
	case !t.note("reason", e.Reason):
	default:
		t.emit(DeckQuarantined{
			Act: e.Act, Slot: e.Slot, Deck: d.ID, Envelope: e.Envelope, Cause: cause, Reason: e.Reason,
			Back: d.Back, Session: t.s.Session, Hand: t.s.LastHand, Check: d.Check, Here: d.Here(t.at.Wall.UnixMilli()),
		})
	}
}

func (UseDeck) Name() string { return "use_deck" }

// The deck in play changes with the floor's approval and a reason (D6). A hand
// that has begun keeps its number and tag (H3).
func (e UseDeck) apply(t *turn) {
	switch {
	case !t.floorApproves():
	case !t.s.deck(e.Slot).Present():
		t.refuse(SlotEmpty, e.Slot.String())
	case e.Slot == t.s.InPlay:
		t.refuse(AlreadySo, e.Slot.String())
	case t.s.Hand.CardsOut() || t.s.Hand.Stage == hand.Ready:
		t.refuse(DeckInHand, t.s.InPlay.String())
	case t.s.pass(t.s.InPlay).Active:
		t.refuse(ShuffleUnderWay, "")
	case t.because(&e.Cause, e.Reason):
		t.emit(DeckInPlay{Act: e.Act, Slot: e.Slot, Deck: t.s.deck(e.Slot).ID, Cause: e.Cause, Reason: e.Reason})
	}
}

// atRest refuses to touch a deck that is in a hand, in a shuffle or in a check.
func (t *turn) atRest(s custody.Slot) bool {
	switch {
	case !t.s.deck(s).Present():
		t.refuse(SlotEmpty, s.String())
	case t.s.cardsOut(s) || t.s.Hand.Stage == hand.Ready && t.s.InPlay == s:
		t.refuse(DeckInHand, s.String())
	case t.s.pass(s).Active:
		t.refuse(ShuffleUnderWay, s.String())
	case t.s.Checking == s:
		t.refuse(CheckUnderWay, s.String())
	default:
		return true
	}
	return false
}

func (RequestWash) Name() string { return "request_wash" }

// Dealer or floor may ask for a wash of the deck in play, a player never (S2).
func (e RequestWash) apply(t *turn) {
	switch {
	case !t.may(custody.Dealer, custody.Floor):
	case !t.s.deck(t.s.InPlay).Present():
		t.refuse(SlotEmpty, "")
	case t.s.pass(t.s.InPlay).Active:
		t.refuse(ShuffleUnderWay, "")
	case t.note("reason", e.Reason):
		t.emit(WashAsked{Act: e.Act, Slot: t.s.InPlay, Deck: t.s.deck(t.s.InPlay).ID, Reason: e.Reason})
	}
}

func (AttestDeck) Name() string { return "attest_deck" }

// What no device can see is the dealer's word (D4); for a new deck the floor
// countersigns in the same action or in one of its own.
func (e AttestDeck) apply(t *turn) {
	d := t.s.deck(e.Slot)
	switch {
	case !t.may(custody.Dealer, custody.Floor):
	case !d.Present():
		t.refuse(SlotEmpty, e.Slot.String())
	case d.Check == 0 || d.Lock != custody.Unchecked || d.Verdict.Outcome != deckcheck.Good || t.s.Checking == e.Slot:
		t.refuse(NothingToAttest, e.Slot.String())
	case e.By.Role == custody.Floor && !d.Attested:
		t.refuse(NeedsRole, custody.Dealer.String())
	case e.By.Role == custody.Floor && e.By.ID == d.By.ID:
		t.refuse(SamePerson, "")
	case e.By.Role == custody.Dealer && t.missing(e.Attestation):
	case e.ApprovedBy.Known() && !t.second(custody.Floor):
	default:
		signed := e.By.Role == custody.Floor || e.ApprovedBy.Role == custody.Floor
		t.emit(DeckAttested{Act: e.Act, Check: d.Check, Slot: e.Slot, Deck: d.ID, Attestation: e.Attestation, Countersign: signed, At: t.at.Wall.UnixMilli()})
	}
}

// missing refuses an attestation that leaves something unsaid.
func (t *turn) missing(a deckcheck.Attestation) bool {
	if m := a.Complete(true); len(m) > 0 {
		t.refuse(AttestIncomplete, m[0])
		return true
	}
	return false
}
