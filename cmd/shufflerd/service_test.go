package main

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/rs/zerolog"

	"shuffler/controller"
	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// brokenPipe is a log that cannot be written.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestLumberjack34_ALogThatFailsLosesNoHand: the log is a view; hands live in the
// journal only.
func TestLumberjack34_ALogThatFailsLosesNoHand(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	args := []string{"demo", "--hands", "2", "--speed", "max", "--log-level", "trace", "--data", dir}
	if code := run(context.Background(), args, &out, brokenPipe{}); code != exitOK {
		t.Fatalf("exit %d: %s", code, out.String())
	}
	j, err := journal.OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	n := 0
	for _, err := range j.Records(0, journal.Filter{Types: []string{"hand_ended"}}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d hands in the journal, want 2", n)
	}
}

type noDevices struct{}

func (noDevices) Halt(fault.Part)  {}
func (noDevices) Do(table.Command) {}

// TestKlipper2900_TheWatchdogIsFedByLoopsThatAnswer: one that hangs starves it.
func TestKlipper2900_TheWatchdogIsFedByLoopsThatAnswer(t *testing.T) {
	c, err := controller.New(controller.Options{
		Journal: journal.NewMemory(), Clock: controller.BootClock{}, Version: "test", BootID: "b",
		Tables: []controller.TableOptions{{ID: "1", Settings: table.DefaultSettings(), Devices: noDevices{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newSupervisor(c, zerolog.Nop())
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if s.pulse(ended) {
		t.Error("loops that do not run have a pulse")
	}
	c.Start()
	if !s.pulse(context.Background()) {
		t.Error("loops that run have no pulse")
	}
	if err := c.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
}
