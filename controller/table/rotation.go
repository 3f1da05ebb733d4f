package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// Rotation is how the decks of a table take turns (D7): one is dealt while the
// machine shuffles the other. The zero value plays with one deck.
type Rotation struct {
	On   bool         // the decks take turns
	Next bool         // the mode from the next hand on
	Last custody.Slot // whose deck was dealt last
}

// SetRotation enters or leaves the mode from the next hand on.
type SetRotation struct {
	Act
	On     bool
	Reason string
}

// RotationSet is a change of the mode, from the hand From on.
type RotationSet struct {
	Act
	On     bool   `json:"on"`
	From   uint64 `json:"from_hand"`
	Cause  string `json:"cause"` // asked, setting, one_deck
	Reason string `json:"reason,omitempty"`
}

// Why the mode changed.
const (
	RotationAsked   = "asked"
	RotationSetting = "setting"  // the room's tables open so
	RotationOneDeck = "one_deck" // there is no second deck any more
)

// Type is the record's name in the journal.
func (RotationSet) Type() string { return "rotation" }

func (r RotationSet) fold(f Facts) Facts {
	f.Rotation.Next = r.On
	switch {
	case f.Hand.InPlay():
	case f.pass(f.InPlay).Live(): // its turn has begun
		f.Rotation.On = r.On
	default:
		f = f.turnDecks()
	}
	return f
}

// turnDecks is done between two hands: the mode that was asked for comes into
// force, and the other deck's turn begins. A deck that the machine has been
// given comes to its turn even if the mode is left meanwhile.
func (f Facts) turnDecks() Facts {
	f.Rotation.On = f.Rotation.Next
	other := f.InPlay.Other()
	if f.Rotation.Last == f.InPlay && f.deck(other).Present() && (f.Rotation.On || f.pass(other).Live()) {
		f.InPlay = other
	}
	return f
}

// resting is the deck that is neither in the hand nor next: the one that the
// machine shuffles meanwhile. None unless the decks take turns.
func (f Facts) resting() custody.Slot {
	if f.Rotation.On && f.Rotation.Next && f.Hand.InPlay() {
		return f.InPlay.Other()
	}
	return custody.NoSlot
}

// triggers are those of H1 that count as the table stands, for the pass of the
// deck in slot.
func (f Facts) triggers(slot custody.Slot) hand.Triggers {
	p := f.pass(slot)
	switch {
	case p.Active && p.ByHand, f.Out && !p.Live():
		return f.Settings.TriggersByHand
	case f.Rotation.On:
		return f.Settings.TriggersRotating
	}
	return f.Settings.Triggers
}

// Name is the action's name in the API.
func (SetRotation) Name() string { return "set_rotation" }

func (e SetRotation) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case e.On == t.s.Rotation.Next:
		t.refuse(AlreadySo, "rotation")
	case e.On && !t.s.twoDecks():
		t.refuse(SlotEmpty, t.s.emptySlot().String())
	case t.reason(e.Reason):
		t.rotate(e.Act, e.On, RotationAsked, e.Reason)
	}
}

func (t *turn) rotate(act Act, on bool, cause, reason string) {
	from := t.s.LastHand + 1
	t.emit(RotationSet{Act: act, On: on, From: from, Cause: cause, Reason: reason})
}

// keepRotation leaves the mode when a deck has gone for good. It is not to be
// forgotten by any of the ways in which a deck goes.
func (t *turn) keepRotation() {
	if t.s.Open && t.s.Rotation.Next && !t.s.twoDecks() {
		t.rotate(Act{}, false, RotationOneDeck, "")
	}
}

// openRotation enters the mode where the room's tables play so: at the opening,
// or when the second deck comes.
func (t *turn) openRotation() {
	if t.s.Settings.Rotation && t.s.Open && !t.s.Rotation.Next && t.s.twoDecks() {
		t.rotate(Act{}, true, RotationSetting, "")
	}
}

func (f Facts) twoDecks() bool { return f.emptySlot() == custody.NoSlot }

func (f Facts) emptySlot() custody.Slot {
	for _, slot := range [...]custody.Slot{custody.A, custody.B} {
		if !f.deck(slot).Present() {
			return slot
		}
	}
	return custody.NoSlot
}
