package deckcheck

import "fmt"

// FindingKind is what can be wrong with a pack that was read to its end (D2).
// The zero value is no finding.
type FindingKind uint8

// The kinds, in the order in which findings are always listed (D2).
const (
	FoundNothing FindingKind = iota
	FoundMissing
	FoundDuplicate
	FoundJoker
	FoundForeignBack
	FoundBoxed
	FoundShort
	FoundLong
	FoundCountMismatch
)

var findingNames = names{"none", "missing", "duplicate", "joker", "foreign_back", "boxed", "short", "long", "count_mismatch"}

// String is the kind's name.
func (k FindingKind) String() string { return findingNames.of("FindingKind", uint8(k)) }

// MarshalText writes the kind's name.
func (k FindingKind) MarshalText() ([]byte, error) {
	return findingNames.marshal("finding", uint8(k))
}

// UnmarshalText reads what MarshalText writes.
func (k *FindingKind) UnmarshalText(text []byte) error {
	v, err := findingNames.parse("finding", text)
	if err == nil {
		*k = FindingKind(v)
	}
	return err
}

// Finding is one thing that is wrong with a pack (D2). Which fields count
// depends on Kind: Cards for missing and duplicate, Fed and Read for
// count_mismatch, N for the others.
type Finding struct {
	Kind  FindingKind `json:"kind"`
	Cards CardSet     `json:"cards,omitzero"`
	N     uint16      `json:"n,omitempty"`
	Fed   uint16      `json:"fed,omitempty"`
	Read  uint16      `json:"read,omitempty"`
}

// String is the finding as D2 writes it: "missing(QD)", "joker(2)",
// "count_mismatch(52, 51)".
func (f Finding) String() string {
	switch f.Kind {
	case FoundMissing, FoundDuplicate:
		return fmt.Sprintf("%v(%v)", f.Kind, f.Cards)
	case FoundCountMismatch:
		return fmt.Sprintf("%v(%d, %d)", f.Kind, f.Fed, f.Read)
	}
	return fmt.Sprintf("%v(%d)", f.Kind, f.N)
}
