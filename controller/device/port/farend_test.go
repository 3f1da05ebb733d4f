package port

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
	"shuffler/sim"
)

// patience bounds a failing test; no test waits for it to pass.
const patience = 20 * time.Second

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, ^n)) }

// shuffler is a machine whose motions take next to no time.
func shuffler(seed uint64) *sim.Machine {
	return sim.NewShuffler(sim.Config{Timing: quick}, seeded(seed))
}

func scanner(seed uint64) *sim.Machine {
	return sim.NewScanner(sim.Config{Timing: quick}, seeded(seed))
}

var quick = sim.Timing{CardIn: time.Millisecond, CardOut: time.Millisecond, CardRead: time.Millisecond, Riffle: 50 * time.Millisecond,
	Strip: 50 * time.Millisecond, Square: 50 * time.Millisecond, Home: 10 * time.Millisecond, Boot: 10 * time.Millisecond, Halt: time.Millisecond}

// farEnd is a simulated device at the other end of a real pty. Its path is a
// link, as udev makes one, that stays the same when the pty behind it changes.
type farEnd struct {
	t     *testing.T
	path  string
	start time.Time

	mu     sync.Mutex
	m      *sim.Machine
	master *os.File
	slave  *os.File // kept open, so that the master can be read at any time
	done   chan struct{}
	ends   sync.WaitGroup
	deaf   bool   // takes no bytes off the line
	got    []byte // all that came, if kept
	keep   bool
}

// newFarEnd makes a device that is not plugged in yet.
func newFarEnd(t *testing.T, m *sim.Machine) *farEnd {
	f := &farEnd{t: t, path: filepath.Join(t.TempDir(), "port"), m: m, start: time.Now()}
	t.Cleanup(f.unplug)
	return f
}

func plugged(t *testing.T, m *sim.Machine) *farEnd {
	f := newFarEnd(t, m)
	f.plug()
	return f
}

func (f *farEnd) now() time.Duration { return time.Since(f.start) }

// plug makes a pty, and lets the machine talk over it unless there is none.
func (f *farEnd) plug() {
	f.t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		f.t.Fatal(err)
	}
	raw(f.t, slave)
	master = polled(f.t, master)
	f.mu.Lock()
	f.master, f.slave, f.done = master, slave, make(chan struct{})
	done := f.done
	f.ends.Go(func() { f.hear(master, done) })
	if f.m != nil {
		f.ends.Go(func() { f.talk(master, done) })
	}
	f.mu.Unlock()
	if err := os.Symlink(slave.Name(), f.path); err != nil {
		f.t.Fatal(err)
	}
}

// unplug pulls the plug: the master end goes away.
func (f *farEnd) unplug() {
	f.mu.Lock()
	if f.master != nil {
		close(f.done)
		_ = os.Remove(f.path)
		f.slave.Close()
		f.master.Close()
		f.master = nil
	}
	f.mu.Unlock()
	f.ends.Wait()
}

func (f *farEnd) hear(master *os.File, done chan struct{}) {
	var b [4096]byte
	for {
		f.mu.Lock()
		deaf := f.deaf
		f.mu.Unlock()
		if deaf {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
			continue
		}
		n, err := master.Read(b[:])
		if err != nil {
			return
		}
		f.mu.Lock()
		if f.keep {
			f.got = append(f.got, b[:n]...)
		}
		if f.m != nil {
			f.m.Receive(f.now(), b[:n])
		}
		f.mu.Unlock()
	}
}

func (f *farEnd) talk(master *os.File, done chan struct{}) {
	for {
		f.mu.Lock()
		out := slices.Clone(f.m.Advance(f.now()))
		f.mu.Unlock()
		if len(out) > 0 {
			if _, err := master.Write(out); err != nil {
				return
			}
		}
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// do lets a person do something at the machine, or asks it.
func (f *farEnd) do(deed func(*sim.Machine)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	deed(f.m)
}

// say writes to the host past the machine.
func (f *farEnd) say(s string) {
	f.mu.Lock()
	master := f.master
	f.mu.Unlock()
	if _, err := master.WriteString(s); err != nil {
		f.t.Error(err)
	}
}

// frames are what has come from the host and was kept.
func (f *farEnd) frames() (l []protocol.Type) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dec := protocol.Decoder{From: protocol.FromHost}
	dec.Feed(f.got, func(fr protocol.Frame) { l = append(l, fr.Type) })
	return l
}

func (f *farEnd) wire() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.got)
}

