package sim

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"shuffler/protocol"
)

// riffling is a host with a riffle (op 2) in motion for a second.
func riffling(t testing.TB) *host {
	m := NewShuffler(Config{Caps: AllCaps}, seeded(1))
	h := greeted(t, m)
	must(t, m.PutIn(NewPack("red")))
	h.order(protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52})
	h.send(protocol.Step{Op: 2, Kind: protocol.KindRiffle})
	h.wait(time.Second)
	h.forget()
	return h
}

func TestHalt_StopsWithin50ms(t *testing.T) {
	h := riffling(t)
	at := h.now
	for i := range 3 { // repeated while it brakes: each is answered
		h.now = at + time.Duration(i)*5*ms
		h.send(protocol.Halt{})
	}
	if !h.m.Moving() {
		t.Error("stopped by magic: motors take a while")
	}
	h.quiet(at + protocol.HaltStopWithin - h.now)
	if h.m.Moving() {
		t.Error("still moving after 50 ms")
	}
	halted := 0
	for _, msg := range h.said {
		if a, ok := msg.(protocol.Halted); ok {
			halted++
			if a.Boot != h.last.Boot || a.Session != session || a.Tick < uint32(at/ms) || a.Tick > uint32(at/ms)+50 {
				t.Errorf("%+v", a)
			}
		}
	}
	if halted != 3 || h.last.Phase != protocol.PhaseFailed || h.last.Fault != 0 || h.last.Done == 0 {
		t.Errorf("%d times halted, %+v", halted, h.last)
	}
	if s := h.order(protocol.Reset{Op: 3}); s.Phase != protocol.PhaseDone || s.Lines.Has(protocol.LineHalted) {
		t.Errorf("reset: %+v", s)
	}
}

// TestHalt_JustBeforeTheEnd: an operation that was halted has not been done,
// whatever the mechanics did.
func TestHalt_JustBeforeTheEnd(t *testing.T) {
	h := riffling(t)
	h.wait(h.m.motion.ends - h.now - 5*ms)
	h.send(protocol.Halt{})
	h.quiet(60 * ms)
	if h.last.Phase != protocol.PhaseFailed {
		t.Errorf("%+v", h.last)
	}
}

// TestHalt_WhileBraking: what stops at once does so in the middle of a halt
// too, and the halt is answered then.
func TestHalt_WhileBraking(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*host)
		want protocol.Fault
	}{
		{"cover", func(h *host) { h.m.SetCover(true) }, protocol.FaultCoverOpen},
		{"motor", func(h *host) { inject(h.t, h.m, "motor@now") }, protocol.FaultMotor},
		{"new session", func(h *host) { h.send(protocol.Hello{Session: 8}) }, protocol.FaultHostSilent},
	} {
		h := riffling(t)
		h.send(protocol.Halt{})
		h.forget()
		c.do(h)
		h.listen()
		if got := h.heard(); h.m.Moving() || !strings.Contains(got, "halted;") || h.last.Fault != c.want || !h.last.Lines.Has(protocol.LineHalted) {
			t.Errorf("%s: %q %+v", c.name, got, h.last)
		}
	}
}

// TestPower_Off: what happens to a machine that is off shows when it is on.
func TestPower_Off(t *testing.T) {
	h := riffling(t)
	h.m.Restart()
	inject(t, h.m, "sensor@now")
	h.m.SetCover(true)
	must(t, h.m.PutIn(NewPack("blue")))
	if h.m.PressOwnButton(protocol.KindRiffle) == nil || h.m.Moving() {
		t.Error("moves without power")
	}
	h.send(protocol.Hello{Session: 9})
	h.quiet(time.Second)
	if h.last.Fault != protocol.FaultSensor || h.last.Lines != protocol.LineCover|protocol.LineTray|protocol.LineChamber || h.last.Session != 0 {
		t.Errorf("%+v", h.last)
	}
}

