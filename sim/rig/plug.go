package rig

import (
	"errors"
	"fmt"
	"time"
)

// cables are what can be done to a table's cables; a World in lockstep has none.
type cables interface {
	pull(part string, back time.Duration) (string, error)
	plug(part string) (string, error)
	swap() string
}

// Unplug pulls the cable of a port, "shuffler" or "scanner", for a while: the
// terminal is hung up and its link removed; another one comes back. 0 is until
// Plug. The error says that it is unplugged already or that there is no such port.
func (t *Table) Unplug(part string, back time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.pull(part, back)
	return err
}

// Plug puts the cable of a port back in.
func (t *Table) Plug(part string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.plug(part)
	return err
}

// SwapPorts crosses the two cables, at once.
func (t *Table) SwapPorts() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.swap()
}

func (t *Table) pull(part string, back time.Duration) (string, error) {
	p, err := t.port(part)
	if err != nil {
		return "", err
	}
	if p.term == nil && p.replug == nil {
		return "", fmt.Errorf("the %s is unplugged already: plug %s", part, part)
	}
	t.disconnect(p)
	if back <= 0 {
		return part + " unplugged", nil
	}
	t.connectIn(p, back)
	return fmt.Sprintf("%s unplugged for %s", part, back), nil
}

func (t *Table) plug(part string) (string, error) {
	p, err := t.port(part)
	if err != nil {
		return "", err
	}
	if p.term != nil {
		return "", fmt.Errorf("the %s is plugged in, at %s", part, p.name)
	}
	if err := t.connect(p); err != nil {
		return "", err
	}
	t.pumpPort(p, t.now())
	return fmt.Sprintf("%s at %s", part, p.name), nil
}

func (t *Table) swap() string {
	t.crossed = !t.crossed
	t.pump(t.now())
	if t.crossed {
		return "shuffler and scanner are at each other's port"
	}
	return "shuffler and scanner are at their own ports"
}

func (t *Table) port(part string) (*port, error) {
	for _, p := range t.ports {
		if p.part == part {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no port %q: want shuffler or scanner", part)
}

// connect gives a port a terminal, and its name in the folder.
func (t *Table) connect(p *port) error {
	if p.replug != nil {
		p.replug.Stop()
		p.replug = nil
	}
	if t.closed {
		return errors.New("the table is closed")
	}
	term, err := openTerminal(p.name)
	if err != nil {
		return err
	}
	if t.links == nil {
		p.path = term.name
	} else if err := t.links.set(p.path, term.name); err != nil {
		term.close()
		return err
	}
	p.term, p.name = term, term.name
	p.stats.Terminal = term.name
	p.stats.Plugs++
	t.readers.Add(1)
	go t.hear(p, term)
	return nil
}

// connectIn lets connect happen later, and again if it fails.
func (t *Table) connectIn(p *port, wait time.Duration) {
	var timer *time.Timer
	timer = time.AfterFunc(wait, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.closed || p.replug != timer { // somebody was faster
			return
		}
		said, err := t.plug(p.part)
		if err != nil {
			t.tell(fmt.Sprintf("port of the %s does not come back: %v; tried again in %s", p.part, err, mendsPlug))
			t.connectIn(p, mendsPlug)
			return
		}
		t.tell(said)
	})
	p.replug = timer
}

// disconnect hangs a port up, and takes its name away first: a controller that
// looks for it must not find the old one.
func (t *Table) disconnect(p *port) {
	if p.replug != nil {
		p.replug.Stop()
		p.replug = nil
	}
	if p.term == nil {
		return
	}
	if t.links != nil {
		t.links.remove(p.path, p.name)
	}
	p.term.close()
	p.term = nil
	p.stats.Terminal = ""
}
