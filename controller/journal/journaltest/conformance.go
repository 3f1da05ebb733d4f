package journaltest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"shuffler/controller/journal"
)

// Conformance holds an implementation to what journal.Journal promises. open gives a
// new, empty journal; Conformance closes it.
func Conformance(t *testing.T, open func(t *testing.T) journal.Journal) {
	for _, c := range []struct {
		name string
		test func(*testing.T, journal.Journal)
	}{
		{"Empty", empty},
		{"X3_ChainsInOrder", chains},
		{"KeepsBytes", keepsBytes},
		{"PayloadMayBeUsedAgain", ownsPayload},
		{"AllOrNothing", allOrNothing},
		{"ContinuesStreams", continuesStreams},
		{"KeyOnce", keyOnce},
		{"RefusesMalformed", refusesMalformed},
		{"EmptyGroup", emptyGroup},
		{"Filter", filters},
		{"After", after},
		{"RecordsSeeAppends", seesAppends},
		{"Last", last},
		{"ReopenHealthy", reopenHealthy},
		{"Closed", closedJournal},
		{"ReadersBesideWriter", readersBesideWriter},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := open(t)
			defer j.Close()
			c.test(t, j)
			verify(t, j)
		})
	}
}

// Entry makes an entry with a payload in JSON.
func Entry(stream string, n uint64, kind, payload string) journal.Entry {
	return journal.Entry{Stream: stream, N: n, Wall: 1_700_000_000_000 + int64(n), Type: kind, Version: 1, Payload: []byte(payload)}
}

func must(t *testing.T, j journal.Journal, entries ...journal.Entry) journal.Head {
	t.Helper()
	h, err := j.Append(entries)
	if err != nil {
		t.Fatalf("Append: %v", err)
	}
	return h
}

func head(t *testing.T, j journal.Reader) journal.Head {
	t.Helper()
	h, err := j.Head()
	if err != nil {
		t.Fatalf("Head: %v", err)
	}
	return h
}

func collect(t *testing.T, j journal.Reader, after uint64, f journal.Filter) []journal.Record {
	t.Helper()
	var all []journal.Record
	for r, err := range j.Records(after, f) {
		if err != nil {
			t.Fatalf("Records: %v", err)
		}
		all = append(all, r)
	}
	return all
}

// verify runs on every journal that a test leaves open.
func verify(t *testing.T, j journal.Journal) {
	t.Helper()
	s, ok := j.(journal.Source)
	if !ok {
		return
	}
	report, err := journal.Verify(s, journal.Check{})
	if errors.Is(err, journal.ErrClosed) {
		return
	}
	if err != nil || !report.OK() {
		t.Errorf("Verify: %v, %v", err, report.Problems)
	}
}

func empty(t *testing.T, j journal.Journal) {
	h := head(t, j)
	if h.Pos != 0 || h.Chain == "" || h.Hash != journal.Genesis(h.Chain) {
		t.Errorf("head of an empty journal is %+v", h)
	}
	if got := collect(t, j, 0, journal.Filter{}); len(got) != 0 {
		t.Errorf("records in an empty journal: %v", got)
	}
	if n, err := j.StreamHead("table/1"); n != 0 || err != nil {
		t.Errorf("StreamHead = %d, %v", n, err)
	}
	for _, key := range []string{"", "k"} {
		if _, ok, err := j.ByKey(key); ok || err != nil {
			t.Errorf("ByKey(%q) = %v, %v", key, ok, err)
		}
	}
	if _, ok, err := j.Last(journal.Filter{}); ok || err != nil {
		t.Errorf("Last = %v, %v", ok, err)
	}
}

func chains(t *testing.T, j journal.Journal) {
	previous := head(t, j)
	chain := previous.Chain
	var heads []journal.Head
	heads = append(heads, must(t, j, Entry("room", 1, "opened", `{}`)))
	heads = append(heads, must(t, j, Entry("table/1", 1, "a", `{"hand":1}`), Entry("room", 2, "b", `{}`), Entry("table/1", 2, "c", `{}`)))
	if heads[0].Pos != 1 || heads[1].Pos != 4 || heads[0].Chain != chain || heads[1] != head(t, j) {
		t.Fatalf("heads %v", heads)
	}
	hash := previous.Hash
	for i, r := range collect(t, j, 0, journal.Filter{}) {
		if r.Pos != uint64(i+1) || r.Hash != r.Chain(hash) {
			t.Errorf("record %d: %+v does not follow", i+1, r)
		}
		hash = r.Hash
	}
	if hash != heads[1].Hash {
		t.Error("the head is not the last record's hash")
	}
	for stream, want := range map[string]uint64{"room": 2, "table/1": 2, "table/2": 0} {
		if n, err := j.StreamHead(stream); n != want || err != nil {
			t.Errorf("StreamHead(%s) = %d, %v, want %d", stream, n, err, want)
		}
	}
}

