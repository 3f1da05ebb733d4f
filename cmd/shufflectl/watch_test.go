package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"shuffler/controller/api"
)

// output is what a running program prints, to be waited for.
type output struct {
	mu      sync.Mutex
	changed chan struct{}
	b       bytes.Buffer
}

func newOutput() *output { return &output{changed: make(chan struct{}, 1)} }

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.changed <- struct{}{}:
	default:
	}
	return o.b.Write(b)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// await waits until what was printed passes; it is no measure of time.
func (o *output) await(t *testing.T, what string, passes func(text string) bool) {
	t.Helper()
	late := time.After(30 * time.Second)
	for !passes(o.text()) {
		select {
		case <-o.changed:
		case <-late:
			t.Fatalf("never: %s\n%s", what, o.text())
		}
	}
}

func (o *output) awaitText(t *testing.T, want string) {
	t.Helper()
	o.await(t, want, func(s string) bool { return strings.Contains(s, want) })
}

// watching runs "table watch" until stop, which gives its exit code.
func watching(t *testing.T, h host, socket string, args ...string) (stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h.getenv = func(k string) string { return map[string]string{envServer: socket}[k] }
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, h, append([]string{"table", "watch", "--table", "1"}, args...)) }()
	stop = sync.OnceValue(func() int { cancel(); return <-ended })
	t.Cleanup(func() { stop() })
	return stop
}

var openTable = []string{"table", "open", "--table", "1", "--activity-card", "A", "--manual", "V", "--deputy", "floor:8", "--as", "floor:7"}

// TestWatch_PlainLines: without a terminal each event is a line, there is no
// sequence of a terminal in it, and a restart of the controller is told and got
// over.
func TestWatch_PlainLines(t *testing.T) {
	dir, socket := t.TempDir(), filepath.Join(shortTemp(t), "s.sock")
	h := newHouse(t, dir, socket, "1")
	out := newOutput()
	one := testHost(nil)
	one.stdout = out
	stop := watching(t, one, socket)
	out.awaitText(t, "Next: Floor: open the table.")
	h.must(openTable...)
	out.awaitText(t, "Next: Floor: ")
	out.await(t, "the sentence of opening", func(s string) bool { return strings.Contains(s, "AC") || strings.Contains(s, "floor 7") })
	h.stop()
	out.awaitText(t, "The controller is gone")
	again := newHouse(t, dir, socket, "1")
	out.awaitText(t, "The controller is back.")
	again.must("table", "close", "--table", "1", "--as", "floor:7")
	out.await(t, "the closing", func(s string) bool { return strings.Count(s, "Next: Floor: open the table.") == 2 })
	if code := stop(); code != exitOK {
		t.Errorf("exit %d", code)
	}
	if strings.Contains(out.text(), "\x1b") {
		t.Errorf("%q", out.text())
	}
}

// TestWatch_JSONLines: a JSON object a line, records and states.
func TestWatch_JSONLines(t *testing.T) {
	h := open(t, "1")
	out := newOutput()
	one := testHost(nil)
	one.stdout = out
	stop := watching(t, one, h.socket, "-o", "json")
	out.awaitText(t, `{"state":{"table":"1"`)
	h.must(openTable...)
	out.awaitText(t, `"type":"table_opened"`)
	out.awaitText(t, `"open":true`)
	if code := stop(); code != exitOK {
		t.Errorf("exit %d", code)
	}
}

// TestWatch_AnotherJournal: a controller that comes back with a shorter journal, as
// after a restored backup, is followed from where that one stands.
func TestWatch_AnotherJournal(t *testing.T) {
	socket := filepath.Join(shortTemp(t), "s.sock")
	h := newHouse(t, evening(t), socket, "1")
	out := newOutput()
	one := testHost(nil)
	one.stdout = out
	stop := watching(t, one, socket)
	out.awaitText(t, "Next: Floor: open the table.")
	h.stop()
	out.awaitText(t, "The controller is gone")
	again := newHouse(t, t.TempDir(), socket, "1")
	out.awaitText(t, "The controller is back.")
	again.must(openTable...)
	out.awaitText(t, "Next: Dealer: sign in.")
	if code := stop(); code != exitOK {
		t.Errorf("exit %d", code)
	}
}

