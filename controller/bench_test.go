package controller

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// handEvents is one whole hand of a table that has opened, as events: shuffle,
// deal, play, end.
func handEvents(tb testing.TB) (start table.State, events []table.Event) {
	tb.Helper()
	s := table.Restart(table.Facts{Settings: table.DefaultSettings()})
	at := table.At{Mono: time.Hour, Wall: time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC)}
	for range 1000 {
		ev := obey(s)
		if handsPlayed(1)(s) && start.N == 0 {
			start = s
		}
		if handsPlayed(2)(s) {
			return start, events
		}
		if start.N != 0 {
			events = append(events, ev)
		}
		at.Mono += 100 * time.Millisecond
		s, _ = s.Apply(at, ev)
	}
	tb.Fatal("the hand does not end")
	return start, nil
}

// BenchmarkCore is the pure core: a typical hand through State.Apply.
func BenchmarkCore(b *testing.B) {
	start, events := handEvents(b)
	at := table.At{Mono: time.Hour, Wall: time.Now()}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		s := start
		for _, ev := range events {
			s, _ = s.Apply(at, ev)
		}
		n += len(events)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/event")
}

// quiet are Devices that do nothing.
type quiet struct{}

func (quiet) Halt(fault.Part)  {}
func (quiet) Do(table.Command) {}

// BenchmarkLoop is a turn through the loop, encoded, without a disk.
func BenchmarkLoop(b *testing.B) {
	start, events := handEvents(b)
	clock := newClock()
	b.ReportAllocs()
	n, records := 0, 0
	for b.Loop() {
		var l *Loop
		settled := 0
		l = NewLoop(Config{
			Table: "T1", Clock: clock, Devices: quiet{}, Facts: start.Facts,
			Commit: func(es []journal.Entry) { settled++; records += len(es) },
		})
		l.ahead = start
		for _, ev := range events {
			l.Take(ev, nil)
			for ; settled > 0; settled-- {
				l.Settle(journal.Head{Pos: 1})
			}
		}
		n += len(events)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "turns/s")
	b.ReportMetric(float64(records)/float64(n), "records/turn")
}

// metered counts the bytes of the payloads that a journal takes, and the syncs.
type metered struct {
	journal.Journal
	bytes, records, appends atomic.Int64
}

func (m *metered) Append(es []journal.Entry) (journal.Head, error) {
	for _, e := range es {
		m.bytes.Add(int64(len(e.Payload)))
	}
	m.records.Add(int64(len(es)))
	m.appends.Add(1)
	return m.Journal.Append(es)
}

// bareSync writes n bytes to the end of a file and forces them to the disk, the
// least that durability can cost.
type bareSync struct {
	f   *os.File
	buf []byte
}

func newBareSync(b *testing.B) *bareSync {
	f, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	return &bareSync{f: f, buf: make([]byte, 1<<20)}
}

func (s *bareSync) write(b *testing.B, n int) time.Duration {
	begin := time.Now()
	if _, err := s.f.Write(s.buf[:n]); err != nil {
		b.Fatal(err)
	}
	if err := syscall.Fdatasync(int(s.f.Fd())); err != nil {
		b.Fatal(err)
	}
	return time.Since(begin)
}

func startOnDisk(b *testing.B, ids ...string) (*Controller, *metered) {
	b.Helper()
	j := must(journal.Open(b.TempDir(), journal.Options{}))(b)
	m := &metered{Journal: j}
	opt := Options{Journal: m, Clock: bubbleClock{time.Now()}, Version: "bench", BootID: "b"}
	for _, id := range ids {
		opt.Tables = append(opt.Tables, TableOptions{ID: id, Settings: table.DefaultSettings(), Devices: quiet{}})
	}
	c := must(New(opt))(b)
	c.Start()
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := c.Stop(ctx); err != nil {
			b.Error(err)
		}
		j.Close()
	})
	return c, m
}

// BenchmarkDurableTurn is one request at one table, from the question to the
// durable answer, beside the bare sync of the same bytes in the same run.
func BenchmarkDurableTurn(b *testing.B) {
	c, m := startOnDisk(b, "T1")
	bare := newBareSync(b)
	ask := func() {
		if _, err := c.Do(b.Context(), "T1", table.CallFloor{Act: act(dealer3), Reason: "a dispute"}); err != nil {
			b.Fatal(err)
		}
	}
	ask()
	var turns, syncs time.Duration
	for b.Loop() {
		before := m.bytes.Load()
		begin := time.Now()
		ask()
		turns += time.Since(begin)
		syncs += bare.write(b, int(m.bytes.Load()-before))
	}
	b.ReportMetric(float64(turns.Microseconds())/float64(b.N), "µs/turn")
	b.ReportMetric(float64(syncs.Microseconds())/float64(b.N), "µs/bare")
	b.ReportMetric(float64(turns)/float64(syncs), "×bare")
	b.ReportMetric(0, "ns/op") // of both together: says nothing
}

// BenchmarkRecords is how fast records become durable when 20 tables are busy:
// groups fill by themselves. The bare loop syncs the same bytes in as many
// groups.
func BenchmarkRecords(b *testing.B) {
	ids := make([]string, 20)
	for i := range ids {
		ids[i] = "T" + string(rune('A'+i))
	}
	c, m := startOnDisk(b, ids...)
	bare := newBareSync(b)
	round := func() { // a burst of 20 requests at each table
		got := make(chan error, 20*len(ids))
		for _, id := range ids {
			for range 20 {
				c.Ask(id, table.CallFloor{Act: act(dealer3), Reason: "a dispute"}, func(a Answer) { got <- a.Err })
			}
		}
		for range cap(got) {
			if err := <-got; err != nil {
				b.Fatal(err)
			}
		}
	}
	round()
	var busy, syncs time.Duration
	records, appends, bytes := m.records.Load(), m.appends.Load(), m.bytes.Load()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		appended, written := m.appends.Load(), m.bytes.Load()
		begin := time.Now()
		round()
		busy += time.Since(begin)
		groups := m.appends.Load() - appended
		for range groups {
			syncs += bare.write(b, int((m.bytes.Load()-written)/groups))
		}
	}
	runtime.ReadMemStats(&after)
	records, appends, bytes = m.records.Load()-records, m.appends.Load()-appends, m.bytes.Load()-bytes
	b.ReportMetric(float64(records)/busy.Seconds(), "records/s")
	b.ReportMetric(float64(records)/syncs.Seconds(), "bare-records/s")
	b.ReportMetric(busy.Seconds()/syncs.Seconds(), "×bare")
	b.ReportMetric(float64(records)/float64(appends), "records/sync")
	b.ReportMetric(float64(bytes)/float64(records), "B/record")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(records), "allocs/record")
	b.ReportMetric(0, "ns/op")
}
