package sim

import (
	"bytes"
	"testing"

	"shuffler/protocol"
)

// scanned gives the tally of a pack on a fresh scanner.
func scanned(t testing.TB, seed uint64, p Pack, faults ...string) (*host, protocol.Tally) {
	t.Helper()
	m := NewScanner(Config{}, seeded(seed))
	h := greeted(t, m)
	for _, f := range faults {
		inject(t, m, f)
	}
	must(t, m.PutIn(p))
	h.order(protocol.Scan{Op: 1, Expect: 52})
	h.wait(50 * ms)
	l := h.tallies()
	if len(l) == 0 {
		t.Fatalf("no tally: %s", h.heard())
	}
	return h, l[0]
}

func face(t testing.TB, s string) Face {
	t.Helper()
	f, err := ParseFace(s)
	must(t, err)
	return f
}

// TestD2_EachFinding: what is wrong with a pack is what the tally tells.
func TestD2_EachFinding(t *testing.T) {
	for _, c := range []struct {
		flaws, faults []string
		fed, read     uint16
		want          protocol.Tally // jokers, backs, boxed, unreadable
		faces         map[string]uint8
	}{
		{nil, nil, 52, 52, protocol.Tally{}, nil},
		{[]string{"swap:QD>JD"}, nil, 52, 52, protocol.Tally{}, map[string]uint8{"QD": 0, "JD": 2}},
		{[]string{"missing:7S"}, nil, 51, 51, protocol.Tally{}, map[string]uint8{"7S": 0}},
		{[]string{"extra:7S"}, nil, 53, 53, protocol.Tally{}, map[string]uint8{"7S": 2}},
		{[]string{"joker", "joker"}, nil, 54, 54, protocol.Tally{Jokers: 2}, nil},
		{[]string{"back:AS=blue"}, nil, 52, 52, protocol.Tally{Backs: 1}, map[string]uint8{"AS": 0}},
		{[]string{"boxed:KC"}, nil, 52, 52, protocol.Tally{Boxed: 1}, map[string]uint8{"KC": 0}},
		{[]string{"dirty:KC"}, nil, 52, 52, protocol.Tally{Unreadable: 1}, nil},
		{nil, []string{"blind:KC"}, 52, 52, protocol.Tally{Unreadable: 1}, nil},
		{nil, []string{"misread:QC>QS"}, 52, 52, protocol.Tally{}, map[string]uint8{"QC": 0, "QS": 2}},
		{nil, []string{"uncounted"}, 51, 52, protocol.Tally{}, nil},
		{nil, []string{"misfeed"}, 53, 52, protocol.Tally{}, nil},
	} {
		_, got := scanned(t, 1, flawed(t, NewPack("red"), c.flaws...), c.faults...)
		want := c.want
		want.Session, want.Op, want.Fed, want.Read = session, 1, c.fed, c.read
		want.Flags = protocol.TallyFeedCounter | protocol.TallyComplete
		if want.Unreadable == 0 {
			want.Flags |= protocol.TallyFaces
			for i := range want.Faces {
				want.Faces[i] = 1
			}
			for s, n := range c.faces {
				want.Faces[face(t, s)] = n
			}
		}
		if got != want {
			t.Errorf("%v %v:\n got %+v\nwant %+v", c.flaws, c.faults, got, want)
		}
		if got.Usable() != (got.Unreadable == 0) {
			t.Errorf("%v %v: usable is %v", c.flaws, c.faults, got.Usable())
		}
	}
}

// TestD1_DoubleFeed: two cards at once are one, for counter and reader.
func TestD1_DoubleFeed(t *testing.T) {
	h, got := scanned(t, 1, NewPack("red"), "double_feed")
	zeros := 0
	for _, n := range got.Faces {
		if n == 0 {
			zeros++
		}
	}
	if got.Fed != 51 || got.Read != 51 || zeros != 1 || !got.Usable() || len(h.m.Places().Exit) != 52 {
		t.Errorf("%+v", got)
	}
}

