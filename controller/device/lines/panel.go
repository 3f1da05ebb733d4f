package lines

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// Tuning constants of a panel.
const (
	// Recheck is how often a level is read when no edge comes: edges get lost without
	// a sign, and a chip that is gone wakes nobody.
	Recheck   = 100 * time.Millisecond
	stale     = time.Second // a pin that has not come back for so long is not read
	inRetry   = time.Second // setting up a pin again
	spinMost  = 100         // waits in a row that took no time; then a line is polled
	spinRest  = 5 * time.Millisecond
	spinPolls = 2000        // then edges are tried again
	stopMost  = time.Second // what Run waits for pins that do not come back
)

// LevelReader is a pin that tells when it cannot be read. periph's own pins do
// not: they say Low.
type LevelReader interface {
	ReadLevel() (gpio.Level, error)
}

// Input is a line that comes in. A nil Pin is one that is configured and not
// there: it counts as its safe value.
type Input struct {
	Line   table.Line
	Pin    gpio.PinIn
	Stable time.Duration // a level counts when it has been stable for so long; 0 is StopStable or ButtonStable
}

// Config says what a Panel is. Halt and Post are required.
type Config struct {
	Inputs  []Input
	Outputs map[Output]gpio.PinOut // a nil pin is configured and not there

	// Halt halts the table's devices; Post takes what the lines tell, in order.
	// Neither may block or call the Panel.
	Halt func()
	Post func(table.Event)
	// Log is told when the trouble of a line or output changes; the zero Trouble says
	// that it is over. The same holds for it. May be nil.
	Log func(name string, t Trouble)
	// Now is the time since any fixed point; nil is the time since New.
	Now func() time.Duration
}

// Stats are the figures of one line.
type Stats struct {
	Counts
	Line    table.Line
	Active  bool // as it counts
	Known   bool // read, and stable once
	Trouble Trouble
}

// Panel runs the lines of one table. Make one with New; then Run. All methods
// may be called from any goroutine.
type Panel struct {
	cfg Config

	mu      sync.Mutex
	inputs  []*input
	outputs map[Output]*output
	runs    bool // between the beginning of Run and its end
	told    map[string]Trouble
}

// input is a pin and its contact.
type input struct {
	*contact
	pin  gpio.PinIn
	seen time.Duration // when the pin last came back
}

// New makes a panel. No pin is touched before Run.
func New(c Config) (*Panel, error) {
	p := &Panel{cfg: c, outputs: map[Output]*output{}, told: map[string]Trouble{}}
	if c.Halt == nil || c.Post == nil {
		return nil, errors.New("panel: Halt and Post are needed")
	}
	if p.cfg.Now == nil {
		start := time.Now()
		p.cfg.Now = func() time.Duration { return time.Since(start) }
	}
	if p.cfg.Log == nil {
		p.cfg.Log = func(string, Trouble) {}
	}
	seen := map[table.Line]bool{}
	for _, in := range c.Inputs {
		switch in.Line {
		case table.CoverLine, table.EStopLine, table.ButtonLine:
		default:
			return nil, fmt.Errorf("panel: no line is called %q; there are cover, estop and button", in.Line)
		}
		if seen[in.Line] {
			return nil, fmt.Errorf("panel: line %s is there twice; give each line one pin", in.Line)
		}
		seen[in.Line] = true
		if in.Stable <= 0 {
			in.Stable = StopStable
			if in.Line == table.ButtonLine {
				in.Stable = ButtonStable
			}
		}
		p.inputs = append(p.inputs, &input{contact: newContact(in.Line, in.Stable), pin: in.Pin})
	}
	for name, pin := range c.Outputs {
		p.outputs[name] = &output{name: name, pin: pin}
	}
	return p, nil
}

// Arm lets the enable line be High, if no line forbids it, and tells whether it
// is; not before Run, nor without an enable line. A stop takes the line Low until Arm is called again: what lets a machine
// run again is a decision of the table, not the release of a button.
func (p *Panel) Arm() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.runs || slices.ContainsFunc(p.inputs, func(in *input) bool { return in.stopping() }) {
		return false
	}
	return p.drive(Enable, true)
}

