package report

import (
	"shuffler/controller/table"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// Where the cards of a hand are (H10).
func (w words) cardsSentence(rec table.Record) (string, bool) {
	switch r := rec.(type) {
	case table.StreetDealt:
		key := "sentence.street_dealt"
		if r.NoBurn {
			key = "sentence.street_dealt_no_burn"
		}
		return w.say(key, "hand", r.Hand, "street", w.term("street", r.Street.String()), "stub", w.stub(r.Stub, r.Bound)), true
	case table.CardsMoved:
		return w.say("sentence.cards_moved", "hand", r.Hand, "move", w.oddMove(r), "seat", positive(r.Seat), "by", w.acting(r.Act),
			"reason", r.Reason, "stub", w.stub(r.Stub, r.Bound)), true
	case table.StubRuled:
		if r.Outcome == hand.OrderRestored {
			return w.say("sentence.stub_restored", "hand", r.Hand, "by", w.acting(r.Act), "reason", r.Reason), true
		}
		return w.say("sentence.stub_ruled", "hand", r.Hand, "outcome", w.term("stub", r.Outcome.String()), "cards", w.stub(r.Cards, false),
			"by", w.acting(r.Act), "reason", r.Reason), true
	case table.StubStep:
		if r.Phase != shuffle.Done {
			return "", true
		}
		return w.say("sentence.stub_step", "step", w.step(r.Step.String()), "by", r.By), true
	case table.StubVoid:
		return w.say("sentence.stub_void", "reason", w.term("stop", r.Reason.String()), "by", r.By), true
	case table.StubReady:
		return w.say("sentence.stub_ready", "hand", r.Hand), true
	case table.StubCounted:
		return w.stubCount(r), true
	}
	return "", false
}

func (w words) stubCount(r table.StubCounted) string {
	key := "sentence.stub_count_right"
	switch {
	case !r.OK:
		key = "sentence.stub_count_off"
	case r.Bound:
		key = "sentence.stub_count_bound"
	}
	return w.say(key, "hand", r.Hand, "off", r.Off, "by", w.acting(r.Act))
}

// stub is the size of a stub, or its bound where nobody stated the seats.
func (w words) stub(cards uint8, bound bool) string {
	if bound {
		return w.say("common.at_most", "cards", cards)
	}
	return w.say("common.cards", "cards", cards)
}

func (w words) oddMove(r table.CardsMoved) string {
	key := r.Kind.String()
	if r.Acted {
		key += "_acted"
	}
	return w.say("odd_move."+key, "cards", positive(r.Cards), "from", w.term("area", r.From.String()), "to", w.term("area", r.To.String()))
}

// positive leaves out a number that says nothing.
func positive(n uint8) any {
	if n == 0 {
		return ""
	}
	return n
}
