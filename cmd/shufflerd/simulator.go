package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"shuffler/config"
)

// Tuning constants of the attached simulator.
const (
	simulatorEnds = 3 * time.Second // it may take so long to end by itself
	crewPace      = 4               // times as fast as people and machines, to have something to watch
)

// simulated is the line in which shufflersim tells its ports.
type simulated struct {
	Tables []struct {
		ID       string `json:"id"`
		Shuffler string `json:"shuffler"`
		Scanner  string `json:"scanner"`
	} `json:"tables"`
	Control string `json:"control"`
}

// attachSimulator starts shufflersim as a process of its own, so that it lives on
// when the daemon is killed, and puts its ports in place of the configured ones.
// With a crew, simulated people play at every table through the API at server.
func attachSimulator(ctx context.Context, cfg *config.Config, server string, crew bool, log zerolog.Logger) (stop func(), err error) {
	name, err := findSimulator()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range cfg.Tables {
		ids = append(ids, t.ID)
	}
	// Names that stay: a cable that is pulled comes back as another terminal.
	links, err := os.MkdirTemp("", "shufflersim-ports-")
	if err != nil {
		return nil, fmt.Errorf("start the simulator: %w", err)
	}
	args := []string{"--ids", strings.Join(ids, ","), "--link", links, "-o", "json"}
	if crew {
		args = append(args, "--crew", server, "--pace", strconv.Itoa(crewPace), "--speed", strconv.Itoa(crewPace))
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = simulatorEnds
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		_ = os.RemoveAll(links)
		return nil, fmt.Errorf("start the simulator %s: %w", name, err)
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()
		_ = os.RemoveAll(links)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadBytes('\n')
	var sim simulated
	if err == nil {
		err = json.Unmarshal(line, &sim)
	}
	if err == nil && len(sim.Tables) != len(cfg.Tables) {
		err = fmt.Errorf("it has %d tables, want %d", len(sim.Tables), len(cfg.Tables))
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("simulator %s: %w", name, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // it must never wait for us
	for i, t := range sim.Tables {
		cfg.Tables[i].ShufflerPort, cfg.Tables[i].ScannerPort = t.Shuffler, t.Scanner
	}
	log.Info().Str("control", sim.Control).Int("tables", len(sim.Tables)).Msg("simulator attached")
	return stop, nil
}

// findSimulator looks beside this program, then on the path.
func findSimulator() (string, error) {
	const name = "shufflersim"
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", errors.New("the simulator shufflersim is neither beside shufflerd nor on the path: go build ./cmd/... makes both")
	}
	return path, nil
}
