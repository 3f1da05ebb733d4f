package deckcheck

import (
	"encoding/json"
	"fmt"
)

// Outcome is the answer of a deck check. Its text is what JSON shows.
type Outcome uint8

// The answers (D2). Unchecked, the zero value, is none: no check was made.
const (
	Unchecked Outcome = iota
	Good
	Bad
	Unread
)

var outcomeNames = names{"unchecked", "good", "bad", "unread"}

// String is the outcome's name.
func (o Outcome) String() string { return outcomeNames.of("Outcome", uint8(o)) }

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return outcomeNames.marshal("outcome", uint8(o)) }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(text []byte) error {
	v, err := outcomeNames.parse("outcome", text)
	if err == nil {
		*o = Outcome(v)
	}
	return err
}

// Hint is advice that goes with a bad verdict. The zero value is none.
type Hint uint8

// ProbableMisread says: scan again before anybody blames the pack (D3).
const (
	NoHint Hint = iota
	ProbableMisread
)

var hintNames = names{"none", "probable_misread"}

// String is the hint's name.
func (h Hint) String() string { return hintNames.of("Hint", uint8(h)) }

// MarshalText writes the hint's name.
func (h Hint) MarshalText() ([]byte, error) { return hintNames.marshal("hint", uint8(h)) }

// UnmarshalText reads what MarshalText writes.
func (h *Hint) UnmarshalText(text []byte) error {
	v, err := hintNames.parse("hint", text)
	if err == nil {
		*h = Hint(v)
	}
	return err
}

// Verdict is the answer of a deck check with all that was found (D2). It is
// comparable; the zero value says that there was no check. [Judge] makes it.
//
// An unread verdict carries its reason and the counts Fed and Read, and never a
// card or a finding (D10).
type Verdict struct {
	Outcome            Outcome
	Reason             UnreadReason // of an unread verdict
	Hint               Hint
	CountAttested      bool // Fed is the dealer's word (D1)
	Mismatch           bool // Fed and Read differ
	Fed, Read          uint16
	Missing, Duplicate CardSet
	Jokers, Backs      uint16
	Boxed, Short, Long uint16
}

// Findings lists what was found in D2's fixed order. Empty for a good pack.
func (v Verdict) Findings() []Finding {
	var list []Finding
	cards := func(k FindingKind, s CardSet) {
		if s != 0 {
			list = append(list, Finding{Kind: k, Cards: s})
		}
	}
	count := func(k FindingKind, n uint16) {
		if n != 0 {
			list = append(list, Finding{Kind: k, N: n})
		}
	}
	cards(FoundMissing, v.Missing)
	cards(FoundDuplicate, v.Duplicate)
	count(FoundJoker, v.Jokers)
	count(FoundForeignBack, v.Backs)
	count(FoundBoxed, v.Boxed)
	count(FoundShort, v.Short)
	count(FoundLong, v.Long)
	if v.Mismatch {
		list = append(list, Finding{Kind: FoundCountMismatch, Fed: v.Fed, Read: v.Read})
	}
	return list
}

// Clean tells whether nothing was found. It is no verdict: an unread pack is
// clean too.
func (v Verdict) Clean() bool {
	return v.Missing|v.Duplicate == 0 && v.Jokers|v.Backs|v.Boxed|v.Short|v.Long == 0 && !v.Mismatch
}

// Same tells whether both verdicts are the same outcome with the same findings,
// so that the second confirms the first (D3, D5). Hints do not count, and
// neither do counts that are no finding.
func (v Verdict) Same(other Verdict) bool { return v.result() == other.result() }

// result is what Same compares.
func (v Verdict) result() Verdict {
	v.Hint, v.Reason, v.CountAttested = NoHint, NotStopped, false
	if !v.Mismatch {
		v.Fed, v.Read = 0, 0
	}
	return v
}

// verdictJSON is how a verdict is written.
type verdictJSON struct {
	Outcome       Outcome      `json:"outcome"`
	Reason        UnreadReason `json:"reason,omitzero"`
	Hint          Hint         `json:"hint,omitzero"`
	Fed           uint16       `json:"fed"`
	Read          uint16       `json:"read"`
	CountAttested bool         `json:"count_attested,omitempty"`
	Findings      []Finding    `json:"findings,omitempty"`
}

// MarshalJSON writes the verdict with its findings as a list in D2's order.
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(verdictJSON{v.Outcome, v.Reason, v.Hint, v.Fed, v.Read, v.CountAttested, v.Findings()})
}

// UnmarshalJSON reads what MarshalJSON writes. It fails for a finding that
// stands twice, is empty or contradicts the counts, and for findings in a
// verdict that is not bad.
func (v *Verdict) UnmarshalJSON(data []byte) error {
	var w verdictJSON
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("deckcheck: verdict: %w", err)
	}
	read := Verdict{Outcome: w.Outcome, Reason: w.Reason, Hint: w.Hint, Fed: w.Fed, Read: w.Read, CountAttested: w.CountAttested}
	if w.Outcome != Bad && len(w.Findings) > 0 {
		return fmt.Errorf("deckcheck: verdict: %v with findings: only a bad one has any", w.Outcome)
	}
	for i, f := range w.Findings {
		if err := read.take(f); err != nil {
			return fmt.Errorf("deckcheck: verdict, finding %d: %w", i+1, err)
		}
	}
	*v = read
	return nil
}

// take puts one finding into the verdict.
func (v *Verdict) take(f Finding) error {
	var twice bool
	switch f.Kind {
	case FoundMissing:
		twice, v.Missing = v.Missing != 0, f.Cards
	case FoundDuplicate:
		twice, v.Duplicate = v.Duplicate != 0, f.Cards
	case FoundJoker:
		twice, v.Jokers = v.Jokers != 0, f.N
	case FoundForeignBack:
		twice, v.Backs = v.Backs != 0, f.N
	case FoundBoxed:
		twice, v.Boxed = v.Boxed != 0, f.N
	case FoundShort:
		twice, v.Short = v.Short != 0, f.N
	case FoundLong:
		twice, v.Long = v.Long != 0, f.N
	case FoundCountMismatch:
		twice, v.Mismatch = v.Mismatch, true
	}
	if twice {
		return fmt.Errorf("%v stands twice", f.Kind)
	}
	for _, own := range v.Findings() {
		if own == f {
			return nil
		}
	}
	return fmt.Errorf("%v is empty, has fields that it does not know, or contradicts the verdict's counts", f)
}
