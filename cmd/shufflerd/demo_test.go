package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shuffler/controller/journal"
)

// program runs shufflerd as a person would and gives what it printed.
func program(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestDemo_FiveHands(t *testing.T) {
	code, out, errs := program(t, "demo", "--hands", "5", "--speed", "max", "--lang", "en")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, want := range []string{"52", "journal verified:", "dealer 3", "dealer 5", "D-A1", "D-B1"} {
		if !strings.Contains(out, want) {
			t.Errorf("the demo does not print %q", want)
		}
	}
	if errs != "" {
		t.Errorf("beside the narration: %s", errs)
	}
}

// TestDemo_SameSeedSameOutput: with a virtual clock the seed is everything.
func TestDemo_SameSeedSameOutput(t *testing.T) {
	print := func(seed string) string {
		code, out, errs := program(t, "demo", "--hands", "3", "--speed", "max", "--seed", seed, "--lang", "en", "--data", filepath.Join(t.TempDir(), "j"))
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		_, rest, _ := strings.Cut(out, "\n") // the first line names the folder
		return rest
	}
	if a, b := print("4"), print("4"); a != b {
		t.Error("one seed printed two evenings")
	}
	if a, b := print("4"), print("5"); a == b {
		t.Error("two seeds printed one evening")
	}
}

// TestDemo_GoesOnInTheSameFolder: hand numbers go on, and nothing of the evening
// before is lost (H3, M3).
func TestDemo_GoesOnInTheSameFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "j")
	for evening := 1; evening <= 2; evening++ {
		if code, _, errs := program(t, "demo", "--hands", "2", "--speed", "max", "--data", dir); code != exitOK {
			t.Fatalf("evening %d: exit %d: %s", evening, code, errs)
		}
	}
	j, err := journal.OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	last, found, err := j.Last(journal.Filter{Types: []string{"hand_started"}})
	if err != nil || !found || !strings.Contains(string(last.Payload), `"hand":4,`) {
		t.Errorf("last hand: %s, %v", last.Payload, err)
	}
	if code, out, _ := program(t, "verify", "--data", dir); code != exitOK || !strings.Contains(out, "journal verified") {
		t.Errorf("verify: exit %d, %s", code, out)
	}
}

// TestExitCodes: bad input gets a clear message and the code of its kind.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	held := filepath.Join(dir, "held")
	j, err := journal.Open(held, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	damaged := filepath.Join(dir, "damaged")
	if err := os.Mkdir(damaged, 0o700); err != nil {
		t.Fatal(err)
	}
	file("damaged/journal.db", "this is no database, whatever it says")
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"unknown flag":       {[]string{"demo", "--hnads", "5"}, exitUsage, "hnads"},
		"negative hands":     {[]string{"demo", "--hands", "-1"}, exitUsage, "-1"},
		"bad speed":          {[]string{"demo", "--speed", "fast"}, exitUsage, "fast"},
		"bad scenario":       {[]string{"demo", "--scenario", "jamm"}, exitUsage, "jam"},
		"broken scenario":    {[]string{"demo", "--scenario", file("s.txt", "hand 2: shuffler jam_entri\n")}, exitUsage, "line 1"},
		"bad language":       {[]string{"demo", "--lang", "xx"}, exitUsage, "xx"},
		"misspelt key":       {[]string{"demo", "--config", file("c.yaml", "machine:\n  step_timeuot: 5s\n")}, exitConfiguration, "step_timeout"},
		"wrong type":         {[]string{"demo", "--config", file("d.yaml", "machine:\n  step_timeout: fast\n")}, exitConfiguration, "fast"},
		"missing file":       {[]string{"demo", "--config", filepath.Join(dir, "none.yaml")}, exitConfiguration, "none.yaml"},
		"folder in use":      {[]string{"demo", "--hands", "1", "--speed", "max", "--data", held}, exitLockHeld, "held by process"},
		"damaged journal":    {[]string{"demo", "--hands", "1", "--speed", "max", "--data", damaged}, exitVerifyFailed, "journal.db"},
		"nothing to verify":  {[]string{"verify", "--data", filepath.Join(dir, "nothing")}, exitFailed, "nothing"},
		"verify what":        {[]string{"verify"}, exitUsage, "--data"},
		"verify a bad head":  {[]string{"verify", "--data", held, "--head", "x"}, exitUsage, "head"},
		"no such subcommand": {[]string{"dmeo"}, exitUsage, "dmeo"},
	} {
		code, _, errs := program(t, c.args...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d (want %d), says %q (want %q in it)", name, code, c.code, errs, c.says)
		}
	}
	if text, err := os.ReadFile(filepath.Join(damaged, "journal.db")); err != nil || string(text) != "this is no database, whatever it says" {
		t.Errorf("the damaged journal was touched: %q, %v", text, err)
	}
}
