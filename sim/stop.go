package sim

import (
	"time"

	"shuffler/protocol"
)

// brake is a motion that is being stopped. The zero value is none.
type brake struct {
	on     bool
	at     time.Duration
	silent bool // the host's silence is why
	owed   int  // halts to answer at standstill
}

// halt obeys a HALT: in every state, however often.
func (m *Machine) halt() {
	m.brake.owed++
	if !m.brake.on {
		m.stop(protocol.FaultNone)
	}
}

// stop ends everything that moves or waits; why is FaultNone for a HALT, or
// FaultHostSilent.
func (m *Machine) stop(why protocol.Fault) {
	m.brake.silent = why == protocol.FaultHostSilent
	if !m.motion.on {
		m.standstill()
		return
	}
	m.brake.on = true
	m.brake.at = m.now + m.timing.Halt
}

func (m *Machine) brakeDue() time.Duration {
	if !m.brake.on {
		return Never
	}
	return m.brake.at
}

// standstill is reached: the operation has failed, and nothing moves until a
// reset.
func (m *Machine) standstill() {
	b := m.brake
	m.brake = brake{}
	m.halted = true
	why := protocol.FaultNone
	if b.silent {
		why = protocol.FaultHostSilent
	}
	m.breakOff(why)
	for range b.owed {
		m.send(protocol.Halted{Session: m.session, Boot: m.boot, Tick: m.tick()})
	}
	if b.owed > 0 {
		m.sendStatus()
	}
}

// breakOff stops the motion where it is, fails an open operation and latches
// the fault. FaultNone is a HALT.
func (m *Machine) breakOff(why protocol.Fault) {
	scan := m.motion.on && m.motion.kind == protocol.KindScan
	m.interrupt()
	m.latch(why)
	if m.op.open() {
		m.fail(why)
	}
	if scan {
		m.scanEnds(stopOf(why))
	}
	m.deferred()
}

// stopOf is why reading ended.
func stopOf(f protocol.Fault) protocol.Stop {
	switch f {
	case protocol.FaultNone:
		return protocol.StopHalt
	case protocol.FaultLighting:
		return protocol.StopLighting
	case protocol.FaultCoverOpen:
		return protocol.StopCoverOpen
	case protocol.FaultEStop:
		return protocol.StopEStop
	case protocol.FaultHostSilent:
		return protocol.StopHostSilent
	}
	return protocol.StopFault
}

// takeOver ends an open operation as the host's silence would, at once: the
// new session shall not wait.
func (m *Machine) takeOver() {
	if m.op.open() {
		m.brake.silent = true
		m.standstill()
	}
}

// guard is what cover and emergency stop do when they go off: motors stop at
// once, and what was about to move fails.
func (m *Machine) guard(f protocol.Fault) {
	if m.off || !m.motion.on && !m.op.open() {
		return
	}
	m.breakOff(f)
	if m.brake.on {
		m.standstill()
	}
}

// Lines that the machine senses.
func (m *Machine) coverSeen() bool { return m.cover && m.has(protocol.CapCoverLine) }
func (m *Machine) estopSeen() bool { return m.estop && m.has(protocol.CapEStopLine) }
func (m *Machine) sorts() bool     { return m.sortMode && m.has(protocol.CapSortMode) }

func (m *Machine) lines() protocol.Lines {
	var l protocol.Lines
	for _, s := range [...]struct {
		line protocol.Lines
		cap  protocol.Caps
		on   bool
	}{
		{protocol.LineCover, protocol.CapCoverLine, m.cover || m.coverHeld > m.now},
		{protocol.LineEStop, protocol.CapEStopLine, m.estop || m.estopHeld > m.now},
		{protocol.LineTray, protocol.CapTrayLine, len(m.tray) > 0},
		{protocol.LineExit, protocol.CapExitLine, len(m.exit) > 0},
		{protocol.LineChamber, protocol.CapChamberLine, len(m.chamber) > 0},
		{protocol.LineSortMode, protocol.CapSortMode, m.sortMode},
		{protocol.LineHalted, 0, m.halted},
	} {
		if s.on && m.has(s.cap) {
			l |= s.line
		}
	}
	return l
}

// resetEnds judges what a reset leaves. The cause that is latched is looked
// at first: a later one is told only when that is gone.
func (m *Machine) resetEnds() {
	stays := protocol.FaultNone
	switch {
	case m.caused(m.fault):
		stays = m.fault
	case m.coverSeen():
		stays = protocol.FaultCoverOpen
	case m.estopSeen():
		stays = protocol.FaultEStop
	default:
		stays = m.selfTest()
	}
	m.fault = stays
	if stays != protocol.FaultNone {
		m.fail(stays)
		return
	}
	m.halted, m.sortMode = false, false
	m.finish(protocol.ResultNone)
}