func (f *farEnd) listenIn() *farEnd {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep = true
	return f
}

// polled puts a pty's master under the runtime's poller: a Read that blocks in
// the kernel would hold back Close until the host sends something.
func polled(t *testing.T, f *os.File) *os.File {
	t.Helper()
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), f.Name())
}

func raw(t *testing.T, f *os.File) {
	t.Helper()
	tio, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	tio.Lflag &^= unix.ICANON | unix.ECHO | unix.ISIG | unix.IEXTEN
	tio.Iflag &^= unix.ICRNL | unix.IXON
	tio.Oflag &^= unix.OPOST
	if err := unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, tio); err != nil {
		t.Fatal(err)
	}
}

// near is the host's end under test.
type near struct {
	*Device
	t      *testing.T
	cancel context.CancelFunc
	ended  chan struct{}

	mu     sync.Mutex
	events []table.Event
	said   []Trouble
}

// running starts a device on a path; it is stopped when the test ends.
func running(t *testing.T, c Config, with ...func(*Device)) *near {
	n := prepared(t, c)
	for _, w := range with {
		w(n.Device)
	}
	n.run()
	return n
}

func prepared(t *testing.T, c Config) *near {
	n := &near{t: t, ended: make(chan struct{})}
	if c.Part == fault.NoPart {
		c.Part = fault.Shuffler
	}
	if c.Session == 0 {
		c.Session = 77
	}
	c.Version = "test"
	c.Post = func(e table.Event) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.events = append(n.events, e)
	}
	c.Log = func(tr Trouble) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.said = append(n.said, tr)
	}
	n.Device = New(c)
	return n
}

func (n *near) run() {
	ctx, cancel := context.WithCancel(context.Background())
	n.cancel = cancel
	go func() { n.Run(ctx); close(n.ended) }()
	n.t.Cleanup(n.stop)
}

func (n *near) stop() {
	n.cancel()
	select {
	case <-n.ended:
	case <-time.After(patience):
		n.t.Error("Run does not return")
	}
}

// seen gives the events so far.
func (n *near) seen() []table.Event {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.events)
}

// told gives the troubles so far.
func (n *near) told() []Trouble {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.said)
}

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

// up waits until the device has answered so often.
func (n *near) up(times int) {
	n.t.Helper()
	until(n.t, fmt.Sprintf("DeviceUp %d times", times), func() bool { return n.count("table.DeviceUp") >= times })
}

// down waits for a DeviceDown so often for a reason.
func (n *near) down(why table.DownReason, times int) {
	n.t.Helper()
	until(n.t, fmt.Sprintf("DeviceDown %s %d times", why, times), func() bool { return n.downs(why) >= times })
}

func (n *near) downs(why table.DownReason) (times int) {
	for _, e := range n.seen() {
		if d, ok := e.(table.DeviceDown); ok && d.Reason == why {
			times++
		}
	}
	return times
}

func (n *near) count(kind string) (times int) {
	for _, e := range n.seen() {
		if fmt.Sprintf("%T", e) == kind {
			times++
		}
	}
	return times
}

// says waits for a trouble of a kind and gives it.
func (n *near) says(c Code) (t Trouble) {
	n.t.Helper()
	until(n.t, "trouble "+string(c), func() bool {
		for _, tr := range n.told() {
			if tr.Code == c {
				t = tr
				return true
			}
		}
		return false
	})
	return t
}

// holds wants words in a trouble's text.
func holds(t *testing.T, tr Trouble, words ...string) {
	t.Helper()
	if tr.What == "" || tr.Cause == "" || tr.Next == "" {
		t.Errorf("%s lacks what, cause or next step: %+v", tr.Code, tr)
	}
	for _, w := range words {
		if !strings.Contains(tr.String(), w) {
			t.Errorf("%q does not name %q", tr, w)
		}
	}
}

// openOn counts this process's descriptors on a file.
func openOn(target string) (n int) {
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && to == target {
			n++
		}
	}
	return n
}

func isFailure(t *testing.T, err error) *failure {
	t.Helper()
	var f *failure
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a failure", err)
	}
	return f
}
