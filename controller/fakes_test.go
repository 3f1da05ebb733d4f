package controller

import (
	"iter"
	"sync"
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// fakeClock stands still until it is moved.
type fakeClock struct {
	mu   sync.Mutex
	mono time.Duration
	wall time.Time
}

func newClock() *fakeClock {
	return &fakeClock{mono: time.Hour, wall: time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC)}
}

func (c *fakeClock) Mono() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mono
}

func (c *fakeClock) Wall() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wall
}

func (c *fakeClock) advance(d time.Duration) { c.jump(d, d) }

func (c *fakeClock) jump(mono, wall time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mono += mono
	c.wall = c.wall.Add(wall)
}

// wires are Devices that note what reaches them, in order.
type wires struct {
	mu     sync.Mutex
	deeds  []deed
	onDeed func(deed) // may be nil; called before the deed is noted
}

// deed is a HALT (cmd is zero then) or a command.
type deed struct {
	halt fault.Part
	cmd  table.Command
}

func (w *wires) Halt(p fault.Part)  { w.note(deed{halt: p}) }
func (w *wires) Do(c table.Command) { w.note(deed{cmd: c}) }

func (w *wires) note(d deed) {
	if w.onDeed != nil {
		w.onDeed(d)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deeds = append(w.deeds, d)
}

func (w *wires) halts(p fault.Part) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.deeds {
		if d.halt == p {
			n++
		}
	}
	return n
}

// commands are the commands from deed number from on, without the
// acknowledgements of tallies.
func (w *wires) commands(from int) (l []table.Command) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.deeds[from:] {
		if d.halt == fault.NoPart && d.cmd.Kind != table.TallyAck {
			l = append(l, d.cmd)
		}
	}
	return l
}

func (w *wires) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.deeds)
}

// countingReader counts the records that are read through it.
type countingReader struct {
	journal.Journal
	read int
}

func (c *countingReader) Records(after uint64, f journal.Filter) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range c.Journal.Records(after, f) {
			c.read++
			if !yield(r, err) {
				return
			}
		}
	}
}

func (c *countingReader) Last(f journal.Filter) (journal.Record, bool, error) {
	c.read++
	return c.Journal.Last(f)
}

func (c *countingReader) ByKey(k string) (journal.Record, bool, error) {
	c.read++
	return c.Journal.ByKey(k)
}

// stored gives the records of a stream, decoded.
func stored(t testing.TB, j journal.Reader, stream string) (l []table.Record) {
	t.Helper()
	for rec, err := range j.Records(0, journal.Filter{Stream: stream}) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := table.Decode(rec.Type, rec.Version, rec.Payload)
		if err != nil {
			t.Fatal(err)
		}
		l = append(l, r)
	}
	return l
}

// recordsOf gives the records of one type, in order.
func recordsOf[R table.Record](l []table.Record) (out []R) {
	for _, r := range l {
		if r, ok := r.(R); ok {
			out = append(out, r)
		}
	}
	return out
}

func must[V any](v V, err error) func(testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
