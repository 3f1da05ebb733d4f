package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
)

// Options are what a Controller is made of.
type Options struct {
	Journal journal.Journal
	Clock   Clock
	Version string // of this program, for receipts
	BootID  string // of the machine: a new one means that its clocks started anew
	Tables  []TableOptions
	// Observe is told of every durable record in the order of the journal's
	// commits; it must not block. May be nil.
	Observe func(Committed)
	// Warn takes what an operator should read; may be nil.
	Warn func(msg string, err error)
}

// TableOptions are one table of a Controller.
type TableOptions struct {
	ID       string
	Settings table.Settings
	Devices  Devices
}

// Committed is one turn that the journal holds now.
type Committed struct {
	Stream  string
	Records []table.Record // nil for the room
	Room    []room.Record
	Wall    time.Time
	Head    journal.Head
}

// Controller runs the loops of one or many tables over one journal. Start gives
// each its goroutine; Step does the same work in the caller's, for simulations
// on a virtual clock. Its methods may be called from any goroutine once it is
// started; before that, and with Step, from one only.
type Controller struct {
	opt    Options
	commit *committer
	tables map[string]*runner
	order  []string
	room   *roomRunner

	stop chan struct{}
	done sync.WaitGroup
}

// ErrNoTable: there is no table of that id.
var ErrNoTable = errors.New("no such table")

// New folds the journal and makes the loops. Each table boots: what was under
// way when the last run ended is void, and hands in play come back.
func New(opt Options) (*Controller, error) {
	if opt.Warn == nil {
		opt.Warn = func(string, error) {}
	}
	if opt.Observe == nil {
		opt.Observe = func(Committed) {}
	}
	c := &Controller{opt: opt, commit: newCommitter(opt.Journal, opt.Warn), tables: map[string]*runner{}, stop: make(chan struct{})}
	state, err := FoldRoom(opt.Journal)
	if err != nil {
		return nil, err
	}
	c.room = &roomRunner{c: c, box: newMailbox(), ahead: state, committed: state}
	c.commit.all = append(c.commit.all, c.room)
	for _, t := range opt.Tables {
		if t.ID == room.Stream || c.tables[t.ID] != nil {
			return nil, fmt.Errorf("table id %q is taken: give every table an id of its own, and none the name %q", t.ID, room.Stream)
		}
		r, err := newRunner(c, t)
		if err != nil {
			return nil, err
		}
		c.tables[t.ID] = r
		c.order = append(c.order, t.ID)
		c.commit.all = append(c.commit.all, r)
	}
	if err := c.room.catchUp(); err != nil {
		return nil, fmt.Errorf("room: %w", err)
	}
	for _, id := range c.order {
		r := c.tables[id]
		r.take(table.Booted{Version: opt.Version, BootID: opt.BootID, Run: r.loop.ahead.Run + 1}, nil)
		r.take(table.Configured{Settings: r.opt.Settings}, nil)
		if state.Level.InForce() { // delivered again; a table that has it lets it pass
			r.take(table.LevelAnnounced{Level: state.Level}, nil)
		}
	}
	return c, nil
}

// Tables lists the ids in the order of the options.
func (c *Controller) Tables() []string { return slices.Clone(c.order) }

// Start runs every loop and the committer in goroutines until Stop.
func (c *Controller) Start() {
	c.done.Go(func() { c.commit.run(c.stop) })
	c.done.Go(func() { c.room.run(c.stop) })
	for _, id := range c.order {
		c.done.Go(func() { c.tables[id].run(c.stop) })
	}
}

