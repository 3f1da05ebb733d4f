package device

import (
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
)

// frame takes one good frame. Frames of another session are old bytes of the
// line or of another host (SPEC.md, section 6).
func (l *Link) frame(now time.Duration, f protocol.Frame) {
	if f.Protected {
		return // until both ends have a key
	}
	switch f.Type {
	case protocol.TypeIdent:
		if m, err := protocol.DecodeIdent(f.Payload); err == nil && m.Session == l.cfg.Session {
			l.onIdent(now, m)
		}
	case protocol.TypeStatus:
		if m, err := protocol.DecodeStatus(f.Payload); err == nil {
			l.onStatus(now, m)
		}
	case protocol.TypeTally:
		if m, err := protocol.DecodeTally(f.Payload); err == nil && m.Session == l.cfg.Session && l.up {
			l.heard = now
			l.onTally(now, m)
		}
	case protocol.TypeHalted:
		if m, err := protocol.DecodeHalted(f.Payload); err == nil && (m.Session == l.cfg.Session || m.Session == 0) {
			l.halting = false
		}
	case protocol.TypeNak:
		if m, err := protocol.DecodeNak(f.Payload); err == nil && (m.Session == l.cfg.Session || m.Session == 0) {
			l.onNak(now, m)
		}
	}
}

func (l *Link) emit(e table.Event) { l.events = append(l.events, e) }

func (l *Link) onIdent(now time.Duration, m protocol.Ident) {
	l.heard, l.greeted, l.ident = now, true, m
	want := protocol.RoleShuffler
	if l.cfg.Part == fault.Scanner {
		want = protocol.RoleScanner
	}
	if m.Role&want == 0 || !suits(l.cfg.Part, m.Caps) {
		if !l.wrong {
			l.wrong = true
			l.emit(table.DeviceDown{Part: l.cfg.Part, Reason: table.WrongRole})
		}
		l.greeted = false // ask again, slowly: somebody may swap the cables
		return
	}
	l.wrong = false
	if l.op.pending {
		l.sendOp(now)
	}
}

// suits tells whether a device can do what its part needs. Without tray and
// chamber lines nobody knows where the pack is.
func suits(p fault.Part, c protocol.Caps) bool {
	if p == fault.Scanner {
		return c.Has(protocol.CapScan)
	}
	return c.Has(protocol.CapRiffle | protocol.CapGather | protocol.CapGatherCounter | protocol.CapRelease | protocol.CapTrayLine | protocol.CapChamberLine)
}

// down forgets the device. Its operation is not repeated: what became of it is
// unknown.
func (l *Link) down(why table.DownReason) {
	if l.up {
		l.emit(table.DeviceDown{Part: l.cfg.Part, Reason: why})
	}
	l.up, l.greeted, l.hello = false, false, l.sent-wrongRetry
	l.op, l.status = operation{}, protocol.Status{}
	l.queue, l.window = l.queue[:0], l.window[:0]
}

func (l *Link) onStatus(now time.Duration, m protocol.Status) {
	switch {
	case m.Session == 0 && l.greeted && !l.wrong: // it has no session: it restarted
		l.stats.Restarts++
		l.down(table.Restarted)
		l.sendHello(now)
		return
	case m.Session != l.cfg.Session || !l.greeted || l.wrong:
		return
	case l.up && m.Boot != l.boot:
		l.stats.Restarts++
		l.down(table.Restarted)
		l.sendHello(now)
		return
	case l.up && int32(m.Tick-l.status.Tick) < 0:
		return // an older one, late
	}
	l.heard = now
	l.acknowledged(m.RxSeq)
	was := l.status
	l.status = m
	if !l.up {
		l.up, l.boot = true, m.Boot
		l.emit(table.DeviceUp{Part: l.cfg.Part, Device: deviceOf(l.ident), Lines: linesOf(m.Lines)})
		if m.Fault != protocol.FaultNone && !(l.op.cmd.Op != 0 && m.Op == l.op.cmd.Op) {
			l.emit(table.DeviceFault{Part: l.cfg.Part, Code: faultOf(m.Fault), Tick: m.Tick})
		}
		was = m
	}
	l.changes(was, m)
}

