package sim

import (
	"time"

	"shuffler/protocol"
)

// frame obeys one frame from the host.
func (m *Machine) frame(f protocol.Frame) {
	if f.Protected {
		m.sealed++
		return
	}
	m.rxSeq = f.Seq
	m.rxGood++
	m.heard = m.now
	switch f.Type {
	case protocol.TypeHello:
		if h, err := protocol.DecodeHello(f.Payload); err == nil {
			m.hello(h)
		}
	case protocol.TypeStep:
		if s, err := protocol.DecodeStep(f.Payload); err == nil {
			m.order(order{f.Type, s.Op, s.Kind, s.Index, s.Expect, s.MinCut, 0})
		}
	case protocol.TypeRelease:
		if r, err := protocol.DecodeRelease(f.Payload); err == nil {
			m.order(order{f.Type, r.Op, protocol.KindRelease, 0, r.Expect, 0, 0})
		}
	case protocol.TypeScan:
		if s, err := protocol.DecodeScan(f.Payload); err == nil {
			m.order(order{f.Type, s.Op, protocol.KindScan, 0, s.Expect, 0, s.MaxMs})
		}
	case protocol.TypeReset:
		if r, err := protocol.DecodeReset(f.Payload); err == nil {
			m.order(order{f.Type, r.Op, protocol.KindReset, 0, 0, 0, 0})
		}
	case protocol.TypeTallyAck:
		if a, err := protocol.DecodeTallyAck(f.Payload); err == nil && m.telling && a.Op == m.tally.Op {
			m.dropTally()
		}
	case protocol.TypeHalt:
		m.halt()
	}
	m.publish()
}

// hello opens or confirms a session.
func (m *Machine) hello(h protocol.Hello) {
	if h.Session != m.session {
		m.takeOver()
		m.session = h.Session
		m.op, m.refused, m.decided = operation{}, refusal{}, 0
		m.dropTally()
	}
	i := m.ident
	i.Session, i.Boot = m.session, m.boot
	m.send(i)
	m.sendStatus()
}

// status tells the whole state.
func (m *Machine) status() protocol.Status {
	return protocol.Status{
		Boot: m.boot, Session: m.session, Tick: m.tick(),
		Op: m.op.op, Kind: m.op.kind, Index: m.op.index, Phase: m.op.phase, Result: m.op.result,
		Started: m.op.started, Done: m.op.done, Cards: m.op.cards,
		Fault: m.fault, Lines: m.lines(),
		LocalOps: m.local.count, LocalKind: m.local.kind, LocalTick: m.local.tick,
		RxSeq: m.rxSeq, RxGood: m.rxGood, RxBad: uint32(m.dec.Counters().Bad()) + m.sealed,
	}
}

// change is what of a status calls for a new one.
func change(s protocol.Status) protocol.Status {
	s.Tick, s.Cards, s.RxSeq, s.RxGood, s.RxBad = 0, 0, 0, 0, 0
	return s
}

// publish sends a status if something has changed.
func (m *Machine) publish() {
	if !m.off && change(m.status()) != m.shown {
		m.sendStatus()
	}
}

func (m *Machine) sendStatus() {
	m.carry()
	s := m.status()
	m.shown = change(s)
	m.statusAt = m.now + protocol.StatusEvery
	m.send(s)
}

func (m *Machine) sendTally() {
	m.tallyAt = m.now + protocol.TallyEvery
	m.send(m.tally)
}

// dropTally forgets what was read (X1).
func (m *Machine) dropTally() { m.telling, m.tally = false, protocol.Tally{} }

func (m *Machine) nak(op uint32, why protocol.Reason) {
	m.send(protocol.Nak{Session: m.session, Op: op, Reason: why})
}

func (m *Machine) send(msg protocol.Message) {
	m.seq++
	if m.now < m.muteUntil {
		return
	}
	m.room()
	if m.printed {
		m.out = append(m.out, protocol.Delimiter)
		m.printed = false
	}
	m.out = protocol.AppendFrame(m.out, m.seq, msg)
}

// print puts text on the line, as debug output does.
func (m *Machine) print(text string) {
	if m.now < m.muteUntil {
		return
	}
	m.room()
	m.out = append(m.out, text...)
	m.printed = true
}

// room starts a new buffer after the last one was given away.
func (m *Machine) room() {
	if m.taken {
		m.out, m.taken = m.out[:0], false
	}
}

// silenceDue is when the host has been silent for too long, in an operation.
func (m *Machine) silenceDue() time.Duration {
	if !m.op.open() || m.brake.on {
		return Never
	}
	return m.heard + protocol.HostSilence
}
