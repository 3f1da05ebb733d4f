package lines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"

	"shuffler/controller/table"
)

// bench is a panel on fake pins in virtual time.
type bench struct {
	*Panel
	cover, estop, button Honest
	enable, lamp         Fake
	cancel               context.CancelFunc
	ended                chan struct{}

	mu   sync.Mutex
	said []string // events, halts and troubles, in order
}

// inBubble runs a test in virtual time, on a panel at rest.
func inBubble(t *testing.T, change func(*bench, *Config), test func(t *testing.T, b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{ended: make(chan struct{})}
		b.cover.Label, b.estop.Label, b.button.Label, b.enable.Label = "COVER", "ESTOP", "BUTTON", "ENABLE"
		b.cover.Set(gpio.High)
		b.estop.Set(gpio.High)
		c := Config{
			Inputs:  []Input{{Line: table.CoverLine, Pin: &b.cover}, {Line: table.EStopLine, Pin: &b.estop}, {Line: table.ButtonLine, Pin: &b.button}},
			Outputs: map[Output]gpio.PinOut{Enable: &b.enable, FaultLamp: &b.lamp},
			Halt:    func() { b.say(fmt.Sprintf("halt enable=%v", b.enable.Read())) },
			Post: func(e table.Event) {
				switch e := e.(type) {
				case table.PanelLine:
					b.say(fmt.Sprintf("%s=%v", e.Line, e.Active))
				case table.DeviceFault:
					b.say(fmt.Sprintf("%s %s", e.Part, e.Code))
				}
			},
			Log: func(name string, tr Trouble) { b.say(fmt.Sprintf("%s: [%s]", name, tr.Code)) },
		}
		if change != nil {
			change(b, &c)
		}
		p, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		b.Panel = p
		ctx, cancel := context.WithCancel(context.Background())
		b.cancel = cancel
		go func() { p.Run(ctx); close(b.ended) }()
		time.Sleep(time.Second)
		test(t, b)
		cancel()
		<-b.ended
		for _, f := range []*Fake{&b.cover.Fake, &b.estop.Fake, &b.button.Fake} {
			_ = f.Halt() // lets go of what hangs
		}
		if b.enable.Read() != gpio.Low || b.lamp.Read() != gpio.Low {
			t.Error("an output is High behind the end")
		}
	})
}

func (b *bench) say(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, s)
}

// heard gives what was said since the last call.
func (b *bench) heard() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := strings.Join(b.said, ", ")
	b.said = nil
	return s
}

func (b *bench) wants(t *testing.T, want string) {
	t.Helper()
	if got := b.heard(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestS5_ReflexBeforeTheEvent: enable Low, then halt, then the event.
func TestS5_ReflexBeforeTheEvent(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, b *bench) {
		b.heard()
		for _, c := range []struct {
			pin  *Honest
			want string
		}{{&b.estop, "estop"}, {&b.cover, "cover"}} {
			if !b.Arm() || !b.Enabled() || b.enable.Read() != gpio.High {
				t.Fatal("not enabled")
			}
			c.pin.Set(gpio.Low)
			time.Sleep(StopStable + ms)
			b.wants(t, "halt enable=Low, "+c.want+"=true")
			if b.Arm() || b.Enabled() {
				t.Error("armed under a stop")
			}
			c.pin.Set(gpio.High)
			time.Sleep(time.Second)
			b.wants(t, c.want+"=false")
			if b.Enabled() {
				t.Error("a release lets the machine run")
			}
		}
	})
}

