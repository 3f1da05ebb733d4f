package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

var macao = time.FixedZone("UTC+8", 8*3600)

// hashes change with every byte that a record of the core gains; that they are
// right is for TestX3.
var hashes = regexp.MustCompile(`\b[0-9a-f]{16}([0-9a-f]{48})?\b|\b[0-9A-F]{64}\b`)

// drawn are QR codes, which change with the hashes in them.
var drawn = regexp.MustCompile(`(?m)(^ *[█▀▄][█▀▄ ]+\n)+|<path d="[^"]*"/>`)

// styled is the stylesheet within a page; it has a file of its own.
var styled = regexp.MustCompile(`(?s)<style>.*</style>`)

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	got = hashes.ReplaceAllFunc(got, func(h []byte) []byte { return bytes.Repeat([]byte("#"), len(h)) })
	got = styled.ReplaceAll(got, []byte("<style>(paper.css)</style>"))
	got = drawn.ReplaceAll(got, []byte("    (QR code)\n"))
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs; look at it with -update and git diff", path)
	}
}

// asText is a report as text.
func asText(r Report, o Options) string { return r.Document(o).Text(o.Width) }

// reports is every report that the golden files hold, in every form.
func reports(t *testing.T, whole, bad *evening) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	add := func(name string, r Report, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, l := range Languages() {
			for suffix, width := range map[string]int{"": 0, ".48": 48, ".42": 42} {
				out[name+"."+string(l)+suffix+".txt"] = []byte(asText(r, Options{Lang: l, Zone: macao, Width: width}))
			}
		}
		for _, l := range Languages() {
			for _, f := range []Form{HTMLForm, CSVForm} {
				if out[name+"."+string(l)+"."+string(f)], err = Render(r, f, Options{Lang: l, Zone: macao}); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		if out[name+".json"], err = JSON(r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	log, err := HandLog(whole.j, testTable, HandQuery{})
	add("handlog", log, err)
	log, err = HandLog(whole.j, testTable, HandQuery{From: 2, To: 2})
	add("handlog_hand2", log, err)
	log, err = HandLog(whole.j, testTable, HandQuery{By: ByDown, Floor: true})
	add("handlog_by_down", log, err)
	for name, q := range map[string]SummaryQuery{"summary": {}, "summary_floor": {Floor: true}} {
		r, err := Summary(whole.j, testTable, q)
		add(name, r, err)
	}
	for name, check := range map[string]uint64{"receipt_good": 1, "receipt_unread": 2} {
		r, err := Receipt(whole.j, testTable, check)
		add(name, r, err)
	}
	r, err := Receipt(bad.j, testTable, 0)
	add("receipt_bad", r, err)
	for name, number := range map[string]uint64{"handoff_kept": 1, "handoff_accepted": 2, "handoff_pending": 0} {
		h, err := Handoff(whole.j, testTable, HandoffQuery{Number: number})
		add(name, h, err)
	}
	return out
}

// kept are the forms worth reading; the others are held to the width only.
func kept(name string) bool {
	f := strings.Split(name, ".")
	switch report, form := f[0], f[len(f)-1]; {
	case form == "html" || form == "csv":
		return slices.Contains([]string{"receipt_good", "handlog_by_down", "handoff_pending", "summary_floor"}, report)
	case strings.Contains(name, ".42."):
		return strings.HasPrefix(report, "receipt") || report == "summary"
	case strings.Contains(name, ".48."):
		return report == "handlog" || report == "handoff_pending"
	}
	return true
}

func TestGolden(t *testing.T) {
	for name, text := range reports(t, wholeEvening(t), badDeck(t)) {
		if kept(name) {
			golden(t, name, text)
		}
	}
}

// Columns are counted with wide characters as two; only a line to write on may
// not be cut.
func TestReportsKeepTheirWidth(t *testing.T) {
	for name, text := range reports(t, wholeEvening(t), badDeck(t)) {
		width := 80
		switch {
		case !bytes.HasSuffix([]byte(name), []byte(".txt")):
			continue
		case bytes.Contains([]byte(name), []byte(".48.")):
			width = 48
		case bytes.Contains([]byte(name), []byte(".42.")):
			width = 42
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			if n := columns(string(line)); n > width {
				t.Errorf("%s:%d has %d columns: %s", name, i+1, n, line)
			}
		}
	}
}
