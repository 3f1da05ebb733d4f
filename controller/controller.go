package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/hand"
)

// Options are what a Controller is made of.
type Options struct {
	Journal journal.Journal
	Clock   Clock
	Version string // of this program, for receipts
	BootID  string // of the machine: a new one means that its clocks started anew
	Tables  []TableOptions
	Staff   room.Staff // who may act; the zero value is a room where everybody is believed
	// Observe is told of every durable turn with records, of each stream in its
	// order. It is called in the goroutines of the tables and the room, may be
	// called by several at once, and must not block. May be nil.
	Observe func(Committed)
	// Warn takes what an operator should read, with its error if there is one. It
	// may be called from any goroutine and must not block. May be nil.
	Warn func(msg string, err error)
}

// TableOptions are one table of a Controller.
type TableOptions struct {
	ID       string // 1 to 64 of a-z A-Z 0-9 . _ : / -
	Settings table.Settings
	Devices  Devices
}

// Committed is one turn that the journal holds now.
type Committed struct {
	Stream  string
	Records []table.Record // nil for the room
	Room    []room.Record
	Wall    time.Time
	Head    journal.Head // of the commit, which may hold turns of others behind this one
}

// Controller runs the loops of one or many tables over one journal. Start gives
// each its goroutine; Step does the same work in the caller's, for simulations
// on a virtual clock. Its methods may be called from any goroutine once it is
// started; before that, and with Step, from one only.
type Controller struct {
	opt    Options
	commit *committer
	desk   *desk
	tables map[string]*runner
	order  []string
	room   *roomRunner

	started    bool
	stopping   sync.Once
	stopErr    error
	stopCommit chan struct{} // closed once no loop has anything more to record
	stopLoops  chan struct{} // closed once no commit has anything more to tell
	stopped    chan struct{} // closed once nobody answers any more
	commits    sync.WaitGroup
	loops      sync.WaitGroup
}

// Errors of a Controller.
var (
	// ErrNoTable: there is no table of that id.
	ErrNoTable = errors.New("no such table")
	// ErrStopped: the controller ended before the answer came. The request may
	// have been carried out; after the next start the same key tells.
	ErrStopped = errors.New("the controller has stopped: ask again after its next start, with the same idempotency key")
)

// New folds the journal and makes the loops. Each table boots: what was under
// way when the last run ended is void, and hands in play come back.
func New(opt Options) (*Controller, error) {
	if opt.Warn == nil {
		opt.Warn = func(string, error) {}
	}
	if opt.Observe == nil {
		opt.Observe = func(Committed) {}
	}
	c := &Controller{
		opt: opt, commit: newCommitter(opt.Journal, opt.Warn), desk: newDesk(opt.Journal), tables: map[string]*runner{},
		stopCommit: make(chan struct{}), stopLoops: make(chan struct{}), stopped: make(chan struct{}),
	}
	head, err := opt.Journal.Head()
	if err != nil {
		return nil, err
	}
	state, err := FoldRoom(opt.Journal)
	if err != nil {
		return nil, err
	}
	c.room = newRoomRunner(c, state)
	for _, t := range opt.Tables {
		t.Settings.Proof = opt.Staff.InForce
		if err := c.checkID(t.ID); err != nil {
			return nil, err
		}
		r, err := newRunner(c, t, head)
		if err != nil {
			return nil, err
		}
		c.tables[t.ID] = r
		c.order = append(c.order, t.ID)
		c.commit.all = append(c.commit.all, r)
	}
	c.commit.all = append(c.commit.all, c.room) // behind the tables, for it tells them things when it has recovered
	if err := c.room.catchUp(); err != nil {
		return nil, fmt.Errorf("room: %w", err)
	}
	c.room.applyStaff()
	for _, id := range c.order {
		c.tables[id].boot(state.Level)
	}
	return c, nil
}

// checkID refuses what cannot be the name of a stream in the journal: a commit
// with it would fail for all tables.
func (c *Controller) checkID(id string) error {
	if id == room.Stream || c.tables[id] != nil {
		return fmt.Errorf("table id %q is taken: give every table an id of its own, and none the name %q", id, room.Stream)
	}
	if id == "" || len(id) > 64 {
		return fmt.Errorf("table id %q has %d bytes: want 1 to 64", id, len(id))
	}
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !slices.Contains([]rune("._:/-"), r) {
			return fmt.Errorf("table id %q: %q is not allowed; use a-z A-Z 0-9 . _ : / -", id, r)
		}
	}
	return nil
}

// Tables lists the ids in the order of the options.
func (c *Controller) Tables() []string { return slices.Clone(c.order) }

// Start runs every loop and the committer in goroutines until Stop.
func (c *Controller) Start() {
	c.started = true
	c.commits.Go(func() { c.commit.run(c.stopCommit) })
	c.loops.Go(func() { c.room.run(c.stopLoops) })
	for _, id := range c.order {
		c.loops.Go(func() { c.tables[id].run(c.stopLoops) })
	}
}