func keepsBytes(t *testing.T, j journal.Journal) {
	entries := []journal.Entry{
		{Stream: "s", N: 1, Wall: -1, Type: "t", Version: 65535, Payload: []byte(" {\n\t\"b\" : 1.50, \"a\":\"\\u00e9é\" } \n")},
		{Stream: "s", N: 2, Wall: 1<<63 - 1, Type: "t", Version: 0, Payload: []byte(`{}`)},
		{Stream: "s", N: 3, Wall: -1 << 63, Type: strings.Repeat("x", 64), Payload: []byte(`{"x":"` + strings.Repeat("y", 1<<20-8) + `"}`)},
	}
	must(t, j, entries...)
	for i, r := range collect(t, j, 0, journal.Filter{}) {
		want := entries[i]
		if !bytes.Equal(r.Payload, want.Payload) || r.Wall != want.Wall || r.Version != want.Version || r.Type != want.Type {
			t.Errorf("record %d came back as %.200v", i+1, r)
		}
	}
}

func ownsPayload(t *testing.T, j journal.Journal) {
	e := Entry("s", 1, "t", `{"a":1}`)
	must(t, j, e)
	copy(e.Payload, `XXXXXXX`)
	got := collect(t, j, 0, journal.Filter{})[0]
	if string(got.Payload) != `{"a":1}` {
		t.Fatalf("stored payload changed with the caller's: %s", got.Payload)
	}
	copy(got.Payload, `YYYYYYY`)
	if again := collect(t, j, 0, journal.Filter{})[0]; string(again.Payload) != `{"a":1}` {
		t.Fatalf("stored payload changed with a reader's: %s", again.Payload)
	}
}

// refuses appends and expects kind, and that nothing happened.
func refuses(t *testing.T, j journal.Journal, kind error, entries ...journal.Entry) {
	t.Helper()
	before := head(t, j)
	_, err := j.Append(entries)
	if !errors.Is(err, kind) || !errors.Is(err, journal.ErrEntry) || errors.Is(err, journal.ErrWrite) {
		t.Errorf("Append = %v, want %v", err, kind)
	}
	if now := head(t, j); now != before {
		t.Errorf("a refused group moved the head from %v to %v", before, now)
	}
}

func allOrNothing(t *testing.T, j journal.Journal) {
	must(t, j, Entry("s", 1, "t", `{"key":"one"}`))
	refuses(t, j, journal.ErrEntry, Entry("s", 2, "t", `{"key":"two"}`), Entry("s", 3, "t", `{}`), Entry("s", 4, "t", `nothing`))
	refuses(t, j, journal.ErrOrder, Entry("s", 2, "t", `{"key":"two"}`), Entry("s", 2, "t", `{}`))
	if _, ok, err := j.ByKey("two"); ok || err != nil {
		t.Errorf("a refused group left its key: %v, %v", ok, err)
	}
	must(t, j, Entry("s", 2, "t", `{"key":"two"}`))
}

func continuesStreams(t *testing.T, j journal.Journal) {
	for _, n := range []uint64{0, 2, 1 << 62, 1 << 63, 1<<64 - 1} {
		refuses(t, j, journal.ErrEntry, Entry("a", n, "t", `{}`))
	}
	must(t, j, Entry("a", 1, "t", `{}`), Entry("b", 1, "t", `{}`), Entry("a", 2, "t", `{}`))
	refuses(t, j, journal.ErrOrder, Entry("a", 2, "t", `{}`))
	refuses(t, j, journal.ErrOrder, Entry("a", 4, "t", `{}`))
	refuses(t, j, journal.ErrOrder, Entry("b", 3, "t", `{}`))
	refuses(t, j, journal.ErrOrder, Entry("a", 3, "t", `{}`), Entry("b", 2, "t", `{}`), Entry("a", 3, "t", `{}`))
	must(t, j, Entry("b", 2, "t", `{}`), Entry("a", 3, "t", `{}`))
}

