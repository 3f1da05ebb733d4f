package sim

import (
	"strings"
	"testing"

	"shuffler/protocol"
)

// TestOrder_Decision holds the lines of SPEC.md, section 7, in their order:
// each case also breaks lines further down.
func TestOrder_Decision(t *testing.T) {
	bad := protocol.Step{Op: 9, Kind: protocol.KindRiffle, Expect: protocol.MaxExpect + 1}
	for _, c := range []struct {
		name  string
		set   func(*Machine)
		order protocol.Message
		want  string
	}{
		{"2 op 0", nil, protocol.Step{Op: 0, Kind: 99}, "nak 0 bad_argument"},
		{"8 kind is no step", nil, protocol.Step{Op: 9, Kind: protocol.KindRelease, Expect: 600}, "nak 9 unsupported"},
		{"8 kind unknown", nil, protocol.Step{Op: 9, Kind: 200}, "nak 9 unsupported"},
		{"8 not in caps", nil, protocol.Step{Op: 9, Kind: protocol.KindWash, MinCut: 3}, "nak 9 unsupported"},
		{"8 scan not in caps", nil, protocol.Scan{Op: 9, Expect: 600}, "nak 9 unsupported"},
		{"9 expect too large", func(m *Machine) { m.halted = true }, bad, "nak 9 bad_argument"},
		{"9 release expect too large", nil, protocol.Release{Op: 9, Expect: 513}, "nak 9 bad_argument"},
		{"9 min_cut for a riffle", nil, protocol.Step{Op: 9, Kind: protocol.KindRiffle, MinCut: 1}, "nak 9 bad_argument"},
		{"10 halted", func(m *Machine) { m.halted, m.fault = true, protocol.FaultMotor }, protocol.Step{Op: 9, Kind: protocol.KindRiffle}, "nak 9 halted"},
		{"11 fault", func(m *Machine) { m.fault, m.cover = protocol.FaultMotor, true }, protocol.Step{Op: 9, Kind: protocol.KindRiffle}, "nak 9 fault"},
		{"12 cover", func(m *Machine) { m.cover = true }, protocol.Step{Op: 9, Kind: protocol.KindRiffle}, "nak 9 blocked"},
		{"12 emergency stop", func(m *Machine) { m.estop = true }, protocol.Release{Op: 9}, "nak 9 blocked"},
		{"12 sort mode", func(m *Machine) { m.sortMode = true }, protocol.Step{Op: 9, Kind: protocol.KindGather}, "nak 9 blocked"},
		{"13 reset in spite of all", func(m *Machine) { m.halted, m.fault, m.sortMode = true, protocol.FaultMotor, true }, protocol.Reset{Op: 9},
			"status 9 running motor sort_mode|halted"},
		{"13 accepted", nil, protocol.Step{Op: 9, Kind: protocol.KindGather, Expect: 512}, "status 9 waiting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := NewShuffler(Config{}, seeded(1))
			h := greeted(t, m)
			if c.set != nil {
				c.set(m)
				m.publish()
				h.listen()
			}
			h.forget()
			h.send(c.order)
			if got := h.heard(); got != c.want {
				t.Fatalf("said %q, want %q", got, c.want)
			}
			// Decided once: after all obstacles are gone, the same again.
			m.halted, m.fault, m.cover, m.estop = false, 0, false, false
			m.publish()
			h.listen()
			h.forget()
			h.send(c.order)
			if got := h.heard(); strings.HasPrefix(c.want, "nak") && got != c.want {
				t.Errorf("the same number was decided twice: %q, then %q", c.want, got)
			}
		})
	}
}

func TestS7_CutArguments(t *testing.T) {
	for _, c := range []struct {
		expect uint16
		min    uint8
		ok     bool
	}{{52, 10, true}, {52, 26, true}, {52, 27, false}, {52, 0, false}, {0, 10, false}, {2, 1, true}, {1, 1, false}, {512, 255, true}, {513, 10, false}} {
		h := greeted(t, NewShuffler(Config{Caps: AllCaps}, seeded(1)))
		h.m.chamber = NewPack("red")
		h.send(protocol.Step{Op: 1, Kind: protocol.KindCut, Expect: c.expect, MinCut: c.min})
		if got := h.heard(); strings.HasPrefix(got, "nak") == c.ok {
			t.Errorf("expect %d, min_cut %d: %s", c.expect, c.min, got)
		}
	}
}

