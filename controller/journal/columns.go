package journal

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxColumnBytes bounds a text column; a longer string is not copied (FORMAT.md
// section 6).
const maxColumnBytes = 256

// Columns are the copies that records are found by. They derive from the payload
// alone, so they can be built anew and are checked by Verify. Absent is the zero
// value: an empty text, a Hand that is not Valid.
type Columns struct {
	Hand    sql.Null[int64]
	Deck    string
	Actor   string // "by" in the payload
	Key     string // idempotency key, once in a journal
	Session string
}

// Derive reads the columns from a payload. The error tells why the payload is none:
// not UTF-8, not one JSON object, a name twice at its top level.
func Derive(payload []byte) (Columns, error) {
	c, _, err := derive(payload)
	return c, err
}

// derive also tells why a name "key" is there that cannot serve as one. Append
// refuses such a payload: a key that is not kept would let a request act twice.
func derive(payload []byte) (c Columns, keyTrouble, err error) {
	if !utf8.Valid(payload) {
		return c, nil, errors.New("payload is not UTF-8")
	}
	if !json.Valid(payload) {
		return c, nil, errors.New("payload is not JSON")
	}
	members, err := topLevel(payload)
	if err != nil {
		return c, nil, err
	}
	for _, m := range members {
		switch m.name {
		case "hand":
			c.Hand = wholeNumber(m.value)
		case "deck":
			c.Deck, _ = columnText(m.value)
		case "by":
			c.Actor, _ = columnText(m.value)
		case "session":
			c.Session, _ = columnText(m.value)
		case "key":
			c.Key, keyTrouble = columnText(m.value)
		}
	}
	return c, keyTrouble, nil
}

// wholeNumber is valid for digits only. Values beyond int64 are not copied.
func wholeNumber(v []byte) (n sql.Null[int64]) {
	if len(v) > 0 && '0' <= v[0] && v[0] <= '9' {
		i, err := strconv.ParseInt(string(v), 10, 64)
		n.V, n.Valid = i, err == nil
	}
	if !n.Valid {
		n.V = 0
	}
	return n
}

// columnText is the string that v is, or "" with the reason why it is not copied;
// null and the empty string are no trouble.
func columnText(v []byte) (string, error) {
	if string(v) == "null" {
		return "", nil
	}
	if v[0] != '"' {
		return "", errors.New("is not a string")
	}
	s := unquote(v)
	if len(s) > maxColumnBytes {
		return "", fmt.Errorf("has %d bytes, the limit is %d", len(s), maxColumnBytes)
	}
	if strings.IndexByte(s, 0) >= 0 {
		return "", errors.New("holds U+0000")
	}
	return s, nil
}

// member is a name with its value as it stands in the payload.
type member struct {
	name  string
	value []byte
}

// topLevel cuts a valid JSON object into its members. encoding/json cannot serve: it
// takes "Hand" for "hand" and is silent about a name twice.
func topLevel(p []byte) ([]member, error) {
	p = trimSpace(p)
	if len(p) == 0 || p[0] != '{' {
		return nil, errors.New("payload is not a JSON object")
	}
	members := make([]member, 0, 16)
	for p = trimSpace(p[1:]); p[0] != '}'; p = trimSpace(p) {
		n := valueLength(p)
		m := member{name: unquote(p[:n])}
		p = trimSpace(trimSpace(p[n:])[1:]) // the colon
		n = valueLength(p)
		m.value = p[:n]
		for i := range members {
			if members[i].name == m.name {
				return nil, fmt.Errorf("payload has the name %q twice", m.name)
			}
		}
		members = append(members, m)
		if p = trimSpace(p[n:]); p[0] == ',' {
			p = p[1:]
		}
	}
	return members, nil
}

// valueLength is the length of the value that valid JSON begins with.
func valueLength(p []byte) int {
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '"':
			for i++; p[i] != '"'; i++ {
				if p[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
			if depth < 0 {
				return i // a number or word that ends with its object
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return len(p)
}

// unquote reads a valid JSON string.
func unquote(v []byte) string {
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

func trimSpace(p []byte) []byte { return bytes.TrimLeft(p, " \t\n\r") }
