package lockstep_test

import (
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/sim/rig"
)

// BenchmarkHands plays whole hands in lockstep: people, machines, wires, links,
// core and a journal in memory. One operation is one hand.
func BenchmarkHands(b *testing.B) {
	e := newEvening(b, 1, journal.NewMemory(), rig.Plan{Hands: b.N + 1}, nil)
	b.ReportAllocs()
	b.ResetTimer()
	began := e.run.Clock.Mono()
	e.play(b, time.Duration(b.N+10)*time.Hour)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "hands/s")
	b.ReportMetric((e.run.Clock.Mono()-began).Seconds()/b.Elapsed().Seconds(), "x-real-time")
}

// BenchmarkHandsSQLite is the same with the journal on disk: each turn is
// durable before anything moves.
func BenchmarkHandsSQLite(b *testing.B) {
	j, err := journal.Open(b.TempDir(), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	e := newEvening(b, 1, j, rig.Plan{Hands: b.N + 1}, nil)
	b.ReportAllocs()
	b.ResetTimer()
	e.play(b, time.Duration(b.N+10)*time.Hour)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "hands/s")
}