// TestS7_CutTellsNoDepth: whatever the depth, pass or refuse is all that
// differs on the wire.
func TestS7_CutTellsNoDepth(t *testing.T) {
	cut := func(seed uint64, fault string) (*host, int) {
		m := NewShuffler(Config{Caps: AllCaps, Timing: Timing{Spread: -1}}, seeded(seed))
		m.boot = 5
		h := greeted(t, m)
		m.chamber = NewPack("red")
		if fault != "" {
			inject(t, m, fault)
		}
		h.order(protocol.Step{Op: 1, Kind: protocol.KindCut, Expect: 52, MinCut: 10})
		return h, int(m.chamber[0].Face)
	}
	one, first := cut(1, "")
	depths := 0
	for seed := range uint64(20) {
		h, depth := cut(seed, "")
		if depth != first {
			depths++
		}
		if depth < 10 || depth > 42 || h.last.Result != protocol.ResultCutPassed {
			t.Errorf("depth %d: %v", depth, h.last.Result)
		}
		if string(h.wire) != string(one.wire) {
			t.Errorf("depth %d can be told from depth %d on the wire", depth, first)
		}
		h, depth = cut(seed, "cut_refused")
		if depth >= 10 || h.last.Result != protocol.ResultCutRefused || h.last.Phase != protocol.PhaseDone || h.last.Cards != 0 {
			t.Errorf("depth %d: %+v", depth, h.last)
		}
	}
	if depths == 0 {
		t.Error("all cuts had the same depth: nothing was tested")
	}
}

func TestOperation_AfterAcceptance(t *testing.T) {
	for _, c := range []struct {
		name    string
		chamber int
		tray    int
		order   protocol.Message
		want    string
		cards   uint16
	}{
		{"gather over cards inside", 1, 52, protocol.Step{Op: 1, Kind: protocol.KindGather}, "failed card_inside", 0},
		{"gather", 0, 52, protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52}, "done none", 52},
		{"gather, one short", 0, 51, protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52}, "failed not_enough_cards", 51},
		{"gather, one too many", 0, 53, protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52}, "failed too_many_cards", 53},
		{"gather, not stated", 0, 51, protocol.Step{Op: 1, Kind: protocol.KindGather}, "done none", 51},
		{"riffle of nothing", 0, 0, protocol.Step{Op: 1, Kind: protocol.KindRiffle}, "failed not_enough_cards", 0},
		{"wash of nothing", 0, 0, protocol.Step{Op: 1, Kind: protocol.KindWash}, "failed not_enough_cards", 0},
		{"cut card under nothing", 0, 0, protocol.Step{Op: 1, Kind: protocol.KindCutCard}, "failed not_enough_cards", 0},
		{"cut card", 52, 0, protocol.Step{Op: 1, Kind: protocol.KindCutCard}, "done none", 0},
		{"release of nothing", 0, 0, protocol.Release{Op: 1}, "done none", 0},
		{"release of nothing, 52 expected", 0, 0, protocol.Release{Op: 1, Expect: 52}, "failed not_enough_cards", 0},
		{"release", 52, 0, protocol.Release{Op: 1, Expect: 52}, "done none", 52},
		{"release, one short", 51, 0, protocol.Release{Op: 1, Expect: 52}, "failed not_enough_cards", 51},
		{"reset", 52, 0, protocol.Reset{Op: 1}, "done none", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := NewShuffler(Config{Caps: AllCaps}, seeded(1))
			h := greeted(t, m)
			pack := flawed(t, NewPack("red"), "joker")
			m.chamber = append(m.chamber, pack[:c.chamber]...)
			if c.tray > 0 {
				must(t, m.PutIn(pack[:c.tray]))
			}
			s := h.order(c.order)
			if got := s.Phase.String() + " " + s.Fault.String(); got != c.want || s.Cards != c.cards || s.Done == 0 {
				t.Errorf("got %s, %d cards: %+v", got, s.Cards, s)
			}
			if m.CutCardUnder() != (c.name == "cut card") {
				t.Error("cut card under the pack, or not")
			}
			if s.Phase == protocol.PhaseFailed {
				h.forget()
				h.send(protocol.Step{Op: 2, Kind: protocol.KindSquare})
				if got := h.heard(); got != "nak 2 fault" {
					t.Errorf("after a failure: %q", got)
				}
				if s := h.order(protocol.Reset{Op: 3}); s.Phase != protocol.PhaseDone || s.Fault != 0 {
					t.Errorf("reset: %+v", s)
				}
			}
		})
	}
}

