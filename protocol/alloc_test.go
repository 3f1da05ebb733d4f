package protocol

import (
	"bytes"
	"testing"
)

// noAllocs fails if f allocates. The race detector's own allocations are not
// looked at.
func noAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if raceEnabled {
		return
	}
	if n := testing.AllocsPerRun(100, f); n != 0 {
		t.Errorf("%s: %v allocations", what, n)
	}
}

func TestDecoderAllocatesNothing(t *testing.T) {
	frames, _ := talk()
	wire := bytes.Join(frames, nil)
	vs, _ := readVectors(t)
	d := Decoder{From: FromDevice}
	var cards int
	emit := func(f Frame) {
		switch f.Type {
		case TypeStatus:
			m, err := DecodeStatus(f.Payload)
			if err != nil {
				t.Error(err)
			}
			cards += int(m.Cards)
		case TypeIdent:
			if _, err := DecodeIdent(f.Payload); err != nil {
				t.Error(err)
			}
		case TypeTally:
			if _, err := DecodeTally(f.Payload); err != nil {
				t.Error(err)
			}
		}
	}
	noAllocs(t, "good frames", func() { d.Feed(wire, emit) })
	noise := bytes.Repeat([]byte("\x04\x10\x82\x01 junk"), 100)
	noAllocs(t, "noise", func() { d.Feed(noise, emit) })
	if !raceEnabled && cards == 0 {
		t.Error("no status seen")
	}
	for _, v := range vs { // every kind of rejection
		d := Decoder{From: v.from}
		noAllocs(t, v.name, func() { d.Feed(v.wire, func(Frame) {}) })
	}
}

func TestEncoderAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, MaxFrame)
	step, scan, tally, ident, status := Step{Op: 7, Kind: KindRiffle}, Scan{Op: 8}, Tally{Op: 8}, Ident{Boot: 1}, Status{Op: 7}
	noAllocs(t, "step", func() { step.Op++; buf = AppendFrame(buf[:0], 1, step) })
	noAllocs(t, "scan", func() { scan.Op++; buf = AppendFrame(buf[:0], 1, scan) })
	noAllocs(t, "tally", func() { tally.Op++; buf = AppendFrame(buf[:0], 1, tally) })
	noAllocs(t, "ident", func() { ident.Boot++; buf = AppendFrame(buf[:0], 1, ident) })
	noAllocs(t, "status", func() { status.Op++; buf = AppendFrame(buf[:0], 1, status) })
	noAllocs(t, "halt", func() { buf = AppendHalt(buf[:0], 1) })
	noAllocs(t, "poll", func() { buf = AppendFrame(buf[:0], 1, Poll{}) })
}

func TestProtectionAllocatesNothing(t *testing.T) {
	s, o := keyed(t)
	d := Decoder{From: FromDevice}
	buf := make([]byte, 0, MaxFrame)
	status := Status{Op: 7}
	seq, opened := uint32(0), 0
	noAllocs(t, "seal and open", func() {
		seq++
		status.Tick = seq
		buf, _ = s.AppendFrame(buf[:0], seq, status)
		d.Feed(buf, func(f Frame) {
			if _, err := o.Open(f); err == nil {
				opened++
			}
		})
	})
	if !raceEnabled && opened != int(seq) {
		t.Errorf("%d of %d opened", opened, seq)
	}
}
