package protocol

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// samples holds each message twice: with every field at its largest, and zero.
func samples() (full, zero []Message) {
	x := TextOf(strings.Repeat("x", MaxText))
	big := uint64(math.MaxUint64)
	faces := [52]uint8{}
	for i := range faces {
		faces[i] = 255
	}
	full = []Message{
		Hello{big, x}, Poll{}, Step{1<<32 - 1, 255, 255, 1<<16 - 1, 255}, Release{1<<32 - 1, 1<<16 - 1},
		Scan{1<<32 - 1, 1<<16 - 1, 1<<32 - 1}, Reset{1<<32 - 1}, TallyAck{1<<32 - 1}, Halt{},
		Ident{big, 1<<32 - 1, 255, 1<<32 - 1, x, x, x, x},
		Status{1<<32 - 1, big, 1<<32 - 1, 1<<32 - 1, 255, 255, 255, 255, 1<<32 - 1, 1<<32 - 1, 1<<16 - 1, 1<<16 - 1, 1<<16 - 1,
			1<<32 - 1, 255, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1},
		Tally{big, 1<<32 - 1, 255, 255, 1<<16 - 1, 1<<16 - 1, 255, 255, 255, 255, faces},
		Halted{big, 1<<32 - 1, 1<<32 - 1}, Nak{big, 1<<32 - 1, 255},
	}
	zero = []Message{Hello{Session: 1}, Poll{}, Step{}, Release{}, Scan{}, Reset{}, TallyAck{}, Halt{}, Ident{}, Status{}, Tally{}, Halted{}, Nak{}}
	return full, zero
}

func TestRoundTrip(t *testing.T) {
	full, zero := samples()
	for _, m := range append(full, zero...) {
		for _, seq := range []uint32{1, 0x100, math.MaxUint32} {
			got := receiveAll(senderOf(m), AppendFrame(nil, seq, m))
			if len(got) != 1 || got[0] != line(seq, false, m) {
				t.Errorf("%s seq %d: got %v\nwant %s", m.Type(), seq, got, line(seq, false, m))
			}
		}
	}
}

// One byte less than the whole payload is too short, for the receiver as for
// the Decode functions.
func TestOneByteShort(t *testing.T) {
	full, _ := samples()
	for _, m := range full {
		p := payloadOf(m)
		if len(p) == 0 {
			continue
		}
		if err := checkPayload(m.Type(), p[:len(p)-1]); err != ErrShort {
			t.Errorf("%s: check %v", m.Type(), err)
		}
		if _, err := (Frame{Type: m.Type(), Payload: p[:len(p)-1]}).Message(); err != ErrShort {
			t.Errorf("%s: decode %v", m.Type(), err)
		}
		if err := checkPayload(m.Type(), p); err != nil {
			t.Errorf("%s: whole %v", m.Type(), err)
		}
	}
}

// senderOf tells who sends m.
func senderOf(m Message) Direction { return m.Type().From() }

// receiveAll feeds a fresh decoder and writes what it delivers.
func receiveAll(from Direction, wire []byte) (got []string) {
	d := Decoder{From: from}
	d.Feed(wire, func(f Frame) { got = append(got, describe(f)) })
	return got
}

func describe(f Frame) string {
	m, err := f.Message()
	if err != nil {
		return f.Type.String() + " " + err.Error()
	}
	return line(f.Seq, f.Protected, m)
}

// Even protected, no frame from host to device is longer than a small
// device's buffer, and none at all than MaxBody.
func TestLongestFrames(t *testing.T) {
	full, _ := samples()
	key := make([]byte, 32)
	for _, m := range full {
		s, err := NewSealer(key, senderOf(m))
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.AppendFrame(nil, math.MaxUint32, m)
		if err != nil {
			t.Fatal(err)
		}
		limit := MaxFrame
		if senderOf(m) == FromHost {
			limit = MaxHostFrame
		}
		if len(w) > limit {
			t.Errorf("%s: %d bytes protected, limit %d", m.Type(), len(w), limit)
		}
	}
}

// X1: what a device can send has no place for an order. The only list is how
// often each card was read; everything else is single numbers and names.
func TestX1_NoMessageHasRoomForAnOrder(t *testing.T) {
	full, _ := samples()
	for _, m := range full {
		v := reflect.TypeOf(m)
		if !v.Comparable() {
			t.Errorf("%s is not comparable", v)
		}
		for i := range v.NumField() {
			f := v.Field(i)
			switch f.Type.Kind() {
			case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			default:
				if f.Type != reflect.TypeFor[Text]() && (v != reflect.TypeFor[Tally]() || f.Name != "Faces") {
					t.Errorf("%s.%s is a %s", v, f.Name, f.Type)
				}
			}
		}
	}
}

// D1, D2: a tally is judged only if it is whole and adds up.
func TestD2_OnlyAWholeTallyIsUsable(t *testing.T) {
	good := Tally{Session: 1, Op: 2, Flags: TallyFeedCounter | TallyComplete | TallyFaces, Fed: 52, Read: 52}
	for i := range good.Faces {
		good.Faces[i] = 1
	}
	extra := good
	extra.Read, extra.Jokers, extra.Backs, extra.Boxed = 58, 1, 2, 3
	for _, m := range []Tally{good, extra} {
		if !m.Usable() {
			t.Errorf("not usable: %+v", m)
		}
	}
	for what, change := range map[string]func(*Tally){
		"not complete":          func(m *Tally) { m.Flags &^= TallyComplete },
		"no faces":              func(m *Tally) { m.Flags &^= TallyFaces },
		"stopped early":         func(m *Tally) { m.Stop = StopTimeout },
		"unknown stop":          func(m *Tally) { m.Stop = 200 },
		"unreadable":            func(m *Tally) { m.Unreadable, m.Read = 1, 53 },
		"one unreadable beside": func(m *Tally) { m.Unreadable = 1 },
		"one more read":         func(m *Tally) { m.Read++ },
		"one less":              func(m *Tally) { m.Read-- },
		"faces missing":         func(m *Tally) { m.Faces = [52]uint8{} },
		"a joker beside":        func(m *Tally) { m.Jokers = 1 },
	} {
		m := good
		change(&m)
		if m.Usable() {
			t.Errorf("%s: still usable", what)
		}
	}
}

func TestAppendFrameOfAPointerPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a frame that nobody takes was made silently")
		}
	}()
	AppendFrame(nil, 1, &Halt{})
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "Acme 52": "Acme 52", "tab\tnul\x00": "tab?nul?", "♠": "???",
		strings.Repeat("ab", 20): strings.Repeat("ab", 12),
	} {
		if got := TextOf(in).String(); got != want {
			t.Errorf("TextOf(%q) = %q, want %q", in, got, want)
		}
	}
	if TextOf("abc") != TextOf(string([]byte("abc"))) || TextOf("abc") == TextOf("abd") {
		t.Error("texts do not compare by content")
	}
}

func TestMessageOfSealedFrame(t *testing.T) {
	s, _ := NewSealer(make([]byte, 32), FromHost)
	w, _ := s.AppendFrame(nil, 1, Reset{Op: 9})
	n := 0
	new(Decoder).Feed(w, func(f Frame) {
		n++
		if m, err := f.Message(); err != ErrProtected || m != nil {
			t.Errorf("got %v, %v", m, err)
		}
	})
	if n != 1 {
		t.Errorf("%d frames", n)
	}
}
