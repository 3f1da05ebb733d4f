package controller

import (
	"errors"
	"fmt"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// Devices are the wires of one table. Both calls return at once.
type Devices interface {
	Halt(fault.Part)  // stop now; repeated on the wire until the device says so
	Do(table.Command) // retried on the wire until the device has taken it
}

// Answer is what an action gets once its turn is durable.
type Answer struct {
	Refusal table.Refusal
	Err     error  // the journal did not take it: nothing happened
	N       uint64 // state number of the table: its records so far
	Head    journal.Head
}

// Errors of an Answer.
var (
	// ErrNotRecorded: the commit failed and the journal does not hold the turn.
	ErrNotRecorded = errors.New("not recorded: the journal failed, nothing was done; wait until it works and ask again")
	// ErrStalled: too many turns wait for the journal.
	ErrStalled = errors.New("not taken: the journal does not answer; check the disk, then ask again")
)

// maxPending bounds the turns that wait for the journal. A hand makes about 40;
// a journal so far behind is stuck, and actions are turned away.
const maxPending = 512

// Loop turns events into states, halts, records and commands for one table. It
// holds the state twice: ahead, to which events apply at once, and committed,
// which the journal holds. Halts leave at once; commands, answers and snapshots
// when their turn is durable (DESIGN's order rule).
//
// A Loop does no I/O of its own and is owned by one goroutine.
type Loop struct {
	id      string
	clock   Clock
	devices Devices
	commit  Commit
	observe func(Snapshot, []table.Record, time.Time)

	lookup func(key string) (Answer, bool)

	ahead, committed table.State
	waiting          []turn                    // not durable yet, oldest first
	asked            map[string][]func(Answer) // who waits for the answer to a key
	down             bool                      // the journal failed and is not back yet
}

// turn is one Apply on its way to the journal. Turns are released in the order
// in which they were taken; one without records waits for those before it, so
// that nothing overtakes.
type turn struct {
	entries  []journal.Entry
	records  []table.Record
	wall     time.Time
	after    table.State
	commands []table.Command
	refusal  table.Refusal
	reply    func(Answer)
}

// Commit hands the records of one turn to the journal without waiting. The
// loop is told what became of them through Settle or Fail.
type Commit func(entries []journal.Entry)

// Snapshot is the table as the journal has it.
type Snapshot struct {
	Table string
	State table.State
	Head  journal.Head
}

// Config is what a Loop needs. Observe and Lookup may be nil.
type Config struct {
	Table   string
	Clock   Clock
	Devices Devices
	Commit  Commit
	// Observe is told of every durable state with the records that led to it and
	// when they were made; may be nil.
	Observe func(Snapshot, []table.Record, time.Time)
	Lookup  func(key string) (Answer, bool) // what the journal answered a key before; may be nil
	Facts   table.Facts                     // from the journal
}

// NewLoop makes a loop for a table whose facts the journal gave back. Its first
// event must be table.Booted.
func NewLoop(c Config) *Loop {
	l := &Loop{
		id: c.Table, clock: c.Clock, devices: c.Devices, commit: c.Commit, observe: c.Observe, lookup: c.Lookup,
		ahead: table.Restart(c.Facts), asked: map[string][]func(Answer){},
	}
	if l.observe == nil {
		l.observe = func(Snapshot, []table.Record, time.Time) {}
	}
	if l.lookup == nil {
		l.lookup = func(string) (Answer, bool) { return Answer{}, false }
	}
	l.committed = l.ahead
	return l
}

// Committed is the state that the journal holds.
func (l *Loop) Committed() table.State { return l.committed }

// Deadline is when the loop wants a Tick at the latest, 0 for never.
func (l *Loop) Deadline() time.Duration { return l.ahead.Deadline() }

// Take applies one event. reply is called when the event's turn is durable, or
// at once where nothing can be recorded; it may be nil.
func (l *Loop) Take(ev table.Event, reply func(Answer)) {
	if reply == nil {
		reply = func(Answer) {}
	}
	if a, ok := ev.(table.Action); ok {
		if reply = l.admit(a.Acting().Key, reply); reply == nil {
			return
		}
	}
	at := table.At{Mono: l.clock.Mono(), Wall: l.clock.Wall()}
	before := l.ahead.N
	next, out := l.ahead.Apply(at, ev)
	l.halt(out.Halt)
	l.ahead = next
	if l.down {
		return // links and lines are followed; what needs the journal is not
	}
	entries, err := l.entries(at, before, out.Records)
	if err != nil { // a record that cannot be stored is a defect; nothing may move on it
		l.Fail()
	}
	l.waiting = append(l.waiting, turn{entries, out.Records, at.Wall, next, out.Commands, out.Refusal, reply})
	if len(entries) > 0 {
		l.commit(entries)
	}
	l.releaseEmpty(journal.Head{})
}

func (l *Loop) halt(h table.Halt) {
	for _, p := range [...]fault.Part{fault.Shuffler, fault.Scanner} {
		if h.Has(p) {
			l.devices.Halt(p)
		}
	}
}

// admit answers an action that cannot be taken or was taken before. It returns
// the reply that the turn owes, or nil when the caller has been served.
func (l *Loop) admit(key string, reply func(Answer)) func(Answer) {
	switch {
	case l.down:
		reply(Answer{Err: ErrNotRecorded, N: l.committed.N})
		return nil
	case len(l.waiting) >= maxPending:
		reply(Answer{Err: ErrStalled, N: l.committed.N})
		return nil
	case key == "":
		return reply
	}
	if others, under := l.asked[key]; under {
		l.asked[key] = append(others, reply)
		return nil
	}
	if a, known := l.lookup(key); known {
		reply(a)
		return nil
	}
	l.asked[key] = []func(Answer){reply}
	return func(a Answer) {
		for _, r := range l.asked[key] {
			r(a)
		}
		delete(l.asked, key) // from now on the journal knows the answer
	}
}

// entries are the records of one turn in their stored form. first is the number
// of records before them.
func (l *Loop) entries(at table.At, first uint64, rs []table.Record) ([]journal.Entry, error) {
	var es []journal.Entry
	for i, r := range rs {
		typ, payload, err := table.Encode(r)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", l.id, err)
		}
		es = append(es, journal.Entry{
			Stream: l.id, N: first + uint64(i) + 1, Wall: at.Wall.UnixMilli(), Type: typ, Version: table.RecordVersion, Payload: payload,
		})
	}
	return es, nil
}