// TestD10_InterruptedScanNamesNoCard: each way to end early gives its stop,
// its phase and fault, and no face.
func TestD10_InterruptedScanNamesNoCard(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(*host)
		stop  protocol.Stop
		phase protocol.Phase
		fault protocol.Fault
	}{
		{"lighting", func(h *host) { inject(h.t, h.m, "lighting@now") }, protocol.StopLighting, protocol.PhaseFailed, protocol.FaultLighting},
		{"camera", func(h *host) { inject(h.t, h.m, "camera@now") }, protocol.StopFault, protocol.PhaseFailed, protocol.FaultCamera},
		{"jam", func(h *host) { inject(h.t, h.m, "jam_entry@now") }, protocol.StopFault, protocol.PhaseFailed, protocol.FaultJamEntry},
		{"double feed seen", func(h *host) { inject(h.t, h.m, "seen_double_feed@now") }, protocol.StopFault, protocol.PhaseFailed, protocol.FaultDoubleFeed},
		{"cover", func(h *host) { h.m.SetCover(true) }, protocol.StopCoverOpen, protocol.PhaseFailed, protocol.FaultCoverOpen},
		{"emergency stop", func(h *host) { h.m.SetEStop(true) }, protocol.StopEStop, protocol.PhaseFailed, protocol.FaultEStop},
		{"halt", func(h *host) { h.send(protocol.Halt{}) }, protocol.StopHalt, protocol.PhaseFailed, protocol.FaultNone},
		{"silence", func(h *host) { h.quiet(600 * ms) }, protocol.StopHostSilent, protocol.PhaseFailed, protocol.FaultHostSilent},
		{"timeout", func(h *host) {}, protocol.StopTimeout, protocol.PhaseDone, protocol.FaultNone},
		{"new session", func(h *host) { h.send(protocol.Hello{Session: 99}) }, protocol.StopHostSilent, protocol.PhaseIdle, protocol.FaultHostSilent},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := NewScanner(Config{}, seeded(1))
			h := greeted(t, m)
			must(t, m.PutIn(NewPack("red")))
			h.send(protocol.Scan{Op: 1, MaxMs: 3000})
			h.wait(2000 * ms)
			if n := h.last.Cards; n < 20 || n > 24 {
				t.Fatalf("%d cards after 2 s", n)
			}
			c.do(h)
			h.wait(1100 * ms)
			l := h.tallies()
			if len(l) == 0 {
				t.Fatal("no tally")
			}
			got := l[0]
			if got.Stop != c.stop || got.Flags != protocol.TallyFeedCounter || got.Faces != [52]uint8{} || got.Read == 0 || got.Read > 36 || got.Usable() {
				t.Errorf("%+v", got)
			}
			if h.last.Phase != c.phase || h.last.Fault != c.fault {
				t.Errorf("%+v", h.last)
			}
			if n := len(m.Places().All()); n != 52 {
				t.Errorf("%d cards are left", n)
			}
			if m.motion.reading.read != 0 {
				t.Error("the reading was not wiped")
			}
		})
	}
}

func TestScan_FrameLostEndsDone(t *testing.T) {
	h, got := scanned(t, 1, NewPack("red"), "frame_lost@scan+50%")
	if got.Stop != protocol.StopFrameLost || h.last.Phase != protocol.PhaseDone || h.last.Fault != 0 || got.Usable() {
		t.Errorf("%+v %+v", got, h.last)
	}
}

// TestTally_RepeatedUntilAcknowledged: every 200 ms, wiped by the ack, another
// operation or a new session; not by an ack for another op.
func TestTally_RepeatedUntilAcknowledged(t *testing.T) {
	for _, c := range []struct {
		name string
		end  protocol.Message
		ends bool
	}{
		{"ack", protocol.TallyAck{Op: 1}, true},
		{"ack of another", protocol.TallyAck{Op: 2}, false},
		{"another operation", protocol.Reset{Op: 2}, true},
		{"a refused operation", protocol.Step{Op: 2, Kind: protocol.KindRiffle}, false},
		{"new session", protocol.Hello{Session: 99}, true},
		{"same session", protocol.Hello{Session: session}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, first := scanned(t, 1, NewPack("red"))
			h.forget()
			h.wait(1000 * ms)
			l := h.tallies()
			if len(l) != 5 {
				t.Errorf("%d tallies in a second", len(l))
			}
			for _, again := range l {
				if again != first {
					t.Errorf("changed: %+v", again)
				}
			}
			h.send(c.end)
			h.forget()
			h.wait(1000 * ms)
			if l := h.tallies(); (len(l) == 0) != c.ends {
				t.Errorf("%d tallies afterwards", len(l))
			}
			if c.ends && h.m.tally != (protocol.Tally{}) {
				t.Error("the tally was not wiped")
			}
		})
	}
}

