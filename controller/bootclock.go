package controller

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// BootClock is the clock of the machine: CLOCK_BOOTTIME, which goes on through
// sleep and is moved by nobody, beside the wall clock. The zero value is ready
// and may be shared.
type BootClock struct{}

// Mono is described at Clock.
func (BootClock) Mono() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		panic("controller: CLOCK_BOOTTIME: " + err.Error()) // Linux has it since 2.6.39
	}
	return time.Duration(ts.Nano())
}

// Wall is described at Clock.
func (BootClock) Wall() time.Time { return time.Now().Round(0) }

// BootID names this boot of the machine: another one means that Mono began anew.
func BootID() (string, error) {
	const file = "/proc/sys/kernel/random/boot_id"
	id, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("which boot of the machine this is: %w", err)
	}
	return strings.TrimSpace(string(id)), nil
}

// StepWatch notices when wall time jumps against the boot clock, as a time
// server makes it do. The zero value is not ready: see NewStepWatch.
type StepWatch struct {
	clock Clock
	wall  time.Time
	mono  time.Duration
}

// leastStep is the smallest jump that is worth a record: slewing is none.
const leastStep = 500 * time.Millisecond

// NewStepWatch begins to watch.
func NewStepWatch(c Clock) *StepWatch { return &StepWatch{clock: c, wall: c.Wall(), mono: c.Mono()} }

// Look tells by how much wall time has jumped since the last look, 0 if it has
// not.
func (w *StepWatch) Look() time.Duration {
	wall, mono := w.clock.Wall(), w.clock.Mono()
	step := wall.Sub(w.wall) - (mono - w.mono)
	w.wall, w.mono = wall, mono
	if step.Abs() < leastStep {
		return 0
	}
	return step
}
