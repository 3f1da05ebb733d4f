package rig_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/device/port"
	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/controller/web"
	"shuffler/sim/rig"
)

var levels = []rig.Level{{Number: 1, SmallBlind: 100, BigBlind: 200, BigBlindAnte: 200}, {Number: 2, SmallBlind: 200, BigBlind: 400, BigBlindAnte: 400}}

// house is a controller that runs in real time over a bench's ports.
func house(t *testing.T, b *rig.Bench) (api.Room, *journal.Memory) {
	t.Helper()
	j := journal.NewMemory()
	var c *controller.Controller
	opt := controller.Options{Journal: j, Clock: controller.BootClock{}, Version: "test", BootID: "sim", Warn: func(m string, err error) { t.Errorf("%s: %v", m, err) }}
	var sets []*port.Set
	for _, tab := range b.Tables() {
		p := tab.Ports()
		post := func(e table.Event) { c.Post(tab.ID, e) }
		conf := func(path string, part fault.Part) port.Config {
			return port.Config{Path: path, Part: part, Session: 5, Version: "test", Now: controller.BootClock{}.Mono, Post: post}
		}
		set := port.NewSet(conf(p.Shuffler, fault.Shuffler), conf(p.Scanner, fault.Scanner))
		sets = append(sets, set)
		opt.Tables = append(opt.Tables, controller.TableOptions{ID: tab.ID, Settings: table.DefaultSettings(), Devices: set})
	}
	var err error
	if c, err = controller.New(opt); err != nil {
		t.Fatal(err)
	}
	c.Start()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		done := make(chan struct{}, len(sets))
		for _, s := range sets {
			go func() { s.Run(ctx); done <- struct{}{} }()
		}
		for range sets {
			<-done
		}
	}()
	t.Cleanup(func() {
		stop, done := context.WithTimeout(context.Background(), patience)
		defer done()
		if err := c.Stop(stop); err != nil {
			t.Error(err)
		}
		cancel()
		<-ended
	})
	return web.Local{C: c}, j
}

func records(t *testing.T, j *journal.Memory, typ string) int {
	t.Helper()
	n := 0
	for _, err := range j.Records(0, journal.Filter{Types: []string{typ}}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// shaky is a room that does not answer at first.
type shaky struct {
	api.Room
	looks atomic.Int32
}

func (s *shaky) Snapshot(id string) (api.Snapshot, error) {
	if s.looks.Add(1) == 1 {
		return api.Snapshot{}, api.ErrUnreachable
	}
	return s.Room.Snapshot(id)
}

// TestPlay_AnEveningOverPtys: the crew plays by calls and by hand over real
// ports, through trouble that a scenario and somebody at the terminal make.
func TestPlay_AnEveningOverPtys(t *testing.T) {
	b := bench(t, rig.Options{Speed: 100, Seed: 3})
	room, j := house(t, b)
	s, err := rig.ParseScenario("evening", "hand 1: shuffler jam_entry@gather\nhand 2 dealt: unplug shuffler 10ms\nstart: lose 1%")
	if err != nil {
		t.Fatal(err)
	}
	plan := rig.Plan{Hands: 2, Levels: levels, Close: true, Scenario: s, Pace: rig.DefaultPace.Faster(300)}
	tab := b.Tables()[0]
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- tab.Play(ctx, &shaky{Room: room}, plan) }()
	called := false
	until(t, "the evening's end", func() bool {
		if !called && records(t, j, "hand_started") > 0 {
			called = b.Answer("call floor") == "ok"
			if second := tab.Play(ctx, room, plan); second == nil {
				t.Error("two crews play at one table")
			}
		}
		select {
		case err = <-ended:
			return true
		default:
			return false
		}
	})
	if err != nil {
		snap, _ := room.Snapshot("1")
		t.Fatalf("%v: next %+v, faults %+v", err, snap.Next, snap.Faults)
	}
	for typ, n := range map[string]int{"hand_ended": 2, "table_closed": 1} {
		if got := records(t, j, typ); got != n {
			t.Errorf("%d records %s, want %d", got, typ, n)
		}
	}
	if !called {
		t.Error("nobody called the floor")
	}
	if records(t, j, "fault") == 0 {
		t.Error("the trouble did not happen")
	}
	if rep, err := journal.Verify(j, journal.Check{}); err != nil || !rep.OK() {
		t.Errorf("%v, %v", rep.Problems, err)
	}
	if got := b.Answer("call floor"); got == "ok" {
		t.Error("the crew has gone, and still calls")
	}
}

// TestPlay_EndsWhenToldTo: also while the controller does not answer.
func TestPlay_EndsWhenToldTo(t *testing.T) {
	tab := bench(t, rig.Options{}).Tables()[0]
	ctx, cancel := context.WithCancel(context.Background())
	dead := deadRoom(cancel)
	if err := tab.Play(ctx, dead, rig.Plan{Levels: levels}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// deadRoom is a controller that is not there; it calls whoever looks.
type deadRoom func()

func (d deadRoom) Snapshot(string) (api.Snapshot, error) {
	d()
	return api.Snapshot{}, api.ErrUnreachable
}

func (deadRoom) Ask(string, api.Request, func(api.Answer)) {}
