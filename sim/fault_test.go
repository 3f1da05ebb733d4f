package sim

import (
	"strings"
	"testing"
	"time"

	"shuffler/protocol"
)

// TestFault_ShowsWhatSpecSays: each fault of a machine in a motion, what
// remains where, and that Fix and a reset bring it back.
func TestFault_ShowsWhatSpecSays(t *testing.T) {
	gather := protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52}
	riffle := protocol.Step{Op: 1, Kind: protocol.KindRiffle}
	release := protocol.Release{Op: 1, Expect: 52}
	reset := protocol.Reset{Op: 1}
	for _, c := range []struct {
		fault  string
		order  protocol.Message
		want   protocol.Fault
		caught int
		latent bool // the cause is not noticed by a reset
	}{
		{"jam_tray", gather, protocol.FaultJamTray, 0, false},
		{"jam_entry", gather, protocol.FaultJamEntry, 1, false},
		{"jam_exit", release, protocol.FaultJamExit, 1, false},
		{"seen_double_feed@gather", gather, protocol.FaultDoubleFeed, 2, false},
		{"seen_double_feed@release+50%", release, protocol.FaultDoubleFeed, 2, false},
		{"homing", reset, protocol.FaultHoming, 0, false},
		{"motor", riffle, protocol.FaultMotor, 0, false},
		{"motor@gather", gather, protocol.FaultMotor, 0, false},
		{"sensor", release, protocol.FaultSensor, 0, false},
		{"power", riffle, protocol.FaultPower, 0, false},
		{"internal", riffle, protocol.FaultInternal, 0, false},
		{"double_feed", gather, protocol.FaultNotEnoughCards, 0, true},
		{"misfeed", gather, protocol.FaultNotEnoughCards, 0, true},
		{"card_left", release, protocol.FaultNotEnoughCards, 0, true},
		{"double_feed", release, protocol.FaultNotEnoughCards, 0, true},
	} {
		t.Run(c.fault, func(t *testing.T) {
			m := NewShuffler(Config{}, seeded(1))
			h := greeted(t, m)
			pack := NewPack("red")
			if c.order == protocol.Message(gather) {
				must(t, m.PutIn(pack))
			} else {
				m.chamber = pack.Clone()
			}
			inject(t, m, c.fault)
			s := h.order(c.order)
			if s.Phase != protocol.PhaseFailed || s.Fault != c.want || s.Started == 0 || s.Done <= s.Started {
				t.Fatalf("%+v", s)
			}
			p := m.Places()
			if len(p.Caught) != c.caught {
				t.Errorf("%d cards caught, want %d", len(p.Caught), c.caught)
			}
			if c.want == protocol.FaultNotEnoughCards && s.Cards != 51 {
				t.Errorf("%d counted", s.Cards)
			}
			if !c.latent {
				if s := h.order(protocol.Reset{Op: 2}); s.Phase != protocol.PhaseFailed || s.Fault != c.want {
					t.Errorf("reset before the repair: %+v", s)
				}
			}
			found := m.Fix()
			if len(found) < c.caught {
				t.Errorf("%d cards found", len(found))
			}
			if s := h.order(protocol.Reset{Op: 3}); s.Phase != protocol.PhaseDone || s.Fault != 0 {
				t.Errorf("reset after the repair: %+v", s)
			}
			rest, err := m.Empty()
			must(t, err)
			if got := append(rest, found...).Sorted(); !equal(got, pack) {
				t.Errorf("%d cards came back", len(got))
			}
		})
	}
}

func equal(a, b Pack) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestCardLeft: 51 come out, the line chamber goes on telling, and a second
// release brings the last.
func TestCardLeft(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	h := greeted(t, m)
	m.chamber = NewPack("red")
	inject(t, m, "card_left")
	s := h.order(protocol.Release{Op: 1, Expect: 52})
	if s.Fault != protocol.FaultNotEnoughCards || s.Cards != 51 || !s.Lines.Has(protocol.LineChamber|protocol.LineExit) {
		t.Fatalf("%+v", s)
	}
	if s := h.order(protocol.Reset{Op: 2}); !s.Lines.Has(protocol.LineChamber) {
		t.Errorf("%+v", s)
	}
	must(t, m.PutIn(NewPack("blue")))
	if s := h.order(protocol.Step{Op: 3, Kind: protocol.KindGather}); s.Fault != protocol.FaultCardInside {
		t.Errorf("%+v", s)
	}
	h.order(protocol.Reset{Op: 4})
	if s := h.order(protocol.Release{Op: 5}); s.Cards != 1 || s.Phase != protocol.PhaseDone || s.Lines.Has(protocol.LineChamber) {
		t.Errorf("%+v", s)
	}
	if p, ok := m.TakeOut(); !ok || len(p) != 52 {
		t.Errorf("%d cards", len(p))
	}
}

// TestFault_When: the next, the second, of a kind, half way.
func TestFault_When(t *testing.T) {
	m := NewShuffler(Config{Timing: Timing{Spread: -1}}, seeded(1))
	h := greeted(t, m)
	m.chamber = NewPack("red")
	inject(t, m, "motor@riffle#2+50%")
	for op := uint32(1); op <= 3; op++ {
		kind := protocol.KindRiffle
		if op == 2 {
			kind = protocol.KindStrip
		}
		s := h.order(protocol.Step{Op: op, Kind: kind})
		if (s.Phase == protocol.PhaseFailed) != (op == 3) {
			t.Fatalf("op %d: %+v", op, s)
		}
	}
	if d := h.last.Done - h.last.Started; d != uint32(typicalTiming.Riffle/ms/2) {
		t.Errorf("struck after %d ms", d)
	}
	if len(m.armed) != 0 {
		t.Error("still armed")
	}
}

