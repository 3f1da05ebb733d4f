package lines

import (
	"context"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// follow reads one line until ctx is done. It sets the pin up, again and again
// if need be, and looks at it on every edge and now and then.
func (p *Panel) follow(ctx context.Context, in *input) {
	for ctx.Err() == nil {
		err := errNoPin
		if in.pin != nil {
			if err = in.pin.In(gpio.PullDown, gpio.BothEdges); err == nil {
				err = p.read(ctx, in)
			}
		}
		if ctx.Err() != nil {
			return
		}
		p.mu.Lock()
		in.seen = p.cfg.Now()
		p.lost(in, err)
		p.mu.Unlock()
		rest(ctx, inRetry)
	}
}

// read looks at a pin that is set up, until it fails. It always waits for a
// positive time: 0 and -1 mean different things to different drivers, and
// nothing ends a wait for ever.
func (p *Panel) read(ctx context.Context, in *input) error {
	var guard spinGuard
	for edge := false; ctx.Err() == nil; {
		high, err := level(in.pin)
		if err != nil {
			return err
		}
		p.mu.Lock()
		now := p.cfg.Now()
		in.seen = now
		p.act(in, in.look(now, high, edge))
		p.judge(in, guard.spins())
		wait := in.due(now)
		p.mu.Unlock()

		if edge = false; guard.spins() {
			guard.rested()
			rest(ctx, min(wait, spinRest))
			continue
		}
		edge = in.pin.WaitForEdge(wait)
		guard.waited(p.cfg.Now() - now)
	}
	return nil
}

// judge names what is wrong with a line that can be read.
func (p *Panel) judge(in *input, spins bool) {
	t := Trouble{}
	switch {
	case in.stuck:
		t = stuckButton(in.name())
	case in.bad:
		t = chattering(in.line, in.name())
	case spins:
		t = edgesMissing(in.line, in.name())
	}
	p.note(string(in.line), t)
}

// spinGuard finds a WaitForEdge that does not wait (periph/conn#40), and lets
// the line be polled for a while then. The zero value is ready.
type spinGuard struct {
	quick int // waits in a row that took no time
	polls int // left, before edges are tried again
}

func (s *spinGuard) spins() bool { return s.polls > 0 }

func (s *spinGuard) waited(d time.Duration) {
	if d >= time.Millisecond {
		s.quick = 0
		return
	}
	if s.quick++; s.quick >= spinMost {
		s.polls = spinPolls
	}
}

func (s *spinGuard) rested() {
	if s.polls--; s.polls == 0 {
		s.quick = spinMost - 1 // one try
	}
}

// level reads a pin. periph's own say Low for an error, which is safe here.
func level(pin gpio.PinIn) (bool, error) {
	if r, ok := pin.(LevelReader); ok {
		l, err := r.ReadLevel()
		return bool(l), err
	}
	return bool(pin.Read()), nil
}

// rest waits.
func rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
