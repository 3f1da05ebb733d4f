package report

import "shuffler/controller/table"

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
	}
	return "", false
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