// Disarm takes the enable line Low until Arm.
func (p *Panel) Disarm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drive(Enable, false)
}

// Show sets a lamp or the buzzer. An output that is not configured is ignored,
// and so is Enable.
func (p *Panel) Show(o Output, on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o != Enable && p.runs {
		p.drive(o, on)
	}
}

// Enabled tells whether the enable line is High.
func (p *Panel) Enabled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.outputs[Enable]
	return o != nil && o.sure && o.is
}

// Stats gives the figures of each line, in the order of Config.
func (p *Panel) Stats() []Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Stats, len(p.inputs))
	for i, in := range p.inputs {
		out[i] = Stats{Counts: in.counts, Line: in.line, Active: in.active, Known: in.known && !in.failed, Trouble: p.told[string(in.line)]}
	}
	return out
}

// Run reads the lines until ctx is done; then all outputs are Low. It returns
// soon then, whatever the pins do. It is to be called once.
func (p *Panel) Run(ctx context.Context) {
	p.mu.Lock()
	p.runs = true
	for _, name := range slices.Sorted(maps.Keys(p.outputs)) {
		p.drive(name, false) // periph drives Low first whatever is asked
	}
	for _, in := range p.inputs {
		in.seen = p.cfg.Now()
	}
	p.mu.Unlock()

	var readers sync.WaitGroup
	for _, in := range p.inputs {
		readers.Go(func() { p.follow(ctx, in) })
	}
	p.oversee(ctx)
	p.end()
	done := make(chan struct{})
	go func() { readers.Wait(); close(done) }()
	t := time.NewTimer(stopMost)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

// end takes everything Low for good.
func (p *Panel) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs = false
	p.drive(Enable, false)
	for name := range p.outputs {
		p.drive(name, false)
	}
}

// oversee sets again what could not be set, and gives up lines whose pin does
// not come back.
func (p *Panel) oversee(ctx context.Context) {
	tick := time.NewTicker(stale / 2)
	defer tick.Stop()
	for last := p.cfg.Now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		p.mu.Lock()
		now := p.cfg.Now()
		late := now-last >= stale // this program stood still, not the pins
		last = now
		for name, o := range p.outputs {
			if !o.sure {
				p.drive(name, o.want)
			}
		}
		for _, in := range p.inputs {
			if now-in.seen >= stale && !late && !in.failed && in.pin != nil {
				p.lost(in, errors.New("the pin does not answer"))
			}
		}
		p.mu.Unlock()
	}
}

// drive sets an output, if there is one, and notes its trouble.
func (p *Panel) drive(name Output, want bool) bool {
	o := p.outputs[name]
	if o == nil {
		return false
	}
	ok := o.set(want)
	t := Trouble{}
	if !ok {
		t = unwritable(name, o.err)
	}
	p.note(string(name), t)
	return ok && want
}

// note tells a trouble when it changes.
func (p *Panel) note(name string, t Trouble) {
	if p.told[name] != t {
		p.told[name] = t
		p.cfg.Log(name, t)
	}
}

// act does what a look has shown: first the reflex, then the rest.
func (p *Panel) act(in *input, f finding) {
	if f.event && in.stopping() {
		p.drive(Enable, false)
		p.cfg.Halt()
	}
	if f.event {
		p.cfg.Post(table.PanelLine{Line: in.line, Active: in.active})
	}
	if f.stuck {
		p.cfg.Post(table.DeviceFault{Part: fault.Panel, Code: fault.ButtonStuck})
	}
}

// lost gives a line its safe value.
func (p *Panel) lost(in *input, err error) {
	p.act(in, in.fail())
	p.note(string(in.line), unreadable(in.line, in.name(), err))
}

func (in *input) name() string {
	if in.pin == nil {
		return "no pin"
	}
	return in.pin.Name()
}