// changes tells what is new since the last status. Lines come first: an end of
// an operation is understood by where the pack is.
func (l *Link) changes(was, m protocol.Status) {
	if m.Lines != was.Lines {
		l.emit(table.DeviceLines{Part: l.cfg.Part, Lines: linesOf(m.Lines)})
	}
	if m.LocalOps != was.LocalOps {
		l.emit(table.LocalMotion{Step: stepOf(m.LocalKind), Tick: m.LocalTick})
	}
	told := l.operationChanged(m)
	if m.Fault != was.Fault && m.Fault != protocol.FaultNone && !told {
		l.emit(table.DeviceFault{Part: l.cfg.Part, Code: faultOf(m.Fault), Tick: m.Tick})
	}
}

// operationChanged tells what became of the order under way, and whether that
// has told a fault.
func (l *Link) operationChanged(m protocol.Status) bool {
	op := &l.op
	if op.cmd.Op == 0 || m.Op != op.cmd.Op || op.ended {
		return false
	}
	op.pending = false
	part, n := l.cfg.Part, op.cmd.Op
	if m.Started != 0 && !op.started {
		op.started = true
		l.emit(table.OpStarted{Part: part, Op: n, Tick: m.Started})
	}
	if m.Cards != op.cards {
		op.cards = m.Cards
		l.emit(table.OpMoved{Part: part, Op: n, Cards: m.Cards})
	}
	switch m.Phase {
	case protocol.PhaseIdle, protocol.PhaseWaiting, protocol.PhaseRunning:
		return false
	case protocol.PhaseDone:
		op.ended = true
		l.emit(table.OpDone{Part: part, Op: n, Tick: m.Done, Cards: m.Cards, Cut: cutOf(m.Result)})
		return false
	}
	op.ended = true
	l.emit(table.OpFailed{Part: part, Op: n, Code: faultOf(m.Fault), Cards: m.Cards, Tick: m.Done})
	return m.Fault != protocol.FaultNone
}

// onTally tells a tally once. When it comes again although it was acknowledged,
// the acknowledgement was lost.
func (l *Link) onTally(now time.Duration, m protocol.Tally) {
	if m.Op == l.acked {
		l.send(now, protocol.TallyAck{Op: m.Op})
		return
	}
	if m.Op == l.tallied {
		return // told; the acknowledgement waits for the journal
	}
	l.tallied = m.Op
	l.emit(table.ScanEnded{Op: m.Op, Tally: tallyOf(m)})
}

func (l *Link) onNak(now time.Duration, m protocol.Nak) {
	op := &l.op
	if m.Op != op.cmd.Op || op.cmd.Op == 0 || op.ended || !op.pending {
		return
	}
	l.stats.Naks++
	switch m.Reason {
	case protocol.ReasonNoSession: // retried after the hello
		if l.greeted {
			l.greeted = false
			l.sendHello(now)
		}
		return
	case protocol.ReasonHalted:
		op.ended, op.pending = true, false
		l.emit(table.OpBarred{Part: l.cfg.Part, Op: op.cmd.Op})
		return
	}
	op.ended, op.pending = true, false
	l.emit(table.OpFailed{Part: l.cfg.Part, Op: op.cmd.Op, Code: l.barredBy(m.Reason), Tick: l.status.Tick})
}

// barredBy names what the device refuses an order for.
func (l *Link) barredBy(r protocol.Reason) fault.Code {
	lines := l.status.Lines
	switch {
	case r == protocol.ReasonFault:
		return faultOf(l.status.Fault)
	case r == protocol.ReasonBlocked && lines.Has(protocol.LineEStop):
		return fault.EStop
	case r == protocol.ReasonBlocked && lines.Has(protocol.LineSortMode):
		return fault.SortMode
	case r == protocol.ReasonBlocked:
		return fault.CoverOpen
	}
	return fault.Internal
}
