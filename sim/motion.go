package sim

import (
	"time"

	"shuffler/protocol"
)

// works is what is there without power: cards and mechanics.
type works struct {
	tray, chamber, exit Pack
	caught              Pack // in a path, no sensor but the jam's sees it
	cutCard             bool // the cut card lies under the pack
	cover               bool // open
	estop               bool // pressed
	sortMode            bool
	motion              motion
}

// motion is one motion, ordered or by the machine's own button. The zero
// value is standstill.
type motion struct {
	on      bool
	local   bool
	kind    protocol.Kind
	started time.Duration
	ends    time.Duration
	limit   time.Duration // of a scan
	strikes []strike      // by time

	// Motions that move card by card:
	each    time.Duration
	picks   int // how often the roller picks
	picked  int
	pair    int // the pick that takes two cards, -1 for none
	passed  int // cards counted
	reading reading

	refusedCut bool
}

// strike is a fault that hits this motion.
type strike struct {
	at    time.Duration
	fault Fault
}

func byCard(k protocol.Kind) bool {
	return k == protocol.KindGather || k == protocol.KindRelease || k == protocol.KindScan
}

// source is where a motion takes its cards from.
func (m *Machine) source(k protocol.Kind) *Pack {
	if k == protocol.KindGather || k == protocol.KindScan && !m.readsInside() {
		return &m.tray
	}
	return &m.chamber
}

// readsInside tells whether a scan reads the pack that lies in the chamber.
func (m *Machine) readsInside() bool {
	return m.has(protocol.CapIdentityAfterShuffle) && len(m.chamber) > 0
}

// begin starts a motion now.
func (m *Machine) begin(k protocol.Kind, local bool) {
	mo := motion{on: true, local: local, kind: k, started: m.now, pair: -1, limit: Never, strikes: m.motion.strikes[:0]}
	n := len(*m.source(k))
	if byCard(k) {
		mo.picks, mo.each = n, m.spread(m.perCard(k))
	}
	if k == protocol.KindScan {
		mo.reading = reading{inside: m.readsInside(), backs: m.motion.reading.backs[:0]}
		mo.limit = m.now + protocol.DefaultScan
		if m.op.maxMs != 0 {
			mo.limit = m.now + time.Duration(m.op.maxMs)*time.Millisecond
		}
	}
	if k == protocol.KindGather {
		m.cutCard = false
	}
	struck := m.fallDue(k)
	for _, f := range struck {
		m.spoil(&mo, f, n)
	}
	mo.ends = m.now + time.Duration(mo.picks)*mo.each
	if !byCard(k) {
		mo.ends = m.now + m.spread(m.timing.whole(k))
	}
	for _, f := range struck {
		m.aim(&mo, f)
	}
	m.motion = mo
	if local {
		m.local = localMotions{m.local.count + 1, k, m.stamp()}
		return
	}
	m.op.phase, m.op.started = protocol.PhaseRunning, m.stamp()
}

func (m *Machine) perCard(k protocol.Kind) time.Duration {
	switch k {
	case protocol.KindGather:
		return m.timing.CardIn
	case protocol.KindRelease:
		return m.timing.CardOut
	}
	return m.timing.CardRead
}

// spread makes a duration a little longer or shorter. It never depends on
// cards (X1).
func (m *Machine) spread(d time.Duration) time.Duration {
	return max(1, d+time.Duration(float64(d)*m.timing.Spread*(2*m.rng.Float64()-1)))
}

// motionDue is when something happens to the motion. While it brakes, only
// standstill does.
func (m *Machine) motionDue() time.Duration {
	if !m.motion.on || m.brake.on {
		return Never
	}
	t := min(m.motion.ends, m.motion.limit)
	if m.motion.picked == 0 && m.motion.picks > 0 {
		t = min(t, m.motion.started+m.motion.each) // the first card changes lines
	}
	if len(m.motion.strikes) > 0 {
		t = min(t, m.motion.strikes[0].at)
	}
	return t
}

func (m *Machine) motionEvent() {
	m.carry()
	switch s := m.motion.strikes; {
	case len(s) > 0 && s[0].at <= m.now:
		m.motion.strikes = s[1:]
		m.strikes(s[0].fault)
	case m.motion.ends <= m.now:
		m.motionEnds()
	case m.motion.limit <= m.now:
		m.interrupt()
		m.scanEnds(protocol.StopTimeout)
		m.finish(protocol.ResultNone)
		m.deferred()
	}
}

