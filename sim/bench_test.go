package sim

import (
	"testing"
	"time"

	"shuffler/protocol"
)

var shuffleOrders = []protocol.Message{
	protocol.Step{Kind: protocol.KindGather, Expect: 52}, protocol.Step{Kind: protocol.KindRiffle}, protocol.Step{Kind: protocol.KindRiffle},
	protocol.Step{Kind: protocol.KindStrip}, protocol.Step{Kind: protocol.KindRiffle}, protocol.Step{Kind: protocol.KindSquare}, protocol.Release{Expect: 52},
}

// BenchmarkShuffle is one whole shuffle, gather to release, with a poll every
// 100 ms, over a line with latency.
func BenchmarkShuffle(b *testing.B) {
	m := NewShuffler(Config{}, seeded(1))
	l := NewLine(m, SymmetricFaults(WayFaults{Latency: ms, Baud: protocol.Baud, Lose: 0.001, Repeat: 0.001}), seeded(2))
	dec := protocol.Decoder{From: protocol.FromDevice}
	var last protocol.Status
	keep := func(f protocol.Frame) {
		if f.Type == protocol.TypeStatus {
			last, _ = protocol.DecodeStatus(f.Payload)
		}
	}
	var seq, op uint32
	var buf []byte
	now := time.Duration(0)
	hear := func() {
		now += 100 * ms
		dec.Feed(l.Read(now), keep)
	}
	for last.Session == 0 {
		seq++
		l.Write(now, protocol.AppendFrame(buf[:0], seq, protocol.Hello{Session: 1}))
		hear()
	}
	pack := NewPack("red")
	start := now
	b.ReportAllocs()
	for b.Loop() {
		if err := m.PutIn(pack); err != nil {
			b.Fatal(err)
		}
		for _, msg := range shuffleOrders {
			op++
			switch o := msg.(type) {
			case protocol.Step:
				o.Op = op
				for last.Op != op || last.Phase != protocol.PhaseDone {
					seq++
					buf = protocol.AppendFrame(buf[:0], seq, o)
					l.Write(now, buf)
					hear()
				}
			case protocol.Release:
				o.Op = op
				for last.Op != op || last.Phase != protocol.PhaseDone {
					seq++
					buf = protocol.AppendFrame(buf[:0], seq, o)
					l.Write(now, buf)
					hear()
				}
			}
		}
		pack, _ = m.TakeOut()
		if len(pack) != 52 {
			b.Fatal(len(pack))
		}
	}
	b.ReportMetric((now-start).Seconds()/float64(b.N), "virtual-s/op")
}