// Stop records the end of the run at each table, waits until that is durable or
// ctx ends, and ends the goroutines. Devices are halted by then.
func (c *Controller) Stop(ctx context.Context) error {
	var err error
	for _, id := range c.order {
		if _, e := c.wait(ctx, c.tables[id].box, func(reply func(Answer)) { c.tables[id].take(table.Stopped{}, reply) }); e != nil {
			err = errors.Join(err, fmt.Errorf("table %s: the end of the run is not recorded: %w", id, e))
		}
	}
	close(c.stop)
	ended := make(chan struct{})
	go func() { c.done.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done(): // a disk that hangs must not keep the process
		err = errors.Join(err, ctx.Err())
	}
	return err
}

// Step does all work that is waiting, in this goroutine, committing at most
// group turns at a time, and tells whether there was any.
func (c *Controller) Step(group int) bool {
	did := c.room.box.drain()
	for _, id := range c.order {
		did = c.tables[id].box.drain() || did
	}
	if c.commit.isDown() {
		return c.commit.recover() || did
	}
	return c.commit.commit(group) || did
}

// Deadline is the earliest time at which a table wants a Tick, 0 for never.
func (c *Controller) Deadline() (d time.Duration) {
	for _, id := range c.order {
		if t := c.tables[id].loop.Deadline(); t != 0 && (d == 0 || t < d) {
			d = t
		}
	}
	return d
}

// Tick lets every table look at its deadlines. Only with Step; a started
// Controller ticks by itself.
func (c *Controller) Tick() {
	for _, id := range c.order {
		c.Post(id, table.Tick{})
	}
}

// Post gives a table an event that nobody waits for, as devices do. It never
// blocks. An unknown table is a defect of the wiring and panics.
func (c *Controller) Post(id string, ev table.Event) {
	r := c.tables[id]
	if r == nil {
		panic("controller: no table " + id)
	}
	r.box.post(func() { r.take(ev, nil) })
}

// Do carries out an action and waits until its turn is durable (or ctx ends:
// then it may still happen, and the same key tells). Not with Step: see Ask.
func (c *Controller) Do(ctx context.Context, id string, a table.Action) (Answer, error) {
	if c.tables[id] == nil {
		return Answer{}, fmt.Errorf("table %q: %w", id, ErrNoTable)
	}
	return c.wait(ctx, nil, func(reply func(Answer)) { c.Ask(id, a, reply) })
}

