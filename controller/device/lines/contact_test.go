package lines

import (
	"math/rand/v2"
	"testing"
	"time"

	"shuffler/controller/table"
	"shuffler/sim"
)

const ms = time.Millisecond

// step is one look at a line and what it must show.
type step struct {
	at    time.Duration
	high  bool
	edge  bool
	event bool
	stuck bool
}

func walk(t *testing.T, c *contact, steps []step) {
	t.Helper()
	for i, s := range steps {
		if got := c.look(s.at, s.high, s.edge); got != (finding{s.event, s.stuck}) {
			t.Errorf("%s, look %d at %v: %+v, want %+v", c.line, i, s.at, got, finding{s.event, s.stuck})
		}
	}
}

func TestConn5_ALevelCountsWhenStable(t *testing.T) {
	c := newContact(table.ButtonLine, 25*ms)
	walk(t, c, []step{
		{at: 0}, {at: 25 * ms}, // released: known, nothing to tell
		{at: 100 * ms, high: true, edge: true}, {at: 103 * ms, edge: true}, {at: 104 * ms, high: true, edge: true},
		{at: 125 * ms, high: true}, {at: 128 * ms, high: true}, {at: 129 * ms, high: true, event: true},
		{at: 200 * ms, edge: true}, {at: 210 * ms, edge: true}, // back and forth between two looks
		{at: 225 * ms}, {at: 235 * ms, event: true},
	})
	if want := (Counts{Edges: 3, Glitches: 2}); c.counts != want {
		t.Errorf("counted %+v, want %+v", c.counts, want)
	}
	if c.active {
		t.Error("still pressed")
	}
}

func TestMakerspaceAuth52_MotorsPressNoButton(t *testing.T) {
	c := newContact(table.ButtonLine, 25*ms)
	walk(t, c, []step{{at: 0}, {at: 25 * ms}})
	for i := range 1000 {
		at := time.Duration(i)*100*ms + time.Second
		walk(t, c, []step{{at: at, high: true, edge: true}, {at: at + 24*ms, edge: true}, {at: at + 60*ms}})
	}
	if c.counts.Glitches != 1000 || c.counts.Edges != 1 || !c.bad {
		t.Errorf("counted %+v, chatters %v", c.counts, c.bad)
	}
	walk(t, c, []step{{at: 200 * time.Second}, {at: 300 * time.Second}})
	if c.bad {
		t.Error("a quiet span does not end the chatter")
	}
}

// TestCdev13_ThousandPressesWithBounce: each press of a bouncing button is told
// once, and each release.
func TestCdev13_ThousandPressesWithBounce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := sim.NewPanel(12*ms, rng)
	const presses = 1000
	for i := range presses {
		p.Press(sim.PanelButton, time.Second+time.Duration(i)*400*ms, 60*ms+time.Duration(rng.IntN(200))*ms)
	}
	c := newContact(table.ButtonLine, ButtonStable)
	var told []bool
	look := func(now time.Duration, edge bool) time.Duration {
		if f := c.look(now, p.Level(sim.PanelButton), edge); f.event {
			told = append(told, c.active)
		}
		return now + c.due(now)
	}
	for now := time.Duration(0); now < 500*time.Second; {
		next := look(now, false)
		for p.Next() < next { // each edge wakes a look; some edges come together
			now = p.Next()
			p.Advance(now + time.Duration(rng.IntN(2))*ms/2)
			next = look(now, true)
		}
		now = next
	}
	if len(told) != 2*presses {
		t.Fatalf("%d events of %d presses, want two each", len(told), presses)
	}
	for i, active := range told {
		if active != (i%2 == 0) {
			t.Fatalf("event %d is active=%v", i, active)
		}
	}
	if c.counts.Glitches == 0 {
		t.Error("no bounce was counted")
	}
}

func TestM2_StuckButtonIsNamedOnceAPress(t *testing.T) {
	c := newContact(table.ButtonLine, 25*ms)
	s := time.Second
	walk(t, c, []step{
		{at: 0}, {at: 25 * ms},
		{at: 1 * s, high: true}, {at: 1*s + 25*ms, high: true, event: true},
		{at: 11 * s, high: true}, {at: 11*s + 25*ms, high: true, stuck: true}, {at: 50 * s, high: true},
		{at: 60 * s}, {at: 61 * s, event: true},
		{at: 70 * s, high: true}, {at: 71 * s, high: true, event: true}, {at: 81 * s, high: true, stuck: true},
	})
}

