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
		if m, err := protocol.DecodeStatus(f.Payload); err == nil && (m.Session == l.cfg.Session || m.Session == 0) {
			l.onHalted(now, m)
			l.onStatus(now, m)
		}
	case protocol.TypeTally:
		if m, err := protocol.DecodeTally(f.Payload); err == nil && m.Session == l.cfg.Session && l.up {
			l.onTally(now, m)
		}
	case protocol.TypeNak:
		if m, err := protocol.DecodeNak(f.Payload); err == nil && (m.Session == l.cfg.Session || m.Session == 0) {
			l.onNak(now, m)
		}
	}
}

func (l *Link) emit(e table.Event) { l.events = append(l.events, e) }

func (l *Link) onIdent(now time.Duration, m protocol.Ident) {
	if l.up && m.Boot != l.ident.Boot {
		l.stats.Restarts++
		l.down(now, table.Restarted)
	}
	l.heard, l.ident = now, m
	want := protocol.RoleShuffler
	if l.cfg.Part == fault.Scanner {
		want = protocol.RoleScanner
	}
	if l.greeted = m.Role&want != 0 && m.Role <= protocol.RoleBoth && suits(l.cfg.Part, m.Caps); l.greeted {
		l.wrong = false
		return
	}
	if l.wrong {
		return
	}
	l.wrong, l.up = true, false
	l.helloAt = now + wrongRetry // it is asked again, slowly: somebody may swap the cables
	l.forget()
	l.emit(table.DeviceDown{Part: l.cfg.Part, Reason: table.WrongRole})
}

// suits tells whether a device can do what its part needs. Without tray and
// chamber lines nobody knows where the pack is.
func suits(p fault.Part, c protocol.Caps) bool {
	if p == fault.Scanner {
		return c.Has(protocol.CapScan)
	}
	return c.Has(protocol.CapRiffle | protocol.CapGather | protocol.CapGatherCounter | protocol.CapExitCounter | protocol.CapRelease | protocol.CapTrayLine | protocol.CapChamberLine)
}

// down gives the device up until it answers a hello. Its operation is not
// repeated: what became of it is unknown.
func (l *Link) down(now time.Duration, why table.DownReason) {
	if l.up {
		l.emit(table.DeviceDown{Part: l.cfg.Part, Reason: why})
	}
	l.up, l.greeted = false, false
	l.forget()
	l.sendHello(now)
}

func (l *Link) forget() {
	l.op, l.status = operation{}, protocol.Status{}
	l.out.clear()
}

// onHalted ends the repeating of HALT. The status tells it better than the
// answer "halted", of which late copies may still come in for an earlier stop:
// it names the last frame that the device has read.
func (l *Link) onHalted(now time.Duration, m protocol.Status) {
	if !l.halting || !m.Lines.Has(protocol.LineHalted) || !l.out.haltRead(m.RxSeq) {
		return
	}
	l.halting = false
	if l.mayOrder() {
		l.sendOp(now)
	}
}

func (l *Link) onStatus(now time.Duration, m protocol.Status) {
	switch {
	case !l.greeted:
		return
	case m.Boot != l.ident.Boot && m.Session == 0: // it has no session: it restarted
		l.stats.Restarts++
		l.down(now, table.Restarted)
		return
	case m.Boot != l.ident.Boot || m.Session == 0:
		return // from before the greeting: a device keeps its session as long as its boot
	case l.up && int32(m.Tick-l.status.Tick) < 0:
		return // an older one, late
	}
	l.heard = now
	l.out.acknowledged(m.RxSeq)
	was := l.status
	l.status = m
	if !l.up {
		l.up = true
		l.emit(table.DeviceUp{Part: l.cfg.Part, Device: deviceOf(l.ident), Lines: linesOf(m.Lines)})
		if m.Fault != protocol.FaultNone {
			l.emit(table.DeviceFault{Part: l.cfg.Part, Code: faultOf(m.Fault), Tick: m.Tick})
		}
		was = m
	}
	l.changes(was, m)
}

// changes tells what is new since the last status, in the order in which it can
// be understood: a motion has begun before whatever has stopped it, and its end
// is understood by where the pack lies.
func (l *Link) changes(was, m protocol.Status) {
	mine := l.op.cmd.Op != 0 && m.Op == l.op.cmd.Op && !l.op.ended
	if mine {
		l.operationBegun(m)
	}
	if m.Lines != was.Lines {
		l.emit(table.DeviceLines{Part: l.cfg.Part, Lines: linesOf(m.Lines)})
	}
	if m.LocalOps != was.LocalOps {
		l.emit(table.LocalMotion{Step: stepOf(m.LocalKind), Tick: m.LocalTick})
	}
	told := mine && l.operationEnded(m)
	if m.Fault != was.Fault && m.Fault != protocol.FaultNone && !told {
		l.emit(table.DeviceFault{Part: l.cfg.Part, Code: faultOf(m.Fault), Tick: m.Tick})
	}
}

// operationBegun tells that the order under way has begun to move cards, now or
// since a report that was lost.
func (l *Link) operationBegun(m protocol.Status) {
	op := &l.op
	op.pending = false
	if m.Started != 0 && !op.started {
		op.started = true
		l.emit(table.OpStarted{Part: l.cfg.Part, Op: op.cmd.Op, Tick: m.Started})
	}
}

// operationEnded tells how far the order under way is, and whether that has told
// a fault.
func (l *Link) operationEnded(m protocol.Status) bool {
	op := &l.op
	part, n := l.cfg.Part, op.cmd.Op
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
// the acknowledgement was lost. One of a scan that this link did not order last
// says nothing to anybody; the device may forget it.
func (l *Link) onTally(now time.Duration, m protocol.Tally) {
	l.heard = now
	switch {
	case m.Op == l.acked || m.Op != l.scan:
		l.send(now, protocol.TallyAck{Op: m.Op})
	case m.Op != l.told: // else it is told, and its acknowledgement waits for the journal
		l.told = m.Op
		l.emit(table.ScanEnded{Op: m.Op, Tally: tallyOf(m)})
	}
}

func (l *Link) onNak(now time.Duration, m protocol.Nak) {
	op := &l.op
	if m.Op != op.cmd.Op || !op.pending || !op.sent {
		return
	}
	l.stats.Naks++
	switch m.Reason {
	case protocol.ReasonNoSession: // its answer to the hello tells whether it has restarted
		l.greeted = false
		l.sendHello(now)
	case protocol.ReasonOld: // a late copy (SPEC.md 5.9)
	case protocol.ReasonHalted:
		op.ended, op.pending = true, false
		l.emit(table.OpBarred{Part: l.cfg.Part, Op: op.cmd.Op})
	default:
		op.ended, op.pending = true, false
		l.emit(table.OpFailed{Part: l.cfg.Part, Op: op.cmd.Op, Code: l.barredBy(m.Reason), Tick: l.status.Tick})
	}
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