// TestPower_FailsBetweenReports: each card is where it was when the supply
// failed.
func TestPower_FailsBetweenReports(t *testing.T) {
	h := greeted(t, NewShuffler(Config{Timing: Timing{Spread: -1, CardIn: 40 * ms}}, seeded(1)))
	must(t, h.m.PutIn(NewPack("red")))
	h.send(protocol.Step{Op: 1, Kind: protocol.KindGather})
	h.quiet(390 * ms)
	h.m.Restart()
	h.quiet(time.Second)
	if p := h.m.Places(); len(p.Chamber) != 9 || len(p.Tray) != 43 {
		t.Errorf("%d inside, %d in the tray", len(p.Chamber), len(p.Tray))
	}
}

// TestJamTray_ClearedByTakingThePackBack: then the tray sensor is free.
func TestJamTray_ClearedByTakingThePackBack(t *testing.T) {
	h := greeted(t, NewShuffler(Config{}, seeded(1)))
	must(t, h.m.PutIn(NewPack("red")))
	inject(t, h.m, "jam_tray")
	h.order(protocol.Step{Op: 1, Kind: protocol.KindGather})
	if p, ok := h.m.TakeBack(); !ok || len(p) == 0 {
		t.Fatal("nothing in the tray")
	}
	if s := h.order(protocol.Reset{Op: 2}); s.Phase != protocol.PhaseDone {
		t.Errorf("%+v", s)
	}
}

func TestHostSilence_StopsAfter500ms(t *testing.T) {
	h := riffling(t)
	at := h.now
	h.quiet(499 * ms)
	if !h.m.Moving() || h.last.Phase != protocol.PhaseRunning {
		t.Error("stopped too early")
	}
	h.quiet(52 * ms)
	if h.m.Moving() || h.last.Phase != protocol.PhaseFailed || h.last.Fault != protocol.FaultHostSilent || !h.last.Lines.Has(protocol.LineHalted) {
		t.Errorf("%+v", h.last)
	}
	if d := h.last.Done - uint32(at/ms); d < 500 || d > 550 {
		t.Errorf("stopped after %d ms", d)
	}
}

// TestHostSilence_NoiseIsNoSignOfLife: noise, repeats and protected frames keep
// no motor running.
func TestHostSilence_NoiseIsNoSignOfLife(t *testing.T) {
	h := riffling(t)
	poll := protocol.AppendFrame(nil, h.seq, protocol.Poll{}) // a repeat
	for range 12 {
		h.quiet(50 * ms)
		h.m.Receive(h.now, []byte("AT+GMI\r\n\x00\x05\x01"))
		h.m.Receive(h.now, poll)
		sealer, err := protocol.NewSealer(make([]byte, 32), protocol.FromHost)
		must(t, err)
		sealed, err := sealer.AppendFrame(nil, h.seq, protocol.Poll{})
		must(t, err)
		h.m.Receive(h.now, append([]byte{0}, sealed...))
	}
	if h.m.Moving() || h.last.Fault != protocol.FaultHostSilent {
		t.Errorf("%+v", h.last)
	}
	if h.last.RxBad == 0 {
		t.Error("noise is not counted")
	}
}

// TestStatus_Every200ms: from power-up on, without a session, and never seldomer.
func TestStatus_Every200ms(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	h := newHost(t, m)
	h.quiet(2 * time.Second)
	if got := len(h.said); got != 11 {
		t.Errorf("%d statuses in 2 s", got)
	}
	h = riffling(t)
	h.wait(time.Second)
	if got := len(h.said); got < 5 || got > 6 {
		t.Errorf("%d statuses in a second of a riffle", got)
	}
}

// TestLines_ShortOnesAreHeld: a cover that is opened and shut at once shows
// for 400 ms, and blocks nothing.
func TestLines_ShortOnesAreHeld(t *testing.T) {
	h := greeted(t, NewShuffler(Config{}, seeded(1)))
	h.m.SetCover(true)
	h.m.SetCover(false)
	h.m.SetEStop(true)
	h.m.SetEStop(false)
	h.quiet(399 * ms)
	if !h.last.Lines.Has(protocol.LineCover | protocol.LineEStop) {
		t.Errorf("%+v", h.last)
	}
	h.send(protocol.Step{Op: 1, Kind: protocol.KindGather})
	if h.last.Phase != protocol.PhaseWaiting {
		t.Errorf("%+v", h.last)
	}
	h.quiet(2 * ms)
	if h.last.Lines != 0 {
		t.Errorf("%+v", h.last)
	}
}

