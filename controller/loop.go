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
	Err     error  // why nothing was done, but for ErrStopped; the rest is empty then
	N       uint64 // state number of the table: its records so far
	Head    journal.Head
}

// Errors of an Answer.
var (
	// ErrNotRecorded: the commit failed and the journal does not hold the turn.
	ErrNotRecorded = errors.New("not recorded: the journal failed, nothing was done; wait until it works and ask again")
	// ErrStalled: too many turns wait for the journal.
	ErrStalled = errors.New("not taken: the journal does not answer; check the disk, then ask again")
	// ErrUnrecordable: the action cannot be put into a record.
	ErrUnrecordable = errors.New("not taken: the journal could not hold it")
)

// Tuning constants of a loop whose journal does not answer. A hand makes about
// 40 turns: a journal that many hands behind is stuck.
const (
	maxPending = 512            // turns, then actions are turned away
	maxBehind  = 4 * maxPending // turns, then what devices tell is not kept either
	maxRecord  = 64 << 10       // bytes of one record; the largest that means anything is a checkpoint, 6 KB
)

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
	commit  func([]journal.Entry)
	giveUp  func(error)
	observe func(Snapshot, []table.Record, time.Time)

	ahead, committed table.State
	waiting          []turn // not durable yet, oldest first
	down             bool   // the journal failed and is not back yet
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
	reply    func(Answer) // nil where nobody waits
}

// Snapshot is the table as the journal has it.
type Snapshot struct {
	Table string
	State table.State
	Head  journal.Head
}

// Config is what a Loop needs. GiveUp and Observe may be nil.
type Config struct {
	Table   string
	Clock   Clock
	Devices Devices
	// Commit hands the records of one turn to the journal without waiting. The
	// loop is told what became of them through Settle or Fail.
	Commit func(entries []journal.Entry)
	// GiveUp says that the loop has halted and can go on only by Recover, behind
	// what it has handed to Commit.
	GiveUp func(why error)
	// Observe is told of every durable state with the records that led to it and
	// when they were made.
	Observe func(Snapshot, []table.Record, time.Time)
	Facts   table.Facts // from the journal
}

