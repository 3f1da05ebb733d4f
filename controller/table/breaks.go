package table

import (
	"shuffler/controller/table/custody"
	"shuffler/shuffle"
)

// Break is whether the table is on a break (H11). The zero value is play.
type Break struct {
	On   bool
	Hand uint64 // the last before it; it may still be in play. 0: none was
}

// SetBreak tells that a break begins or is over.
type SetBreak struct {
	Act
	On     bool
	Reason string // may be left out
}

// BreakSet is a break's begin or end. The hand that has begun is finished; no
// other begins before the end.
type BreakSet struct {
	Act
	On     bool   `json:"on"`
	Last   uint64 `json:"last_hand"` // before the break
	InPlay bool   `json:"in_play,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Name is the action's name in the API.
func (SetBreak) Name() string { return "set_break" }

// Type is the record's name in the journal.
func (BreakSet) Type() string { return "break" }

// After a break every deck is washed (S2).
func (r BreakSet) fold(f Facts) Facts {
	if r.On {
		f.Break = Break{On: true, Hand: r.Last}
		return f
	}
	f.Break = Break{}
	for _, slot := range [...]custody.Slot{custody.A, custody.B} {
		if f.deck(slot).Present() {
			f = f.oweWash(slot, shuffle.WashAfterBreak)
		}
	}
	return f
}

func (e SetBreak) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case e.On == t.s.Break.On:
		t.refuse(AlreadySo, "break")
	case t.note("reason", e.Reason):
		last := t.s.LastHand
		if !e.On {
			last = t.s.Break.Hand
		}
		t.emit(BreakSet{Act: e.Act, On: e.On, Last: last, InPlay: t.s.Hand.InPlay(), Reason: e.Reason})
	}
}

// keepBreak voids what is shuffled and is not of the hand that is finished: no
// pack lies ready, or half shuffled, while nobody sits at the table (H11). It is
// asked after every event, so that no way of ending a hand leaves one behind.
func (t *turn) keepBreak() {
	if !t.s.Break.On {
		return
	}
	for _, slot := range [...]custody.Slot{custody.A, custody.B} {
		if !t.s.pass(slot).Live() || t.s.voidsHand(slot) != 0 {
			continue
		}
		if t.s.packInMachine(slot) || t.s.machineSlot() == slot {
			t.halt(HaltMachine)
		}
		t.void(slot, shuffle.StopBreak, Act{})
	}
}

// onBreak tells whether a break keeps the deck in slot from being shuffled: it is
// not that of the hand that is finished.
func (f Facts) onBreak(slot custody.Slot) bool { return f.Break.On && f.handOf(slot) == 0 }
