package rig_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shuffler/controller/device"
	"shuffler/controller/device/port"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
	"shuffler/sim/rig"
)

// patience bounds a failing test; no test waits for it to pass.
const patience = 60 * time.Second

// until waits until something holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// bench starts one that ends with the test.
func bench(t *testing.T, o rig.Options) *rig.Bench {
	t.Helper()
	if o.Speed == 0 {
		o.Speed = 50
	}
	b, err := rig.StartBench(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// says wants an order to be answered with something that holds these words.
func says(t *testing.T, b *rig.Bench, order string, words ...string) {
	t.Helper()
	answer := b.Answer(order)
	for _, w := range words {
		if !strings.Contains(answer, w) {
			t.Errorf("%s: %q does not say %q", order, answer, w)
		}
	}
}

// host is a controller's end of one port: the serial code of the daemon.
type host struct {
	*port.Device
	mu     sync.Mutex
	events []table.Event
}

func attach(t *testing.T, path string, part fault.Part) *host {
	h := &host{}
	h.Device = port.New(port.Config{Path: path, Part: part, Session: 7, Version: "test", Post: func(e table.Event) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.events = append(h.events, e)
	}})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { h.Run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	return h
}

func (h *host) count(of func(table.Event) bool) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		if of(e) {
			n++
		}
	}
	return n
}

func (h *host) ups() int {
	return h.count(func(e table.Event) bool { _, is := e.(table.DeviceUp); return is })
}

func (h *host) downs() int {
	return h.count(func(e table.Event) bool { _, is := e.(table.DeviceDown); return is })
}

func (h *host) up(t *testing.T, times int) {
	t.Helper()
	until(t, fmt.Sprintf("up %d times", times), func() bool { return h.ups() >= times })
}