// TestWatch_NoSuchTable is a mistake of usage.
func TestWatch_NoSuchTable(t *testing.T) {
	h := open(t, "2")
	if r := h.ctl("table", "watch", "--table", "1"); r.code != exitUsage || !strings.Contains(r.err, "no_table") {
		t.Errorf("%+v", r)
	}
}

// emulator understands what a live view sends to a terminal. It fails for any
// other sequence, for a line that wraps and for a screen that scrolls.
type emulator struct {
	t             *testing.T
	width, height int
	mu            sync.Mutex
	rows          [][]rune
	y, x          int
	hidden        bool
	scrolled      int
	rest          string
	changed       chan struct{}
}

func newEmulator(t *testing.T, width, height int) *emulator {
	return &emulator{t: t, width: width, height: height, rows: make([][]rune, height), changed: make(chan struct{}, 1)}
}

func (e *emulator) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.rest + string(b)
	for s != "" {
		n := e.take(s)
		s = s[n:]
	}
	select {
	case e.changed <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (e *emulator) take(s string) int {
	for sequence, do := range map[string]func(){
		hideCursor: func() { e.hidden = true }, showCursor: func() { e.hidden = false }, styleOff: func() {},
		sequences[bold]: func() {}, sequences[loud]: func() {}, sequences[alarm]: func() {}, sequences[faint]: func() {},
		clearLine: func() { e.rows[e.y] = e.rows[e.y][:min(e.x, len(e.rows[e.y]))] },
		clearBelow: func() {
			e.rows[e.y] = nil
			for i := e.y + 1; i < e.height; i++ {
				e.rows[i] = nil
			}
		},
		"\r": func() { e.x = 0 },
		"\n": func() {
			if e.y++; e.y == e.height {
				e.rows, e.y = append(e.rows[1:], nil), e.height-1
				e.scrolled++
			}
		},
	} {
		if strings.HasPrefix(s, sequence) {
			do()
			return len(sequence)
		}
	}
	var up int
	if n, err := fmt.Sscanf(s, "\x1b[%dA", &up); n == 1 && err == nil {
		e.y = max(0, e.y-up)
		return len(fmt.Sprintf("\x1b[%dA", up))
	}
	r := []rune(s)[0]
	if r < ' ' {
		e.t.Errorf("the terminal got %q", s[:min(len(s), 10)])
		return 1
	}
	for len(e.rows[e.y]) <= e.x {
		e.rows[e.y] = append(e.rows[e.y], ' ')
	}
	e.rows[e.y][e.x] = r
	e.x++ // wide characters count in the test of widths, not here
	if w := columns(string(e.rows[e.y])); w >= e.width {
		e.t.Errorf("a line reaches the last column: %q", string(e.rows[e.y]))
	}
	return len(string(r))
}

func (e *emulator) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, r := range e.rows {
		b.WriteString(strings.TrimRight(string(r), " ") + "\n")
	}
	return b.String()
}

func (e *emulator) await(what string, passes func(string) bool) string {
	e.t.Helper()
	late := time.After(30 * time.Second)
	for {
		s := e.text()
		if passes(s) {
			return s
		}
		select {
		case <-e.changed:
		case <-late:
			e.t.Fatalf("never: %s\n%s", what, s)
		}
	}
}

func (e *emulator) screen() *terminal {
	return &terminal{
		size:    func() (int, int) { return e.width, e.height },
		changes: func(context.Context) <-chan struct{} { return nil },
	}
}

