package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shuffler/config"
)

// runConfig runs `shufflerd config ARGS` and gives its output.
func runConfig(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Setenv("SHUFFLERD_CONFIG", "")
	c := configCommand()
	var out strings.Builder
	c.SetOut(&out)
	c.SetErr(&out)
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetArgs(args)
	err := c.Execute()
	return out.String(), err
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shufflerd.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConfigCheck(t *testing.T) {
	out, err := runConfig(t, "check", "--config", file(t, config.Example()))
	if err != nil || !strings.HasSuffix(out, "valid\n") {
		t.Errorf("the example: %v\n%s", err, out)
	}
	out, err = runConfig(t, "check", "--config", file(t, "check: {scan_timeuot: 60s}\n"))
	var e *exitError
	if !errors.As(err, &e) || e.code != exitConfiguration || out != "" {
		t.Fatalf("a misspelt key: %v, %q", err, out)
	}
	var all *config.Error
	if !errors.As(err, &all) || len(all.Problems) != 1 || !strings.Contains(err.Error(), "did you mean check.scan_timeout?") {
		t.Errorf("a misspelt key: %v", err)
	}
}

func TestConfigShow(t *testing.T) {
	out, err := runConfig(t, "show", "--config", file(t, "room: {name: Hall}\n"), "--log-level=debug", "--hand-confirm-button-and-blinds=false")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`name: "Hall"  # `, "shufflerd.yaml:1\n", "level: debug  # flag --log-level\n", "confirm_button_and_blinds: false  # flag --hand-confirm-button-and-blinds\n", "scan_timeout: 1m  # default\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	_, err = runConfig(t, "show", "--log-level=loud", "--config", file(t, "room: {name: Hall}\n"))
	var e *exitError
	if !errors.As(err, &e) || e.code != exitConfiguration || !strings.Contains(err.Error(), "flag --log-level: log.level: loud is none of") {
		t.Errorf("a wrong flag: %v", err)
	}
}

func TestConfigExampleIsTheFile(t *testing.T) {
	if out, err := runConfig(t, "example"); err != nil || out != config.Example() {
		t.Errorf("example: %v\n%s", err, out)
	}
}