// TestPty_LinkChecksADeck is the round trip: a Link on a descriptor of its own,
// without the daemon's serial code between.
func TestPty_LinkChecksADeck(t *testing.T) {
	b := bench(t, rig.Options{})
	says(t, b, "put A scanner", "ok", "in the scanner")
	fd, err := unix.Open(b.Tables()[0].Ports().Scanner, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	line := os.NewFile(uintptr(fd), "line")
	defer line.Close()
	start := time.Now()
	link := device.NewLink(0, device.Config{Part: fault.Scanner, Session: 9, Version: "test"})
	var tally *deckcheck.Tally
	take := func(events []table.Event) {
		for _, e := range events {
			switch e := e.(type) {
			case table.DeviceUp:
				link.Do(time.Since(start), table.Command{Part: fault.Scanner, Op: 1, Kind: table.ScanOp, Expect: 52, Timeout: patience})
			case table.ScanEnded:
				tally = &e.Tally
			}
		}
	}
	var buf [512]byte
	until(t, "a tally", func() bool {
		_ = line.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		n, _ := line.Read(buf[:])
		take(link.Receive(time.Since(start), buf[:n]))
		take(link.Advance(time.Since(start)))
		for w := link.Write(); len(w) > 0; w = link.Write() {
			if _, err := line.Write(w); err != nil {
				t.Fatal(err)
			}
		}
		return tally != nil
	})
	if v := deckcheck.Judge(*tally, deckcheck.Confusions{}); v.Outcome != deckcheck.Good {
		t.Errorf("verdict %v", v)
	}
	if c := link.Stats().Counters; c.BadCRC+c.BadCOBS+c.TooLong > 0 {
		t.Errorf("the line is not transparent: %+v", c)
	}
}

// TestPty_StaleBytesWaitForTheNextOpener: as on hardware, what was sent while
// nobody had the port open is there at the next opening.
func TestPty_StaleBytesWaitForTheNextOpener(t *testing.T) {
	tab := bench(t, rig.Options{}).Tables()[0]
	until(t, "bytes to nobody", func() bool { return tab.Stats()[0].Out > 0 })
	h := attach(t, tab.Ports().Shuffler, fault.Shuffler)
	h.up(t, 1)
	if h.Stats().Stale == 0 {
		t.Error("nothing was stale")
	}
}

// TestPty_ReopenedWithoutEnd: openers come and go, and the device is there for
// each.
func TestPty_ReopenedWithoutEnd(t *testing.T) {
	tab := bench(t, rig.Options{}).Tables()[0]
	for range 50 {
		f, err := os.OpenFile(tab.Ports().Scanner, os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	attach(t, tab.Ports().Scanner, fault.Scanner).up(t, 1)
	if s := tab.Stats()[1]; s.Plugs != 1 {
		t.Errorf("the terminal was made %d times", s.Plugs)
	}
}

// TestPty_UnpluggedAndBackElsewhere: a controller that has the stable name finds
// the device again, time and again, and nothing is left behind.
func TestPty_UnpluggedAndBackElsewhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ports")
	b := bench(t, rig.Options{Links: dir})
	tab := b.Tables()[0]
	path := tab.Ports().Shuffler
	if path != filepath.Join(dir, "table1-shuffler") {
		t.Fatalf("port %s", path)
	}
	h := attach(t, path, fault.Shuffler)
	h.up(t, 1)
	files := descriptors(t)
	for n := range 5 {
		was := tab.Stats()[0].Terminal
		says(t, b, "unplug shuffler", "ok shuffler unplugged")
		if _, err := os.Lstat(path); err == nil {
			t.Error("the link is still there")
		}
		until(t, "the controller knows", func() bool { return h.downs() > n })
		says(t, b, "unplug shuffler", "error:", "already")
		says(t, b, "table 1: plug shuffler", "ok shuffler at /dev/pts/")
		says(t, b, "plug shuffler", "error:", "is plugged in")
		if is := tab.Stats()[0].Terminal; is == was {
			t.Errorf("it came back at the same terminal %s", is)
		}
		h.up(t, n+2)
	}
	if err := tab.Unplug("shuffler", time.Millisecond); err != nil {
		t.Error(err)
	}
	h.up(t, 7) // by itself
	if now := descriptors(t); now > files {
		t.Errorf("%d descriptors, were %d", now, files)
	}
	if err := tab.Unplug("card reader", 0); err == nil {
		t.Error("a port that is not there was unplugged")
	}
}

// TestPty_HungUpByForce: a terminal that fails by itself is replaced.
func TestPty_HungUpByForce(t *testing.T) {
	notes := make(chan string, 16)
	b := bench(t, rig.Options{Tell: func(_, what string) { notes <- what }})
	tab := b.Tables()[0]
	rig.BreakTerminal(tab, 0)
	if said := <-notes; !strings.Contains(said, "port of the shuffler failed") {
		t.Errorf("said %q", said)
	}
	until(t, "another terminal", func() bool { return tab.Stats()[0].Plugs == 2 })
	attach(t, tab.Ports().Shuffler, fault.Shuffler).up(t, 1)
}

// TestPty_SwappedPorts: each port finds the other device, and its own again.
func TestPty_SwappedPorts(t *testing.T) {
	b := bench(t, rig.Options{})
	p := b.Tables()[0].Ports()
	s, c := attach(t, p.Shuffler, fault.Shuffler), attach(t, p.Scanner, fault.Scanner)
	s.up(t, 1)
	c.up(t, 1)
	says(t, b, "swap ports", "ok", "each other's")
	for _, h := range []*host{s, c} {
		until(t, "wrong device", func() bool { return h.Stats().Trouble.Code == port.WrongDevice })
	}
	says(t, b, "swap ports", "ok", "their own")
	s.up(t, 2)
	c.up(t, 2)
}

// TestPty_SilenceAndReboot: trouble said to a live bench reaches the controller.
func TestPty_SilenceAndReboot(t *testing.T) {
	b := bench(t, rig.Options{})
	h := attach(t, b.Tables()[0].Ports().Shuffler, fault.Shuffler)
	h.up(t, 1)
	says(t, b, "reboot", "ok shuffler reboot@now")
	h.up(t, 2)
	says(t, b, "silence 2s", "ok")
	until(t, "the link is lost", func() bool { return h.downs() >= 2 })
	h.up(t, 3)
}

// TestPty_FiftyTablesIdle: descriptors and goroutines are as many as there are
// ports, nothing turns in circles, and all of it goes again.
func TestPty_FiftyTablesIdle(t *testing.T) {
	const tables = 50
	var ids []string
	for i := range tables {
		ids = append(ids, fmt.Sprint(i+1))
	}
	bench(t, rig.Options{}).Close() // what the runtime opens once
	files, running := descriptors(t), goroutines()
	b, err := rig.StartBench(rig.Options{IDs: ids, Speed: 1})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	defer b.Close()
	if n := descriptors(t) - files; n != 4*tables {
		t.Errorf("%d descriptors for %d tables, want 4 each", n, tables)
	}
	until(t, "two goroutines a table", func() bool { return goroutines()-running <= 2*tables }) // a timer's lives for a moment
	until(t, "ten statuses of each", func() bool {
		for _, tab := range b.Tables() {
			for _, s := range tab.Stats() {
				if s.Wakeups < 10 {
					return false
				}
			}
		}
		return true
	})
	var wakeups uint64
	for _, tab := range b.Tables() {
		for _, s := range tab.Stats() {
			wakeups += s.Wakeups
		}
	}
	// A device that stands sends a status every 200 ms. Twice as many are half.
	if most := 2 * tables * (uint64(2*time.Since(start)/(200*time.Millisecond)) + 10); wakeups > most {
		t.Errorf("%d wake-ups of %d ports in %s, want at most %d", wakeups, 2*tables, time.Since(start), most)
	}
	b.Close()
	if n := descriptors(t); n != files {
		t.Errorf("%d descriptors afterwards, were %d", n, files)
	}
	until(t, "no goroutine is left", func() bool { return goroutines() <= running })
}

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
