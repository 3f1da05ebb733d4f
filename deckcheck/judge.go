package deckcheck

// Judge compares a tally with the 52 cards that should be there (D1, D2). The
// list of confusions serves only for the hint (D3). It allocates nothing, and
// the same tally always gives the same verdict.
func Judge(t Tally, c Confusions) Verdict {
	v := Verdict{Fed: t.Fed, Read: clip(t.Reads()), CountAttested: t.FedAttested}
	if v.Reason = unread(t); v.Reason != NotStopped {
		v.Outcome = Unread
		return v // counts only (D10)
	}
	for i, k := range t.Faces {
		switch {
		case k == 0:
			v.Missing = v.Missing.With(Card(i))
		case k > 1:
			v.Duplicate = v.Duplicate.With(Card(i))
		}
	}
	v.Jokers, v.Backs, v.Boxed = t.Jokers, t.Backs, t.Boxed
	reads := t.Reads()
	v.Short, v.Long = clip(DeckSize-reads), clip(reads-DeckSize)
	v.Mismatch = int(t.Fed) != reads
	v.Outcome = Bad
	switch {
	case v.Clean():
		v.Outcome = Good
	case probableMisread(t, v, c):
		v.Hint = ProbableMisread
	}
	return v
}

// unread is why a tally cannot be judged, NotStopped if it can.
func unread(t Tally) UnreadReason {
	switch {
	case t.Stop != NotStopped:
		return t.Stop
	case t.Unreadable > 0:
		return UnreadCard
	case t.Unnamed > 0:
		return UnreadLostFrame // faces are missing from what claims to be whole
	case t.Reads() == 0:
		return UnreadNoCards
	case t.FedAttested && t.Fed == 0:
		return UnreadCountNotStated
	}
	return NotStopped
}

// probableMisread tells whether all that was found is one card twice and one
// missing that a camera takes for each other (D3).
func probableMisread(t Tally, v Verdict, c Confusions) bool {
	only := Verdict{Outcome: v.Outcome, Missing: v.Missing, Duplicate: v.Duplicate}
	if v.Missing.Len() != 1 || v.Duplicate.Len() != 1 || !v.Same(only) {
		return false
	}
	missing, twice := v.Missing.first(), v.Duplicate.first()
	return t.Faces[twice] == 2 && c.confusable(missing, twice)
}
