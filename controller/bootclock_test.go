package controller

import (
	"testing"
	"time"
)

// twoClocks are wall and boot time that can be moved apart.
type twoClocks struct {
	mono time.Duration
	wall time.Time
}

func (c *twoClocks) Mono() time.Duration { return c.mono }
func (c *twoClocks) Wall() time.Time     { return c.wall }

func (c *twoClocks) pass(d time.Duration) {
	c.mono += d
	c.wall = c.wall.Add(d)
}

// TestOctoPi606_ClockStepsAreSeen: wall time that jumps, forward or back, is told
// once and by how much; slewing and time that passes are no jump.
func TestOctoPi606_ClockStepsAreSeen(t *testing.T) {
	c := &twoClocks{mono: time.Hour, wall: time.Unix(1_800_000_000, 0)}
	w := NewStepWatch(c)
	for _, step := range []time.Duration{0, 3 * time.Hour, 0, -40 * time.Second, 499 * time.Millisecond, 0, 500 * time.Millisecond} {
		c.pass(time.Minute)
		c.wall = c.wall.Add(step)
		want := step
		if step.Abs() < leastStep {
			want = 0
		}
		if got := w.Look(); got != want {
			t.Errorf("after a step of %s: told %s, want %s", step, got, want)
		}
	}
}

// TestChronos85_BootClockOnlyGoesForward: limits rest on a clock that nobody sets.
func TestChronos85_BootClockOnlyGoesForward(t *testing.T) {
	last := BootClock{}.Mono()
	for range 1000 {
		now := BootClock{}.Mono()
		if now < last {
			t.Fatalf("from %s back to %s", last, now)
		}
		last = now
	}
	if id, err := BootID(); err != nil || id == "" {
		t.Errorf("boot id %q, %v", id, err)
	}
}
