package rig

import (
	"fmt"
	"sync"
	"time"

	"shuffler/sim"
)

// Names of a table's ports, after the device that belongs there.
const (
	partShuffler = "shuffler"
	partScanner  = "scanner"
)

var parts = [2]string{partShuffler, partScanner}

// Tuning constants of the pump.
const (
	soonest   = 500 * time.Microsecond // between two looks at one device
	mendsPlug = time.Second            // after a terminal failed by itself
	readSize  = 1024
)

// Table is the equipment of one table at work: a World whose two lines run over
// pseudo-terminals, in real time. All methods may be called from any goroutine.
type Table struct {
	ID string

	tell    func(string)
	links   *links // nil: no stable names
	started time.Time
	readers sync.WaitGroup

	mu      sync.Mutex // held for one chunk or one deed; nothing waits meanwhile
	world   *World
	ports   [2]*port
	crossed bool  // the cables are swapped
	crew    *Crew // while one plays
	closed  bool
}

// port is one end that a controller opens. It lasts; its terminal comes and goes.
type port struct {
	part   string
	path   string    // as a controller is told, stable if there are links
	name   string    // of the terminal, or of the last one
	term   *terminal // nil while unplugged
	timer  *time.Timer
	replug *time.Timer
	stats  PortStats
}

// PortStats are figures of one port since its start.
type PortStats struct {
	Terminal string // its name; empty while unplugged
	Plugs    uint64 // terminals so far
	In, Out  uint64 // bytes from and to the controller
	Dropped  uint64 // bytes for which the line had no room: nobody listens
	Wakeups  uint64 // times that something was to be done
	Heard    time.Time
}

// StartTable lets a world's lines run over pseudo-terminals until Close. The
// world belongs to the table from now on: reach it by Do. tell is told what
// happens by itself and must not call back; it may be nil.
func StartTable(id string, w *World, tell func(string)) (*Table, error) {
	return startTable(id, w, nil, tell)
}

func startTable(id string, w *World, l *links, tell func(string)) (*Table, error) {
	if tell == nil {
		tell = func(string) {}
	}
	t := &Table{ID: id, tell: tell, links: l, started: time.Now(), world: w}
	w.cables, w.tell = t, tell
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, part := range parts {
		p := &port{part: part}
		if l != nil {
			p.path = l.path(id, part)
		}
		p.timer = time.AfterFunc(time.Hour, func() { t.due(p) })
		t.ports[i] = p
		if err := t.connect(p); err != nil {
			t.shut()
			return nil, fmt.Errorf("table %s, port of the %s: %w", id, part, err)
		}
	}
	t.pump(t.now())
	return t, nil
}

// Ports are what a controller is to open at one table.
type Ports struct {
	ID       string `json:"id"`
	Shuffler string `json:"shuffler"`
	Scanner  string `json:"scanner"`
}

// Ports gives the paths of the table's ports: stable ones if there are links.
func (t *Table) Ports() Ports {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Ports{ID: t.ID, Shuffler: t.ports[0].path, Scanner: t.ports[1].path}
}

// Stats gives the figures of both ports, the shuffler's first.
func (t *Table) Stats() [2]PortStats {
	t.mu.Lock()
	defer t.mu.Unlock()
	var s [2]PortStats
	for i, p := range t.ports {
		s[i] = p.stats
	}
	return s
}

// Do lets somebody do something at the table now. The world is the caller's until
// deed returns; it must not wait.
func (t *Table) Do(deed func(now time.Duration, w *World)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	t.world.Advance(now)
	deed(now, t.world)
	t.pump(now)
}

// Close takes everything away. The ports are hung up, links removed.
func (t *Table) Close() {
	t.mu.Lock()
	t.shut()
	t.mu.Unlock()
	t.readers.Wait()
}

func (t *Table) shut() {
	t.closed = true
	for _, p := range t.ports {
		if p != nil {
			p.timer.Stop()
			t.disconnect(p)
		}
	}
}

// now is the machines' time. It is real time whatever their speed: the limits of
// the protocol do not scale.
func (t *Table) now() time.Duration { return time.Since(t.started) }

// lineAt is the line of the device whose cable is in this port.
func (t *Table) lineAt(p *port) *sim.Line {
	if (p.part == partShuffler) != t.crossed {
		return t.world.ShufflerLine
	}
	return t.world.ScannerLine
}

// pump moves what is due on both ports and says when to come again.
func (t *Table) pump(now time.Duration) {
	if t.closed {
		return
	}
	for _, p := range t.ports {
		t.pumpPort(p, now)
	}
}

func (t *Table) pumpPort(p *port, now time.Duration) {
	line := t.lineAt(p)
	if b := line.Read(now); len(b) > 0 && p.term != nil {
		n := p.term.write(b)
		p.stats.Out += uint64(n)
		p.stats.Dropped += uint64(len(b) - n)
	}
	if next := line.Next(); next != sim.Never {
		p.timer.Reset(max(next-now, soonest))
	}
}

// due is called by a port's timer.
func (t *Table) due(p *port) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		p.stats.Wakeups++
		t.pumpPort(p, t.now())
	}
}

// hear takes what a controller writes until the terminal goes.
func (t *Table) hear(p *port, from *terminal) {
	defer t.readers.Done()
	var b [readSize]byte
	for {
		n, err := from.master.Read(b[:])
		if !t.heard(p, from, b[:n], err) {
			return
		}
	}
}

// heard takes a chunk, and tells whether the terminal is still there.
func (t *Table) heard(p *port, from *terminal, b []byte, err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || p.term != from {
		return false
	}
	p.stats.Wakeups++
	if len(b) > 0 {
		now := t.now()
		p.stats.In += uint64(len(b))
		p.stats.Heard = t.started.Add(now)
		t.lineAt(p).Write(now, b)
		t.pumpPort(p, now)
	}
	if err != nil { // nothing here has closed it: hung up by force
		t.tell(fmt.Sprintf("port of the %s failed: %v; another one comes in %s", p.part, err, mendsPlug))
		t.disconnect(p)
		t.connectIn(p, mendsPlug)
	}
	return err == nil
}
