package sim

import "shuffler/protocol"

// order is what an operation message asks for. Two are the same order if and
// only if they are equal.
type order struct {
	typ    protocol.Type
	op     uint32
	kind   protocol.Kind
	index  uint8
	expect uint16
	minCut uint8
	maxMs  uint32
}

// operation is the accepted order and how far it is. The zero value is none.
type operation struct {
	order
	phase   protocol.Phase
	result  protocol.Result
	started uint32
	done    uint32
	cards   uint16
}

// open tells whether it waits or runs.
func (o *operation) open() bool {
	return o.phase == protocol.PhaseWaiting || o.phase == protocol.PhaseRunning
}

// refusal is the last refused number and why.
type refusal struct {
	op  uint32
	why protocol.Reason
}

// order decides a number once, by the table of SPEC.md, section 7.
func (m *Machine) order(o order) {
	switch {
	case m.session == 0:
		m.nak(o.op, protocol.ReasonNoSession)
	case o.op == 0:
		m.nak(o.op, protocol.ReasonBadArgument)
	case o == m.op.order:
		m.sendStatus()
	case o.op == m.op.op:
		m.nak(o.op, protocol.ReasonBadArgument)
	case o.op == m.refused.op:
		m.nak(o.op, m.refused.why)
	case o.op <= m.decided:
		m.nak(o.op, protocol.ReasonOld)
	default:
		m.decided = o.op
		if why := m.refuses(o); why != 0 {
			m.refused = refusal{o.op, why}
			m.nak(o.op, why)
			return
		}
		m.accept(o)
		m.sendStatus()
	}
}

// refuses gives the reason why a new order is refused, 0 if it is not.
func (m *Machine) refuses(o order) protocol.Reason {
	reset := o.kind == protocol.KindReset
	switch {
	case m.op.open() || m.motion.on: // also while its own button moves it: two motions at once cannot be
		return protocol.ReasonBusy
	case o.typ == protocol.TypeStep && !o.kind.IsStep() || !m.has(o.kind.Cap()):
		return protocol.ReasonUnsupported
	case !o.inRange():
		return protocol.ReasonBadArgument
	case m.halted && !reset:
		return protocol.ReasonHalted
	case m.fault != protocol.FaultNone && !reset:
		return protocol.ReasonFault
	case (m.coverSeen() || m.estopSeen() || m.sorts()) && !reset:
		return protocol.ReasonBlocked
	}
	return 0
}

// inRange tells whether the arguments are those that SPEC.md allows.
func (o *order) inRange() bool {
	if o.expect > protocol.MaxExpect || o.maxMs > uint32(protocol.MaxScan.Milliseconds()) {
		return false
	}
	if o.kind == protocol.KindCut {
		return o.expect != 0 && o.minCut >= 1 && 2*uint16(o.minCut) <= o.expect
	}
	return o.minCut == 0
}

// accept takes the order and begins what can begin at once.
func (m *Machine) accept(o order) {
	m.dropTally()
	m.op = operation{order: o, phase: protocol.PhaseWaiting}
	inside := len(m.chamber) > 0
	sensed := m.has(protocol.CapChamberLine)
	switch {
	case o.kind == protocol.KindGather && inside && sensed:
		m.fail(protocol.FaultCardInside)
	case o.kind == protocol.KindGather, o.kind == protocol.KindScan:
		m.beginIfPack()
	case o.kind == protocol.KindReset && (m.coverSeen() || m.estopSeen()):
		m.resetEnds()
	case o.kind == protocol.KindReset:
		m.begin(o.kind, false)
	case o.kind == protocol.KindRelease && !inside:
		m.countEnds()
	case !inside && sensed:
		m.fail(protocol.FaultNotEnoughCards)
	default:
		m.begin(o.kind, false)
	}
}

// beginIfPack starts an operation that waits for a pack, if one is there.
func (m *Machine) beginIfPack() {
	if m.op.phase == protocol.PhaseWaiting && len(*m.source(m.op.kind)) > 0 {
		m.begin(m.op.kind, false)
	}
}

// finish ends the operation as ordered.
func (m *Machine) finish(r protocol.Result) {
	m.op.phase, m.op.result, m.op.done = protocol.PhaseDone, r, m.stamp()
}

// fail ends the operation otherwise and latches why; a fault that is latched
// already stays.
func (m *Machine) fail(why protocol.Fault) {
	m.latch(why)
	m.op.phase, m.op.done = protocol.PhaseFailed, m.stamp()
}

func (m *Machine) latch(f protocol.Fault) {
	if m.fault == protocol.FaultNone {
		m.fault = f
	}
}