// carry moves the cards that have moved up to now.
func (m *Machine) carry() {
	mo := &m.motion
	if !mo.on || mo.picks == 0 {
		return
	}
	due := mo.picks
	if m.now < mo.ends {
		due = min(due, int((m.now-mo.started)/mo.each))
	}
	for ; mo.picked < due; mo.picked++ {
		m.pick(mo.picked == mo.pair)
	}
	if !mo.local && m.counts(mo.kind) {
		m.op.cards = uint16(mo.passed)
	}
}

// pick moves one card, or two that stick together and count as one.
func (m *Machine) pick(pair bool) {
	mo := &m.motion
	from, to := m.source(mo.kind), &m.exit
	if mo.kind == protocol.KindGather {
		to = &m.chamber
	}
	mo.passed++
	for n := 0; n == 0 || pair && n == 1; n++ {
		if mo.kind == protocol.KindScan && mo.reading.inside {
			if n == 0 {
				m.read((*from)[mo.reading.at])
			}
			mo.reading.at++
			continue
		}
		last := len(*from) - 1
		c := (*from)[last]
		*from = (*from)[:last]
		*to = append(*to, c)
		if n == 0 && mo.kind == protocol.KindScan {
			m.read(c)
		}
	}
}

// counts tells whether status tells the cards of this motion.
func (m *Machine) counts(k protocol.Kind) bool {
	switch k {
	case protocol.KindGather:
		return m.has(protocol.CapGatherCounter)
	case protocol.KindRelease:
		return m.has(protocol.CapExitCounter)
	}
	return k == protocol.KindScan
}

// interrupt stops the motion where it is.
func (m *Machine) interrupt() {
	m.carry()
	mo := &m.motion
	if mo.on && !byCard(mo.kind) {
		part := min(1, float64(m.now-mo.started)/float64(max(1, mo.ends-mo.started)))
		m.mix(m.chamber[:int(part*float64(len(m.chamber)))])
	}
	mo.on = false
}

// mix does to these cards what the motion does.
func (m *Machine) mix(p Pack) {
	switch k := m.motion.kind; {
	case k == protocol.KindReset, k == protocol.KindSquare:
	case m.sortMode:
		p.sort()
	case k == protocol.KindWash:
		p.Wash(m.rng)
	case k == protocol.KindRiffle:
		p.Riffle(m.rng)
	case k == protocol.KindStrip:
		p.Strip(m.rng)
	}
}

// motionEnds completes the motion and the operation that ordered it.
func (m *Machine) motionEnds() {
	mo := &m.motion
	mo.on = false
	m.mix(m.chamber)
	var cut protocol.Result
	switch mo.kind {
	case protocol.KindCut:
		cut = m.cut()
	case protocol.KindCutCard:
		m.cutCard = true
	}
	if !mo.local {
		switch mo.kind {
		case protocol.KindGather, protocol.KindRelease:
			m.countEnds()
		case protocol.KindScan:
			m.scanEnds(protocol.StopEnd)
			m.finish(protocol.ResultNone)
		case protocol.KindReset:
			m.resetEnds()
		default:
			m.finish(cut)
		}
	}
	m.deferred()
}

// countEnds judges the count of a gather or release.
func (m *Machine) countEnds() {
	counted := m.counts(m.op.kind) || len(m.chamber) == 0 && m.has(protocol.CapChamberLine) && m.op.started == 0
	switch {
	case counted && m.op.expect != 0 && m.op.cards < m.op.expect:
		m.fail(protocol.FaultNotEnoughCards)
	case counted && m.op.expect != 0 && m.op.cards > m.op.expect:
		m.fail(protocol.FaultTooManyCards)
	default:
		m.finish(protocol.ResultNone)
	}
}

// cut moves a part of the pack and tells only whether it was large enough
// (S7).
func (m *Machine) cut() protocol.Result {
	n := len(m.chamber)
	if m.motion.local {
		m.chamber.Cut(m.rng.IntN(n + 1))
		return protocol.ResultNone
	}
	least, most := int(m.op.minCut), int(m.op.expect)-int(m.op.minCut)
	depth := least + m.rng.IntN(most-least+1)
	if m.motion.refusedCut {
		depth = m.rng.IntN(least)
	}
	depth = min(depth, n)
	m.chamber.Cut(depth)
	if depth < least || depth > most {
		return protocol.ResultCutRefused
	}
	return protocol.ResultCutPassed
}
