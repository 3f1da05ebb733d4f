package controller

import (
	"sync/atomic"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/hand"
)

// tickAtLeast bounds how often a loop looks at a deadline that stays past, as
// it does while the journal is down.
const tickAtLeast = 10 * time.Millisecond

// runner is a table's loop with its mailbox: the loop's methods are called in
// the goroutine that drains it, and nowhere else.
type runner struct {
	c        *Controller
	opt      TableOptions
	loop     *Loop
	box      *mailbox
	epoch    int // of the loop's submissions
	snapshot atomic.Pointer[Snapshot]
}

func newRunner(c *Controller, opt TableOptions, head journal.Head) (*runner, error) {
	facts, err := FoldTable(c.opt.Journal, opt.ID)
	if err != nil {
		return nil, err
	}
	r := &runner{c: c, opt: opt, box: newMailbox()}
	r.snapshot.Store(&Snapshot{Table: opt.ID, State: table.Restart(facts), Head: head})
	r.loop = NewLoop(Config{
		Table: opt.ID, Clock: c.opt.Clock, Devices: opt.Devices, Facts: facts, Observe: r.observe,
		Commit: func(es []journal.Entry) { c.commit.submit(r.epoch, submission{from: r, entries: es}) },
		GiveUp: func(why error) { c.commit.submit(r.epoch, submission{from: r, gaveUp: why}) },
	})
	return r, nil
}

// boot begins the run. A level that the room announced and the table did not
// get to hear comes first, as it came in the run before; so the boot asks for
// it to be confirmed like any other (M3).
func (r *runner) boot(l hand.Level) {
	if l.InForce() {
		r.loop.Take(table.LevelAnnounced{Level: l}, nil)
	}
	r.loop.Take(table.Booted{Version: r.c.opt.Version, BootID: r.c.opt.BootID, Run: r.loop.ahead.Run + 1}, nil)
	r.loop.Take(table.Configured{Settings: r.opt.Settings}, nil)
}

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
			r.loop.Take(table.Tick{}, nil)
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