// NewLoop makes a loop for a table whose facts the journal gave back. Its first
// event must be table.Booted; a level that was announced in the run before may
// be delivered in front of it.
func NewLoop(c Config) *Loop {
	l := &Loop{
		id: c.Table, clock: c.Clock, devices: c.Devices, commit: c.Commit, giveUp: c.GiveUp, observe: c.Observe,
		ahead: table.Restart(c.Facts),
	}
	if l.giveUp == nil {
		l.giveUp = func(error) {}
	}
	if l.observe == nil {
		l.observe = func(Snapshot, []table.Record, time.Time) {}
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
	if _, asked := ev.(table.Action); asked {
		if err := l.closedFor(); err != nil {
			l.turnAway(err, reply)
			return
		}
	}
	at := table.At{Mono: l.clock.Mono(), Wall: l.clock.Wall()}
	before := l.ahead.N
	next, out := l.ahead.Apply(at, ev)
	l.halt(out.Halt)
	if l.down { // links and lines are followed; what needs the journal is not
		l.ahead = next
		l.turnAway(ErrNotRecorded, reply)
		return
	}
	entries, err := l.entries(at, before, out.Records)
	if err != nil { // Apply is pure: not to take its state over is to undo it
		l.unrecordable(ev, err, reply)
		return
	}
	l.ahead = next
	l.enqueue(turn{entries, out.Records, at.Wall, next, out.Commands, out.Refusal, reply})
}

// closedFor tells why no action is taken now.
func (l *Loop) closedFor() error {
	switch {
	case l.down:
		return ErrNotRecorded
	case len(l.waiting) >= maxPending:
		return ErrStalled
	}
	return nil
}

func (l *Loop) turnAway(err error, reply func(Answer)) {
	if reply != nil {
		reply(Answer{Err: err, N: l.committed.N})
	}
}

// unrecordable turns an action away whose record the journal could not hold. Of
// what a device tells, that would be a defect; nothing may move on it.
func (l *Loop) unrecordable(ev table.Event, err error, reply func(Answer)) {
	if _, asked := ev.(table.Action); asked {
		l.turnAway(fmt.Errorf("%w: %w", ErrUnrecordable, err), reply)
		return
	}
	l.Fail()
	l.turnAway(ErrNotRecorded, reply)
	l.giveUp(err)
}

// enqueue puts a turn behind those that wait. One that records nothing and that
// nobody waits for goes along with the turn before it: devices report progress
// all the time, also while a disk hangs.
func (l *Loop) enqueue(t turn) {
	last := len(l.waiting) - 1
	if last >= 0 && len(t.entries) == 0 && t.reply == nil {
		l.waiting[last].after = t.after
		l.waiting[last].commands = append(l.waiting[last].commands, t.commands...)
		return
	}
	l.waiting = append(l.waiting, t)
	if len(t.entries) > 0 {
		l.commit(t.entries)
	}
	l.releaseEmpty(journal.Head{})
	if len(l.waiting) >= maxBehind {
		l.Fail()
		l.giveUp(fmt.Errorf("table %s: %d turns wait for the journal", l.id, len(l.waiting)))
	}
}

func (l *Loop) halt(h table.Halt) {
	for _, p := range [...]fault.Part{fault.Shuffler, fault.Scanner} {
		if h.Has(p) {
			l.devices.Halt(p)
		}
	}
}

// entries are the records of one turn in their stored form. first is the number
// of records before them.
func (l *Loop) entries(at table.At, first uint64, rs []table.Record) ([]journal.Entry, error) {
	if len(rs) == 0 {
		return nil, nil
	}
	es := make([]journal.Entry, len(rs))
	for i, r := range rs {
		typ, payload, err := table.Encode(r)
		if err == nil && len(payload) > maxRecord {
			err = fmt.Errorf("record %s would have %d bytes, at most %d: use shorter texts", typ, len(payload), maxRecord)
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", l.id, err)
		}
		es[i] = journal.Entry{
			Stream: l.id, N: first + uint64(i) + 1, Wall: at.Wall.UnixMilli(), Type: typ, Version: table.RecordVersion, Payload: payload,
		}
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
		if l.stands(c) {
			l.devices.Do(c)
		}
	}
	l.observe(Snapshot{Table: l.id, State: t.after, Head: h}, t.records, t.wall)
	if t.reply != nil {
		t.reply(Answer{Refusal: t.refusal, N: t.after.N, Head: h})
	}
}

// stands tells whether a command is still wanted. While it waited for the
// journal a halt may have gone out, or a link been lost: then the lane has let
// go of the operation, and the device must not get it any more. That a tally is
// safe stays true.
func (l *Loop) stands(c table.Command) bool {
	return c.Kind == table.TallyAck || !l.down && laneOf(l.ahead.Lanes, c.Part).Op == c.Op
}

// Fail says that a commit failed. Everything at the table halts; until Recover
// nothing is acknowledged but what has become durable, and nothing moves.
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
		if k := len(t.entries); k > 0 && t.entries[k-1].N <= facts.N {
			l.release(t, h)
		} else {
			l.turnAway(ErrNotRecorded, t.reply)
		}
	}
	told := l.ahead
	l.ahead = l.ahead.Restore(facts)
	l.committed = l.ahead
	l.down = false
	l.forgetStops()
	l.Take(table.JournalTripped{}, nil)
	l.tellStops(told.Lanes)
	l.Take(table.Configured{Settings: told.Settings}, nil) // a reload may have been lost
}

// forgetStops makes the lines that stop a machine look quiet, and tellStops
// tells them anew: an emergency stop that was pressed while nothing could be
// recorded is a fault that the facts do not know, and a level makes no edge.
func (l *Loop) forgetStops() {
	for _, lane := range []*table.Lane{&l.ahead.Machine, &l.ahead.Scanner} {
		lane.Lines.EStop, lane.Lines.Cover, lane.Lines.SortMode = false, false, false
	}
	l.ahead.Panel.EStop, l.ahead.Panel.Cover = false, false
}

func (l *Loop) tellStops(told table.Lanes) {
	if told.Panel.EStop {
		l.Take(table.PanelLine{Line: table.EStopLine, Active: true}, nil)
	}
	if told.Panel.Cover {
		l.Take(table.PanelLine{Line: table.CoverLine, Active: true}, nil)
	}
	for _, p := range [...]fault.Part{fault.Shuffler, fault.Scanner} {
		if lane := laneOf(told, p); lane.Linked && (lane.Lines.EStop || lane.Lines.Cover || lane.Lines.SortMode) {
			lane.Lines.Halted = true
			l.Take(table.DeviceLines{Part: p, Lines: lane.Lines}, nil)
		}
	}
}

func laneOf(l table.Lanes, p fault.Part) table.Lane {
	if p == fault.Scanner {
		return l.Scanner
	}
	return l.Machine
}
