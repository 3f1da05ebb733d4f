package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func equal(a, b Config) bool { return reflect.DeepEqual(a, b) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// viper's WatchConfig: after an invalid or half-written file the program ran on
// defaults. Here the last good value stays, whole.
func TestViperWatchConfig_ReloadKeepsTheLastGoodOnError(t *testing.T) {
	o := in(t, "room: {name: Hall}\nhand: {triggers: [first_riffle, dealer_push]}\n")
	prev, src := good(t, o)
	kept := prev
	kept.Hand.Triggers, kept.Levels, kept.Tables = slices.Clone(prev.Hand.Triggers), slices.Clone(prev.Levels), slices.Clone(prev.Tables)
	for _, bad := range []string{"", "room: {name: Other}\nhand: {triggers: [dealer_push, x]}\n", "room: {name: Other", "levels: []\n"} {
		write(t, o.Path, bad)
		got, from, err := Reload(o, prev, src)
		if err == nil {
			t.Errorf("%q was taken", bad)
		}
		if !equal(got, kept) || !equal(prev, kept) || from.Path != o.Path {
			t.Errorf("after %q: %+v", bad, got)
		}
	}
	if err := os.Remove(o.Path); err != nil {
		t.Fatal(err)
	}
	if got, _, err := Reload(o, prev, src); err == nil || !equal(got, kept) {
		t.Error("a file that is gone was taken for defaults")
	}
	write(t, o.Path, "room: {name: Other}\n")
	got, from, err := Reload(o, prev, src)
	if err != nil || got.Room.Name != "Other" || !slices.Equal(got.Hand.Triggers, []string{"first_riffle"}) || from.Path != o.Path {
		t.Errorf("a good file: %+v, %v", got, err)
	}
	got.Levels[0].BigBlind, got.Procedure.Steps[0] = 7, "x"
	if !equal(prev, kept) || Default().Levels[0].BigBlind == 7 || Default().Procedure.Steps[0] == "x" {
		t.Error("two configurations share a slice")
	}
}

// The file that was found at start stays the file, even if the search would now
// end elsewhere.
func TestReloadReadsTheFileOfTheStart(t *testing.T) {
	o := Options{Env: []string{}, SystemPath: filepath.Join(t.TempDir(), "system.yaml")}
	prev, src := good(t, o)
	write(t, o.SystemPath, "room: {name: System}\n")
	prev, src, err := Reload(o, prev, src)
	if err != nil || prev.Room.Name != "System" {
		t.Fatalf("a file that came later: %+v, %v", prev, err)
	}
	if err := os.Remove(o.SystemPath); err != nil {
		t.Fatal(err)
	}
	if got, _, err := Reload(o, prev, src); err == nil || got.Room.Name != "System" {
		t.Error("a file that went was taken for defaults")
	}
}

func TestExampleIsTheDefaultsAndNamesEveryKey(t *testing.T) {
	c, src := good(t, in(t, Example()))
	if !equal(c, Default()) {
		t.Errorf("the example differs from the defaults:\n%+v\n%+v", c, Default())
	}
	for _, k := range keys() {
		if !strings.Contains(src.Of(k), "shufflerd.yaml:") {
			t.Errorf("%s is not in the example", k)
		}
	}
	for _, f := range levelFields {
		if src.Of("levels[0]."+f.key) == "default" {
			t.Errorf("levels: %s is not in the example", f.key)
		}
	}
	for _, f := range tableFields {
		if src.Of("tables[0]."+f.key) == "default" {
			t.Errorf("tables: %s is not in the example", f.key)
		}
	}
	wants(t, Example(), PathVariable, SystemPath, "--config", "SHUFFLERD_CHECK_SCAN_TIMEOUT", "--check-scan-timeout", "--data")
}

func TestShowTellsEachSourceAndLoadsAgain(t *testing.T) {
	o := in(t, "room: {name: \"Hall \\\"2\\\" 牌\"}\ntables:\n  - {id: \"007\", seats: 8}\ncheck: {confusions: [JD/QD]}\n")
	o.Env = []string{"SHUFFLERD_LOG_LEVEL=debug"}
	o = with(t, o, "--machine-step-timeout=90s", "--hand-confirm-button-and-blinds=false")
	c, src := good(t, o)
	var b strings.Builder
	if err := Show(&b, c, src); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), filepath.Dir(o.Path)+"/", "")
	wants(t, got, "# file: shufflerd.yaml\n",
		"room:\n  name: \"Hall \\\"2\\\" 牌\"  # shufflerd.yaml:1\n",
		"  level: debug  # environment SHUFFLERD_LOG_LEVEL\n",
		"  step_timeout: 1m30s  # flag --machine-step-timeout\n",
		"  confirm_button_and_blinds: false  # flag --hand-confirm-button-and-blinds\n",
		"  scan_timeout: 1m  # default\n",
		"tables:  # shufflerd.yaml:2\n  - {id: \"007\", name: \"\", seats: 8, mode: one_deck, shuffler: {port: \"\"}, scanner: {port: \"\"}}\n",
		"  confusions:  # shufflerd.yaml:4\n    - \"JD/QD\"\n",
		"levels:  # default\n")
	again, _ := good(t, in(t, b.String()))
	if !equal(again, c) {
		t.Errorf("shown and loaded again:\n%+v\n%+v", again, c)
	}
	for _, k := range keys() {
		_, name, _ := cutLast(k)
		if !strings.Contains(got, name+":") {
			t.Errorf("%s is not shown", k)
		}
	}
}

func TestCheckTellsWhatLooksOdd(t *testing.T) {
	text, err := Check(in(t, `
levels:
  - {number: 1, small_blind: 1, big_blind: 2, big_blind_ante: 20, minutes: 20}
tables:
  - {id: "1", name: Final, shuffler: {port: /dev/ttyUSB0}, scanner: {port: /dev/serial/by-id/x}}
`))
	if err != nil {
		t.Fatal(err)
	}
	wants(t, text, "shufflerd.yaml", "tables: 1 (Final)", "procedure: house-1, draft", "big_blind_ante: 20 is more than the big blind 2",
		"tables[0].shuffler.port: /dev/ttyUSB0 may be another device", "by-id", "\nvalid\n")
	text, err = Check(in(t, "procedure: {approved_by: \"floor:7\", approved_at: 2026-03-31}\n"))
	if err != nil || strings.Contains(text, "draft") {
		t.Errorf("approved: %s, %v", text, err)
	}
	wants(t, text, "approved by floor:7 on 2026-03-31")
	if text, err := Check(in(t, "")); err == nil || text != "" {
		t.Errorf("an empty file: %q, %v", text, err)
	}
}
