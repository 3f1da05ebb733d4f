package table

import (
	"shuffler/controller/table/custody"
	"shuffler/shuffle"
)

// UseForDraw tells that cards of a deck are drawn for seats, for the button, or
// in a chip race (D9).
type UseForDraw struct {
	Act
	Slot custody.Slot // none: the deck in play
	Kind custody.DrawKind
}

// DeckUsedForDraw is the draw. Check says that the deck owes a fresh check before
// it is played, and not only a count and a wash.
type DeckUsedForDraw struct {
	Act
	Slot  custody.Slot     `json:"slot"`
	Deck  string           `json:"deck"`
	Kind  custody.DrawKind `json:"kind"`
	Check bool             `json:"check_due,omitempty"`
}

// Type is the record's name in the journal.
func (DeckUsedForDraw) Type() string { return "deck_used_for_draw" }

func (r DeckUsedForDraw) fold(f Facts) Facts {
	return f.withDeck(r.Slot, f.deck(r.Slot).Drawn(r.Check))
}

// Name is the action's name in the API.
func (UseForDraw) Name() string { return "use_for_draw" }

// A draw breaks the deck: what was shuffled of it is void, and before the next
// hand it is gathered, counted or checked, and washed (D9). A deck that a hand
// has begun with is not touched.
func (e UseForDraw) apply(t *turn) {
	slot := e.Slot
	if slot == custody.NoSlot {
		slot = t.s.InPlay
	}
	d := t.s.deck(slot)
	switch {
	case !t.may(custody.Dealer, custody.Floor):
	case e.By.Role == custody.Dealer && !t.onDuty():
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case e.Kind == custody.NoDraw:
		t.refuse(BadInput, "kind")
	case !d.Present():
		t.refuse(SlotEmpty, slot.String())
	case t.s.Hold:
		t.refuse(IsHeld, "")
	case t.s.Handoff.Pending(): // P3: nothing is dealt
		t.refuse(HandoffOpen, "")
	case t.s.Hand.InPlay() && slot == t.s.InPlay:
		t.refuse(DeckInHand, slot.String())
	case t.s.Checking == slot:
		t.refuse(CheckUnderWay, slot.String())
	case !d.Drawable():
		t.refuse(DeckNotUsable, d.Lock.String())
	default:
		t.draw(slot, e)
	}
}

func (t *turn) draw(slot custody.Slot, e UseForDraw) {
	if t.s.packInMachine(slot) {
		t.halt(HaltMachine)
	}
	t.void(slot, shuffle.StopDraw, e.unkeyed())
	check := t.s.Settings.CheckAfterDraw || !t.s.Settings.Procedure.Gathers()
	t.emit(DeckUsedForDraw{Act: e.Act, Slot: slot, Deck: t.s.deck(slot).ID, Kind: e.Kind, Check: check})
}
