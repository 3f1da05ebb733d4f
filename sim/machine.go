package sim

import (
	"math/rand/v2"
	"time"

	"shuffler/protocol"
)

// Machine is a simulated shuffler or scanner, or both in one case. Make one
// with NewShuffler or NewScanner. It is a Device; all other methods are deeds
// of people or injected trouble and happen at its present time. Not to be
// shared between goroutines.
type Machine struct {
	ident  protocol.Ident // session and boot are filled in when sent
	timing Timing
	text   string // boot text
	rng    *rand.Rand

	now   time.Duration
	off   bool
	onAt  time.Duration // when a machine that is off comes up
	boot  uint32
	obey  func(protocol.Frame)
	out   []byte
	taken bool // out was given away by Advance

	memory // lost at a restart
	works  // stays: cards and mechanics
	trouble
}

// memory is what a restart wipes: all that the firmware knows.
type memory struct {
	bootAt  time.Duration // tick 0
	dec     protocol.Decoder
	seq     uint32 // of the last frame sent
	printed bool   // text went out: the next frame needs a delimiter in front
	rxSeq   uint32
	rxGood  uint32
	sealed  uint32 // protected frames: no key, so rejected
	heard   time.Duration

	session  uint64
	op       operation
	refused  refusal
	decided  uint32 // highest op decided
	fault    protocol.Fault
	halted   bool
	local    localMotions
	brake    brake
	tally    protocol.Tally
	telling  bool // tally is repeated until acknowledged
	tallyAt  time.Duration
	shown    protocol.Status // the last one sent, without what alone is no change
	statusAt time.Duration   // the next one is due

	coverHeld, estopHeld time.Duration // lines shown at least until then
}

// localMotions are those of the machine's own button.
type localMotions struct {
	count uint32
	kind  protocol.Kind
	tick  uint32
}

// holdLine is how long a short-lived line is shown (SPEC.md, section 13).
const holdLine = 400 * time.Millisecond

// NewShuffler makes a shuffler that is powered up at 0. All chance comes from
// rng.
func NewShuffler(c Config, rng *rand.Rand) *Machine {
	if c.Caps == 0 {
		c.Caps = ShufflerCaps
	}
	if c.Role == 0 {
		c.Role = protocol.RoleShuffler
		if c.Caps.Has(protocol.CapScan) {
			c.Role = protocol.RoleBoth
		}
	}
	return newMachine(c, "S-100", rng)
}

// NewScanner makes a scanner that is powered up at 0. All chance comes from
// rng.
func NewScanner(c Config, rng *rand.Rand) *Machine {
	if c.Caps == 0 {
		c.Caps = ScannerCaps
	}
	if c.Role == 0 {
		c.Role = protocol.RoleScanner
	}
	return newMachine(c, "R-10", rng)
}

func newMachine(c Config, model string, rng *rand.Rand) *Machine {
	or := func(s, or string) protocol.Text {
		if s == "" {
			s = or
		}
		return protocol.TextOf(s)
	}
	m := &Machine{timing: c.Timing.withDefaults(), text: c.BootText, rng: rng}
	m.ident = protocol.Ident{Role: c.Role, Caps: c.Caps, Maker: or(c.Maker, "sim"), Model: or(c.Model, model),
		Serial: or(c.Serial, model+"-1"), Firmware: or(c.Firmware, "1.0.0")}
	m.obey = m.frame
	m.powerUp()
	return m
}

// Receive implements Device.
func (m *Machine) Receive(now time.Duration, b []byte) {
	m.run(now)
	if m.off || now < m.deafUntil {
		return
	}
	m.dec.Feed(b, m.obey)
}

// Advance implements Device.
func (m *Machine) Advance(now time.Duration) []byte {
	m.run(now)
	if m.taken {
		m.out = m.out[:0]
	}
	m.taken = true
	return m.out
}

// Next implements Device.
func (m *Machine) Next() time.Duration {
	if len(m.out) > 0 && !m.taken {
		return m.now
	}
	return m.due()
}

// Now gives the machine's present time.
func (m *Machine) Now() time.Duration { return m.now }

// run lets happen what is due up to now.
func (m *Machine) run(now time.Duration) {
	for {
		t := m.due()
		if t > now {
			break
		}
		m.now = max(m.now, t)
		m.happen()
		m.publish()
	}
	m.now = max(m.now, now)
}

// due is when the next thing happens by itself.
func (m *Machine) due() time.Duration {
	if m.off {
		return m.onAt
	}
	t := min(m.statusAt, m.motionDue(), m.brakeDue(), m.silenceDue(), m.holdDue())
	if m.telling {
		t = min(t, m.tallyAt)
	}
	return t
}

// happen does one thing that is due. What stops a motion comes first.
func (m *Machine) happen() {
	switch {
	case m.off:
		m.powerUp()
	case m.brakeDue() <= m.now:
		m.standstill()
	case m.motionDue() <= m.now:
		m.motionEvent()
	case m.silenceDue() <= m.now:
		m.stop(protocol.FaultHostSilent)
	case m.telling && m.tallyAt <= m.now:
		m.sendTally()
	case m.holdDue() <= m.now:
		m.coverHeld, m.estopHeld = m.expired(m.coverHeld), m.expired(m.estopHeld)
	default:
		m.sendStatus()
	}
}

// holdDue is when a line that is only held changes.
func (m *Machine) holdDue() time.Duration {
	t := Never
	for _, h := range [2]time.Duration{m.coverHeld, m.estopHeld} {
		if h != 0 {
			t = min(t, h)
		}
	}
	return t
}

func (m *Machine) expired(held time.Duration) time.Duration {
	if held <= m.now {
		return 0
	}
	return held
}

// powerUp starts the firmware: a new boot, no session, and whatever the
// self-test finds.
func (m *Machine) powerUp() {
	was := m.boot
	for m.boot == 0 || m.boot == was {
		m.boot = m.rng.Uint32()
	}
	m.off = false
	m.memory = memory{bootAt: m.now, heard: m.now, statusAt: m.now}
	m.dec.From = protocol.FromHost
	m.fault = m.selfTest()
	if m.text != "" {
		m.print(m.text)
	}
}

// tick is the device clock. Where 0 would mean "never", it is 1.
func (m *Machine) tick() uint32 { return uint32((m.now - m.bootAt) / time.Millisecond) }

func (m *Machine) stamp() uint32 { return max(m.tick(), 1) }

func (m *Machine) has(c protocol.Caps) bool { return m.ident.Caps.Has(c) }