// Stop halts every device at once, records the end of the run at each table,
// waits until that is durable or ctx ends, and ends the goroutines. A second
// call does nothing but give the first one's error. The journal stays open.
func (c *Controller) Stop(ctx context.Context) error {
	c.stopping.Do(func() { c.stopErr = c.stop(ctx) })
	return c.stopErr
}

func (c *Controller) stop(ctx context.Context) (err error) {
	ends := map[string]chan Answer{}
	for _, id := range c.order { // all of them, before any is waited for
		end := make(chan Answer, 1)
		ends[id] = end
		r := c.tables[id]
		r.box.post(func() { r.loop.Take(table.Stopped{}, func(a Answer) { end <- a }) })
	}
	if !c.started {
		for c.Step(maxGroup) {
		}
	}
	for _, id := range c.order {
		var e error
		select {
		case a := <-ends[id]:
			e = a.Err
		case <-ctx.Done():
			e = ctx.Err()
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("table %s: the end of the run is not recorded: %w", id, e))
		}
	}
	// What was asked meanwhile is still recorded and answered. A disk that hangs
	// must not keep the process.
	close(c.stopCommit)
	ended := within(ctx, &c.commits)
	close(c.stopLoops)
	if !within(ctx, &c.loops) || !ended {
		err = errors.Join(err, fmt.Errorf("the journal does not answer: %w", ctx.Err()))
	}
	close(c.stopped)
	return err
}

// within waits for a group, but not longer than ctx lasts.
func within(ctx context.Context, g *sync.WaitGroup) bool {
	ended := make(chan struct{})
	go func() { g.Wait(); close(ended) }()
	select {
	case <-ended:
		return true
	case <-ctx.Done():
		return false
	}
}

// Step does all work that is waiting, in this goroutine, committing at most
// group turns at a time, and tells whether there was any.
func (c *Controller) Step(group int) bool {
	did := c.room.box.drain()
	for _, id := range c.order {
		did = c.tables[id].box.drain() || did
	}
	if c.commit.isDown() {
		return c.commit.reopen() || did
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
	r.box.post(func() { r.loop.Take(ev, nil) })
}

// Do carries out an action and waits until its turn is durable (or ctx ends:
// then it may still happen, and the same key tells). Not with Step: see Ask.
func (c *Controller) Do(ctx context.Context, id string, a table.Action) (Answer, error) {
	ans, err := await(ctx, c, func(reply func(Answer)) { c.Ask(id, a, reply) })
	return ans, cmp.Or(err, ans.Err)
}

// await runs ask, which may have to read the journal, and waits for its reply.
func await[A any](ctx context.Context, c *Controller, ask func(func(A))) (none A, _ error) {
	got := make(chan A, 1)
	go ask(func(a A) { got <- a })
	select {
	case a := <-got:
		return a, nil
	case <-c.stopped:
		return none, ErrStopped
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// Ask carries out an action once: a repeated idempotency key gets the recorded
// answer. reply is called in the caller's goroutine or in one of the
// controller's and must not block; after Stop it may never be called. Looking
// up a key reads the journal in the caller's goroutine. The people of an action
// pass the room's staff, a deck that comes to a table the room's registry.
func (c *Controller) Ask(id string, a table.Action, reply func(Answer)) {
	r := c.tables[id]
	if r == nil {
		reply(Answer{Err: fmt.Errorf("table %q: %w", id, ErrNoTable)})
		return
	}
	act := a.Acting()
	once(c.desk, request{act.Key, id, a.Name(), act.By}, tableService(func(reply func(Answer)) {
		r.admitted(a, func() {
			if p, ok := a.(table.PlaceDeck); ok {
				c.room.box.post(func() { c.room.place(id, p, reply) })
				return
			}
			r.box.post(func() { r.loop.Take(a, reply) })
		}, reply)
	}), reply)
}

// Announce puts a level in force for all tables (H2), once for each idempotency
// key. It is on its way to the tables when reply is called, before whatever is
// asked of them after that. For reply see Ask.
func (c *Controller) Announce(act room.Act, l hand.Level, source string, reply func(RoomAnswer)) {
	once(c.desk, request{act.Key, room.Stream, announceLevel, act.By}, roomService(func(reply func(RoomAnswer)) {
		do := func() { c.room.box.post(func() { c.room.announce(act, l, source, reply) }) }
		if source == "clock" { // no person
			do()
			return
		}
		c.room.admitted(act, announceLevel, do, reply)
	}), reply)
}

// AnnounceWait is Announce for a started Controller.
func (c *Controller) AnnounceWait(ctx context.Context, act room.Act, l hand.Level, source string) (RoomAnswer, error) {
	ans, err := await(ctx, c, func(reply func(RoomAnswer)) { c.Announce(act, l, source, reply) })
	return ans, cmp.Or(err, ans.Err)
}

// Snapshot is a table as the journal has it.
func (c *Controller) Snapshot(id string) (Snapshot, error) {
	r := c.tables[id]
	if r == nil {
		return Snapshot{}, fmt.Errorf("table %q: %w", id, ErrNoTable)
	}
	return *r.snapshot.Load(), nil
}