// Settle says that the oldest turn with records is durable, at head h.
func (l *Loop) Settle(h journal.Head) {
	l.releaseEmpty(h)
	if len(l.waiting) > 0 {
		l.release(l.shift(), h)
	}
	l.releaseEmpty(h)
}

// releaseEmpty releases the turns in front that have nothing to wait for.
func (l *Loop) releaseEmpty(h journal.Head) {
	for len(l.waiting) > 0 && len(l.waiting[0].entries) == 0 {
		l.release(l.shift(), h)
	}
}

func (l *Loop) shift() turn {
	t := l.waiting[0]
	l.waiting[0] = turn{}
	l.waiting = l.waiting[1:]
	return t
}

// release lets out what waited for the journal.
func (l *Loop) release(t turn, h journal.Head) {
	l.committed = t.after
	for _, c := range t.commands {
		l.devices.Do(c)
	}
	l.observe(Snapshot{Table: l.id, State: t.after, Head: h}, t.records, t.wall)
	t.reply(Answer{Refusal: t.refusal, N: t.after.N, Head: h})
}

// Fail says that a commit failed. Everything at the table halts; until Recover
// nothing is acknowledged and nothing moves.
func (l *Loop) Fail() {
	l.down = true
	l.halt(table.HaltAll)
}

// Recover says that the journal works again and holds facts of this table. A
// turn that has landed although its commit failed is answered as done, but its
// commands are not sent: the devices have been halted since. The others did
// not happen. Then the table trips (DESIGN).
func (l *Loop) Recover(facts table.Facts, h journal.Head) {
	if !l.down {
		return
	}
	for len(l.waiting) > 0 {
		t := l.shift()
		switch k := len(t.entries); {
		case k > 0 && t.entries[k-1].N <= facts.N:
			t.commands = nil
			l.release(t, h)
		default:
			t.reply(Answer{Err: ErrNotRecorded, N: facts.N})
		}
	}
	l.down = false
	l.ahead = l.ahead.Restore(facts)
	l.committed = l.ahead
	l.Take(table.JournalTripped{}, nil)
}