func TestEnableBeginsLowAndNeedsKnownLines(t *testing.T) {
	inBubble(t, func(b *bench, c *Config) { b.cover.Set(gpio.Low) }, func(t *testing.T, b *bench) {
		if got := b.enable.Trace(); !slices.Equal(got, []gpio.Level{gpio.Low}) {
			t.Errorf("enable went %v", got)
		}
		if b.Arm() {
			t.Error("armed with the cover open")
		}
		b.cover.Set(gpio.High)
		if b.Arm() {
			t.Error("armed before the cover's level counts")
		}
		time.Sleep(time.Second)
		if !b.Arm() {
			t.Error("not armed")
		}
		if b.Disarm(); b.Enabled() || b.enable.Read() != gpio.Low {
			t.Error("not disarmed")
		}
		b.Show(Enable, true)
		b.Show(Buzzer, true) // not configured
		if b.Show(FaultLamp, true); b.Enabled() || b.lamp.Read() != gpio.High {
			t.Error("Show sets enable, or no lamp")
		}
	})
}

func TestNothingRunsBeforeRun(t *testing.T) {
	var enable Fake
	p, err := New(Config{Outputs: map[Output]gpio.PinOut{Enable: &enable}, Halt: func() {}, Post: func(table.Event) {}})
	if err != nil || p.Arm() || enable.Trace() != nil {
		t.Errorf("error %v, trace %v", err, enable.Trace())
	}
}

func TestButtonIsToldAndItsGlitchesAreNot(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, b *bench) {
		if got := b.heard(); got != "cover=false, estop=false" && got != "estop=false, cover=false" {
			t.Errorf("at the start: %q", got)
		}
		b.button.Set(gpio.High)
		time.Sleep(5 * ms)
		b.button.Set(gpio.Low)
		time.Sleep(time.Second)
		b.wants(t, "")
		b.button.Set(gpio.High)
		time.Sleep(time.Second)
		b.button.Set(gpio.Low)
		time.Sleep(time.Second)
		b.wants(t, "button=true, button=false")
		if s := b.Stats()[2]; s.Glitches == 0 || !s.Known || s.Active {
			t.Errorf("%+v", s)
		}
		b.button.Set(gpio.High)
		time.Sleep(time.Minute)
		b.wants(t, "button=true, panel button_stuck, button: [button_stuck]")
		b.button.Set(gpio.Low)
		time.Sleep(time.Second)
		b.wants(t, "button=false, button: []")
	})
}

// TestHost78_TimeoutsArePositive, and an idle panel wakes rarely.
func TestHost78_TimeoutsArePositive(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, b *bench) {
		before, _ := b.estop.Waited()
		time.Sleep(time.Minute)
		after, least := b.estop.Waited()
		if n := after - before; n < 590 || n > 610 {
			t.Errorf("%d waits in a minute, want %d", n, time.Minute/Recheck)
		}
		if least <= 0 {
			t.Errorf("waited for %v", least)
		}
	})
}

func TestConn40_SpinningPinIsPolled(t *testing.T) {
	for _, mode := range []FakeMode{Spins, Floods} {
		inBubble(t, func(b *bench, c *Config) { b.estop.Behave(mode) }, func(t *testing.T, b *bench) {
			before, _ := b.estop.Waited()
			time.Sleep(time.Minute)
			after, _ := b.estop.Waited()
			if n := after - before; n > 2*uint64(time.Minute/(spinPolls*spinRest)) {
				t.Errorf("mode %d: %d waits in a minute: it spins", mode, n)
			}
			b.heard()
			b.estop.Set(gpio.Low)
			time.Sleep(StopStable + 2*spinRest)
			b.wants(t, "halt enable=Low, estop=true")
			if tr := b.Stats()[1].Trouble; tr.Code != EdgesMissing || !strings.Contains(tr.String(), "ESTOP") {
				t.Errorf("trouble %v", tr)
			}
			b.estop.Behave(Waits)
			time.Sleep(time.Minute)
			if tr := b.Stats()[1].Trouble; tr != (Trouble{}) {
				t.Errorf("it waits again, and still %v", tr)
			}
		})
	}
}

