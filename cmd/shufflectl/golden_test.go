package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write what is printed into testdata")

// golden holds what was printed against a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(got)) {
		t.Errorf("%s differs (go test -update writes it anew)\n--- got\n%s\n--- want\n%s", path, got, want)
	}
}

// TestGolden_WhatPeopleAndProgramsRead: tables, JSON and CSV of a fixed room, in
// both languages.
func TestGolden_WhatPeopleAndProgramsRead(t *testing.T) {
	server := cardRoom().serve(t)
	for name, args := range map[string][]string{
		"status_busy.txt":    {"table", "status", "--table", "1"},
		"status_busy_zh.txt": {"table", "status", "--table", "1", "--lang", "zh-CN"},
		"status_busy.json":   {"table", "status", "--table", "1", "-o", "json"},
		"status_check.txt":   {"table", "status", "--table", "2"},
		"status_closed.txt":  {"table", "status", "--table", "=HYPERLINK(1)"},
		"status_all.txt":     {"table", "status"},
		"list.txt":           {"table", "list"},
		"list_zh.txt":        {"table", "list", "--lang", "zh-CN"},
		"list.json":          {"table", "list", "-o", "json"},
		"list.csv":           {"table", "list", "-o", "csv"},
		"faults.txt":         {"fault", "list"},
		"faults_zh.txt":      {"fault", "list", "--lang", "zh-CN"},
		"faults.json":        {"fault", "list", "-o", "json"},
		"faults.csv":         {"fault", "list", "-o", "csv", "--lang", "zh-CN"},
		"faults_none.txt":    {"fault", "list", "--table", "2"},
		"devices.txt":        {"device", "list"},
		"devices_zh.txt":     {"device", "list", "--lang", "zh-CN", "--table", "2"},
		"devices.json":       {"device", "list", "-o", "json"},
		"devices.csv":        {"device", "list", "-o", "csv"},
		"decks.txt":          {"deck", "list"},
		"decks.csv":          {"deck", "list", "-o", "csv"},
		"level.txt":          {"level", "show", "--zone", "Asia/Shanghai"},
		"level.csv":          {"level", "show", "-o", "csv", "--zone", "Asia/Shanghai"},
		"done.txt":           {"hand", "deal", "--as", "dealer:3", "--table", "2"},
		"done.json":          {"hand", "deal", "--as", "dealer:3", "--table", "2", "-o", "json"},
		"done.csv":           {"hand", "deal", "--as", "dealer:3", "--table", "2", "-o", "csv"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"--server", server}, args...)
			r := ctlIn(t, nil, args...)
			if r.code != exitOK || r.err != "" {
				t.Fatalf("exit %d: %s", r.code, r.err)
			}
			golden(t, name, r.out)
		})
	}
}

// TestHead_ThatIsNone: a controller that tells nonsense is not believed.
func TestHead_ThatIsNone(t *testing.T) {
	if r := ctlIn(t, nil, "journal", "head", "--server", cardRoom().serve(t)); r.code != exitFailed || r.err == "" {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
}
