package controller

import (
	"fmt"
	"sync/atomic"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
)

// liftLock is the room's action by which the floor lets a person try again.
const liftLock = "lift_lock"

// roomView is the room as it is now, for other goroutines. What it holds never
// changes.
type roomView struct{ ahead, committed room.State }

// shared is where a roomRunner leaves its view.
type shared struct{ view atomic.Pointer[roomView] }

func (r *roomRunner) publish() { r.shared.view.Store(&roomView{r.ahead, r.committed}) }

// Room is the room as the journal has it. It must not be changed.
func (c *Controller) Room() room.State { return c.room.shared.view.Load().committed }

// LockedOut tells whether no PIN of this person is looked at now, after too many
// wrong ones (P6).
func (c *Controller) LockedOut(id string) bool {
	return c.room.shared.view.Load().ahead.Locked(c.opt.Clock.Wall().UnixMilli(), id) != 0
}

// Configure puts settings and staff in force at all tables and in the room. That
// people prove who they are follows from the staff, not from the settings.
func (c *Controller) Configure(s table.Settings, staff room.Staff) {
	s.Proof = staff.InForce
	c.room.box.post(func() {
		c.room.staff = staff
		c.room.applyStaff()
	})
	for _, id := range c.order {
		c.Post(id, table.Configured{Settings: s})
	}
}

// applyStaff records who may act, if that is news.
func (r *roomRunner) applyStaff() {
	if r.down {
		return // restore does it
	}
	next, rs := r.ahead.ApplyStaff(r.staff)
	r.submit(next, rs, func(_ journal.Head, err error) {
		if err != nil && !r.down {
			r.c.opt.Warn("the staff file is not in force: it cannot be recorded", err)
		}
	})
}

// claimOf is whom an action names and how they proved themselves.
func claimOf(id string, a table.Action) room.Claim {
	act := a.Acting()
	c := room.Claim{Table: id, Action: a.Name(), By: act.By, Auth: act.Auth, ApprovedBy: act.ApprovedBy, ApprovedAuth: act.ApprovedAuth}
	switch a := a.(type) {
	case table.OpenTable:
		c.Named = []custody.Person{a.Floor, a.Deputy}
	case table.ChangeFloor:
		c.Named = []custody.Person{a.Floor, a.Deputy}
	case table.ProposeHandoff:
		c.Named = []custody.Person{a.To}
	}
	return c
}

// admit lets a claim pass, or refuses it once that is durable. It is judged by
// the newest state, not the durable one: the journal takes turns in the order in
// which they come, so nothing that passes becomes durable before what let it
// pass; and a stop must not wait for a disk.
func (r *roomRunner) admit(c room.Claim, pass func(), refuse func(room.Refusal, journal.Head, error)) {
	if !r.shared.view.Load().ahead.Staff.InForce {
		pass()
		return
	}
	r.box.post(func() {
		next, rs, why := r.ahead.Admit(r.c.opt.Clock.Wall().UnixMilli(), c)
		if why.Code == room.OK {
			if len(rs) > 0 {
				r.submit(next, rs, func(journal.Head, error) {})
			}
			pass()
			return
		}
		if r.behind() {
			refuse(room.Refusal{}, journal.Head{}, ErrStalled)
			return
		}
		r.submit(next, rs, func(h journal.Head, err error) { refuse(why, h, err) })
	})
}

// admitted is admit for a request to the room itself.
func (r *roomRunner) admitted(act room.Act, action string, do func(), reply func(RoomAnswer)) {
	c := room.Claim{Action: action, By: act.By, Auth: act.Auth}
	r.admit(c, do, func(why room.Refusal, h journal.Head, err error) {
		reply(RoomAnswer{Code: why.Code, Arg: why.Arg, Err: err, Head: h})
	})
}

// admitted is admit for an action at a table.
func (r *runner) admitted(a table.Action, do func(), reply func(Answer)) {
	r.c.room.admit(claimOf(r.opt.ID, a), do, func(why room.Refusal, h journal.Head, err error) {
		reply(Answer{Refusal: table.Refusal{Code: table.Code(why.Code), Arg: why.Arg}, Err: err, N: r.snapshot.Load().State.N, Head: h})
	})
}

// LiftLock lets a person who is locked out try again, once for each idempotency
// key. For reply see Ask.
func (c *Controller) LiftLock(act room.Act, id string, reply func(RoomAnswer)) {
	once(c.desk, request{act.Key, room.Stream, liftLock, act.By}, roomService(func(reply func(RoomAnswer)) {
		c.room.admitted(act, liftLock, func() {
			c.room.box.post(func() { c.room.liftLock(act, id, reply) })
		}, reply)
	}), reply)
}

func (r *roomRunner) liftLock(act room.Act, id string, reply func(RoomAnswer)) {
	if r.behind() {
		reply(RoomAnswer{Err: ErrStalled})
		return
	}
	next, rs, code := r.ahead.LiftLock(act, id)
	if code != room.OK {
		reply(RoomAnswer{Code: code})
		return
	}
	r.submit(next, rs, func(h journal.Head, err error) { reply(RoomAnswer{Head: h, Err: err}) })
}

// recalled is the answer that a record of the room stands for.
func recalled(rec journal.Record) RoomAnswer {
	r, err := room.Decode(rec.Type, rec.Version, rec.Payload)
	if err != nil {
		return RoomAnswer{Err: fmt.Errorf("journal position %d: %w", rec.Pos, err)}
	}
	a := RoomAnswer{Head: journal.Head{Pos: rec.Pos, Hash: rec.Hash}}
	if l, ok := r.(room.LevelAnnounced); ok {
		a.Level = l.Level
	}
	return a
}
