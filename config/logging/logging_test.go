package logging

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
)

// shanghai is a fixed zone: the test needs no zone files.
var shanghai = time.FixedZone("CST", 8*3600)

func at(ms int) func() time.Time {
	return func() time.Time { return time.Date(2026, 3, 31, 20, 5, 9, ms*1_000_000, time.UTC) }
}

func options(b *bytes.Buffer, f Format) Options {
	return Options{W: b, Format: f, Zone: shanghai, Now: at(0)}
}

// heimdall-v2 PR 570: whole seconds, because the format was set after the first
// use. Here each stamp has its milliseconds and the same width.
func TestHeimdall570_FixedWidthMilliseconds(t *testing.T) {
	for ms, want := range map[int]string{0: "2026-04-01T04:05:09.000+08:00", 7: "2026-04-01T04:05:09.007+08:00", 120: "2026-04-01T04:05:09.120+08:00"} {
		var b bytes.Buffer
		o := options(&b, JSON)
		o.Now = at(ms)
		l := New(o)
		l.Info().Time("measured", at(ms)().In(shanghai)).Msg("x")
		var line map[string]string
		if err := json.Unmarshal(b.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line["time"] != want || line["measured"] != want {
			t.Errorf("%d ms: %s", ms, b.String())
		}
	}
	var b bytes.Buffer
	l := New(Options{W: &b, Now: at(0)})
	l.Info().Msg("x")
	if !strings.Contains(b.String(), `"time":"2026-03-31T20:05:09.000+00:00"`) {
		t.Errorf("without a zone: %s", b.String())
	}
}

func TestJSONLine(t *testing.T) {
	var b bytes.Buffer
	l := New(options(&b, JSON))
	l.Warn().Str("table", "1").Int64("pos", 7).Err(errors.New("no link")).Msg("shuffler lost")
	want := `{"level":"warn","table":"1","pos":7,"error":"no link","time":"2026-04-01T04:05:09.000+08:00","message":"shuffler lost"}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

func TestConsoleLine(t *testing.T) {
	var b bytes.Buffer
	l := New(options(&b, Console))
	l.Warn().Str("table", "1").Str("room", "牌室 2").Int64("pos", 7).Err(errors.New("no link")).Msg("shuffler lost")
	want := "04:05:09.000 WRN shuffler lost error=\"no link\" pos=7 room=\"牌室 2\" table=1\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

// What comes from outside neither breaks a line nor forges one, nor moves the
// cursor of a terminal.
func TestOneLineWhateverTheContent(t *testing.T) {
	for _, bad := range []string{
		"a\nb", "a\r\nb", "a\x1b[2Jb", "a\u2028b", "a\u202eb", "a\x00b", "a\xffb", "a\u0085b", "a\tb",
		"x\n20:00:00.000 INF forged", "", strings.Repeat("long ", 5000),
	} {
		for _, f := range []Format{JSON, Console} {
			var b bytes.Buffer
			l := New(options(&b, f))
			raw, _ := json.MarshalIndent(map[string]any{"k": bad, "l": []string{bad}}, "", "\n")
			l.Info().Str("value", bad).Str(bad, "name").Err(errors.New(bad)).Strs("list", []string{bad, bad}).Any("any", map[string]string{bad: bad}).
				RawJSON("raw", raw).Bytes("bytes", []byte(bad)).Msg(bad)
			l.Info().Msg("next")
			lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
			if len(lines) != 2 || !strings.HasSuffix(b.String(), "\n") {
				t.Fatalf("%s of %q: %d lines: %q", f, bad, len(lines), b.String())
			}
			if f == JSON {
				if !json.Valid([]byte(lines[0])) {
					t.Errorf("%q: no JSON: %q", bad, lines[0])
				}
				if strings.ContainsFunc(lines[0], func(r rune) bool { return r < ' ' }) {
					t.Errorf("%q: control characters in %q", bad, lines[0])
				}
				continue
			}
			if i := strings.IndexFunc(lines[0], func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("%q: unprintable at %d of %q", bad, i, lines[0])
			}
		}
	}
}

func TestLevel(t *testing.T) {
	for _, c := range []struct {
		level string
		lines int
	}{{"error", 0}, {"warn", 1}, {"info", 2}, {"", 2}, {"nonsense", 2}, {"debug", 3}, {"trace", 3}} {
		var b bytes.Buffer
		o := options(&b, JSON)
		o.Level = c.level
		l := New(o)
		l.Debug().Msg("d")
		l.Info().Msg("i")
		l.Warn().Msg("w")
		if n := strings.Count(b.String(), "\n"); n != c.lines {
			t.Errorf("level %q: %d lines, want %d", c.level, n, c.lines)
		}
	}
}

// A file or pipe is no terminal: Auto writes JSON there.
func TestAutoOnAPipeIsJSON(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l := New(Options{W: w})
	l.Info().Msg("x")
	w.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^\{"level":"info",.*\}\n$`).MatchString(b.String()) {
		t.Errorf("got %q", b.String())
	}
}

// No colours outside a terminal: they would be noise in a file.
func TestNoColoursOffATerminal(t *testing.T) {
	var b bytes.Buffer
	l := New(options(&b, Console))
	l.Error().Msg("x")
	if strings.ContainsRune(b.String(), 0x1b) {
		t.Errorf("colours in %q", b.String())
	}
}

func TestTerminal(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here")
	}
	defer tty.Close()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if !terminal(tty) || terminal(file) || terminal(new(bytes.Buffer)) {
		t.Errorf("terminal %v, file %v, buffer %v", terminal(tty), terminal(file), terminal(new(bytes.Buffer)))
	}
}
