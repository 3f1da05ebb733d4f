package protocol

import (
	"bytes"
	"math/rand"
	"slices"
	"testing"
	"unsafe"
)

// talk is a short piece of a device's talk, frame by frame.
func talk() (wire [][]byte, want []string) {
	full, zero := samples()
	seq := uint32(40)
	for _, m := range append(zero, full...) {
		if senderOf(m) == FromDevice {
			seq++
			wire = append(wire, AppendFrame(nil, seq, m))
			want = append(want, line(seq, false, m))
		}
	}
	return wire, want
}

// mustLoseAtMost checks that got is want with at most n frames missing, and
// that nothing was invented or changed.
func mustLoseAtMost(t *testing.T, what string, n int, got, want []string) {
	t.Helper()
	if len(want)-len(got) > n {
		t.Fatalf("%s: %d of %d frames", what, len(got), len(want))
	}
	rest := want
	for _, g := range got {
		i := slices.Index(rest, g)
		if i < 0 {
			t.Fatalf("%s: not sent, or not in this order: %s", what, g)
		}
		rest = rest[i+1:]
	}
}

// meshtastic/firmware#10975: debug text inside the stream, glued to the next
// frame, costs no frame.
func TestMeshtastic10975_TextBetweenFramesCostsNone(t *testing.T) {
	frames, want := talk()
	r := rand.New(rand.NewSource(1))
	texts := []string{"DEBUG: cards in chamber\r\n", "\x1b[31mE (1234) motor\x1b[0m\n", "AT+GCAP\r", "\x10\x82\x10\x83", "\xff\xff\xff"}
	for _, text := range texts {
		var glued, apart []byte
		for _, f := range frames {
			glued = append(append(glued, text...), f...)
			apart = append(append(append(apart, text...), 0), f...)
		}
		mustLoseAtMost(t, text, 0, receiveAll(FromDevice, glued), want)
		mustLoseAtMost(t, text, 0, receiveAll(FromDevice, apart), want)
	}
	for range 2000 {
		var wire []byte
		for _, f := range frames {
			for range r.Intn(1 << r.Intn(11)) {
				wire = append(wire, byte(1+r.Intn(255)))
			}
			wire = append(wire, f...)
		}
		mustLoseAtMost(t, "random junk", 0, receiveAll(FromDevice, wire), want)
	}
}

// The same byte by byte, for junk of every length round the buffer's size, and
// for the shortest frames and the smallest codes.
func TestFrameBehindJunkOfEveryLength(t *testing.T) {
	for _, m := range []Message{Poll{}, Tally{Session: 1, Read: 52}} {
		for _, seq := range []uint32{1, 0x100, 0x01020304, 0x01010100} {
			w := AppendFrame(nil, seq, m)
			for n := range 4*MaxCoded + 3 {
				d := Decoder{From: senderOf(m)}
				var got []string
				for i := range n {
					d.Feed([]byte{byte('a' + i%26)}, nil)
				}
				for i := range w {
					d.Feed(w[i:i+1], func(f Frame) { got = append(got, describe(f)) })
				}
				if len(got) != 1 || got[0] != line(seq, false, m) {
					t.Fatalf("%s seq %d behind %d bytes: %v", m.Type(), seq, n, got)
				}
			}
		}
	}
}

// OctoPrint#5119, #1817: one flipped bit must cost one frame and never make
// another one.
func TestOctoPrint5119_AFlippedBitCostsOneFrame(t *testing.T) {
	frames, want := talk()
	wire := bytes.Join(frames, nil)
	for i := range len(wire) * 8 {
		wire[i/8] ^= 1 << (i % 8)
		mustLoseAtMost(t, "flip", 1, receiveAll(FromDevice, wire), want)
		wire[i/8] ^= 1 << (i % 8)
	}
}

