package sim

import (
	"errors"
	"fmt"
	"time"

	"shuffler/protocol"
)

// Errors of a person's deeds: what cannot be done with these hands now.
var (
	ErrMoving   = errors.New("sim: the machine is moving cards: halt it or open the cover first")
	ErrTrayFull = errors.New("sim: there are cards in the tray: take them back first")
	ErrNoCards  = errors.New("sim: no cards in hand to put in")
)

// PutIn lays a pack into the tray. The machine keeps a copy of its own.
func (m *Machine) PutIn(p Pack) error {
	switch {
	case len(p) == 0:
		return ErrNoCards
	case len(m.tray) > 0:
		return ErrTrayFull
	}
	m.tray = append(m.tray, p...)
	if !m.off {
		m.beginIfPack()
	}
	m.publish()
	return nil
}

// TakeBack takes the pack out of the tray; false if there is none or it is
// being fed.
func (m *Machine) TakeBack() (Pack, bool) {
	if m.motion.on && m.source(m.motion.kind) == &m.tray {
		return nil, false
	}
	p := take(&m.tray)
	m.causes.remove(protocol.FaultJamTray)
	m.publish()
	return p, len(p) > 0
}

// TakeOut takes what lies at the exit, also while more is coming; false if
// there is nothing.
func (m *Machine) TakeOut() (Pack, bool) {
	m.carry()
	p := take(&m.exit)
	m.publish()
	return p, len(p) > 0
}

// Empty takes every card out by hand, wherever it is. The error is ErrMoving.
func (m *Machine) Empty() (Pack, error) {
	if m.motion.on {
		return nil, ErrMoving
	}
	var p Pack
	for _, place := range []*Pack{&m.chamber, &m.tray, &m.exit, &m.caught} {
		p = append(p, take(place)...)
	}
	for _, f := range []protocol.Fault{protocol.FaultJamTray, protocol.FaultJamEntry, protocol.FaultJamExit, protocol.FaultDoubleFeed} {
		m.causes.remove(f)
	}
	m.cutCard = false
	m.publish()
	return p, nil
}

// Fix is a person who removes what is wrong: cards caught, a jam with what
// lies at its place, a dirty lens, a dead lamp, a hung transmitter, a wrong
// program. It gives the cards found; what is armed for later stays, and so do
// cover, emergency stop and sort mode. It does nothing while cards move.
func (m *Machine) Fix() Pack {
	if m.motion.on {
		return nil
	}
	found := take(&m.caught)
	if m.causes.has(protocol.FaultJamTray) {
		found = append(found, take(&m.tray)...)
	}
	if m.causes.has(protocol.FaultJamExit) {
		found = append(found, take(&m.exit)...)
	}
	m.causes, m.blind, m.muteUntil, m.deafUntil = 0, 0, 0, 0
	if m.role != 0 {
		m.ident.Role, m.role = m.role, 0
	}
	m.publish()
	return found
}

// SetCover opens or closes the cover.
func (m *Machine) SetCover(open bool) {
	m.carry()
	m.cover = open
	if open && m.has(protocol.CapCoverLine) {
		m.coverHeld = m.now + holdLine
		m.guard(protocol.FaultCoverOpen)
	}
	m.publish()
}

// SetEStop presses or releases the emergency stop.
func (m *Machine) SetEStop(pressed bool) {
	m.carry()
	m.estop = pressed
	if pressed && m.has(protocol.CapEStopLine) {
		m.estopHeld = m.now + holdLine
		m.guard(protocol.FaultEStop)
	}
	m.publish()
}

// SetSortMode turns the switch. In a motion it does nothing. The error tells
// that the machine has none.
func (m *Machine) SetSortMode(on bool) error {
	if !m.has(protocol.CapSortMode) {
		return fmt.Errorf("sim: %s has no sort mode", m.ident.Model)
	}
	if !m.motion.on {
		m.sortMode = on
		m.publish()
	}
	return nil
}

// PressOwnButton presses the button of the machine itself, for this motion.
// The error tells why nothing moved.
func (m *Machine) PressOwnButton(k protocol.Kind) error {
	err := m.press(k)
	m.publish()
	return err
}

func (m *Machine) press(k protocol.Kind) error {
	no := func(why string) error { return fmt.Errorf("sim: own button does not start a %s: %s", k, why) }
	switch {
	case !m.has(protocol.CapLocalButton) || k == protocol.KindScan || k.Cap() == 0 || !m.has(k.Cap()):
		return no("the machine cannot")
	case m.off:
		return no("it is off")
	case m.op.open() || m.motion.on:
		return no("it is at work")
	case m.coverSeen():
		return no("the cover is open")
	case m.estopSeen():
		return no("the emergency stop is pressed")
	case m.halted:
		return no("it is halted")
	case m.fault != protocol.FaultNone:
		return no("fault " + m.fault.String())
	case len(*m.source(k)) == 0:
		return no("there are no cards")
	}
	m.begin(k, true)
	return nil
}

// Restart takes the supply away for a moment: motors stop, the firmware begins
// anew, cards stay where they are.
func (m *Machine) Restart() { m.restart(0) }

func (m *Machine) restart(off time.Duration) {
	if off <= 0 {
		off = m.timing.Boot
	}
	m.interrupt()
	m.motion.reading.wipe()
	m.memory = memory{}
	m.off, m.onAt = true, m.now+off
	m.deferred()
}

// Places are where the cards of a machine are.
type Places struct{ Tray, Chamber, Exit, Caught Pack }

// Places gives copies of what lies where: the truth for tests and oracles,
// which no person in the room could see.
func (m *Machine) Places() Places {
	m.carry()
	return Places{m.tray.Clone(), m.chamber.Clone(), m.exit.Clone(), m.caught.Clone()}
}

// All gives every card, place by place.
func (p Places) All() Pack {
	var all Pack
	for _, place := range []Pack{p.Tray, p.Chamber, p.Exit, p.Caught} {
		all = append(all, place...)
	}
	return all
}

// Moving tells whether motors run.
func (m *Machine) Moving() bool { return m.motion.on }

// CutCardUnder tells whether the machine has put its cut card under the pack
// since the last gather.
func (m *Machine) CutCardUnder() bool { return m.cutCard }

// take empties a place into a hand.
func take(place *Pack) Pack {
	p := place.Clone()
	*place = (*place)[:0]
	return p
}
