// Package lockstep runs a controller, its links and whatever is at their far
// ends on one virtual clock in one goroutine. The same seed gives the same
// records in the same order and so the same journal head; hours pass in
// milliseconds, or at any pace that a person wants to watch.
//
// The controller's code and the links' code are those of the daemon. What is
// missing is what a kernel adds: threads, ports and a disk that takes its time.
package lockstep

import (
	"math/rand/v2"
	"time"

	"shuffler/controller"
	"shuffler/controller/device"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// Never is a Next of something that waits for others.
const Never = time.Duration(1<<63 - 1)

// Clock is virtual time. Mono starts at Origin, as on a machine that has been
// up for a while.
type Clock struct {
	now   time.Duration
	Start time.Time // wall time at Origin
	step  time.Duration
}

// Origin is the virtual time since boot at which a run begins.
const Origin = 10 * time.Second

// NewClock starts a clock at a wall time.
func NewClock(start time.Time) *Clock { return &Clock{now: Origin, Start: start} }

// Mono is described at controller.Clock.
func (c *Clock) Mono() time.Duration { return c.now }

// Wall is described at controller.Clock.
func (c *Clock) Wall() time.Time { return c.Start.Add(c.now - Origin + c.step) }

// StepWall makes wall time jump, as a time server does; Mono does not.
func (c *Clock) StepWall(d time.Duration) { c.step += d }

// Wire is the far end of a link: bytes and time.
type Wire interface {
	Write(now time.Duration, b []byte)
	Read(now time.Duration) []byte // valid until the next call
	Next() time.Duration           // when it has something to do, Never if nothing
}

// Actor is somebody who acts by the clock: the crew of a table, a scenario.
type Actor interface {
	Advance(now time.Duration)
	Next() time.Duration
}

// Table is the equipment of one table.
type Table struct {
	ID    string
	clock *Clock
	ports []port
}

type port struct {
	link *device.Link
	wire Wire
}

// NewTable connects a table's shuffler and scanner to their wires.
func NewTable(id string, clock *Clock, session uint64, version string, shuffler, scanner Wire) *Table {
	t := &Table{ID: id, clock: clock}
	t.ports = []port{
		{device.NewLink(clock.now, device.Config{Part: fault.Shuffler, Session: session, Version: version}), shuffler},
		{device.NewLink(clock.now, device.Config{Part: fault.Scanner, Session: session, Version: version}), scanner},
	}
	return t
}

var _ controller.Devices = (*Table)(nil)

// Halt is described at controller.Devices: the bytes are on the wire when it
// returns.
func (t *Table) Halt(p fault.Part) {
	for _, port := range t.ports {
		if port.link.Part() == p {
			port.link.Halt(t.clock.now)
			port.flush(t.clock.now)
		}
	}
}

// Do is described at controller.Devices.
func (t *Table) Do(c table.Command) {
	for _, port := range t.ports {
		if port.link.Part() == c.Part {
			port.link.Do(t.clock.now, c)
			port.flush(t.clock.now)
		}
	}
}

// Stats gives the figures of a part's link.
func (t *Table) Stats(p fault.Part) device.Stats {
	for _, port := range t.ports {
		if port.link.Part() == p {
			return port.link.Stats()
		}
	}
	return device.Stats{}
}

func (p port) flush(now time.Duration) {
	if b := p.link.Write(); len(b) > 0 {
		p.wire.Write(now, b)
	}
}

// Run is one simulation.
type Run struct {
	Clock  *Clock
	C      *controller.Controller
	Tables []*Table
	Actors []Actor
	Rand   *rand.Rand // draws the sizes of commits
	// Pace is told of each step of virtual time before it is made; it may sleep, and
	// ends the run by returning false. May be nil.
	Pace func(d time.Duration) bool
}

// maxGroup bounds the drawn sizes of commits, in turns.
const maxGroup = 8

// Until runs until done says so or nothing is left to happen, and tells whether
// it was done. done is asked whenever everything has settled.
func (r *Run) Until(done func() bool) bool {
	for {
		r.Settle()
		if done() {
			return true
		}
		next := r.next()
		if next == Never {
			return false
		}
		next = max(next, r.Clock.now)
		if r.Pace != nil && !r.Pace(next-r.Clock.now) {
			return false
		}
		r.Clock.now = next
		r.advance()
	}
}

// Settle does all that is to be done at this instant.
func (r *Run) Settle() {
	for r.C.Step(1 + r.Rand.IntN(maxGroup)) {
	}
	for _, t := range r.Tables {
		for _, p := range t.ports {
			p.flush(r.Clock.now)
		}
	}
}

func (r *Run) next() time.Duration {
	next := Never
	if d := r.C.Deadline(); d != 0 {
		next = d
	}
	for _, t := range r.Tables {
		for _, p := range t.ports {
			next = min(next, p.link.Next(), p.wire.Next())
		}
	}
	for _, a := range r.Actors {
		next = min(next, a.Next())
	}
	return next
}

// advance lets everything take note of the new time, in a fixed order.
func (r *Run) advance() {
	now := r.Clock.now
	for _, t := range r.Tables {
		for _, p := range t.ports {
			r.post(t.ID, p.link.Receive(now, p.wire.Read(now)))
			r.post(t.ID, p.link.Advance(now))
			p.flush(now)
		}
	}
	if d := r.C.Deadline(); d != 0 && d <= now {
		r.C.Tick()
	}
	for _, a := range r.Actors {
		a.Advance(now)
	}
}

func (r *Run) post(id string, events []table.Event) {
	for _, e := range events {
		r.C.Post(id, e)
	}
}