func keyOnce(t *testing.T, j journal.Journal) {
	must(t, j, Entry("a", 1, "t", `{"key":"k1","x":1}`), Entry("a", 2, "t", `{"key":""}`), Entry("a", 3, "t", `{"key":null}`))
	refuses(t, j, journal.ErrKeyUsed, Entry("a", 4, "t", `{"key":"k1"}`))
	refuses(t, j, journal.ErrKeyUsed, Entry("b", 1, "t", `{"key":"k1"}`))
	refuses(t, j, journal.ErrKeyUsed, Entry("b", 1, "t", `{"key":"k2"}`), Entry("b", 2, "t", `{"\u006bey":"k2"}`))
	for _, v := range []string{`1`, `{}`, `true`, `"a\u0000b"`, `"` + strings.Repeat("k", 257) + `"`} {
		refuses(t, j, journal.ErrEntry, Entry("a", 4, "t", `{"key":`+v+`}`))
	}
	long := strings.Repeat("k", 256)
	must(t, j, Entry("a", 4, "t", `{"key":"`+long+`"}`))
	for key, want := range map[string]uint64{"k1": 1, long: 4} {
		if r, ok, err := j.ByKey(key); r.Pos != want || !ok || err != nil {
			t.Errorf("ByKey(%.10q) = record %d, %v, %v", key, r.Pos, ok, err)
		}
	}
	if _, ok, err := j.ByKey(""); ok || err != nil {
		t.Errorf("the empty key found something: %v", err)
	}
}

func refusesMalformed(t *testing.T, j journal.Journal) {
	for name, e := range map[string]journal.Entry{
		"zero":           {},
		"no stream":      Entry("", 1, "t", `{}`),
		"stream bytes":   Entry("a b", 1, "t", `{}`),
		"stream NUL":     Entry("a\x00", 1, "t", `{}`),
		"stream long":    Entry(strings.Repeat("a", 65), 1, "t", `{}`),
		"no type":        Entry("a", 1, "", `{}`),
		"type bytes":     Entry("a", 1, "é", `{}`),
		"no payload":     Entry("a", 1, "t", ``),
		"array":          Entry("a", 1, "t", `[]`),
		"two objects":    Entry("a", 1, "t", `{}{}`),
		"cut":            Entry("a", 1, "t", `{"a":`),
		"not UTF-8":      Entry("a", 1, "t", "{\"a\":\"\xff\"}"),
		"name twice":     Entry("a", 1, "t", `{"a":1,"a":2}`),
		"name twice esc": Entry("a", 1, "t", `{"a":1,"\u0061":2}`),
		"too big":        Entry("a", 1, "t", `{"x":"`+strings.Repeat("y", 1<<20-7)+`"}`),
	} {
		t.Run(name, func(t *testing.T) { refuses(t, j, journal.ErrEntry, e) })
	}
}

func emptyGroup(t *testing.T, j journal.Journal) {
	want := must(t, j, Entry("a", 1, "t", `{}`))
	if got := must(t, j); got != want {
		t.Errorf("an empty group gave %v, want %v", got, want)
	}
}

func filters(t *testing.T, j journal.Journal) {
	must(t, j,
		Entry("table/1", 1, "start", `{"hand":1,"deck":"A","by":"dealer:1","session":"s1"}`),
		Entry("table/2", 1, "start", `{"hand":1,"deck":"C"}`),
		Entry("table/1", 2, "end", `{"hand":1,"deck":"A"}`),
		Entry("table/1", 3, "start", `{"hand":2,"deck":"B","by":"dealer:2"}`),
		Entry("table/1", 4, "note", `{"hand":"1","deck":7,"inner":{"hand":9,"deck":"Z"}}`),
		Entry("table/1", 5, "note", `{"Hand":2,"HAND":2}`),
	)
	for _, c := range []struct {
		f    journal.Filter
		want string
	}{
		{journal.Filter{}, "[1 2 3 4 5 6]"},
		{journal.Filter{Stream: "table/1"}, "[1 3 4 5 6]"},
		{journal.Filter{Stream: "table/9"}, "[]"},
		{journal.Filter{Types: []string{"start"}}, "[1 2 4]"},
		{journal.Filter{Types: []string{"end", "note"}}, "[3 5 6]"},
		{journal.Filter{Hand: 1}, "[1 2 3]"},
		{journal.Filter{Hand: 9}, "[]"},
		{journal.Filter{Hand: 1<<64 - 1}, "[]"},
		{journal.Filter{Stream: "table/1", Hand: 1}, "[1 3]"},
		{journal.Filter{Stream: "table/1", Hand: 2, Types: []string{"start"}}, "[4]"},
		{journal.Filter{Deck: "A"}, "[1 3]"},
		{journal.Filter{Deck: "Z"}, "[]"},
		{journal.Filter{Actor: "dealer:2"}, "[4]"},
		{journal.Filter{Session: "s1"}, "[1]"},
	} {
		got := []uint64{}
		for _, r := range collect(t, j, 0, c.f) {
			got = append(got, r.Pos)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%+v gives %v, want %v", c.f, got, c.want)
		}
		r, ok, err := j.Last(c.f)
		if err != nil || ok != (len(got) > 0) || ok && r.Pos != got[len(got)-1] {
			t.Errorf("Last(%+v) = %d, %v, %v; Records gives %v", c.f, r.Pos, ok, err, got)
		}
	}
}

