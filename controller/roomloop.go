package controller

import (
	"encoding/json"
	"fmt"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

type levelOf = hand.Level

// RoomAnswer is what a request to the room gets once it is durable.
type RoomAnswer struct {
	Code  room.Code // why not; empty when done
	Err   error     // the journal did not take it: nothing happened
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
}

type roomTurn struct {
	after   room.State
	records []room.Record
	wall    time.Time
	release func(h journal.Head, err error)
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
	es := make([]journal.Entry, 0, len(rs))
	for i, rec := range rs {
		payload, err := json.Marshal(rec)
		if err != nil {
			release(journal.Head{}, err)
			return
		}
		es = append(es, journal.Entry{
			Stream: room.Stream, N: r.ahead.N + uint64(i) + 1, Wall: wall.UnixMilli(), Type: rec.Type(), Version: room.RecordVersion, Payload: payload,
		})
	}
	r.ahead = next
	if len(es) == 0 {
		release(journal.Head{}, nil)
		return
	}
	r.waiting = append(r.waiting, roomTurn{next, rs, wall, release})
	r.c.commit.submit(r, r.epoch, es)
}

func (r *roomRunner) announce(act room.Act, l hand.Level, source string, reply func(RoomAnswer)) {
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
		tableAct := table.Act{By: act.By, Auth: act.Auth}
		for _, id := range r.c.order { // in force when it arrives there (H2)
			r.c.Post(id, table.LevelAnnounced{Act: tableAct, Level: next.Level})
		}
		reply(RoomAnswer{Level: next.Level, Head: h})
	})
}

// place lets a deck pass the registry on its way to a table: one quarantined
// anywhere never opens (D5).
func (r *roomRunner) place(id string, p table.PlaceDeck, reply func(Answer)) {
	t := r.c.tables[id]
	toTable := func() { t.box.post(func() { t.take(p, reply) }) }
	if p.By.Role != custody.Floor { // the table refuses and records it
		toTable()
		return
	}
	next, rs, code := r.ahead.Place(room.Act{By: p.By, Auth: p.Auth}, p.Deck, p.Back, id)
	if code != room.OK {
		p.Registry = string(code)
		toTable()
		return
	}
	r.submit(next, rs, func(_ journal.Head, err error) {
		if err != nil {
			reply(Answer{Err: err})
			return
		}
		toTable()
	})
}

// noteTable follows what a table's records say about decks.
func (r *roomRunner) noteTable(id string, rs []table.Record) {
	for _, rec := range rs {
		switch rec := rec.(type) {
		case table.DeckRemoved:
			r.box.post(func() { r.note(r.ahead.Return(rec.Deck)) })
		case table.DeckQuarantined:
			r.box.post(func() { r.note(r.ahead.Quarantine(rec.Deck, id, rec.Envelope)) })
		}
	}
}

// catchUp notes what the tables' records say and a crash kept from the room.
func (r *roomRunner) catchUp() error {
	quarantines := journal.Filter{Types: []string{table.DeckQuarantined{}.Type()}}
	for rec, err := range r.c.opt.Journal.Records(0, quarantines) {
		if err != nil {
			return err
		}
		q, err := table.Decode(rec.Type, rec.Version, rec.Payload)
		if err != nil {
			return fmt.Errorf("journal position %d: %w", rec.Pos, err)
		}
		r.noteTable(rec.Stream, []table.Record{q})
	}
	return nil
}

func (r *roomRunner) note(next room.State, rs []room.Record, _ room.Code) {
	r.submit(next, rs, func(_ journal.Head, err error) {
		if err != nil {
			r.c.opt.Warn("room: a deck's leaving is not noted; it will be from the table's records at the next start", err)
		}
	})
}

func (r *roomRunner) settled(turns int, h journal.Head) {
	r.box.post(func() {
		for range turns {
			t := r.waiting[0]
			r.waiting = r.waiting[1:]
			r.committed = t.after
			r.c.opt.Observe(Committed{Stream: room.Stream, Room: t.records, Wall: t.wall, Head: h})
			t.release(h, nil)
		}
	})
}

func (r *roomRunner) failed() { r.box.post(func() { r.down = true }) }

func (r *roomRunner) recovered(epoch int, j journal.Reader, h journal.Head) error {
	s, err := FoldRoom(j)
	if err != nil {
		return err
	}
	r.box.post(func() {
		r.down, r.epoch = false, epoch
		waiting := r.waiting
		r.waiting, r.ahead, r.committed = nil, s, s
		for _, t := range waiting {
			if t.after.N <= s.N {
				t.release(h, nil)
			} else {
				t.release(journal.Head{}, ErrNotRecorded)
			}
		}
	})
	return nil
}
