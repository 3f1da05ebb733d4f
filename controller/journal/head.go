package journal

import (
	"fmt"
	"strconv"
	"strings"
)

// Head names a place in a chain. Printed on a report it anchors all before it (X3).
// Two heads of one journal may be compared with ==.
type Head struct {
	Chain string // id of the journal; empty when the head comes from ParseHead
	Pos   uint64 // of the newest record, 0 when there is none
	Hash  Hash   // of that record, or the genesis hash
}

// String gives "pos:hash", which ParseHead reads. The chain id is left out: the
// hash binds it.
func (h Head) String() string {
	return strconv.FormatUint(h.Pos, 10) + ":" + h.Hash.String()
}

// ParseHead reads "pos:hash" as a report prints it: decimal without leading zeros,
// a colon, 64 hexadecimal digits in either case. Chain stays empty.
func ParseHead(s string) (Head, error) {
	pos, hash, ok := strings.Cut(s, ":")
	if !ok {
		return Head{}, fmt.Errorf("journal head %q: expected pos:hash, as on a report", s)
	}
	n, err := strconv.ParseUint(pos, 10, 63)
	if err != nil || pos != strconv.FormatUint(n, 10) {
		return Head{}, fmt.Errorf("journal head: position %q is not a number as a report prints it", pos)
	}
	h := Head{Pos: n}
	if err := h.Hash.UnmarshalText([]byte(hash)); err != nil {
		return Head{}, fmt.Errorf("journal head: %w", err)
	}
	return h, nil
}
