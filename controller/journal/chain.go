package journal

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Constants of the format (FORMAT.md sections 3 to 5).
const (
	hashFormat    = 1
	genesisDomain = "shuffler/journal/genesis"
	recordDomain  = "shuffler/journal/record"
)

// Hash is SHA-256 over a record and the hash before it. As text it is 64
// hexadecimal digits in lower case.
type Hash [sha256.Size]byte

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText gives the hexadecimal form.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText reads the hexadecimal form in either case.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return fmt.Errorf("hash has %d characters, expected %d hexadecimal digits", len(text), 2*len(h))
	}
	var got Hash
	if _, err := hex.Decode(got[:], text); err != nil {
		return fmt.Errorf("hash %q: not hexadecimal", text)
	}
	*h = got
	return nil
}

// Genesis is the hash before the first record of the journal with that chain id.
func Genesis(chain string) Hash {
	b := appendString(nil, genesisDomain)
	b = binary.BigEndian.AppendUint16(b, hashFormat)
	b = appendString(b, chain)
	return sha256.Sum256(b)
}

// Chain is the hash of r after previous. It does not look at r.Hash.
func (r *Record) Chain(previous Hash) Hash {
	h, _ := r.chain(previous, nil)
	return h
}

// chain is Chain with a buffer to use again.
func (r *Record) chain(previous Hash, buf []byte) (Hash, []byte) {
	buf = appendPreimage(buf[:0], previous, r)
	return sha256.Sum256(buf), buf
}

// appendPreimage appends the bytes that are hashed for r. They are injective: each
// field has a fixed length or tells it first.
func appendPreimage(b []byte, previous Hash, r *Record) []byte {
	b = appendString(b, recordDomain)
	b = append(b, previous[:]...)
	b = binary.BigEndian.AppendUint16(b, r.Version)
	b = appendString(b, r.Type)
	b = appendString(b, r.Stream)
	b = binary.BigEndian.AppendUint64(b, r.N)
	b = binary.BigEndian.AppendUint64(b, r.Pos)
	b = binary.BigEndian.AppendUint64(b, uint64(r.Wall))
	return appendString(b, r.Payload)
}

func appendString[T string | []byte](b []byte, s T) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// newChain gives a random chain id.
func newChain() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// checkChain tells what is wrong with a chain id, or nil.
func checkChain(s string) error {
	if s == "" || len(s) > maxNameBytes {
		return fmt.Errorf("chain id has %d characters, expected 1 to %d", len(s), maxNameBytes)
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return fmt.Errorf("chain id %q: only a-z 0-9 - are allowed", s)
		}
	}
	return nil
}
