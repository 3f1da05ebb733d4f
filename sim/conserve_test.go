package sim

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"shuffler/protocol"
)

// crowd does anything that a host, people and bad luck can do, at random. It
// keeps the cards that are in hands.
type crowd struct {
	*host
	rng  *rand.Rand
	hand Pack
	op   uint32
}

var anyFaults = []string{"jam_tray", "jam_entry", "jam_exit", "seen_double_feed", "homing", "motor@any", "sensor@any", "lighting", "camera", "power@any",
	"internal@now", "cover_open@any", "estop@any", "double_feed", "misfeed", "uncounted", "card_left", "cut_refused", "frame_lost", "misread:QC>QS", "blind:7D",
	"sort_mode@any", "local:riffle@any", "local:gather", "local:release", "reboot@any", "reboot@now", "mute:100ms", "deaf:100ms", "role:scanner"}

func (c *crowd) act() {
	m := c.m
	kinds := []protocol.Kind{1, 2, 3, 4, 5, 6, 7}
	switch c.rng.IntN(22) {
	case 0, 1, 2, 3:
		c.op++
		c.send(protocol.Step{Op: c.op, Kind: kinds[c.rng.IntN(len(kinds))], Expect: 52, MinCut: 0})
	case 4:
		c.op++
		c.send(protocol.Step{Op: c.op, Kind: protocol.KindCut, Expect: 52, MinCut: 10})
	case 5, 6:
		c.op++
		c.send(protocol.Release{Op: c.op, Expect: uint16(52 * c.rng.IntN(2))})
	case 7:
		c.op++
		c.send(protocol.Scan{Op: c.op, MaxMs: uint32(c.rng.IntN(2) * 2000)})
	case 8, 9:
		c.op++
		c.send(protocol.Reset{Op: c.op})
	case 10:
		c.send(protocol.Hello{Session: 1 + c.rng.Uint64N(2)})
		c.op = 0
	case 11:
		c.send(protocol.Halt{})
	case 12, 13:
		if n := c.rng.IntN(len(c.hand) + 1); m.PutIn(c.hand[:n]) == nil {
			c.hand = c.hand[n:].Clone()
		}
	case 14:
		p, _ := m.TakeOut()
		c.hand = append(c.hand, p...)
	case 15:
		p, _ := m.TakeBack()
		c.hand = append(c.hand, p...)
	case 16:
		if p, err := m.Empty(); err == nil {
			c.hand = append(c.hand, p...)
		}
	case 17:
		c.hand = append(c.hand, m.Fix()...)
	case 18:
		m.SetCover(c.rng.IntN(3) == 0)
		m.SetEStop(c.rng.IntN(3) == 0)
	case 19:
		_ = m.PressOwnButton(protocol.Kind(1 + c.rng.IntN(16)))
	case 20:
		if f, err := ParseFault(anyFaults[c.rng.IntN(len(anyFaults))]); err != nil {
			c.t.Fatal(err)
		} else if err := m.Inject(f); err != nil {
			c.t.Fatal(err)
		}
	case 21:
		c.quiet(600 * ms)
	}
	c.listen()
	c.wait(time.Duration(c.rng.IntN(1500)) * ms)
}

// check tells what is always true, whatever happened.
func (c *crowd) check(all Pack) {
	c.t.Helper()
	if now := append(c.m.Places().All(), c.hand...).Sorted(); !equal(now, all) {
		c.t.Fatalf("%d cards are %d now, or others", len(all), len(now))
	}
	s := c.m.status()
	if s.Phase == protocol.PhaseFailed && s.Fault == 0 && !s.Lines.Has(protocol.LineHalted) {
		c.t.Fatalf("failed without fault and not halted: %+v", s)
	}
	if (s.Phase == protocol.PhaseRunning) && (!c.m.Moving() || s.Started == 0 || s.Done != 0) {
		c.t.Fatalf("runs and does not: %+v", s)
	}
	if s.Phase == protocol.PhaseWaiting && (c.m.Moving() || s.Started != 0) {
		c.t.Fatalf("waits and does not: %+v", s)
	}
	if c.m.Moving() && !c.m.brake.on && (c.m.coverSeen() || c.m.estopSeen() || c.m.halted && c.m.motion.kind != protocol.KindReset) {
		c.t.Fatalf("moves in spite of cover, emergency stop or halt: %+v", s)
	}
}

// TestCardsAreConserved: no card is born or lost, over all operations, deeds
// and faults, and the machine never moves where it must not.
func TestCardsAreConserved(t *testing.T) {
	runs := uint64(120)
	if testing.Short() {
		runs = 30
	}
	moved := 0
	for seed := range runs {
		rng := seeded(seed)
		m := NewShuffler(Config{Caps: AllCaps}, rng)
		if seed%4 == 0 {
			m = NewScanner(Config{Caps: ScannerCaps | protocol.CapGather | protocol.CapRelease | protocol.CapChamberLine | protocol.CapSortMode | protocol.CapLocalButton |
				protocol.CapCut}, rng)
		}
		c := &crowd{host: greeted(t, m), rng: rng}
		c.hand = append(NewPack("red"), flawed(t, NewPack("blue")[:10], "joker", "dirty:3S")...)
		all := c.hand.Sorted()
		for range 60 {
			c.act()
			c.check(all)
			if m.Moving() {
				moved++
			}
		}
	}
	if moved < int(runs) {
		t.Errorf("%d times in motion: too little was tested", moved)
	}
}

// TestSameSeedSameBytes: and it does not matter how often the machine is
// advanced in between.
func TestSameSeedSameBytes(t *testing.T) {
	for seed := range uint64(20) {
		run := func(nosy bool) []byte {
			rng := seeded(seed)
			m := NewShuffler(Config{Caps: AllCaps}, seeded(seed+100))
			c := &crowd{host: greeted(t, m), rng: rng, hand: NewPack("red")}
			for range 60 {
				if nosy {
					for range 5 {
						m.Places()
						c.listen()
						m.Next()
					}
				}
				c.act()
			}
			return c.wire
		}
		one := run(false)
		if !bytes.Equal(one, run(false)) {
			t.Fatalf("seed %d: not the same bytes", seed)
		}
		if !bytes.Equal(one, run(true)) {
			t.Fatalf("seed %d: looking changes the bytes", seed)
		}
	}
}

// TestAdvance_StepsDoNotMatter: one long step and many short ones give the
// same bytes.
func TestAdvance_StepsDoNotMatter(t *testing.T) {
	run := func(step time.Duration) (out []byte) {
		m := NewScanner(Config{}, seeded(9))
		m.Receive(0, protocol.AppendFrame(nil, 1, protocol.Hello{Session: 1}))
		must(t, m.PutIn(NewPack("red")))
		inject(t, m, "lighting")
		m.Receive(0, protocol.AppendFrame(nil, 2, protocol.Scan{Op: 1}))
		for now := time.Duration(0); now <= 8*time.Second; now += step {
			if now%(400*ms) == 0 {
				m.Receive(now, protocol.AppendFrame(nil, 3+uint32(now/ms), protocol.Poll{}))
			}
			out = append(out, m.Advance(now)...)
		}
		return out
	}
	if !bytes.Equal(run(400*ms), run(ms)) {
		t.Error("differ")
	}
}
