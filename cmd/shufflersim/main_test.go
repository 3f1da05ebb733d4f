package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds a failing test; no test waits for it to pass.
const patience = 60 * time.Second

// TestMain lets the test binary be the program itself.
func TestMain(m *testing.M) {
	if os.Getenv("SHUFFLERSIM_TEST_AS_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestFlags_RefusedWithWhatToDo: what cannot be is a mistake of usage, named.
func TestFlags_RefusedWithWhatToDo(t *testing.T) {
	for args, want := range map[string]string{
		"--tables 0":                      "--tables 0: want 1 to 1000",
		"--tables 1001":                   "want 1 to 1000",
		"--tables two":                    "see shufflersim --help",
		"--tables 2 --ids 1":              "say one of them",
		"--speed 0":                       "--speed 0: want 0.05 to 100",
		"--speed NaN":                     "want 0.05 to 100",
		"--pace 0":                        "--pace 0: want",
		"-o xml":                          "want human or json",
		"--hands 3":                       "say --crew too",
		"--crew x --hands -1":             "want 0 or more",
		"--crew x:y:z":                    "want unix://",
		"--crew /s --exit-when-done":      "say how many --hands",
		"--scenario nonsense":             "neither a file nor one of",
		"--scenario jam --control off":    "say --crew",
		"--no-such-flag":                  "see shufflersim --help",
		"once more":                       "see shufflersim --help",
		"--ids a,../b --control off":      "letters, digits",
		"--ids 1,1 --control off":         "each table once",
		"--control /dev/null":             "something else of this name",
		"--link /dev/null --control off":  "folder of links",
		"--crew http://u:p@h --hands 100": "more than host and port",
	} {
		t.Run(args, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // one that is taken after all ends at once
			var out, errs bytes.Buffer
			code := run(ctx, strings.Fields(args), nil, nil, &out, &errs)
			if code == exitOK || !strings.Contains(errs.String(), want) {
				t.Errorf("code %d, %q, want %q", code, errs.String(), want)
			}
			if strings.HasPrefix(want, "--") && code != exitUsage {
				t.Errorf("code %d, want %d", code, exitUsage)
			}
		})
	}
}

// lines is an output that a test reads line by line.
type lines struct {
	mu   sync.Mutex
	cond *sync.Cond
	text []string
	part []byte
}

func newLines() *lines {
	l := &lines{}
	l.cond = sync.NewCond(&l.mu)
	return l
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = append(l.part, b...)
	for {
		line, rest, ok := bytes.Cut(l.part, []byte("\n"))
		if !ok {
			break
		}
		l.text, l.part = append(l.text, string(line)), rest
	}
	l.cond.Broadcast()
	return len(b), nil
}

// next waits for a line and gives it.
func (l *lines) next(t *testing.T) string {
	t.Helper()
	late := time.AfterFunc(patience, l.cond.Broadcast)
	defer late.Stop()
	end := time.Now().Add(patience)
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.text) == 0 {
		if !time.Now().Before(end) {
			t.Fatal("no line comes")
		}
		l.cond.Wait()
	}
	line := l.text[0]
	l.text = l.text[1:]
	return line
}

// started is the first line of -o json, as shufflerd reads it.
type started struct {
	Tables  []struct{ ID, Shuffler, Scanner string }
	Control string
}

func opening(t *testing.T, line string) (s started) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &s); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return s
}

// ask says one order at the control socket.
func ask(t *testing.T, path, order string) string {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	fmt.Fprintln(c, order)
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(answer)
}

// TestRun_TakesOrdersAndLeavesNothing: ports and socket are told at the start,
// orders are answered from both sides, and all is gone at the end.
func TestRun_TakesOrdersAndLeavesNothing(t *testing.T) {
	t.Setenv("RUNTIME_DIRECTORY", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	dir := filepath.Join(t.TempDir(), "ports")
	ctx, cancel := context.WithCancel(t.Context())
	out := newLines()
	in, say := io.Pipe()
	code := make(chan int)
	go func() {
		code <- run(ctx, strings.Fields("--tables 2 --stdin -o json --link "+dir), nil, in, out, os.Stderr)
	}()
	s := opening(t, out.next(t))
	if len(s.Tables) != 2 || s.Tables[1].ID != "2" || s.Tables[1].Scanner != filepath.Join(dir, "table2-scanner") {
		t.Fatalf("told %+v", s)
	}
	for _, table := range s.Tables {
		for _, path := range []string{table.Shuffler, table.Scanner} {
			f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
	fmt.Fprintln(say, "table 2: put A")
	if got := out.next(t); got != `{"answer":"ok deck A: in the shuffler"}` {
		t.Errorf("got %s", got)
	}
	if got := ask(t, s.Control, "table 2: status"); !strings.Contains(got, "tray 52") {
		t.Errorf("got %s", got)
	}
	if got := ask(t, s.Control, "table 1: unplug scanner 1ms"); got != "ok scanner unplugged for 1ms" {
		t.Errorf("got %s", got)
	}
	if got := out.next(t); !strings.HasPrefix(got, `{"note":"scanner at /dev/pts/`) {
		t.Errorf("got %s", got)
	}
	say.Close() // the end of orders ends nothing
	if got := ask(t, s.Control, "jam entry"); !strings.HasPrefix(got, "ok") {
		t.Errorf("got %s", got)
	}
	cancel()
	if c := <-code; c != exitOK {
		t.Errorf("code %d", c)
	}
	for _, path := range []string{dir, s.Control, filepath.Dir(s.Control)} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
}

// TestRun_ForPeople: names in words, and the way on.
func TestRun_ForPeople(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := newLines()
	code := make(chan int)
	go func() {
		code <- run(ctx, []string{"--control", "off"}, strings.NewReader("jam entry\n"), nil, out, os.Stderr)
	}()
	if got := out.next(t); !strings.HasPrefix(got, "table 1  shuffler /dev/pts/") {
		t.Errorf("got %s", got)
	}
	if got := out.next(t); !strings.Contains(got, "type help") {
		t.Errorf("got %s", got)
	}
	if got := out.next(t); got != "ok shuffler jam_entry@any" {
		t.Errorf("got %s", got)
	}
	cancel()
	if c := <-code; c != exitOK {
		t.Errorf("code %d", c)
	}
}

// TestProgram_LivesOnWithoutReader: a daemon that is killed takes its end of the
// output with it, and the devices are still there; SIGTERM ends them in order.
func TestProgram_LivesOnWithoutReader(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	runtime := t.TempDir()
	cmd := exec.Command(self, "-o", "json", "--tables", "1")
	cmd.Env = append(os.Environ(), "SHUFFLERSIM_TEST_AS_PROGRAM=1", "RUNTIME_DIRECTORY=", "XDG_RUNTIME_DIR="+runtime)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s := opening(t, line)
	out.Close()
	ask(t, s.Control, "unplug shuffler 1ms")
	end := time.Now().Add(patience)
	for strings.Contains(ask(t, s.Control, "status"), "unplugged") { // its return is told to nobody
		if time.Now().After(end) {
			t.Fatal("the port does not come back")
		}
	}
	if got := ask(t, s.Control, "jam entry"); !strings.HasPrefix(got, "ok") {
		t.Error(got)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(runtime, "*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}
