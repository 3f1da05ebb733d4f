package controller

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// RoomAnswer is what a request to the room gets once it is durable.
type RoomAnswer struct {
	Code  room.Code // why not; empty when done
	Arg   string    // what the code is about
	Err   error     // why nothing was done, but for ErrStopped
	Level hand.Level
	Head  journal.Head
}

// roomRunner is the room's loop: the same order rule as a table's, without
// devices.
type roomRunner struct {
	c                *Controller
	box              *mailbox
	ahead, committed room.State
	waiting          []roomTurn
	epoch            int
	down             bool
	owed             []note     // not recorded when the journal failed
	staff            room.Staff // who may act, by the newest staff file
	shared           shared
}

// roomTurn is one change of the room on its way to the journal.
type roomTurn struct {
	after   room.State
	records []room.Record // none: it waits for those before it and lets nothing overtake
	wall    time.Time
	release func(h journal.Head, err error)
}

// note is something that a table's records say about a deck.
type note func(room.State) (room.State, []room.Record, room.Code)

func newRoomRunner(c *Controller, s room.State) *roomRunner {
	r := &roomRunner{c: c, box: newMailbox(), ahead: s, committed: s, staff: c.opt.Staff}
	r.publish()
	return r
}

func (r *roomRunner) run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			r.box.drain()
			return
		case <-r.box.wake:
			r.box.drain()
		}
	}
}

// submit takes a turn of the room to the journal; release follows when it is
// durable, or with an error when it is not.
func (r *roomRunner) submit(next room.State, rs []room.Record, release func(journal.Head, error)) {
	if r.down {
		release(journal.Head{}, ErrNotRecorded)
		return
	}
	wall := r.c.opt.Clock.Wall()
	es, err := r.entries(rs, wall)
	if err != nil {
		release(journal.Head{}, fmt.Errorf("%w: %w", ErrUnrecordable, err))
		return
	}
	r.ahead = next
	r.publish()
	r.waiting = append(r.waiting, roomTurn{next, rs, wall, release})
	if len(es) > 0 {
		r.c.commit.submit(r.epoch, submission{from: r, entries: es})
	}
	r.releaseEmpty(journal.Head{})
}

func (r *roomRunner) entries(rs []room.Record, wall time.Time) (es []journal.Entry, err error) {
	for i, rec := range rs {
		payload, err := json.Marshal(rec)
		if err != nil {
			return nil, fmt.Errorf("encode record %s: %w", rec.Type(), err)
		}
		es = append(es, journal.Entry{
			Stream: room.Stream, N: r.ahead.N + uint64(i) + 1, Wall: wall.UnixMilli(), Type: rec.Type(), Version: room.RecordVersion, Payload: payload,
		})
	}
	return es, nil
}

// behind tells whether so much waits for the journal that no more is taken.
func (r *roomRunner) behind() bool { return len(r.waiting) >= maxPending }

func (r *roomRunner) announce(act room.Act, l hand.Level, source string, reply func(RoomAnswer)) {
	if r.behind() {
		reply(RoomAnswer{Err: ErrStalled, Level: r.committed.Level})
		return
	}
	next, rs, code := r.ahead.Announce(act, l, source)
	if code != room.OK {
		reply(RoomAnswer{Code: code, Level: r.committed.Level})
		return
	}
	r.submit(next, rs, func(h journal.Head, err error) {
		if err != nil {
			reply(RoomAnswer{Err: err, Level: r.committed.Level})
			return
		}
		r.deliver(table.Act{By: act.By, Auth: act.Auth}, next.Level)
		reply(RoomAnswer{Level: next.Level, Head: h})
	})
}

// deliver tells every table a level: in force when it arrives there (H2). One
// that has it already lets it pass.
func (r *roomRunner) deliver(act table.Act, l hand.Level) {
	for _, id := range r.c.order {
		r.c.Post(id, table.LevelAnnounced{Act: act, Level: l})
	}
}

// place lets a deck pass the registry on its way to a table: one quarantined
// anywhere never opens (D5). The registry has it at the table before the table
// has it, so that no other table can get it in between; where the table does
// not take it, it goes back.
func (r *roomRunner) place(id string, p table.PlaceDeck, reply func(Answer)) {
	t := r.c.tables[id]
	if p.By.Role != custody.Floor && p.ApprovedBy.Role != custody.Floor { // the table refuses and records it
		t.box.post(func() { t.loop.Take(p, reply) })
		return
	}
	if r.behind() {
		reply(Answer{Err: ErrStalled})
		return
	}
	next, rs, code := r.ahead.Place(room.Act{By: p.By, Auth: p.Auth}, p.Deck, p.Back, id)
	p.Registry = string(code)
	r.submit(next, rs, func(_ journal.Head, err error) {
		if err != nil {
			reply(Answer{Err: err})
			return
		}
		t.box.post(func() {
			t.loop.Take(p, func(a Answer) {
				if a.Err != nil || a.Refusal.Refused() {
					r.box.post(func() { r.takeBack(id, p.Deck) })
				}
				reply(a)
			})
		})
	})
}