// A byte lost or doubled anywhere costs one frame at most.
func TestLostAndDoubledBytes(t *testing.T) {
	frames, want := talk()
	wire := bytes.Join(frames, nil)
	for i := range wire {
		mustLoseAtMost(t, "lost byte", 1, receiveAll(FromDevice, slices.Delete(slices.Clone(wire), i, i+1)), want)
		mustLoseAtMost(t, "doubled byte", 1, receiveAll(FromDevice, slices.Insert(slices.Clone(wire), i, wire[i])), want)
	}
}

// Bursts: whatever is overwritten, only the frames touched (and the one whose
// delimiter went) may be missing.
func TestBurstsTouchOnlyTheirFrames(t *testing.T) {
	frames, want := talk()
	r := rand.New(rand.NewSource(2))
	for range 3000 {
		wire := bytes.Join(frames, nil)
		at, n := r.Intn(len(wire)), 1+r.Intn(80)
		end := min(at+n, len(wire))
		touched, pos := 0, 0
		for _, f := range frames {
			if pos < end && pos+len(f) > at {
				touched++
			}
			pos += len(f)
		}
		for i := at; i < end; i++ {
			wire[i] = byte(r.Intn(256))
		}
		mustLoseAtMost(t, "burst", touched, receiveAll(FromDevice, wire), want)
	}
}

// A HALT gets through whatever was half sent before it (SPEC.md, section 8).
func TestHaltCutsAnyFrame(t *testing.T) {
	full, _ := samples()
	for _, m := range full {
		if senderOf(m) != FromHost {
			continue
		}
		w := AppendFrame(nil, 7, m)
		for cut := range w {
			got := receiveAll(FromHost, AppendHalt(slices.Clone(w[:cut]), 8))
			if len(got) == 0 || got[len(got)-1] != line(8, false, Halt{}) {
				t.Fatalf("%s cut at %d: %v", m.Type(), cut, got)
			}
		}
	}
}

// stratux#329: endless noise fills nothing and the next frame is heard.
func TestStratux329_NoiseIsBoundedAndForgotten(t *testing.T) {
	if n := unsafe.Sizeof(Decoder{}); n > 1024 {
		t.Errorf("a decoder takes %d bytes", n)
	}
	r := rand.New(rand.NewSource(3))
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(1 + r.Intn(255))
	}
	d := Decoder{From: FromDevice}
	n := 0
	d.Feed(noise, func(Frame) { n++ })
	d.Feed(AppendFrame(nil, 1, Halted{}), func(Frame) { n++ })
	c := d.Counters()
	if n != 1 || c.TooLong != 1 || c.OK != 1 || c.Resyncs != 1 || c.Bad() != 1 {
		t.Errorf("%d frames, counters %+v", n, c)
	}
}

// Repeats are dropped by the decoder, so that a stuck line keeps no motor
// alive: only delivered frames are signs of life (SPEC.md, section 3).
func TestRepeatsAreNoSignOfLife(t *testing.T) {
	got := receiveAll(FromHost, bytes.Repeat(AppendFrame(nil, 5, Poll{}), 100))
	if len(got) != 1 {
		t.Errorf("%d frames delivered", len(got))
	}
}

func TestLastSeqAcknowledges(t *testing.T) {
	d := Decoder{From: FromHost}
	if d.LastSeq() != 0 {
		t.Error("not 0 at first")
	}
	bad := AppendFrame(nil, 9, Poll{})
	bad[1] ^= 0x40
	d.Feed(AppendFrame(nil, 5, Poll{}), func(Frame) {})
	d.Feed(bad, func(Frame) {})
	d.Feed(AppendFrame(nil, 6, Ident{}), func(Frame) {}) // other way
	if d.LastSeq() != 5 {
		t.Errorf("got %d, want 5", d.LastSeq())
	}
}

func TestBadSumsEveryRejection(t *testing.T) {
	c := Counters{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}
	if got := c.Bad(); got != 2+4+8+16+32+64+128+256 {
		t.Errorf("got %d", got)
	}
}
