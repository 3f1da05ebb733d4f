package controller

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/journal/journaltest"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// house is a Controller with its tables' wires and a willing crew.
type house struct {
	t     testing.TB
	j     journal.Journal
	clock Clock
	c     *Controller
	wires map[string]*wires

	mu    sync.Mutex
	warns []string
	seen  []Committed
}

// newHouse makes a controller on j, not started.
func newHouse(t testing.TB, j journal.Journal, clock Clock, ids ...string) *house {
	t.Helper()
	h := &house{t: t, j: j, clock: clock, wires: map[string]*wires{}}
	opt := Options{
		Journal: j, Clock: clock, Version: "test", BootID: "b1",
		Observe: func(c Committed) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.seen = append(h.seen, c)
		},
		Warn: func(msg string, err error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.warns = append(h.warns, fmt.Sprint(msg, " ", err))
		},
	}
	for _, id := range ids {
		h.wires[id] = &wires{}
		opt.Tables = append(opt.Tables, TableOptions{ID: id, Settings: table.DefaultSettings(), Devices: h.wires[id]})
	}
	h.c = must(New(opt))(t)
	return h
}

func (h *house) warned() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.warns)
}

// settle does all that is to be done: in the bubble's goroutines, or here.
func (h *house) settle() {
	if h.c.started {
		synctest.Wait()
		return
	}
	for h.c.Step(maxGroup) {
	}
}

func (h *house) state(id string) table.State {
	h.t.Helper()
	return must(h.c.Snapshot(id))(h.t).State
}

// ask asks and lets everything settle; nil while the answer is not there.
func (h *house) ask(id string, a table.Action) *Answer {
	h.t.Helper()
	p := h.asking(id, a)
	h.settle()
	return p.get()
}

// pending is an answer that may come.
type pending[A any] struct {
	mu sync.Mutex
	a  *A
	n  int
}

func (p *pending[A]) set(a A) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a = &a
	p.n++
}

func (p *pending[A]) get() *A {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.a
}

func (h *house) asking(id string, a table.Action) *pending[Answer] {
	p := &pending[Answer]{}
	h.c.Ask(id, a, p.set)
	return p
}

func (h *house) announcing(act room.Act, l hand.Level) *pending[RoomAnswer] {
	p := &pending[RoomAnswer]{}
	h.c.Announce(act, l, "floor", p.set)
	return p
}

func (h *house) announce(key string, n int) *RoomAnswer {
	p := h.announcing(room.Act{By: floor7, Auth: "none", Key: key}, levelNo(n))
	h.settle()
	return p.get()
}

// play does what the screen of a table names once.
func (h *house) play(id string) {
	h.t.Helper()
	switch ev := obey(h.state(id)).(type) {
	case table.LevelAnnounced:
		h.announce("", int(ev.Level.Number))
	case table.PlaceDeck:
		ev.Deck += "-" + id
		h.ask(id, ev)
	case table.Action:
		h.ask(id, ev)
	default:
		h.c.Post(id, ev)
		h.settle()
	}
}

func (h *house) until(id, what string, done func(table.State) bool) {
	h.t.Helper()
	for range 500 {
		if done(h.state(id)) {
			return
		}
		h.play(id)
	}
	h.t.Fatalf("table %s does not come to %s: next is %+v", id, what, h.state(id).Next())
}

func place(slot custody.Slot, deck, back string) table.PlaceDeck {
	return table.PlaceDeck{Act: act(floor7), Slot: slot, Deck: deck, Back: back, Reason: "evening"}
}

// bubbleClock is the time of a synctest bubble, or of the machine.
type bubbleClock struct{ boot time.Time }

func (c bubbleClock) Mono() time.Duration { return time.Hour + time.Since(c.boot) }
func (c bubbleClock) Wall() time.Time     { return time.Now() }

// inBubble runs a started controller on a faulty journal in a synctest bubble
// and stops it.
func inBubble(t *testing.T, mem *journal.Memory, ids []string, f func(*testing.T, *house, *journaltest.Faulty)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		j := journaltest.NewFaulty(mem)
		h := newHouse(t, j, bubbleClock{time.Now()}, ids...)
		h.c.Start()
		h.settle()
		f(t, h, j)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := h.c.Stop(ctx); err != nil && !t.Failed() {
			t.Errorf("stop: %v", err)
		}
		j.Repair()
	})
}
