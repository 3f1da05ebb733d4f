package protocol

import (
	"bytes"
	"slices"
	"testing"
)

func seedStreams(f *testing.F, add func(wire []byte)) {
	var t testing.T
	vs, _ := readVectors(&t)
	if t.Failed() || len(vs) == 0 {
		f.Fatal("no vectors")
	}
	for _, v := range vs {
		add(v.wire)
	}
	frames, _ := talk()
	add(bytes.Join(frames, nil))
}

// Any cutting of a stream gives the same frames and the same counts, and what
// is delivered can be decoded.
func FuzzDecoderCuts(f *testing.F) {
	seedStreams(f, func(wire []byte) {
		f.Add(wire, []byte{1})
		f.Add(wire, []byte{3, 200, 0, 17})
		f.Add(append(bytes.Repeat([]byte{'U'}, 190), wire...), []byte{193, 1, 194})
	})
	f.Fuzz(func(t *testing.T, wire, cuts []byte) {
		var whole, cut Decoder
		var want, got []string
		whole.Feed(wire, func(f Frame) {
			if !f.Protected && checkPayload(f.Type, f.Payload) != nil || f.Protected && len(f.Payload) < tagSize {
				t.Fatalf("delivered a bad payload: %s %x", f.Type, f.Payload)
			}
			want = append(want, describe(f))
		})
		rest := wire
		for i := 0; len(rest) > 0; i++ {
			n := len(rest)
			if len(cuts) > 0 {
				n = min(n, int(cuts[i%len(cuts)])+i/len(cuts)%2) // a row of zeros still ends
			}
			cut.Feed(rest[:n], func(f Frame) { got = append(got, describe(f)) })
			rest = rest[n:]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
		if cut.Counters() != whole.Counters() {
			t.Fatalf("counts %+v, want %+v", cut.Counters(), whole.Counters())
		}
	})
}

// Whatever stood on the line before, with or without a delimiter after it, the
// next frame is heard.
func FuzzFrameAfterAnything(f *testing.F) {
	seedStreams(f, func(wire []byte) { f.Add(wire) })
	f.Fuzz(func(t *testing.T, before []byte) {
		m := Status{Boot: 9, Op: 7, Tick: 12345}
		seq := uint32(0x5eed0000)
		got := receiveAll(FromDevice, AppendFrame(bytes.Clone(before), seq, m))
		if len(got) == 0 || got[len(got)-1] != line(seq, false, m) {
			t.Fatalf("got %v", got)
		}
	})
}

// payloadOf gives the payload alone.
func payloadOf(m Message) []byte { return appendMessage(nil, 0, 0, m)[headerSize:] }

// Each message's way there and back: what decodes is encoded to the same
// bytes, and comes out of a decoder the same.
func FuzzRoundTrip(f *testing.F) {
	full, zero := samples()
	for _, m := range append(full, zero...) {
		f.Add(uint8(m.Type()), uint32(1), payloadOf(m))
		f.Add(uint8(m.Type()), uint32(0), append(payloadOf(m), 1, 2))
	}
	f.Fuzz(func(t *testing.T, typ uint8, seq uint32, payload []byte) {
		payload = payload[:min(len(payload), MaxBody-headerSize-crcSize)]
		m, err := Frame{Type: Type(typ), Seq: seq, Payload: payload}.Message()
		if (err == nil) != (checkPayload(Type(typ), payload) == nil) {
			t.Fatalf("check and decode differ: %v", err)
		}
		got := receiveAll(AnyDirection, plainFrame(Version<<4, Type(typ), seq, payload))
		if err != nil {
			if got != nil {
				t.Fatalf("delivered %v in spite of %v", got, err)
			}
			return
		}
		if again := payloadOf(m); !bytes.HasPrefix(payload, again) {
			t.Fatalf("payload %x, again %x", payload, again)
		}
		if len(got) != 1 || got[0] != line(seq, false, m) {
			t.Fatalf("got %v", got)
		}
		if got := receiveAll(senderOf(m), AppendFrame(nil, seq, m)); len(got) != 1 || got[0] != line(seq, false, m) {
			t.Fatalf("encoded again: %v", got)
		}
	})
}

// An Opener survives anything and opens nothing that was not sealed.
func FuzzOpener(f *testing.F) {
	s, _ := keyed(f)
	w, _ := s.AppendFrame(nil, 1, Nak{Op: 3, Reason: ReasonBusy})
	f.Add(w)
	seedStreams(f, func(wire []byte) { f.Add(wire) })
	f.Fuzz(func(t *testing.T, wire []byte) {
		_, o := keyed(t)
		new(Decoder).Feed(wire, func(f Frame) {
			g, err := o.Open(f)
			switch {
			case err != nil:
			case !f.Protected && f.Type == TypeHalt:
			case describe(g) != line(1, true, Nak{Op: 3, Reason: ReasonBusy}):
				t.Fatalf("opened %s", describe(g))
			}
		})
	})
}
