package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/rs/zerolog"

	"shuffler/controller"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// Tuning constants of the watch over the daemon itself.
const (
	watchEvery = time.Second            // clock steps, missing devices, the loops' pulse
	stallOver  = 500 * time.Millisecond // a loop that answers later than this has stalled
)

// supervisor tells the service manager how the daemon is, and feeds its watchdog
// from the loops: a loop that hangs starves it.
type supervisor struct {
	c        *controller.Controller
	log      zerolog.Logger
	watchdog time.Duration // half of what the manager waits, 0 = none
	status   string
	stalls   int
}

func newSupervisor(c *controller.Controller, log zerolog.Logger) *supervisor {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn().Err(err).Msg("the service manager's watchdog settings cannot be read; it is not fed")
	}
	return &supervisor{c: c, log: log, watchdog: interval / 2}
}

// tell sends a state to the service manager, if there is one.
func (s *supervisor) tell(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.log.Warn().Err(err).Str("state", state).Msg("the service manager cannot be told")
	}
}

// watch runs until ctx ends: it takes the loops' pulse, notes clock steps, and
// names what is missing. It is ready as soon as the loops run, whatever hardware
// is there.
func (s *supervisor) watch(ctx context.Context) {
	s.tell(daemon.SdNotifyReady)
	clock := controller.NewStepWatch(controller.BootClock{})
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	fed := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if step := clock.Look(); step != 0 {
			for _, id := range s.c.Tables() {
				s.c.Post(id, table.ClockStepped{MS: step.Milliseconds()})
			}
		}
		if s.pulse(ctx) && s.watchdog > 0 && time.Since(fed) >= s.watchdog {
			fed = time.Now()
			s.tell(daemon.SdNotifyWatchdog)
		}
		s.report()
	}
}

// pulse asks every loop for a sign of life.
func (s *supervisor) pulse(ctx context.Context) bool {
	limit := max(s.watchdog, 10*stallOver)
	wait, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	err := s.c.Probe(wait)
	if took := time.Since(began); took > stallOver {
		s.stalls++
		s.log.Warn().Dur("took", took).Int("stalls", s.stalls).Msg("a loop answered late: is the machine overloaded?")
	}
	return err == nil
}

// report tells the service manager what is missing, when that changes.
func (s *supervisor) report() {
	var missing []string
	open := 0
	for _, id := range s.c.Tables() {
		snap, err := s.c.Snapshot(id)
		if err != nil {
			continue
		}
		if snap.State.Open {
			open++
		}
		for p, linked := range map[fault.Part]bool{fault.Shuffler: snap.State.Machine.Linked, fault.Scanner: snap.State.Scanner.Linked} {
			if !linked {
				missing = append(missing, fmt.Sprintf("table %s: no %s", id, p))
			}
		}
	}
	slices.Sort(missing)
	status := fmt.Sprintf("%d of %d tables open", open, len(s.c.Tables()))
	if n := len(missing); n > 6 {
		status += fmt.Sprintf("; %d devices missing", n)
	} else if n > 0 {
		status += "; " + strings.Join(missing, ", ")
	}
	if status != s.status {
		s.status = status
		s.tell("STATUS=" + status)
		s.log.Info().Msg(status)
	}
}
