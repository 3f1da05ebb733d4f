package journal

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Limits of the format (FORMAT.md section 2).
const (
	maxNameBytes    = 64      // of a stream, a type, a chain id
	maxPayloadBytes = 1 << 20 // of one record
	maxNumber       = math.MaxInt64
)

// Entry is a record before the journal has it. The zero value is refused by Append.
type Entry struct {
	Stream  string // who numbers it: a table or the room; 1 to 64 bytes of a-z A-Z 0-9 . _ : / -
	N       uint64 // number in the stream: 1, 2, 3 … without a gap
	Wall    int64  // wall clock in Unix milliseconds, for people; order is Pos
	Type    string // what happened; same alphabet as Stream
	Version uint16 // version of the meaning of Type
	Payload []byte // one JSON object in UTF-8, at most 1 MiB; kept byte for byte
}

// Record is an entry with its place in the chain. The Payload belongs to the
// receiver when it comes from a Reader.
type Record struct {
	Pos uint64 // 1, 2, 3 … over all streams
	Entry
	Hash Hash
}

// check tells what the format forbids in e, or nil.
func (e *Entry) check() error {
	if err := checkName("stream", e.Stream); err != nil {
		return err
	}
	if err := checkName("type", e.Type); err != nil {
		return err
	}
	if e.N == 0 || e.N > maxNumber {
		return fmt.Errorf("n is %d: numbers of a stream begin with 1", e.N)
	}
	if len(e.Payload) > maxPayloadBytes {
		return fmt.Errorf("payload has %d bytes, the limit is %d", len(e.Payload), maxPayloadBytes)
	}
	return nil
}

func checkName(what, s string) error {
	if s == "" {
		return fmt.Errorf("%s is empty", what)
	}
	if len(s) > maxNameBytes {
		return fmt.Errorf("%s has %d bytes, the limit is %d", what, len(s), maxNameBytes)
	}
	for i := 0; i < len(s); i++ {
		if !nameByte(s[i]) {
			r, _ := utf8.DecodeRuneInString(s[i:])
			return fmt.Errorf("%s %q: %q is not allowed; use a-z A-Z 0-9 . _ : / -", what, s, r)
		}
	}
	return nil
}

func nameByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '.' || c == '_' || c == ':' || c == '/' || c == '-'
}