// TestLostEdgesAreMadeUp: the driver drops edges without a sign.
func TestLostEdgesAreMadeUp(t *testing.T) {
	inBubble(t, func(b *bench, c *Config) { b.cover.Behave(NoEdges) }, func(t *testing.T, b *bench) {
		b.heard()
		b.cover.Set(gpio.Low)
		time.Sleep(Recheck + StopStable + ms)
		b.wants(t, "halt enable=Low, cover=true")
	})
}

// TestGpioioctl_ErrorIsTheSafeValue: with pins that tell of an error, and with
// periph's, which say Low.
func TestGpioioctl_ErrorIsTheSafeValue(t *testing.T) {
	bad := errors.New("no such device")
	inBubble(t, nil, func(t *testing.T, b *bench) {
		b.Arm()
		b.button.Set(gpio.High)
		time.Sleep(time.Second)
		b.heard()
		b.button.Break(bad)
		time.Sleep(time.Second)
		b.wants(t, "button=false, button: [line_unreadable]")
		b.estop.Break(bad)
		time.Sleep(time.Second)
		b.wants(t, "halt enable=Low, estop=true, estop: [line_unreadable]")
		if s := b.Stats()[1]; s.Known || !s.Active || s.Failures != 1 || !strings.Contains(s.Trouble.String(), "counts as pressed") {
			t.Errorf("%+v", s)
		}
		b.estop.Break(nil)
		b.button.Break(nil) // still held: no press
		time.Sleep(5 * time.Second)
		if got := b.heard(); !strings.Contains(got, "estop=false") || strings.Contains(got, "button=") {
			t.Errorf("mended: %q", got)
		}
	})
	var plain Fake
	plain.Set(gpio.High)
	inBubble(t, func(b *bench, c *Config) { c.Inputs[1].Pin = &plain }, func(t *testing.T, b *bench) {
		b.heard()
		plain.Break(bad)
		time.Sleep(time.Second)
		b.wants(t, "halt enable=Low, estop=true")
	})
}

func TestMissingPinIsTheSafeValue(t *testing.T) {
	inBubble(t, func(b *bench, c *Config) {
		c.Inputs[0].Pin = nil
		c.Inputs[2].Pin = nil
		b.estop.Break(errors.New("device or resource busy")) // In fails
	}, func(t *testing.T, b *bench) {
		got := b.heard()
		for _, want := range []string{"cover=true", "estop=true", "cover: [line_unreadable]", "button: [line_unreadable]"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%q has not %q once", got, want)
			}
		}
		if strings.Contains(got, "button=") || b.Arm() {
			t.Errorf("a missing button is pressed, or the machine may run: %q", got)
		}
		b.estop.Break(nil)
		time.Sleep(2 * inRetry)
		b.wants(t, "estop: [], estop=false")
	})
}

// TestHost36_HangingPinHoldsNothing: Halt does not end a wait of the driver, and
// a chip that is gone wakes nobody.
func TestHost36_HangingPinHoldsNothing(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, b *bench) {
		b.Arm()
		b.heard()
		b.estop.Behave(Hangs)
		time.Sleep(Recheck + 2*stale)
		b.wants(t, "halt enable=Low, estop=true, estop: [line_unreadable]")
		start := time.Now()
		b.cancel()
		<-b.ended
		if d := time.Since(start); d > stopMost {
			t.Errorf("the end took %v", d)
		}
	})
}

// TestKlipper1029_AStarvedProgramBlamesNoPin: it is the clock that is late.
func TestKlipper1029_AStarvedProgramBlamesNoPin(t *testing.T) {
	var jump atomic.Int64
	inBubble(t, func(b *bench, c *Config) {
		start := time.Now()
		c.Now = func() time.Duration { return time.Since(start) + time.Duration(jump.Load()) }
	}, func(t *testing.T, b *bench) {
		b.heard()
		time.Sleep(450 * ms) // the pins are read 40 ms before and 60 ms behind, the overseer looks 50 ms behind
		jump.Store(int64(time.Minute))
		time.Sleep(time.Second)
		b.wants(t, "")
	})
}