// takeBack puts a deck that a table did not take into the store, unless it lies
// at the table all the same: it was placed there twice.
func (r *roomRunner) takeBack(id, deck string) {
	if r.ahead.Decks[deck].Table == id && !holds(r.c.tables[id].snapshot.Load().State.Facts, deck) {
		r.note(func(s room.State) (room.State, []room.Record, room.Code) { return s.Return(deck) })
	}
}

func holds(f table.Facts, deck string) bool {
	return f.DeckIn(custody.A).ID == deck || f.DeckIn(custody.B).ID == deck
}

// noteTable follows what a table's records say about decks.
func (r *roomRunner) noteTable(id string, rs []table.Record) {
	for _, rec := range rs {
		if n := noteOf(id, rec); n != nil {
			r.box.post(func() { r.note(n) })
		}
	}
}

func noteOf(id string, rec table.Record) note {
	switch rec := rec.(type) {
	case table.DeckRemoved:
		return func(s room.State) (room.State, []room.Record, room.Code) { return s.Return(rec.Deck) }
	case table.DeckQuarantined:
		return func(s room.State) (room.State, []room.Record, room.Code) {
			return s.Quarantine(rec.Deck, id, rec.Envelope)
		}
	}
	return nil
}

func (r *roomRunner) note(n note) {
	next, rs, _ := n(r.ahead)
	r.submit(next, rs, func(_ journal.Head, err error) {
		if err != nil {
			r.owed = append(r.owed, n)
		}
	})
}

// catchUp notes what a crash kept from the room: a deck that the registry has
// at a table and the table has not. The table's last record about it tells
// whether it was sent away for good.
func (r *roomRunner) catchUp() error {
	var decks []string
	for id, d := range r.committed.Decks {
		if t := r.c.tables[d.Table]; t != nil && !holds(t.loop.Committed().Facts, id) {
			decks = append(decks, id)
		}
	}
	slices.Sort(decks)
	for _, deck := range decks {
		at := r.committed.Decks[deck].Table
		gone := journal.Filter{Stream: at, Deck: deck, Types: []string{table.DeckRemoved{}.Type(), table.DeckQuarantined{}.Type()}}
		rec, found, err := r.c.opt.Journal.Last(gone)
		if err != nil {
			return fmt.Errorf("deck %s: %w", deck, err)
		}
		var last table.Record = table.DeckRemoved{Deck: deck} // or it was never taken
		if found {
			if last, err = table.Decode(rec.Type, rec.Version, rec.Payload); err != nil {
				return fmt.Errorf("journal position %d: %w", rec.Pos, err)
			}
		}
		r.noteTable(at, []table.Record{last})
	}
	return nil
}

func (r *roomRunner) settled(turns int, h journal.Head) {
	r.box.post(func() {
		for range turns {
			r.releaseEmpty(h)
			if len(r.waiting) > 0 {
				r.release(h)
			}
			r.releaseEmpty(h)
		}
	})
}

func (r *roomRunner) releaseEmpty(h journal.Head) {
	for len(r.waiting) > 0 && len(r.waiting[0].records) == 0 {
		r.release(h)
	}
}

// release lets the oldest turn out.
func (r *roomRunner) release(h journal.Head) {
	t := r.waiting[0]
	r.waiting = r.waiting[1:]
	r.committed = t.after
	r.publish()
	if len(t.records) > 0 {
		r.c.opt.Observe(Committed{Stream: room.Stream, Room: t.records, Wall: t.wall, Head: h})
	}
	t.release(h, nil)
}

func (r *roomRunner) failed() { r.box.post(func() { r.down = true }) }

func (r *roomRunner) recovered(epoch int, j journal.Reader, h journal.Head) error {
	s, err := FoldRoom(j)
	if err != nil {
		return err
	}
	r.box.post(func() { r.restore(epoch, s, h) })
	return nil
}

// restore goes on from what the journal holds. A turn that landed although its
// commit failed is done; the others did not happen. The tables get the level
// again: one that was announced just before may have come to a table that was
// down already.
func (r *roomRunner) restore(epoch int, s room.State, h journal.Head) {
	for len(r.waiting) > 0 {
		if t := r.waiting[0]; len(t.records) > 0 && t.after.N <= s.N {
			r.release(h)
		} else {
			r.waiting = r.waiting[1:]
			t.release(journal.Head{}, ErrNotRecorded)
		}
	}
	r.down, r.epoch, r.ahead, r.committed = false, epoch, s, s
	r.publish()
	if s.Level.InForce() {
		r.deliver(table.Act{}, s.Level)
	}
	owed := r.owed
	r.owed = nil
	for _, n := range owed {
		r.note(n)
	}
	r.applyStaff()
}
