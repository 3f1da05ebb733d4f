package report

import (
	"fmt"
	"strconv"
	"strings"

	"shuffler/controller/journal"
)

// anchorScheme begins every anchor, with the version of its form.
const anchorScheme = "SHUFFLER:1:"

// Anchor is what a report's QR code says: which place of which journal the paper
// rests on (X3), and which paper it is. The form is described in the package
// comment.
type Anchor struct {
	Table  string
	Head   journal.Head // Chain is empty: the hash binds it
	Report string       // the report's kind, with its number where it has one: receipt.12
}

// String writes the anchor as the QR code holds it: capitals, digits and signs
// that a QR code packs tightly.
func (a Anchor) String() string {
	return anchorScheme + escape(a.Table) + ":" + strings.ToUpper(a.Head.String()) + ":" + strings.ToUpper(a.Report)
}

// ParseAnchor reads an anchor, in capitals or not. It also reads a bare head
// (pos:hash), with blanks anywhere in it, as people copy it by hand; Table and
// Report are empty then. The error tells what is wrong with the text.
func ParseAnchor(s string) (Anchor, error) {
	s = strings.Join(strings.Fields(s), "")
	if len(s) < len(anchorScheme) || !strings.EqualFold(s[:len(anchorScheme)], anchorScheme) {
		if len(s) >= 8 && strings.EqualFold(s[:8], "shuffler") {
			return Anchor{}, fmt.Errorf("anchor %q: of a form that this version does not know, want %s…", s, strings.ToLower(anchorScheme))
		}
		h, err := journal.ParseHead(s)
		return Anchor{Head: h}, err
	}
	f := strings.Split(s[len(anchorScheme):], ":")
	if len(f) < 4 { // more are of a later version
		return Anchor{}, fmt.Errorf("anchor %q: want %s<table>:<position>:<hash>:<report>", s, strings.ToLower(anchorScheme))
	}
	id, err := unescape(f[0])
	if err != nil {
		return Anchor{}, fmt.Errorf("anchor %q: table: %w", s, err)
	}
	h, err := journal.ParseHead(f[1] + ":" + f[2])
	if err != nil {
		return Anchor{}, fmt.Errorf("anchor: %w", err)
	}
	return Anchor{id, h, strings.ToLower(f[3])}, nil
}

// escape writes what is not a digit, a capital or one of "./-" as %XX, so that the
// whole anchor stays within the signs of a QR code's dense mode and a colon only
// divides.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c == '.', c == '/', c == '-':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("%q ends in half a sign", s)
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q: %q is no sign", s, s[i:i+3])
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), nil
}

// Anchor is what the document's QR code says.
func (d Document) Anchor() (Anchor, error) {
	h, err := journal.ParseHead(strconv.FormatUint(d.Place.Pos, 10) + ":" + d.Place.Hash)
	name := d.Kind
	if d.Number != 0 {
		name += "." + strconv.FormatUint(d.Number, 10)
	}
	return Anchor{d.Table, h, name}, err
}
