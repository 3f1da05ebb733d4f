package protocol

// MaxText is the longest text in a message, in bytes.
const MaxText = 24

// Text is a short text in a message: up to MaxText bytes of printable ASCII.
// It is comparable; the zero value is the empty text.
type Text struct {
	n uint8
	b [MaxText]byte
}

// TextOf makes a Text of s: bytes that are not printable ASCII become '?', and
// what is longer than MaxText is cut off.
func TextOf(s string) (t Text) {
	t.n = uint8(copy(t.b[:], s))
	for i, c := range t.b[:t.n] {
		if !printable(c) {
			t.b[i] = '?'
		}
	}
	return t
}

// String gives the text.
func (t Text) String() string { return string(t.b[:t.n]) }

func printable(c byte) bool { return c >= 0x20 && c <= 0x7e }

func (t Text) append(dst []byte) []byte { return append(append(dst, t.n), t.b[:t.n]...) }

func (t *Text) take(p *reader) {
	t.n = p.u8()
	if t.n > MaxText {
		p.fail(ErrText)
		return
	}
	for i, c := range p.bytes(int(t.n)) {
		if !printable(c) {
			p.fail(ErrText)
			return
		}
		t.b[i] = c
	}
}