// TestLines_AreToldAtOnce: the first card changes lines, and that is a status.
func TestLines_AreToldAtOnce(t *testing.T) {
	h := greeted(t, NewShuffler(Config{Timing: Timing{Spread: -1}}, seeded(1)))
	must(t, h.m.PutIn(NewPack("red")))
	h.send(protocol.Step{Op: 1, Kind: protocol.KindGather})
	h.forget()
	h.quiet(typicalTiming.CardIn)
	if len(h.said) != 1 || !h.last.Lines.Has(protocol.LineChamber) || h.last.Cards != 1 {
		t.Errorf("%+v", h.said)
	}
}

// TestLines_NotSensedAreZero: a line that caps do not claim is 0, and stops
// nothing.
func TestLines_NotSensedAreZero(t *testing.T) {
	m := NewShuffler(Config{Caps: protocol.CapGather | protocol.CapRiffle}, seeded(1))
	h := greeted(t, m)
	must(t, m.PutIn(NewPack("red")))
	m.SetCover(true)
	m.SetEStop(true)
	if m.SetSortMode(true) == nil {
		t.Error("switched what is not there")
	}
	s := h.order(protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 60})
	if s.Lines != 0 || s.Phase != protocol.PhaseDone || s.Cards != 0 {
		t.Errorf("%+v", s)
	}
}

// TestReset_CauseStays: a reset clears a fault only when its cause is gone, and
// the first cause is told first.
func TestReset_CauseStays(t *testing.T) {
	h := greeted(t, NewShuffler(Config{}, seeded(1)))
	inject(t, h.m, "motor@now")
	h.m.SetCover(true)
	if s := h.order(protocol.Reset{Op: 1}); s.Phase != protocol.PhaseFailed || s.Fault != protocol.FaultMotor || h.m.Moving() {
		t.Errorf("%+v", s)
	}
	h.m.Fix()
	if s := h.order(protocol.Reset{Op: 2}); s.Phase != protocol.PhaseFailed || s.Fault != protocol.FaultCoverOpen {
		t.Errorf("%+v", s)
	}
	h.m.SetCover(false)
	h.m.SetEStop(true)
	if s := h.order(protocol.Reset{Op: 3}); s.Phase != protocol.PhaseFailed || s.Fault != protocol.FaultEStop {
		t.Errorf("%+v", s)
	}
	h.m.SetEStop(false)
	if s := h.order(protocol.Reset{Op: 4}); s.Phase != protocol.PhaseDone || s.Fault != 0 {
		t.Errorf("%+v", s)
	}
}

// TestFault_SurvivesARestartWithItsCause: the self-test finds it again.
func TestFault_SurvivesARestartWithItsCause(t *testing.T) {
	h := greeted(t, NewShuffler(Config{}, seeded(1)))
	inject(t, h.m, "motor@now")
	h.m.Restart()
	h.quiet(time.Second)
	if h.last.Session != 0 || h.last.Fault != protocol.FaultMotor {
		t.Errorf("%+v", h.last)
	}
	h.m.Fix()
	h.m.Restart()
	h.quiet(time.Second)
	if h.last.Fault != 0 {
		t.Errorf("%+v", h.last)
	}
}

// TestBootText: what a bootloader prints does not hide the first status.
func TestBootText(t *testing.T) {
	m := NewShuffler(Config{BootText: "\r\nShuffler 1.0 booting\r\n"}, seeded(1))
	h := newHost(t, m)
	h.listen()
	if len(h.said) != 1 || h.last.Boot == 0 || !bytes.HasPrefix(h.wire, []byte(m.text+"\x00")) {
		t.Errorf("said %q in %q", h.heard(), h.wire)
	}
}