// TestH1_AHeldButtonAtTheStartIsNoPress: a press is an edge that was seen.
func TestH1_AHeldButtonAtTheStartIsNoPress(t *testing.T) {
	c := newContact(table.ButtonLine, 25*ms)
	walk(t, c, []step{{at: 0, high: true}, {at: 25 * ms, high: true}, {at: time.Minute, high: true},
		{at: 61 * time.Second}, {at: 62 * time.Second},
		{at: 63 * time.Second, high: true}, {at: 64 * time.Second, high: true, event: true}})
	if f := c.fail(); f != (finding{event: true}) || c.active {
		t.Errorf("the line fails under a press: %+v, active %v; want a release", f, c.active)
	}
	if f := c.fail(); f != (finding{}) || c.counts.Failures != 1 {
		t.Errorf("failed twice: %+v, %+v", f, c.counts)
	}
	walk(t, c, []step{{at: 70 * time.Second, high: true}, {at: 71 * time.Second, high: true}, // back, and held: no press
		{at: 72 * time.Second}, {at: 73 * time.Second}})
}

func TestS5_AStopIsGivenUntilKnown(t *testing.T) {
	for _, line := range []table.Line{table.CoverLine, table.EStopLine} {
		c := newContact(line, 10*ms)
		if !c.stopping() || !c.active {
			t.Errorf("%s: not given before it is known", line)
		}
		walk(t, c, []step{{at: 0, high: true}})
		if !c.stopping() {
			t.Errorf("%s: not given before it is stable", line)
		}
		walk(t, c, []step{{at: 10 * ms, high: true, event: true}})
		if c.stopping() {
			t.Errorf("%s: given although High for its time", line)
		}
		walk(t, c, []step{{at: time.Second}, {at: time.Second + 9*ms}})
		if c.stopping() {
			t.Errorf("%s: given before its time", line)
		}
		walk(t, c, []step{{at: time.Second + 10*ms, event: true}})
		if !c.stopping() {
			t.Errorf("%s: Low is not given", line)
		}
		if f := c.fail(); f != (finding{}) { // it has been told already
			t.Errorf("%s: told twice: %+v", line, f)
		}
	}
}

func TestS5_AStopThatCannotBeReadIsGiven(t *testing.T) {
	c := newContact(table.EStopLine, 10*ms)
	walk(t, c, []step{{at: 0, high: true}, {at: 10 * ms, high: true, event: true}})
	if f := c.fail(); f != (finding{event: true}) || !c.active || !c.stopping() {
		t.Errorf("%+v, active %v, stopping %v; want pressed", f, c.active, c.stopping())
	}
	walk(t, c, []step{{at: time.Second, high: true}})
	if !c.stopping() {
		t.Error("back at the first good look")
	}
	walk(t, c, []step{{at: time.Second + 10*ms, high: true, event: true}})
	if c.stopping() {
		t.Error("not back after its time")
	}
}

// TestS5_AStopWithoutRestIsGiven: a contact that flutters for ever is never
// stable, and may be a stop that somebody leans on.
func TestS5_AStopWithoutRestIsGiven(t *testing.T) {
	c := newContact(table.EStopLine, 10*ms)
	walk(t, c, []step{{at: 0, high: true}, {at: 10 * ms, high: true, event: true}})
	var given time.Duration
	for at, high := time.Second, false; at < 2*time.Second && given == 0; at, high = at+5*ms, !high {
		if f := c.look(at, high, true); f.event {
			given = at - time.Second
		}
	}
	if given < unrestMost*c.stable || given > unrestMost*c.stable+10*ms || !c.stopping() {
		t.Errorf("given after %v, want after %v", given, unrestMost*c.stable)
	}
	walk(t, c, []step{{at: 3 * time.Second, high: true}, {at: 3*time.Second + 10*ms, high: true, event: true}})
	// Single glitches, far from each other, are none.
	for i := range 100 {
		at := 4*time.Second + time.Duration(i)*50*ms
		walk(t, c, []step{{at: at, edge: true}, {at: at + 5*ms, high: true, edge: true}, {at: at + 20*ms, high: true}})
	}
}

// FuzzContact: whatever a pin says, a stop is never missed: a level that was Low
// at all looks for the stable time counts, and nothing is told twice.
func FuzzContact(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 255, 128, 7, 9, 40, 41})
	f.Add([]byte{8, 8, 8, 8, 12, 12, 12, 4, 4, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, line := range []table.Line{table.EStopLine, table.ButtonLine} {
			c := newContact(line, 10*ms)
			told, any := c.active, !c.stops()
			var now, low time.Duration
			for _, x := range b {
				high, edge := x&1 != 0, x&2 != 0
				now += time.Duration(x>>3) * ms
				if high || edge {
					low = now
				}
				var fi finding
				if x&4 != 0 && high {
					fi = c.fail()
					low = now
				} else {
					fi = c.look(now, high, edge)
				}
				if fi.event {
					if any && c.active == told {
						t.Fatalf("%s: told %v twice", line, told)
					}
					told, any = c.active, true
				}
				if c.stops() && now-low >= 20*ms && now-c.since >= 10*ms && !c.stopping() {
					t.Fatalf("Low for %v, and not given", now-low)
				}
				if !c.stops() && c.failed && c.active {
					t.Fatal("a button that cannot be read is pressed")
				}
				if c.due(now) <= 0 || c.due(now) > Recheck {
					t.Fatalf("the next look is due in %v", c.due(now))
				}
			}
		}
	})
}
