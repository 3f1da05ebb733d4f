package sim

import (
	"fmt"
	"time"

	"shuffler/protocol"
)

// trouble is what is wrong with a machine, or will be.
type trouble struct {
	armed     []Fault // wait for their motion
	later     []Fault // wait for standstill
	struck    []Fault // scratch of fallDue
	causes    causes
	blind     uint64 // by face
	muteUntil time.Duration
	deafUntil time.Duration
	role      protocol.Role // the true one, while another is told
}

// Inject lets a fault strike, at once or later. The error tells that this
// machine cannot have it.
func (m *Machine) Inject(f Fault) error {
	t := f.What.traits()
	if t.name == "" {
		return fmt.Errorf("fault %s: unknown", f)
	}
	if f.Now {
		if t.on != onAny && t.code == 0 {
			return fmt.Errorf("fault %s: needs a motion to strike in", f)
		}
		m.strikes(f)
		m.publish()
		return nil
	}
	can := t.on
	if f.On != protocol.KindNone {
		can &= 1 << f.On
	}
	for k := protocol.KindGather; k <= protocol.KindReset; k++ {
		if can>>k&1 != 0 && m.has(k.Cap()) {
			m.armed = append(m.armed, f)
			return nil
		}
	}
	return fmt.Errorf("fault %s: %s has no motion that it could strike in", f, m.ident.Model)
}

// fallDue takes out the armed faults that a motion of this kind calls for.
func (m *Machine) fallDue(k protocol.Kind) []Fault {
	m.struck = m.struck[:0]
	rest := m.armed[:0]
	for _, f := range m.armed {
		hit := f.What.traits().on>>k&1 != 0 && (f.On == protocol.KindNone || f.On == k)
		switch {
		case hit && f.Nth <= 1:
			m.struck = append(m.struck, f)
			continue
		case hit:
			f.Nth--
		}
		rest = append(rest, f)
	}
	m.armed = rest
	return m.struck
}

// spoil makes a motion of n cards go wrong from its beginning.
func (m *Machine) spoil(mo *motion, f Fault, n int) {
	switch f.What {
	case CardLeft:
		mo.picks = max(0, mo.picks-1)
	case DoubleFeed:
		if mo.picks >= 2 && mo.pair < 0 {
			mo.picks--
			mo.pair = m.rng.IntN(mo.picks)
		}
	case Misfeed:
		if mo.kind == protocol.KindScan {
			mo.reading.fed++
		} else {
			mo.picks = max(0, mo.picks-1)
		}
	case Uncounted:
		mo.reading.fed--
	case Misread:
		mo.reading.from, mo.reading.to = f.Card, f.As
	case CutRefused:
		mo.refusedCut = true
	}
}

// aim sets when in the motion a fault strikes that does not spoil it from the
// beginning.
func (m *Machine) aim(mo *motion, f Fault) {
	switch f.What {
	case CardLeft, DoubleFeed, Misfeed, Uncounted, Misread, CutRefused:
		return
	}
	part := float64(f.Percent) / 100
	if f.Percent == 0 {
		part = 0.05 + 0.9*m.rng.Float64()
	}
	s := strike{mo.started + time.Duration(part*float64(mo.ends-mo.started)), f}
	i := len(mo.strikes)
	mo.strikes = append(mo.strikes, s)
	for ; i > 0 && mo.strikes[i-1].at > s.at; i-- {
		mo.strikes[i], mo.strikes[i-1] = mo.strikes[i-1], s
	}
}

// strikes lets the fault happen now.
func (m *Machine) strikes(f Fault) {
	until := Never
	if f.For > 0 {
		until = m.now + f.For
	}
	switch f.What {
	case CoverOpen:
		m.SetCover(true)
	case EStop:
		m.SetEStop(true)
	case FrameLost:
		m.interrupt()
		m.scanEnds(protocol.StopFrameLost)
		m.finish(protocol.ResultNone)
		m.deferred()
	case Blind:
		m.blind |= 1 << f.Card
	case SortMode, Local:
		m.later = append(m.later, f)
		m.deferred()
	case Reboot:
		m.restart(f.For)
	case Mute:
		m.muteUntil = until
	case Deaf:
		m.deafUntil = until
	case WrongRole:
		if m.role == 0 {
			m.role = m.ident.Role
		}
		m.ident.Role = f.Role
	default:
		m.noticed(f.What.traits().code)
	}
}

// noticed is a fault that the machine senses itself.
func (m *Machine) noticed(code protocol.Fault) {
	m.causes.add(code)
	if m.off {
		return
	}
	m.carry()
	if m.motion.on {
		m.catch(code)
	}
	m.breakOff(code)
	if m.brake.on {
		m.standstill()
	}
}

// catch leaves cards in the path that were on their way.
func (m *Machine) catch(code protocol.Fault) {
	n := 0
	switch code {
	case protocol.FaultJamEntry, protocol.FaultJamExit:
		n = 1
	case protocol.FaultDoubleFeed:
		n = 2
	}
	from := m.source(m.motion.kind)
	for ; n > 0 && len(*from) > 0; n-- {
		last := len(*from) - 1
		m.caught = append(m.caught, (*from)[last])
		*from = (*from)[:last]
	}
}

// deferred lets happen what waited for standstill.
func (m *Machine) deferred() {
	if len(m.later) == 0 || m.motion.on {
		return
	}
	later := m.later
	m.later = nil
	for _, f := range later {
		switch {
		case f.What == SortMode:
			m.sortMode = m.has(protocol.CapSortMode)
		case m.op.open() || m.motion.on:
			m.later = append(m.later, f)
		default:
			_ = m.press(f.Kind) // a button pressed in vain is no event
		}
	}
}

// caused tells whether the cause of a fault is still there (SPEC.md 5.6, last
// column).
func (m *Machine) caused(f protocol.Fault) bool {
	switch f {
	case protocol.FaultCoverOpen:
		return m.coverSeen()
	case protocol.FaultEStop:
		return m.estopSeen()
	}
	return m.causes.has(f)
}

// selfTest gives the first fault whose cause is there.
func (m *Machine) selfTest() protocol.Fault {
	if m.causes == 0 {
		return protocol.FaultNone
	}
	return m.causes.first()
}
