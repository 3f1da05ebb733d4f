package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"shuffler/controller"
	"shuffler/controller/journal"
	"shuffler/controller/lockstep"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/controller/web"
	"shuffler/sim/rig"
)

// told is what one run of the program printed.
type told struct {
	code     int
	out, err string
}

// noon is the time that programs under test see.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func testHost(env map[string]string) host {
	return host{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, getenv: func(k string) string { return env[k] }, local: time.UTC, now: func() time.Time { return noon }, patience: 200 * time.Millisecond}
}

// ctlIn runs shufflectl as a person would, in an environment.
func ctlIn(t *testing.T, env map[string]string, args ...string) told {
	t.Helper()
	h := testHost(env)
	code := run(t.Context(), h, args)
	return told{code, h.stdout.(*bytes.Buffer).String(), h.stderr.(*bytes.Buffer).String()}
}

// noDevices is a table without machines.
type noDevices struct{}

func (noDevices) Halt(fault.Part)  {}
func (noDevices) Do(table.Command) {}

// house is a running controller with its socket.
type house struct {
	t      *testing.T
	dir    string // of the journal
	socket string
	stop   func()
}

// newHouse starts a controller over the journal in dir, which may be new.
func newHouse(t *testing.T, dir, socket string, ids ...string) *house {
	t.Helper()
	j, err := journal.Open(dir, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bell := web.NewBell()
	opt := controller.Options{Journal: j, Clock: controller.BootClock{}, Version: "test", BootID: "boot", Observe: bell.Observe}
	for _, id := range ids {
		opt.Tables = append(opt.Tables, controller.TableOptions{ID: id, Settings: table.DefaultSettings(), Devices: noDevices{}})
	}
	c, err := controller.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	l, err := web.Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]uint64{}
	for _, id := range ids {
		if before[id], err = j.StreamHead(id); err != nil {
			t.Fatal(err)
		}
	}
	c.Start()
	for _, id := range ids { // until each has recorded its start, so that the journal rests
		for n := before[id]; n == before[id]; time.Sleep(time.Millisecond) {
			if n, err = j.StreamHead(id); err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- web.NewServer(web.Options{Controller: c, Journal: j, Version: "test", Bell: bell}).Serve(ctx, l)
	}()
	h := &house{t: t, dir: dir, socket: socket}
	h.stop = sync.OnceFunc(func() {
		cancel()
		within, done := context.WithTimeout(context.Background(), 10*time.Second)
		defer done()
		if err := errors.Join(<-served, c.Stop(within), j.Close()); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	t.Cleanup(h.stop)
	return h
}

// open is a house of its own with these tables.
func open(t *testing.T, ids ...string) *house {
	t.Helper()
	return newHouse(t, t.TempDir(), filepath.Join(shortTemp(t), "s.sock"), ids...)
}

// shortTemp is a folder whose path leaves room for a socket's name.
func shortTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// ctl runs shufflectl against the house.
func (h *house) ctl(args ...string) told {
	h.t.Helper()
	return ctlIn(h.t, map[string]string{envServer: h.socket}, args...)
}

// must is ctl that ends well; it gives what was printed.
func (h *house) must(args ...string) string {
	h.t.Helper()
	r := h.ctl(args...)
	if r.code != exitOK {
		h.t.Fatalf("%q: exit %d: %s%s", args, r.code, r.out, r.err)
	}
	return r.out
}

// played is the journal of an evening with a jam, made once.
var played = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "evening")
	if err != nil {
		return "", err
	}
	leftOver = dir
	j, err := journal.Open(dir, journal.Options{})
	if err != nil {
		return "", err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	clock := lockstep.NewClock(noon.Add(8 * time.Hour))
	w := rig.NewWorld("1", rng)
	tab := lockstep.NewTable("1", clock, rng.Uint64()|1, "test", w.ShufflerLine, w.ScannerLine)
	c, err := controller.New(controller.Options{
		Journal: j, Clock: clock, Version: "test", BootID: "sim",
		Tables: []controller.TableOptions{{ID: "1", Settings: table.DefaultSettings(), Devices: tab}},
	})
	if err != nil {
		return "", err
	}
	jam, err := rig.LoadScenario("jam")
	if err != nil {
		return "", err
	}
	plan := rig.Plan{
		Hands: 3, Levels: []rig.Level{{Number: 1, SmallBlind: 100, BigBlind: 200, BigBlindAnte: 200}, {Number: 2, SmallBlind: 200, BigBlind: 400}},
		LevelAt: map[uint64]bool{2: true}, HandoffAt: map[uint64]bool{2: true}, Close: true, Scenario: jam,
	}
	crew := rig.NewCrew("1", web.Local{C: c}, w, plan, nil)
	r := &lockstep.Run{Clock: clock, C: c, Tables: []*lockstep.Table{tab}, Rand: rng, Actors: []lockstep.Actor{crew}}
	end := clock.Mono() + 12*time.Hour
	if !r.Until(func() bool { return crew.Done() || clock.Mono() > end }) || !crew.Done() {
		return "", errors.New("the evening came to a standstill: " + crew.Stuck())
	}
	return dir, j.Close()
})

// evening is a folder of its own with the journal of that evening.
func evening(t *testing.T) string {
	t.Helper()
	from, err := played()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"journal.db", "head"} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// leftOver is the folder of the evening, if it was played.
var leftOver string

// TestMain removes it.
func TestMain(m *testing.M) {
	code := m.Run()
	if leftOver != "" {
		os.RemoveAll(leftOver)
	}
	os.Exit(code)
}
