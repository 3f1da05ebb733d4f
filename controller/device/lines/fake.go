package lines

import (
	"errors"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/pin"
)

// Fake is a pin in memory, for tests and simulated panels. It has the faults of
// periph's driver for Linux, which gpiotest.Pin has not: a wait of 0 is for
// ever and one below 0 is none, Halt before a wait is lost, edges that nobody
// takes are dropped without a sign, setting up does not drain them, and Read
// says Low for any error. The zero value is a Low pin without a name. May be
// shared between goroutines.
type Fake struct {
	Label string

	mu     sync.Mutex
	level  gpio.Level
	broken error // of In, Out and Read
	edges  chan struct{}
	halts  chan struct{}
	mode   FakeMode
	trace  []gpio.Level
	waits  uint64
	least  time.Duration
}

// FakeMode is how a Fake waits for edges.
type FakeMode uint8

// Ways to wait. NoEdges tells of no edge, Spins returns at once with none,
// Floods returns at once with one, Hangs never comes back.
const (
	Waits FakeMode = iota
	NoEdges
	Spins
	Floods
	Hangs
)

const (
	fakeEdges = 16   // that the driver keeps for a line
	fakeTrace = 1024 // levels put out that are kept
)

var errFake = errors.New("fake pin: no such thing")

// Set changes the level, as a contact does.
func (f *Fake) Set(l gpio.Level) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l == f.level {
		return
	}
	f.level = l
	if f.edges == nil || f.mode == NoEdges {
		return
	}
	select {
	case f.edges <- struct{}{}:
	default: // the driver drops the oldest: as many are left
	}
}

// Break lets everything fail with an error; nil mends it.
func (f *Fake) Break(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken = err
}

// Behave sets how the pin waits for edges.
func (f *Fake) Behave(m FakeMode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mode = m
}

// Trace gives the last levels that were put out, in order.
func (f *Fake) Trace() []gpio.Level {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]gpio.Level(nil), f.trace...)
}

// Waited tells how often WaitForEdge was called, and the least time-out.
func (f *Fake) Waited() (times uint64, least time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.waits, f.least
}

// In implements gpio.PinIn.
func (f *Fake) In(gpio.Pull, gpio.Edge) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken == nil && f.edges == nil {
		f.edges, f.halts = make(chan struct{}, fakeEdges), make(chan struct{})
	}
	return f.broken
}

// Read implements gpio.PinIn.
func (f *Fake) Read() gpio.Level {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.level && gpio.Level(f.broken == nil)
}

// WaitForEdge implements gpio.PinIn.
func (f *Fake) WaitForEdge(timeout time.Duration) bool {
	f.mu.Lock()
	edges, halts, mode := f.edges, f.halts, f.mode
	if f.waits++; f.waits == 1 || timeout < f.least {
		f.least = timeout
	}
	f.mu.Unlock()
	switch {
	case mode == Floods:
		return true
	case mode == Spins || timeout < 0 || edges == nil:
		return false
	case mode == Hangs:
		timeout, edges = 0, nil
	}
	var over <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-edges:
		return true
	case <-over:
	case <-halts:
	}
	return false
}

// Halt implements conn.Resource. It ends a wait that has begun.
func (f *Fake) Halt() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.halts != nil {
		close(f.halts)
		f.halts = make(chan struct{})
	}
	return nil
}

// Out implements gpio.PinOut. The first High drives Low first.
func (f *Fake) Out(l gpio.Level) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return f.broken
	}
	if len(f.trace) == 0 && l == gpio.High {
		f.trace = append(f.trace, gpio.Low)
	}
	f.level = l
	f.trace = append(f.trace, l)
	if len(f.trace) > fakeTrace {
		f.trace = append(f.trace[:0], f.trace[len(f.trace)/2:]...)
	}
	return nil
}

// PWM implements gpio.PinOut.
func (f *Fake) PWM(gpio.Duty, physic.Frequency) error { return errFake }

// Pull implements gpio.PinIn.
func (f *Fake) Pull() gpio.Pull { return gpio.PullNoChange }

// DefaultPull implements gpio.PinIn.
func (f *Fake) DefaultPull() gpio.Pull { return gpio.PullNoChange }

// String implements conn.Resource.
func (f *Fake) String() string { return f.Label }

// Name implements pin.Pin.
func (f *Fake) Name() string { return f.Label }

// Number implements pin.Pin.
func (f *Fake) Number() int { return -1 }

// Function implements pin.Pin. The driver makes an input of an output here;
// nobody may call it.
func (f *Fake) Function() string { panic("Function turns an output into an input") }

var (
	_ gpio.PinIO = (*Fake)(nil)
	_ pin.Pin    = (*Fake)(nil)
)

// Honest is a Fake that tells when it cannot be read.
type Honest struct{ Fake }

// ReadLevel implements LevelReader.
func (h *Honest) ReadLevel() (gpio.Level, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.level, h.broken
}
