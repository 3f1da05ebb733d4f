package journal_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"shuffler/controller/journal"
	"shuffler/controller/journal/journaltest"
)

func open(t testing.TB, dir string, opt journal.Options) *journal.SQLite {
	t.Helper()
	s, err := journal.Open(dir, opt)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestConformance(t *testing.T) {
	t.Run("Memory", func(t *testing.T) {
		journaltest.Conformance(t, func(*testing.T) journal.Journal { return journal.NewMemory() })
	})
	t.Run("SQLite", func(t *testing.T) {
		journaltest.Conformance(t, func(t *testing.T) journal.Journal { return open(t, t.TempDir(), journal.Options{}) })
	})
	t.Run("Faulty", func(t *testing.T) {
		journaltest.Conformance(t, func(*testing.T) journal.Journal { return journaltest.NewFaulty(journal.NewMemory()) })
	})
}

// The two stores give the same answers and the same head for the same groups, also
// after a restart between any two.
func TestMemoryAndSQLiteAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		m, s := journal.NewMemory(), open(t, dir, journal.Options{Chain: "memory"})
		defer func() { s.Close() }()
		next := map[string]uint64{}
		for range rapid.IntRange(1, 12).Draw(rt, "groups") {
			if rapid.IntRange(0, 5).Draw(rt, "restart") == 0 {
				m = m.Restart()
				if err := s.Close(); err != nil {
					rt.Fatal(err)
				}
				s = open(t, dir, journal.Options{})
			}
			group := drawGroup(rt, next)
			hm, errm := m.Append(group)
			hs, errs := s.Append(group)
			if hm != hs || fmt.Sprint(kinds(errm)) != fmt.Sprint(kinds(errs)) {
				rt.Fatalf("memory: %v, %v\nsqlite: %v, %v", hm, errm, hs, errs)
			}
			if errm == nil {
				for _, e := range group {
					next[e.Stream] = e.N
				}
			}
		}
		for _, j := range []journal.Source{m, s} {
			if r, err := journal.Verify(j, journal.Check{}); err != nil || !r.OK() {
				rt.Fatalf("%v %v", err, r.Problems)
			}
		}
	})
}

func drawGroup(rt *rapid.T, next map[string]uint64) []journal.Entry {
	at := map[string]uint64{}
	var group []journal.Entry
	for range rapid.IntRange(0, 5).Draw(rt, "size") {
		stream := rapid.SampledFrom([]string{"room", "table/1", "table/2"}).Draw(rt, "stream")
		if _, ok := at[stream]; !ok {
			at[stream] = next[stream]
		}
		at[stream]++
		n := at[stream]
		if rapid.IntRange(0, 30).Draw(rt, "wrong") == 0 {
			n++
		}
		payload := rapid.SampledFrom([]string{`{}`, `{"hand":1}`, `{"key":"a"}`, `{"key":"b","by":"floor:7"}`, `{"deck":"A","session":"1"}`, `[]`}).Draw(rt, "payload")
		group = append(group, journal.Entry{Stream: stream, N: n, Wall: rapid.Int64().Draw(rt, "wall"),
			Type: "t", Version: rapid.Uint16().Draw(rt, "version"), Payload: []byte(payload)})
	}
	return group
}

func kinds(err error) (names []error) {
	for _, k := range []error{journal.ErrEntry, journal.ErrOrder, journal.ErrKeyUsed, journal.ErrWrite} {
		if errors.Is(err, k) {
			names = append(names, k)
		}
	}
	return names
}