// wait runs ask, in box's goroutine if there is one, and waits for its reply.
func (c *Controller) wait(ctx context.Context, box *mailbox, ask func(func(Answer))) (Answer, error) {
	got := make(chan Answer, 1)
	reply := func(a Answer) { got <- a }
	if box != nil {
		box.post(func() { ask(reply) })
	} else {
		ask(reply)
	}
	select {
	case a := <-got:
		return a, a.Err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// Ask carries out an action; reply is called in a goroutine of the controller
// and must not block. A deck that comes or goes passes the room's registry.
func (c *Controller) Ask(id string, a table.Action, reply func(Answer)) {
	if p, ok := a.(table.PlaceDeck); ok {
		c.room.box.post(func() { c.room.place(id, p, reply) })
		return
	}
	r := c.tables[id]
	r.box.post(func() { r.take(a, reply) })
}

// Announce puts a level in force for all tables (H2). The tables have it when
// reply is called.
func (c *Controller) Announce(act room.Act, l levelOf, source string, reply func(RoomAnswer)) {
	c.room.box.post(func() { c.room.announce(act, l, source, reply) })
}

// AnnounceWait is Announce for a started Controller.
func (c *Controller) AnnounceWait(ctx context.Context, act room.Act, l levelOf, source string) (RoomAnswer, error) {
	got := make(chan RoomAnswer, 1)
	c.Announce(act, l, source, func(a RoomAnswer) { got <- a })
	select {
	case a := <-got:
		return a, a.Err
	case <-ctx.Done():
		return RoomAnswer{}, ctx.Err()
	}
}

// Snapshot is a table as the journal has it.
func (c *Controller) Snapshot(id string) (Snapshot, error) {
	r := c.tables[id]
	if r == nil {
		return Snapshot{}, fmt.Errorf("table %q: %w", id, ErrNoTable)
	}
	return *r.snapshot.Load(), nil
}

// runner is a table's loop with its mailbox.
type runner struct {
	c        *Controller
	opt      TableOptions
	loop     *Loop
	box      *mailbox
	epoch    int
	snapshot atomic.Pointer[Snapshot]
}

func newRunner(c *Controller, opt TableOptions) (*runner, error) {
	facts, err := FoldTable(c.opt.Journal, opt.ID)
	if err != nil {
		return nil, err
	}
	r := &runner{c: c, opt: opt, box: newMailbox()}
	r.snapshot.Store(&Snapshot{Table: opt.ID, State: table.Restart(facts)})
	r.loop = NewLoop(Config{
		Table: opt.ID, Clock: c.opt.Clock, Devices: opt.Devices, Facts: facts,
		Commit:  func(es []journal.Entry) { c.commit.submit(r, r.epoch, es) },
		Observe: r.observe,
		Lookup:  func(key string) (Answer, bool) { return answered(c.opt.Journal, key, c.opt.Warn) },
	})
	return r, nil
}

func (r *runner) take(ev table.Event, reply func(Answer)) { r.loop.Take(ev, reply) }

func (r *runner) observe(s Snapshot, rs []table.Record, wall time.Time) {
	if s.Head.Pos == 0 { // a turn without records says nothing of the head
		s.Head = r.snapshot.Load().Head
	}
	r.snapshot.Store(&s)
	if len(rs) == 0 {
		return
	}
	r.c.room.noteTable(r.opt.ID, rs)
	r.c.opt.Observe(Committed{Stream: r.opt.ID, Records: rs, Wall: wall, Head: s.Head})
}

func (r *runner) settled(turns int, h journal.Head) {
	r.box.post(func() {
		for range turns {
			r.loop.Settle(h)
		}
	})
}

func (r *runner) failed() { r.box.post(r.loop.Fail) }

func (r *runner) recovered(epoch int, j journal.Reader, h journal.Head) error {
	facts, err := FoldTable(j, r.opt.ID)
	if err != nil {
		return err
	}
	r.box.post(func() {
		r.epoch = epoch
		r.loop.Recover(facts, h)
	})
	return nil
}

// run is the table's goroutine.
func (r *runner) run(stop <-chan struct{}) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(r.untilTick())
		select {
		case <-stop:
			r.box.drain()
			return
		case <-r.box.wake:
			r.box.drain()
		case <-timer.C:
			r.take(table.Tick{}, nil)
		}
	}
}

// untilTick is how long the loop may sleep. A deadline that is past is looked
// at again after a moment, not in a busy loop.
func (r *runner) untilTick() time.Duration {
	d := r.loop.Deadline()
	if d == 0 {
		return time.Hour
	}
	return max(d-r.c.opt.Clock.Mono(), tickAtLeast)
}

// tickAtLeast bounds how often a loop looks at a deadline that stays past, as
// it does while the journal is down.
const tickAtLeast = 10 * time.Millisecond

// answered is what the journal says of an idempotency key, also after a restart
// (DESIGN rule 9).
func answered(j journal.Reader, key string, warn func(string, error)) (Answer, bool) {
	rec, found, err := j.ByKey(key)
	if err != nil {
		warn("cannot look up an idempotency key", err)
		return Answer{Err: ErrStalled}, true // taken twice would be worse than not now
	}
	if !found {
		return Answer{}, false
	}
	a := Answer{N: rec.N, Head: journal.Head{Pos: rec.Pos, Hash: rec.Hash}}
	if rec.Type == (table.RequestRefused{}).Type() {
		var refused table.RequestRefused
		if err := json.Unmarshal(rec.Payload, &refused); err != nil {
			return Answer{Err: fmt.Errorf("journal position %d: %w", rec.Pos, err)}, true
		}
		a.Refusal = refused.Refusal
	}
	return a, true
}