// TestX1_OrderIsNotOnTheWire: for any permutation of the same pack, each byte
// that a scanner sends, and its time, are the same.
func TestX1_OrderIsNotOnTheWire(t *testing.T) {
	for _, flaws := range [][]string{nil, {"swap:QD>JD", "joker"}, {"back:AS=blue", "boxed:3H"}, {"dirty:9C"},
		{"back:AS=blue", "back:2S=green", "back:3S=green"}} {
		for _, faults := range [][]string{nil, {"misread:QC>QS", "uncounted"}, {"frame_lost"}, {"blind:4D"}} {
			// An interrupted scan of a pack of which a part is boxed or foreign has read these, or not:
			// that is a count, and counts differ. All else is the same.
			if len(faults) > 0 && faults[0] == "frame_lost" && flaws != nil {
				continue
			}
			var first []byte
			for perm := range uint64(8) {
				p := flawed(t, NewPack("red"), flaws...)
				if perm > 0 {
					p.Wash(seeded(1000 + perm))
				}
				h, _ := scanned(t, 3, p, faults...)
				h.send(protocol.TallyAck{Op: 1})
				h.wait(500 * ms)
				if first == nil {
					first = h.wire
				} else if !bytes.Equal(first, h.wire) {
					t.Fatalf("%v %v: the order of the pack can be told from the wire", flaws, faults)
				}
			}
		}
	}
}

// TestX1_TwoBacksAlike: when as many cards have one back as another, not the
// first one read decides which is the deck's.
func TestX1_TwoBacksAlike(t *testing.T) {
	p := append(NewPack("red")[:26], NewPack("blue")[26:]...)
	_, one := scanned(t, 1, p)
	for seed := range uint64(8) {
		p.Wash(seeded(seed))
		if _, other := scanned(t, 1, p); other != one || other.Backs != 26 {
			t.Fatalf("%+v\n%+v", one, other)
		}
	}
}

// TestX1_ShuffleIsNotOnTheWire: the same for a whole shuffle.
func TestX1_ShuffleIsNotOnTheWire(t *testing.T) {
	shuffle := func(p Pack) []byte {
		m := NewShuffler(Config{Caps: AllCaps}, seeded(3))
		h := greeted(t, m)
		must(t, m.PutIn(p))
		for i, k := range []protocol.Kind{protocol.KindGather, protocol.KindWash, protocol.KindRiffle, protocol.KindStrip, protocol.KindSquare} {
			h.order(protocol.Step{Op: uint32(i + 1), Kind: k, Expect: 52})
		}
		h.order(protocol.Step{Op: 10, Kind: protocol.KindCut, Expect: 52, MinCut: 10})
		h.order(protocol.Scan{Op: 11})
		h.order(protocol.Release{Op: 12, Expect: 52})
		if h.last.Phase != protocol.PhaseDone {
			t.Fatalf("%+v", h.last)
		}
		return h.wire
	}
	p := NewPack("red")
	one := shuffle(p)
	p.Wash(seeded(5))
	if !bytes.Equal(one, shuffle(p)) {
		t.Error("the order of the pack can be told from the wire")
	}
}

func TestScan_IdentityAfterShuffle(t *testing.T) {
	m := NewShuffler(Config{Caps: AllCaps}, seeded(1))
	h := greeted(t, m)
	m.chamber = NewPack("red")
	h.order(protocol.Scan{Op: 1})
	if l := h.tallies(); len(l) == 0 || !l[0].Usable() || l[0].Read != 52 {
		t.Fatalf("%+v", l)
	}
	if p := m.Places(); len(p.Chamber) != 52 || p.Chamber[0].Face != 0 {
		t.Error("the pack has moved")
	}
	if m.ident.Role != protocol.RoleBoth {
		t.Errorf("role %s", m.ident.Role)
	}
}