func TestFault_RebootInMidOperation(t *testing.T) {
	m := NewShuffler(Config{Timing: Timing{Spread: -1}}, seeded(1))
	h := greeted(t, m)
	must(t, m.PutIn(NewPack("red")))
	inject(t, m, "reboot:2s@gather+50%")
	h.send(protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52})
	h.wait(950 * ms)
	at := h.now
	h.forget()
	h.wait(1900 * ms)
	if len(h.said) != 0 {
		t.Errorf("talks while off: %q", h.heard())
	}
	h.wait(2*time.Second - (h.now - at))
	if h.last.Session != 0 || h.last.Phase != protocol.PhaseIdle || h.last.Op != 0 {
		t.Errorf("%+v", h.last)
	}
	if p := m.Places(); len(p.Tray) != 26 || len(p.Chamber) != 26 {
		t.Errorf("%d in the tray, %d inside", len(p.Tray), len(p.Chamber))
	}
}

func TestFault_MuteDeafAndRole(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	h := greeted(t, m)
	inject(t, m, "mute:1s")
	h.quiet(990 * ms)
	if len(h.said) != 0 {
		t.Errorf("mute says %q", h.heard())
	}
	h.quiet(500 * ms)
	if len(h.said) == 0 || h.dec.Counters().SeqGaps != 1 {
		t.Error("mute for ever")
	}
	inject(t, m, "deaf")
	h.forget()
	h.send(protocol.Hello{Session: 8})
	h.wait(2 * time.Second)
	if h.last.Session != session {
		t.Error("heard it")
	}
	m.Fix()
	inject(t, m, "role:scanner")
	h.forget()
	h.send(protocol.Hello{Session: 8})
	if id, ok := h.said[0].(protocol.Ident); !ok || id.Role != protocol.RoleScanner {
		t.Errorf("%q", h.heard())
	}
	m.Fix()
	h.forget()
	h.send(protocol.Hello{Session: 8})
	if id, ok := h.said[0].(protocol.Ident); !ok || id.Role != protocol.RoleShuffler {
		t.Errorf("%q", h.heard())
	}
}

// TestM4_LocalAndSortModeAfterTheMotion: in a motion nobody can.
func TestM4_LocalAndSortModeAfterTheMotion(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	h := greeted(t, m)
	m.chamber = NewPack("red")
	inject(t, m, "local:strip@riffle")
	inject(t, m, "sort_mode@riffle")
	s := h.order(protocol.Step{Op: 1, Kind: protocol.KindRiffle})
	if s.LocalOps != 1 || s.LocalKind != protocol.KindStrip || s.LocalTick < s.Done || !s.Lines.Has(protocol.LineSortMode) {
		t.Errorf("%+v", s)
	}
}

func TestFault_Text(t *testing.T) {
	for _, c := range [][2]string{
		{"jam_entry", "jam_entry@any"},
		{" motor@riffle ", "motor@riffle"},
		{"jam_exit@release#2+50%", ""},
		{"cover_open@now", ""},
		{"misread:qc>qs", "misread:QC>QS@any"},
		{"misread:10H>TD@scan#2", "misread:10H>10D@scan#2"},
		{"blind:7D", "blind:7D@now"},
		{"local:riffle", "local:riffle@now"},
		{"local:strip@gather", ""},
		{"role:scanner", "role:scanner@now"},
		{"mute:3s", "mute:3s@now"},
		{"deaf", "deaf@now"},
		{"reboot:1.5s@riffle#3", ""},
		{"sort_mode", "sort_mode@now"},
	} {
		f, err := ParseFault(c[0])
		if err != nil {
			t.Error(err)
			continue
		}
		want := c[1]
		if want == "" {
			want = c[0]
		}
		if f.String() != want {
			t.Errorf("%q reads as %s", c[0], f)
		}
		if again, err := ParseFault(f.String()); err != nil || again != f {
			t.Errorf("%s: %+v %v", f, again, err)
		}
	}
	for s, why := range map[string]string{
		"":                    "unknown",
		"jam":                 "there are jam_tray",
		"not_enough_cards":    "card_left",
		"jam_entry:5":         "no argument",
		"jam_entry@riffle":    "cannot happen",
		"jam_entry@lunch":     "no motion",
		"motor@riffle#0":      "#1",
		"motor@riffle+101%":   "+100%",
		"misread:QC":          "CARD>CARD",
		"misread:QX>QS":       "no card",
		"blind":               "no card",
		"local:none":          "kind",
		"role:cook":           "role:both",
		"mute:x":              "duration",
		"mute:-1s":            "above 0",
		"cut_refused@now":     "needs a motion",
		"double_feed@now":     "needs a motion",
		"card_left@gather":    "cannot happen",
		"jam_entry@now#2":     "no motion",
		"cover_open@release#": "#1",
	} {
		if f, err := ParseFault(s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %+v, %v; want %q", s, f, err, why)
		}
	}
	m := NewScanner(Config{}, seeded(1))
	for _, s := range []string{"cut_refused", "jam_exit@release", "homing@riffle"} {
		if f, err := ParseFault(s); err == nil && m.Inject(f) == nil {
			t.Errorf("a scanner takes %s", f)
		}
	}
	if m.Inject(Fault{}) == nil || m.Inject(Fault{What: Misfeed, Now: true}) == nil {
		t.Error("took a fault that is none")
	}
}
