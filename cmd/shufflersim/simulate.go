package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"shuffler/sim/rig"
)

// simulate runs the tables until ctx ends, or until all crews are done if that is
// wanted.
func simulate(ctx context.Context, f flags, orders io.Reader, stdout io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &printer{w: stdout, json: f.output == outputJSON}
	var scenario rig.Scenario
	if f.scenario != "" {
		var err error
		if scenario, err = rig.LoadScenario(f.scenario); err != nil {
			return usageError{err}
		}
	}
	bench, err := rig.StartBench(rig.Options{IDs: f.ids, Seed: f.seed, Speed: f.speed, Links: f.links, Tell: out.note})
	if err != nil {
		return err
	}
	defer bench.Close()
	if f.crew == "" {
		for _, t := range bench.Tables() {
			if err := t.Prepare(scenario); err != nil {
				return usage("%w: say --crew", err)
			}
		}
	}
	control, err := listen(f.control, bench)
	if err != nil {
		return err
	}
	defer control.close()
	out.opening(bench, control.path(), orders != nil)
	if orders != nil {
		go take(orders, bench, out) // a Read of a terminal cannot be ended; it goes with the program
	}
	var crews sync.WaitGroup
	defer crews.Wait()
	defer cancel()
	if f.crew != "" {
		done, err := play(ctx, &crews, f, scenario, bench, out)
		if err != nil {
			return err
		}
		if f.end {
			select {
			case <-done:
				return nil
			case <-ctx.Done():
			}
		}
	}
	<-ctx.Done()
	return nil
}

// take answers orders until there are no more. The end of them ends nothing.
func take(orders io.Reader, bench *rig.Bench, out *printer) {
	if err := rig.Converse(orders, out.answer, bench.Answer); err != nil && !errors.Is(err, errGone) {
		out.note("", "no more orders are taken here: "+err.Error())
	}
}

// socket is the control socket with the folder that was made for it. The zero
// value is none.
type socket struct {
	control *rig.Control
	dir     string
}

// listen opens the control socket that the flag wants.
func listen(flag string, bench *rig.Bench) (s socket, err error) {
	path := flag
	switch flag {
	case controlOff:
		return socket{}, nil
	case controlAuto:
		if path, err = ownPath(); err != nil {
			return socket{}, fmt.Errorf("folder for the control socket: %w; say --control PATH or --control off", err)
		}
		s.dir = filepath.Dir(path)
	}
	if s.control, err = rig.ListenControl(path, bench.Answer); err != nil {
		s.close()
		return socket{}, err
	}
	return s, nil
}

// ownPath makes a folder that only this user can look into.
func ownPath() (string, error) {
	for _, name := range []string{"RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"} {
		if dir := os.Getenv(name); filepath.IsAbs(dir) {
			own := filepath.Join(dir, fmt.Sprintf("shufflersim-%d", os.Getpid()))
			if err := os.Mkdir(own, 0o700); err == nil || errors.Is(err, os.ErrExist) {
				return filepath.Join(own, "control.sock"), nil
			}
		}
	}
	own, err := os.MkdirTemp("", "shufflersim-")
	return filepath.Join(own, "control.sock"), err
}

func (s socket) path() string {
	if s.control == nil {
		return ""
	}
	return s.control.Path()
}

func (s socket) close() {
	if s.control != nil {
		s.control.Close()
	}
	if s.dir != "" {
		_ = os.Remove(s.dir) // only if it is empty
	}
}
