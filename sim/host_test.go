package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"shuffler/protocol"
)

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, n^0x9e3779b97f4a7c15)) }

// host is the least that can talk to a device: no retries, no cable.
type host struct {
	t    testing.TB
	m    *Machine
	now  time.Duration
	seq  uint32
	dec  protocol.Decoder
	wire []byte             // all that the device sent
	said []protocol.Message // since the last call of heard
	last protocol.Status
}

const (
	ms      = time.Millisecond
	session = 7
)

func newHost(t testing.TB, m *Machine) *host {
	return &host{t: t, m: m, dec: protocol.Decoder{From: protocol.FromDevice}}
}

// greeted is a host that has a session.
func greeted(t testing.TB, m *Machine) *host {
	h := newHost(t, m)
	h.send(protocol.Hello{Session: session})
	h.forget()
	return h
}

func (h *host) send(msg protocol.Message) {
	h.seq++
	h.m.Receive(h.now, protocol.AppendFrame(nil, h.seq, msg))
	h.listen()
}

func (h *host) listen() {
	b := h.m.Advance(h.now)
	h.wire = append(h.wire, b...)
	h.dec.Feed(b, func(f protocol.Frame) {
		msg, err := f.Message()
		if err != nil {
			h.t.Fatal(err)
		}
		h.said = append(h.said, msg)
		if s, ok := msg.(protocol.Status); ok {
			h.last = s
		}
	})
}

// quiet lets time pass without a word from the host.
func (h *host) quiet(d time.Duration) {
	for end := h.now + d; h.now < end; {
		h.now = min(end, max(h.now, h.m.Next()))
		h.listen()
	}
	h.listen()
}

// wait lets time pass with polls.
func (h *host) wait(d time.Duration) {
	for end := h.now + d; h.now < end; {
		h.quiet(min(protocol.PollEvery, end-h.now))
		h.send(protocol.Poll{})
	}
}

// settled polls until the operation has ended.
func (h *host) settled() protocol.Status {
	h.t.Helper()
	for range 1000 {
		if p := h.last.Phase; p == protocol.PhaseDone || p == protocol.PhaseFailed {
			return h.last
		}
		h.wait(protocol.PollEvery)
	}
	h.t.Fatalf("does not end: %+v", h.last)
	return h.last
}

// order sends an operation and polls until it has ended.
func (h *host) order(msg protocol.Message) protocol.Status {
	h.t.Helper()
	h.send(msg)
	return h.settled()
}

func (h *host) forget() { h.said = nil }

// heard sums up what the device said and forgets it.
func (h *host) heard() string {
	var l []string
	for _, msg := range h.said {
		l = append(l, brief(msg))
	}
	h.said = nil
	return strings.Join(l, "; ")
}

func brief(msg protocol.Message) string {
	switch m := msg.(type) {
	case protocol.Status:
		s := fmt.Sprintf("status %d %s", m.Op, m.Phase)
		if m.Fault != 0 {
			s += " " + m.Fault.String()
		}
		if l := m.Lines &^ (protocol.LineChamber | protocol.LineExit); l != 0 {
			s += " " + l.String()
		}
		if m.LocalOps != 0 {
			s += fmt.Sprintf(" local=%d", m.LocalOps)
		}
		return s
	case protocol.Nak:
		return fmt.Sprintf("nak %d %s", m.Op, m.Reason)
	case protocol.Tally:
		return fmt.Sprintf("tally %d %s", m.Op, m.Stop)
	case protocol.Ident:
		return "ident"
	case protocol.Halted:
		return "halted"
	}
	return fmt.Sprintf("%T", msg)
}

func (h *host) tallies() (l []protocol.Tally) {
	for _, msg := range h.said {
		if t, ok := msg.(protocol.Tally); ok {
			l = append(l, t)
		}
	}
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func flawed(t testing.TB, p Pack, flaws ...string) Pack {
	t.Helper()
	for _, s := range flaws {
		f, err := ParseFlaw(s)
		must(t, err)
		p, err = p.With(f)
		must(t, err)
	}
	return p
}

func inject(t testing.TB, m *Machine, s string) {
	t.Helper()
	f, err := ParseFault(s)
	must(t, err)
	must(t, m.Inject(f))
}