// TestOperation_AppliedOnce: retries in every phase move nothing twice.
func TestOperation_AppliedOnce(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	h := greeted(t, m)
	must(t, m.PutIn(NewPack("red")))
	gather := protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52}
	h.send(gather)
	started := h.last.Started
	for range 40 {
		h.quiet(100 * ms)
		h.send(gather)
	}
	if h.last.Phase != protocol.PhaseDone || h.last.Started != started || h.last.Cards != 52 || h.last.Op != 1 {
		t.Errorf("%+v", h.last)
	}
	before := m.Places().Chamber
	riffle := protocol.Step{Op: 2, Kind: protocol.KindRiffle}
	h.send(riffle)
	for range 50 {
		h.quiet(100 * ms)
		h.send(riffle)
	}
	after := m.Places().Chamber
	if n := risingSequences(before, after); n != 2 {
		t.Errorf("%d rising sequences: not one riffle", n)
	}
}

// risingSequences of after, where before is the order 0, 1, 2 …
func risingSequences(before, after Pack) int {
	at := map[Face]int{}
	for i, c := range after {
		at[c.Face] = i
	}
	n := 1
	for i := 1; i < len(before); i++ {
		if at[before[i].Face] < at[before[i-1].Face] {
			n++
		}
	}
	return n
}

func TestM4_OwnButton(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	h := greeted(t, m)
	if m.PressOwnButton(protocol.KindRiffle) == nil {
		t.Error("riffled nothing")
	}
	must(t, m.PutIn(NewPack("red")))
	h.order(protocol.Step{Op: 1, Kind: protocol.KindGather})
	must(t, m.PressOwnButton(protocol.KindRiffle))
	h.send(protocol.Poll{})
	if s := h.last; s.LocalOps != 1 || s.LocalKind != protocol.KindRiffle || s.LocalTick == 0 || s.Phase != protocol.PhaseDone {
		t.Errorf("%+v", s)
	}
	if m.PressOwnButton(protocol.KindRiffle) == nil {
		t.Error("two motions at once")
	}
	h.forget()
	h.send(protocol.Step{Op: 2, Kind: protocol.KindSquare})
	if got := h.heard(); got != "nak 2 busy" {
		t.Errorf("an order during a local motion: %q", got)
	}
	h.quiet(2500 * ms)
	if !m.Moving() {
		t.Error("silence stopped a local motion")
	}
	h.send(protocol.Halt{})
	h.quiet(protocol.HaltStopWithin)
	if m.Moving() || m.PressOwnButton(protocol.KindRiffle) == nil {
		t.Error("halt does not bind the own button")
	}
	if s := h.last; s.Phase != protocol.PhaseDone || !s.Lines.Has(protocol.LineHalted) {
		t.Errorf("%+v", s)
	}
}

// TestM4_SortMode: what the machine puts in order is in order.
func TestM4_SortMode(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	h := greeted(t, m)
	p := NewPack("red")
	p.Wash(seeded(4))
	m.chamber = p
	must(t, m.SetSortMode(true))
	must(t, m.PressOwnButton(protocol.KindRiffle))
	h.wait(5000 * ms)
	for i, c := range m.chamber {
		if int(c.Face) != i {
			t.Fatal("not sorted")
		}
	}
	if s := h.order(protocol.Reset{Op: 1}); s.Lines.Has(protocol.LineSortMode) {
		t.Error("reset does not leave sort mode")
	}
}