// series appends n small records to stream s in groups.
func series(t *testing.T, j journal.Journal, from, n int) {
	t.Helper()
	var group []journal.Entry
	for i := from; i < from+n; i++ {
		group = append(group, Entry("s", uint64(i), "t", fmt.Sprintf(`{"hand":%d}`, i)))
		if len(group) == 100 || i == from+n-1 {
			must(t, j, group...)
			group = nil
		}
	}
}

func after(t *testing.T, j journal.Journal) {
	const total = 1300 // more than two batches of the reader
	series(t, j, 1, total)
	for _, from := range []uint64{0, 1, 511, 512, 513, 1024, total - 1, total, total + 1, 1<<63 - 1, 1<<64 - 1} {
		want := total - int(min(from, total))
		got := collect(t, j, from, journal.Filter{})
		if len(got) != want || want > 0 && got[0].Pos != from+1 {
			t.Errorf("Records(%d) gives %d records, want %d", from, len(got), want)
		}
	}
	seen := 0
	for range j.Records(0, journal.Filter{}) {
		if seen++; seen == 3 {
			break
		}
	}
	if seen != 3 {
		t.Errorf("a loop that breaks saw %d", seen)
	}
}

func seesAppends(t *testing.T, j journal.Journal) {
	series(t, j, 1, 1000)
	count := 0
	for _, err := range j.Records(0, journal.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if count++; count == 10 {
			series(t, j, 1001, 100) // in the middle of a read
		}
	}
	if count != 1100 {
		t.Errorf("the loop saw %d records, want 1100", count)
	}
}

func last(t *testing.T, j journal.Journal) {
	series(t, j, 1, 700)
	r, ok, err := j.Last(journal.Filter{Stream: "s", Hand: 3})
	if err != nil || !ok || r.Pos != 3 || string(r.Payload) != `{"hand":3}` {
		t.Errorf("Last = %+v, %v, %v", r, ok, err)
	}
	if r, _, _ := j.Last(journal.Filter{}); r.Pos != 700 {
		t.Errorf("Last of all = %d", r.Pos)
	}
}

func reopenHealthy(t *testing.T, j journal.Journal) {
	want := must(t, j, Entry("a", 1, "t", `{}`))
	if h, err := j.Reopen(); h != want || err != nil {
		t.Errorf("Reopen = %v, %v, want %v", h, err, want)
	}
	must(t, j, Entry("a", 2, "t", `{}`))
}

func closedJournal(t *testing.T, j journal.Journal) {
	must(t, j, Entry("a", 1, "t", `{"key":"k"}`))
	for range 2 {
		if err := j.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	calls := map[string]func() error{
		"Append":     func() error { _, err := j.Append([]journal.Entry{Entry("a", 2, "t", `{}`)}); return err },
		"Head":       func() error { _, err := j.Head(); return err },
		"Last":       func() error { _, _, err := j.Last(journal.Filter{}); return err },
		"ByKey":      func() error { _, _, err := j.ByKey("k"); return err },
		"StreamHead": func() error { _, err := j.StreamHead("a"); return err },
		"Reopen":     func() error { _, err := j.Reopen(); return err },
		"Records": func() error {
			for _, err := range j.Records(0, journal.Filter{}) {
				return err
			}
			return nil
		},
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, journal.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

func readersBesideWriter(t *testing.T, j journal.Journal) {
	genesis := head(t, j).Hash
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for finished := false; !finished; {
				select {
				case <-done:
					finished = true // and one more look at the whole
				default:
				}
				if err := readAll(j, genesis); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := 1; i <= 150; i++ {
		series(t, j, 2*i-1, 2)
	}
	close(done)
	readers.Wait()
}

// readAll walks the chain and asks what a screen would ask.
func readAll(j journal.Reader, previous journal.Hash) error {
	h, err := j.Head()
	if err != nil {
		return err
	}
	pos := uint64(0)
	for r, err := range j.Records(0, journal.Filter{}) {
		if err != nil {
			return err
		}
		if pos++; r.Pos != pos || r.Chain(previous) != r.Hash {
			return fmt.Errorf("record %d does not follow %d", r.Pos, pos-1)
		}
		if previous = r.Hash; pos == h.Pos && r.Hash != h.Hash {
			return fmt.Errorf("head %v is not record %d", h, pos)
		}
	}
	if pos < h.Pos {
		return fmt.Errorf("read %d records, the head said %d", pos, h.Pos)
	}
	if n, err := j.StreamHead("s"); err != nil || n < pos {
		return fmt.Errorf("StreamHead = %d, %v after %d records", n, err, pos)
	}
	return nil
}