func TestOutputThatFailsIsSetAgain(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, b *bench) {
		b.heard()
		b.enable.Break(errors.New("input/output error"))
		if b.Arm() || b.Enabled() {
			t.Error("armed over a dead pin")
		}
		time.Sleep(time.Second)
		b.wants(t, "enable: [output_failed]")
		b.enable.Break(nil)
		time.Sleep(time.Second)
		if b.wants(t, "enable: []"); !b.Enabled() {
			t.Error("not set again")
		}
		// A Low that could not be set is made up for, and never turns High.
		b.enable.Break(errors.New("input/output error"))
		b.estop.Set(gpio.Low)
		time.Sleep(time.Second)
		b.enable.Break(nil)
		time.Sleep(time.Second)
		if b.enable.Read() != gpio.Low {
			t.Error("High under a stop")
		}
	})
}

func TestNewRefuses(t *testing.T) {
	ok := Config{Halt: func() {}, Post: func(table.Event) {}}
	for name, c := range map[string]Config{
		"no halt":      {Post: ok.Post},
		"no post":      {Halt: ok.Halt},
		"unknown line": {Halt: ok.Halt, Post: ok.Post, Inputs: []Input{{Line: "door"}}},
		"twice":        {Halt: ok.Halt, Post: ok.Post, Inputs: []Input{{Line: table.CoverLine}, {Line: table.CoverLine}}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := New(ok); err != nil {
		t.Error(err)
	}
}

// TestFakeHasTheDriversFaults: a fake that hid them would prove nothing.
func TestFakeHasTheDriversFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Fake
		if f.WaitForEdge(time.Hour) {
			t.Error("an edge before In")
		}
		if err := f.In(gpio.PullDown, gpio.BothEdges); err != nil {
			t.Fatal(err)
		}
		if f.WaitForEdge(-1) {
			t.Error("-1 waits")
		}
		_ = f.Halt() // lost
		start := time.Now()
		if f.WaitForEdge(time.Second) || time.Since(start) != time.Second {
			t.Error("Halt before a wait ends it")
		}
		for range 50 {
			f.Set(gpio.High)
			f.Set(gpio.Low)
		}
		if err := f.In(gpio.PullDown, gpio.BothEdges); err != nil {
			t.Fatal(err)
		}
		n := 0
		for f.WaitForEdge(ms) {
			n++
		}
		if n != fakeEdges {
			t.Errorf("%d edges of 100, want %d", n, fakeEdges)
		}
		over := make(chan bool)
		go func() { over <- f.WaitForEdge(0) }()
		time.Sleep(24 * time.Hour)
		select {
		case <-over:
			t.Error("0 does not wait for ever")
		default:
		}
		_ = f.Halt()
		<-over
		f.Set(gpio.High)
		f.Break(errors.New("gone"))
		if f.Read() != gpio.Low || f.Out(gpio.High) == nil || f.In(gpio.Float, gpio.NoEdge) == nil {
			t.Error("a broken pin works")
		}
		var out Fake
		_ = out.Out(gpio.High)
		if got := out.Trace(); !slices.Equal(got, []gpio.Level{gpio.Low, gpio.High}) {
			t.Errorf("the first High went %v", got)
		}
	})
}

func TestTroubleTellsWhatCauseAndNext(t *testing.T) {
	for _, tr := range []Trouble{unreadable(table.CoverLine, "P", errNoPin), chattering(table.CoverLine, "P"), stuckButton("P"),
		edgesMissing(table.CoverLine, "P"), unwritable(Enable, errNoPin)} {
		if tr.What == "" || tr.Cause == "" || tr.Next == "" || !strings.Contains(tr.String(), "likely") {
			t.Errorf("%+v", tr)
		}
	}
	if (Trouble{}).String() != "" {
		t.Error("no trouble has words")
	}
}
