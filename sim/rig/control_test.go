package rig_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shuffler/sim/rig"
)

func control(t *testing.T, path string, answer func(string) string) *rig.Control {
	t.Helper()
	c, err := rig.ListenControl(path, answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// talker is somebody at the socket.
type talker struct {
	t *testing.T
	net.Conn
	lines *bufio.Reader
}

func talk(t *testing.T, path string) *talker {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &talker{t, c, bufio.NewReader(c)}
}

func (k *talker) hear() string {
	_ = k.SetReadDeadline(time.Now().Add(patience))
	line, err := k.lines.ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(line, "\n")
}

// ask gives an order and hears its answer. One that is turned away may find the
// line closed before it has spoken; what it was told is there all the same.
func (k *talker) ask(order string) string {
	_, _ = fmt.Fprintln(k, order)
	return k.hear()
}

func TestControl_OneAnswerAnOrder(t *testing.T) {
	b := bench(t, rig.Options{IDs: []string{"1", "2"}})
	path := filepath.Join(t.TempDir(), "sub", "control.sock")
	c := control(t, path, b.Answer)
	if c.Path() != path {
		t.Errorf("path %s", c.Path())
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: others may not talk there", fi.Mode(), err)
	}
	one, two := talk(t, path), talk(t, path)
	for range 3 {
		if got := one.ask("table 2: lose 1%"); got != "ok cables: shuffler lose 1%, scanner lose 1%" {
			t.Errorf("got %q", got)
		}
		if got := two.ask("table 1: status"); !strings.HasPrefix(got, "ok") || !strings.HasSuffix(got, "cables ok") {
			t.Errorf("got %q", got)
		}
		if got := two.ask("fire"); !strings.HasPrefix(got, "error: ") {
			t.Errorf("got %q", got)
		}
	}
	fmt.Fprint(one, "\n# a note\r\nta")
	if got := one.ask("ble 1: unplug scanner\r"); got != "ok scanner unplugged" {
		t.Errorf("in pieces: %q", got)
	}
	fmt.Fprintln(one, "help")
	for line := one.hear(); line != "ok"; line = one.hear() {
		if !strings.HasPrefix(line, " ") {
			t.Fatalf("help says %q", line)
		}
	}
	c.Close()
	if got := one.hear(); got == "" || strings.HasPrefix(got, "ok") {
		t.Errorf("after the end: %q", got)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is still there")
	}
}

func TestControl_LinesAndTalkersHaveLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.sock")
	control(t, path, func(string) string { return "ok" })
	long := talk(t, path)
	go func() { _, _ = long.Write(bytes.Repeat([]byte{'x'}, 1<<16)) }() // it is cut off meanwhile
	if got := long.hear(); !strings.HasPrefix(got, "error: a line has more than") {
		t.Errorf("a line without end: %q", got)
	}
	var all []*talker
	for range 16 {
		k := talk(t, path)
		until(t, "a place", func() bool { // the long one may still be on its way out
			if k.ask("x") == "ok" {
				return true
			}
			k = talk(t, path)
			return false
		})
		all = append(all, k)
	}
	if got := talk(t, path).hear(); !strings.HasPrefix(got, "error: too many") {
		t.Errorf("one too many: %q", got)
	}
	all[0].Close()
	until(t, "a free place", func() bool { return talk(t, path).ask("x") == "ok" })
}

func TestControl_PathInUse(t *testing.T) {
	dir := t.TempDir()
	ok := func(string) string { return "ok" }
	living := filepath.Join(dir, "living.sock")
	control(t, living, ok)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		living: "another simulator answers", file: "something else",
		filepath.Join(dir, strings.Repeat("x", 200)): "the kernel takes", filepath.Join(file, "c.sock"): "not a directory",
	} {
		if c, err := rig.ListenControl(path, ok); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", path, c, err, want)
		}
	}
	if talk(t, living).ask("x") != "ok" {
		t.Error("the living one was harmed")
	}
	dead := filepath.Join(dir, "dead.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	control(t, dead, ok)
	if talk(t, dead).ask("x") != "ok" {
		t.Error("what a killed one left is not replaced")
	}
}
