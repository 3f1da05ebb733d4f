package main

import (
	"io"
	"strings"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/table"
	"shuffler/deckcheck"
)

// ended is the record that ends a check.
func ended(t *testing.T, n uint64, v deckcheck.Verdict) api.Record {
	t.Helper()
	typ, payload, err := table.Encode(table.CheckEnded{Check: 4, Slot: 1, Deck: "D-2", Verdict: v})
	if err != nil {
		t.Fatal(err)
	}
	return api.Record{Pos: 300 + n, Stream: "2", N: n, Wall: noon.UnixMilli(), Type: typ, Version: table.RecordVersion, Payload: payload, Hash: strings.Repeat("ab", 32)}
}

// TestDeckCheck_D2_WaitsForItsVerdict: that of the check which was begun, not of
// one before; anything but good is code 3.
func TestDeckCheck_D2_WaitsForItsVerdict(t *testing.T) {
	good := deckcheck.Verdict{Outcome: deckcheck.Good, Fed: 52, Read: 52}
	bad := deckcheck.Verdict{Outcome: deckcheck.Bad, Fed: 52, Read: 52, Jokers: 2}
	unread := deckcheck.Verdict{Outcome: deckcheck.Unread, Reason: 1, Fed: 20, Read: 20}
	for _, c := range []struct {
		verdict deckcheck.Verdict
		code    int
		want    string // in what is printed
		wrong   string // in what went wrong
	}{{good, exitOK, "good", ""}, {bad, exitRefused, "bad", "not good"}, {unread, exitRefused, "read", "not read"}} {
		for _, output := range []string{"table", "json", "csv"} {
			f := cardRoom() // its answer has the state number 13
			former := ended(t, 13, bad)
			if c.code != exitOK {
				former = ended(t, 13, good)
			}
			f.pages = []api.Records{{Records: []api.Record{former}, Next: 313}, {Next: 313}, {Records: []api.Record{ended(t, 15, c.verdict)}, Next: 315}}
			r := ctlIn(t, nil, "deck", "check", "a", "--as", "dealer:3", "--table", "2", "--server", f.serve(t), "-o", output)
			if r.code != c.code || !strings.Contains(strings.ToLower(r.out), c.want) || (r.err == "") != (c.code == exitOK) || !strings.Contains(r.err, c.wrong) {
				t.Errorf("%v as %s: exit %d: %s%s", c.verdict.Outcome, output, r.code, r.out, r.err)
			}
		}
	}
}

// TestDeckCheck_RefusedAtOnce: a check that does not begin is not waited for.
func TestDeckCheck_RefusedAtOnce(t *testing.T) {
	h := open(t, "1")
	h.must(openTable...)
	h.must("deck", "place", "A", "D-1", "--back", "red", "--as", "floor:7")
	if r := h.ctl("deck", "check", "A", "--as", "floor:7"); r.code != exitRefused || !strings.Contains(r.err, "part_not_ready") {
		t.Errorf("%+v", r)
	}
}

// TestDeckCheck_X2_ProgressIsACount: on a terminal a count goes on while the deck
// is read, and the verdict stands in its place.
func TestDeckCheck_X2_ProgressIsACount(t *testing.T) {
	f := cardRoom()
	f.pages = []api.Records{{Next: 313}, {Records: []api.Record{ended(t, 15, deckcheck.Verdict{Outcome: deckcheck.Good, Fed: 52, Read: 52})}, Next: 315}}
	e := newEmulator(t, 100, 10)
	var seen output
	h := testHost(nil)
	h.stdout, h.screen = io.MultiWriter(e, &seen), e.screen()
	if code := run(t.Context(), h, []string{"deck", "check", "A", "--as", "dealer:3", "--table", "2", "--server", f.serve(t)}); code != exitOK {
		t.Errorf("exit %d", code)
	}
	if !strings.Contains(seen.text(), "52/52 cards") || strings.Contains(e.text(), "52/52") || !strings.Contains(e.text(), "D-2") {
		t.Errorf("%q\n%s", seen.text(), e.text())
	}
}
