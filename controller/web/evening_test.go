package web_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/lockstep"
	"shuffler/controller/table"
	"shuffler/controller/web"
	"shuffler/sim/rig"
)

var levels = []rig.Level{
	{Number: 1, SmallBlind: 100, BigBlind: 200, BigBlindAnte: 200}, {Number: 2, SmallBlind: 200, BigBlind: 400, BigBlindAnte: 400},
	{Number: 3, SmallBlind: 300, BigBlind: 600, BigBlindAnte: 600},
}

// evening is a table in lockstep, with the API over its journal.
type evening struct {
	run     *lockstep.Run
	crew    *rig.Crew
	journal *journal.Memory
	server  *web.Server
}

// newEvening sets a table up; room makes what the crew plays through.
func newEvening(t *testing.T, scenario string, room func(*evening) api.Room) *evening {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	clock := lockstep.NewClock(time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC))
	w := rig.NewWorld("1", rng)
	tab := lockstep.NewTable("1", clock, rng.Uint64()|1, "test", w.ShufflerLine, w.ScannerLine)
	bell := web.NewBell()
	j := journal.NewMemory()
	c, err := controller.New(controller.Options{
		Journal: j, Clock: clock, Version: "test", BootID: "sim", Observe: bell.Observe,
		Tables: []controller.TableOptions{{ID: "1", Settings: table.DefaultSettings(), Devices: tab}},
		Warn:   func(msg string, err error) { t.Errorf("%s: %v", msg, err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	plan := rig.Plan{Hands: 2, Levels: levels, LevelAt: map[uint64]bool{2: true}, HandoffAt: map[uint64]bool{2: true}, Close: true}
	if scenario != "" {
		plan.Hands++ // one by hand
	}
	if plan.Scenario, err = rig.ParseScenario("evening", scenario); err != nil {
		t.Fatal(err)
	}
	e := &evening{journal: j, server: web.NewServer(web.Options{Controller: c, Journal: j, Version: "test", Bell: bell})}
	e.run = &lockstep.Run{Clock: clock, C: c, Tables: []*lockstep.Table{tab}, Rand: rng}
	e.crew = rig.NewCrew("1", room(e), w, plan, nil)
	e.run.Actors = []lockstep.Actor{e.crew}
	return e
}

// callers is a Room over HTTP for a crew that lives in the lockstep's goroutine:
// requests go out in goroutines of their own, and their answers are heard before
// time goes on.
type callers struct {
	api.Remote
	answers chan func()
	pending int
	done    map[string]bool // actions that were done
	keys    map[string]string
	hand    *api.Hand     // the first that was seen
	wrong   string        // what the list of tables showed of it
	seen    *api.Snapshot // the screen; nothing changes it until the run goes on
}

// Snapshot asks once an instant: a crew looks before time goes on and after.
func (c *callers) Snapshot(table string) (api.Snapshot, error) {
	if c.seen == nil {
		s, err := c.Remote.Snapshot(table)
		if err != nil {
			return s, err
		}
		c.seen = &s
		if s.Hand != nil && c.hand == nil {
			c.hand = s.Hand
			l, err := c.Client.Tables(context.Background())
			if err != nil || len(l) != 1 || l[0].Hand != s.Hand.Number || l[0].Stage != s.Hand.Stage || l[0].N != s.N || l[0].Next != s.Next || l[0].Dealer != s.Dealer {
				c.wrong = fmt.Sprintf("the list of tables shows %+v, %v; the table %+v", l, err, s)
			}
		}
	}
	return *c.seen, nil
}

func (c *callers) Ask(table string, r api.Request, reply func(api.Answer)) {
	c.pending++
	c.Remote.Ask(table, r, func(a api.Answer) {
		if a.Done {
			c.done[r.Action] = true
			c.keys[r.Key] = r.Action
		}
		reply(a)
	})
}

// hear waits for the answers to what was asked at this instant, while the
// controller works on.
func (c *callers) hear(settle func()) {
	c.seen = nil
	for c.pending > 0 {
		select {
		case f := <-c.answers:
			c.pending--
			f()
		default:
			settle()
			time.Sleep(time.Microsecond) // the bubble's: until all who can do something have done it
		}
	}
}

// play runs the evening to its end; hear may be nil.
func (e *evening) play(t *testing.T, hear func(settle func())) {
	t.Helper()
	end := e.run.Clock.Mono() + 12*time.Hour
	late := false
	done := e.run.Until(func() bool {
		if hear != nil {
			hear(e.run.Settle)
		}
		late = e.run.Clock.Mono() > end
		return e.crew.Done() || late
	})
	if !done || late {
		t.Fatalf("the evening came to a standstill: %s", e.crew.Stuck())
	}
}

// TestEvening_ThroughHTTPOnly: dealer and floor see and do everything through
// public calls, and the journal is the same to the last byte as that of the same
// evening within the process. A reader whose connection breaks again and again
// has all of it.
func TestEvening_ThroughHTTPOnly(t *testing.T) {
	did := map[string]bool{}
	trouble := "start: deck A swap:QD>JD\nhand 1: shuffler jam_entry@gather\nhand 1 ready: call floor\nhand 2 dealt: service out"
	for name, scenario := range map[string]string{"calm": "", "trouble": trouble} {
		t.Run(name, func(t *testing.T) {
			within := newEvening(t, scenario, func(e *evening) api.Room { return web.Local{C: e.run.C} })
			within.play(t, nil)
			synctest.Test(t, func(t *testing.T) { maps.Copy(did, overHTTP(t, scenario, within.journal)) })
		})
	}
	t.Logf("actions done: %v", slices.Sorted(maps.Keys(did)))
	for _, want := range []string{"open_table", "place_deck", "sign_in", "start_check", "attest_deck", "confirm_seats", "announce_level", "deal_begun",
		"substantial_action", "end_hand", "propose_handoff", "accept_handoff", "close_table", "dealer_step", "begin_shuffle", "quarantine_deck", "clear_fault",
		"call_floor", "lift_hold", "set_service"} {
		if !did[want] {
			t.Errorf("nobody did %s", want)
		}
	}
}

// overHTTP plays the evening and holds it against the one within the process. It
// returns the actions that were done.
func overHTTP(t *testing.T, scenario string, want *journal.Memory) map[string]bool {
	n := newPipes()
	client := api.NewClient("http://shufflerd", n.dial)
	calls := &callers{answers: make(chan func(), 8), done: map[string]bool{}, keys: map[string]string{}}
	calls.Remote = api.Remote{Client: client, Post: func(f func()) { calls.answers <- f }}
	e := newEvening(t, scenario, func(*evening) api.Room { return calls })
	e.run.Pace = func(d time.Duration) bool { time.Sleep(d); return true } // the bubble's time: heartbeats and all
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- e.server.Serve(ctx, n) }()

	connections := 0
	reader := api.NewClient("http://shufflerd", func(ctx context.Context) (net.Conn, error) {
		connections++
		c, err := n.dial(ctx)
		return &cutting{c, 20000}, err
	})
	var got []api.Record
	closed := errors.New("the table is closed")
	ended := make(chan error, 1)
	go func() {
		ended <- reader.Stream(ctx, api.Query{}, func(ev api.Event) error {
			if ev.Record == nil {
				return nil
			}
			got = append(got, *ev.Record)
			if ev.Record.Type == "table_closed" {
				return closed
			}
			return nil
		})
	}()

	e.play(t, calls.hear)
	if err := <-ended; !errors.Is(err, closed) {
		t.Errorf("the reader: %v", err)
	}
	sameRecords(t, got, all(t, e.journal)[:len(got)])
	if connections < 3 {
		t.Errorf("%d connections: the reader was never cut off", connections)
	}
	a, _ := e.journal.Head()
	if b, _ := want.Head(); a != b {
		t.Errorf("the journal over HTTP is %s, within the process %s", a, b)
	}
	if calls.hand == nil || calls.wrong != "" {
		t.Errorf("hand %+v; %s", calls.hand, calls.wrong)
	}
	for key, action := range calls.keys {
		if _, found, err := e.journal.ByKey(key); err != nil || !found {
			t.Errorf("the key of %s is not in the journal: repeated, it would be done again (%v)", action, err)
		}
	}
	client.Close()
	reader.Close()
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	return calls.done
}