// TestWatch_LiveView: the view is drawn over itself, never scrolls what stands
// above away, shows the newest state only, and a controller that is gone.
func TestWatch_LiveView(t *testing.T) {
	dir, socket := t.TempDir(), filepath.Join(shortTemp(t), "s.sock")
	h := newHouse(t, dir, socket, "1")
	e := newEmulator(t, 80, 40)
	fmt.Fprint(e, "$ shufflectl table watch\r\n")
	one := testHost(nil)
	one.stdout, one.screen = e, e.screen()
	stop := watching(t, one, socket)
	e.await("the closed table", func(s string) bool {
		return strings.Contains(s, "Table 1  closed") && strings.Contains(s, "Floor: open the table.")
	})
	h.must(openTable...)
	s := e.await("the open table", func(s string) bool { return strings.Contains(s, "Table 1  open") && strings.Contains(s, "session 1") })
	if strings.Contains(s, "open the table.") || strings.Count(s, "Table 1") != 1 || strings.Count(s, "Machines") != 1 {
		t.Errorf("what was before is still there:\n%s", s)
	}
	h.stop()
	e.await("that it is gone", func(s string) bool { return strings.Contains(s, "NO CONTROLLER since 12:00:00") })
	newHouse(t, dir, socket, "1")
	s = e.await("that it is back", func(s string) bool { return !strings.Contains(s, "NO CONTROLLER") })
	if code := stop(); code != exitOK || e.hidden {
		t.Errorf("exit %d, cursor hidden: %v", code, e.hidden)
	}
	if !strings.HasPrefix(s, "$ shufflectl table watch\n") || e.scrolled != 0 {
		t.Errorf("scrolled %d lines:\n%s", e.scrolled, s)
	}
}

// TestScreen_OfAnySize: whatever the table has to tell and however small the
// window is, nothing wraps or scrolls, and the next action is on it.
func TestScreen_OfAnySize(t *testing.T) {
	states := cardRoom().tables
	for _, size := range [][2]int{{200, 60}, {80, 24}, {60, 12}, {41, 8}} {
		for _, lang := range []string{"en", "zh-CN"} {
			e := newEmulator(t, size[0], size[1])
			h := testHost(nil)
			h.stdout, h.screen = e, e.screen()
			c := &ctl{host: h, lang: lang}
			if err := c.prepare(c.root()); err != nil {
				t.Fatal(err)
			}
			w := c.watcher("1")
			for range 3 {
				for _, s := range states {
					if err := w.take(api.Event{State: &s}); err != nil {
						t.Fatal(err)
					}
					shownNow := strings.Join(strings.Fields(e.text()), "")
					for word := range strings.SplitSeq(clip(c.prompt(s.Next), 12), " ") {
						if !strings.Contains(shownNow, word) {
							t.Errorf("%v %s: the next action %q is not on the screen:\n%s", size, lang, c.prompt(s.Next), e.text())
						}
					}
				}
			}
			if e.scrolled != 0 {
				t.Errorf("%v %s: scrolled %d lines", size, lang, e.scrolled)
			}
		}
	}
}

// TestScreen_Shrinks: lines that are no more are gone from the screen.
func TestScreen_Shrinks(t *testing.T) {
	e := newEmulator(t, 80, 24)
	s := screen{w: e}
	for _, lines := range [][]line{{{{"one", plain}}, {{"two", plain}}, {{"three", plain}}}, {{{"1", plain}}}} {
		if err := s.draw(lines, 80, 24); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.TrimRight(e.text(), "\n"); got != "1" {
		t.Errorf("%q", got)
	}
}

// TestScreen_Narrowed: a terminal that became narrower has wrapped what was drawn;
// all of it is drawn over.
func TestScreen_Narrowed(t *testing.T) {
	s := screen{w: io.Discard}
	if err := s.draw([]line{{{strings.Repeat("x", 70), plain}}, nil, {{"short", plain}}}, 80, 24); err != nil {
		t.Fatal(err)
	}
	for width, rows := range map[int]int{80: 3, 70: 3, 40: 4, 20: 6} {
		if got := s.height(width); got != rows {
			t.Errorf("in %d columns %d rows, want %d", width, got, rows)
		}
	}
}

// TestNoColor: NO_COLOR leaves styles out, and a pipe never has any.
func TestNoColor(t *testing.T) {
	for _, c := range []struct {
		screen bool
		env    string
		styled bool
	}{{true, "", true}, {true, "1", false}, {false, "", false}} {
		h := testHost(map[string]string{"NO_COLOR": c.env})
		if c.screen {
			h.screen = (&emulator{width: 80, height: 24}).screen()
		}
		run(t.Context(), h, []string{"table", "status", "--table", "1", "--server", cardRoom().serve(t)})
		if out := h.stdout.(*bytes.Buffer).String(); strings.Contains(out, "\x1b[") != c.styled {
			t.Errorf("%+v: %q", c, out)
		}
	}
}
