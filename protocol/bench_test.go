package protocol

import (
	"bytes"
	"testing"
)

func BenchmarkDecodeStatus(b *testing.B) {
	wire := AppendFrame(nil, 1, Status{Boot: 0xb007b007, Session: 1 << 60, Op: 7, Kind: KindRiffle, Phase: PhaseRunning, Tick: 123456, Cards: 31})
	d := Decoder{From: FromDevice}
	var got Status
	emit := func(f Frame) { got, _ = DecodeStatus(f.Payload) }
	b.ReportAllocs()
	b.SetBytes(int64(len(wire)))
	for b.Loop() {
		d.seen = false // one frame over and over is no repeat here
		d.Feed(wire, emit)
	}
	if got.Op != 7 {
		b.Fatal("not decoded")
	}
}

func BenchmarkDecodeTally(b *testing.B) {
	m := Tally{Session: 1 << 60, Op: 2, Flags: TallyComplete | TallyFaces, Read: 52}
	wire := AppendFrame(nil, 1, m)
	d := Decoder{From: FromDevice}
	var got Tally
	emit := func(f Frame) { got, _ = DecodeTally(f.Payload) }
	b.ReportAllocs()
	b.SetBytes(int64(len(wire)))
	for b.Loop() {
		d.seen = false
		d.Feed(wire, emit)
	}
	if got != m {
		b.Fatal("not decoded")
	}
}

// Noise made to look like the start of a frame at every third byte: hard work
// for the search inside rejected chunks.
func BenchmarkDecodeWorstNoise(b *testing.B) {
	wire := append(bytes.Repeat([]byte{0x10, 0x10, 0x82}, 64), 0)
	d := Decoder{From: FromDevice}
	b.ReportAllocs()
	b.SetBytes(int64(len(wire)))
	for b.Loop() {
		d.Feed(wire, func(Frame) { b.Fatal("a frame") })
	}
}

func BenchmarkEncodeStatus(b *testing.B) {
	m := Status{Boot: 0xb007b007, Session: 1 << 60, Op: 7, Kind: KindRiffle, Phase: PhaseRunning, Tick: 123456, Cards: 31}
	buf := make([]byte, 0, MaxFrame)
	b.ReportAllocs()
	for b.Loop() {
		m.Tick++
		buf = AppendFrame(buf[:0], m.Tick, m)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkEncodeStep(b *testing.B) {
	buf := make([]byte, 0, MaxFrame)
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendFrame(buf[:0], 7, Step{Op: 7, Kind: KindRiffle, Index: 1, Expect: 52})
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkSealAndOpenStatus(b *testing.B) {
	s, o := keyed(b)
	d := Decoder{From: FromDevice}
	m := Status{Boot: 0xb007b007, Op: 7}
	buf := make([]byte, 0, MaxFrame)
	emit := func(f Frame) {
		if _, err := o.Open(f); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Tick++
		buf, _ = s.AppendFrame(buf[:0], m.Tick, m)
		d.Feed(buf, emit)
	}
}
