package journal

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sample is a small journal with every column in use.
func sample() []Entry {
	var all []Entry
	n := map[string]uint64{}
	add := func(stream, kind, payload string) {
		n[stream]++
		all = append(all, Entry{Stream: stream, N: n[stream], Wall: 1_700_000_000_000 + int64(len(all)), Type: kind, Version: 1, Payload: []byte(payload)})
	}
	add("room", "opened", `{"session":"s1","by":"floor:7"}`)
	add("table/1", "deck_checked", `{"deck":"A","by":"dealer:3","verdict":"good"}`)
	for i := 1; i <= 4; i++ {
		add("table/1", "hand_start", fmt.Sprintf(`{"hand":%d,"deck":"A","session":"s1"}`, i))
		add("table/2", "hand_start", fmt.Sprintf(`{"hand":%d,"deck":"C","key":"k%d","by":"dealer:4"}`, i, i))
	}
	add("room", "level", `{"by":"floor:7","key":"lv2","level":2}`)
	return all
}

// forged is a journal file that a test changes with plain SQL, as an attacker would.
type forged struct {
	t    *testing.T
	path string
	db   *sql.DB
	head Head
	r    *SQLiteReader // opened by the first verify
}

func forge(t *testing.T, entries []Entry) *forged {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(dir, Options{Chain: "forged"})
	if err != nil {
		t.Fatal(err)
	}
	f := &forged{t: t, path: filepath.Join(dir, fileName)}
	if f.head, err = s.Append(entries); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if f.db, err = sql.Open("sqlite", dsn(f.path, "mode=rw", "journal_mode(DELETE)", "journal_mode(MEMORY)", "synchronous(OFF)")); err != nil {
		t.Fatal(err)
	}
	f.db.SetMaxOpenConns(1)
	t.Cleanup(func() { f.db.Close() })
	if err := f.db.Ping(); err != nil { // leaves WAL while nobody reads
		t.Fatal(err)
	}
	return f
}

func (f *forged) exec(query string, args ...any) {
	f.t.Helper()
	if _, err := f.db.Exec(query, args...); err != nil {
		f.t.Fatalf("%s: %v", query, err)
	}
}

// tamper changes rows behind the triggers' back and puts these up again.
func (f *forged) tamper(query string, args ...any) {
	f.t.Helper()
	_, triggers, _ := strings.Cut(schema1, "CREATE TRIGGER")
	f.exec("BEGIN; DROP TRIGGER record_no_update; DROP TRIGGER record_no_delete")
	f.exec(query, args...)
	f.exec("CREATE TRIGGER" + triggers + "; COMMIT")
}

// keep makes a copy of the rows that restore brings back.
func (f *forged) keep() {
	f.exec("ATTACH ':memory:' AS kept; CREATE TABLE kept.row AS SELECT * FROM record")
}
func (f *forged) restore() { f.tamper("DELETE FROM record; INSERT INTO record SELECT * FROM kept.row") }

func (f *forged) verify(published ...Head) Report {
	f.t.Helper()
	if f.r == nil {
		var err error
		if f.r, err = OpenFile(f.path); err != nil {
			f.t.Fatal(err)
		}
		f.t.Cleanup(func() { f.r.Close() })
	}
	report, err := Verify(f.r, Check{Published: published})
	if err != nil {
		f.t.Fatal(err)
	}
	for _, p := range report.Problems {
		if p.Detail == "" || p.Hint == "" {
			f.t.Errorf("problem without detail or hint: %+v", p)
		}
	}
	return report
}

// found lists "kind@pos" of all problems.
func found(r Report) (all []string) {
	for _, p := range r.Problems {
		all = append(all, fmt.Sprintf("%s@%d", p.Kind, p.Pos))
	}
	return all
}

// withoutAnchor leaves away what the file "head" says in addition.
func (f *forged) withoutAnchor() *forged {
	f.t.Helper()
	moved := filepath.Join(filepath.Dir(f.path), "copy.db")
	f.exec("VACUUM INTO ?", moved)
	f.db.Close()
	db, err := sql.Open("sqlite", dsn(moved, "mode=rw", "synchronous(OFF)", "journal_mode(MEMORY)"))
	if err != nil {
		f.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	f.t.Cleanup(func() { db.Close() })
	return &forged{t: f.t, path: moved, db: db, head: f.head}
}

func TestX3_SoundJournalHasNoProblems(t *testing.T) {
	f := forge(t, sample())
	r := f.verify(f.head, Head{Chain: "forged", Hash: Genesis("forged")})
	if !r.OK() || r.Head != f.head || r.Records != uint64(len(sample())) {
		t.Fatalf("%+v", r)
	}
	f.keep()
	f.restore()
	if r := f.verify(f.head); !r.OK() {
		t.Fatalf("the tests' own way of changing rows shows: %v", r.Problems)
	}
}

// Each column of each record is changed, and verify names the record.
func TestX3_EachColumnOfEachRecord(t *testing.T) {
	entries := sample()
	f := forge(t, entries).withoutAnchor()
	f.keep()
	for _, c := range []struct {
		set  string
		kind Kind
	}{
		{"stream = stream || 'x'", KindHash},
		{"stream = 'table/9'", KindHash},
		{"n = n + 1", KindHash},
		{"n = -n", KindHash},
		{"wall = wall + 1", KindHash},
		{"type = type || '_'", KindHash},
		{"version = version + 1", KindHash},
		{"version = version + 65536", KindRow},
		{"payload = CAST(replace(CAST(payload AS TEXT), ':', ': ') AS BLOB)", KindHash},
		{"payload = x'7b7d'", KindHash},
		{"payload = x'5b5d'", KindPayload},
		{"payload = x''", KindPayload},
		{"hash = randomblob(32)", KindHash},
		{"hash = zeroblob(32)", KindHash},
		{"hash = x'00'", KindRow},
		{"pos = pos + 1000", KindHash},
		{"pos = -pos", KindPosition},
		{"hand = coalesce(hand, 0) + 1", KindColumns},
		{"hand = CASE WHEN hand IS NULL THEN 0 END", KindColumns},
		{"deck = coalesce(deck, '') || 'x'", KindColumns},
		{"deck = CASE WHEN deck IS NULL THEN 'A' END", KindColumns},
		{"actor = coalesce(actor, '') || 'x'", KindColumns},
		{"actor = CASE WHEN actor IS NULL THEN '' END", KindColumns},
		{"key = coalesce(key, '') || 'x'", KindColumns},
		{"session = coalesce(session, '') || 'x'", KindColumns},
	} {
		for pos := 1; pos <= len(entries); pos++ {
			f.tamper("UPDATE record SET "+c.set+" WHERE pos = ?", pos)
			at := int64(pos)
			switch c.set {
			case "pos = pos + 1000":
				at += 1000
			case "pos = -pos":
				at = -at
			}
			got := found(f.verify())
			if !slices.Contains(got, fmt.Sprintf("%s@%d", c.kind, at)) {
				t.Errorf("%s at %d: found %v, want %s", c.set, pos, got, c.kind)
			}
			if c.kind == KindColumns && len(got) != 1 {
				t.Errorf("%s at %d: found %v, want one problem", c.set, pos, got)
			}
			f.restore()
		}
	}
	if got := found(f.verify(f.head)); len(got) > 0 {
		t.Errorf("after all: %v", got)
	}
}

// One edit is one finding, and what follows is still looked at.
func TestX3_GoesOnAfterAFinding(t *testing.T) {
	f := forge(t, sample())
	f.tamper(`UPDATE record SET wall = 0 WHERE pos IN (3, 7); UPDATE record SET deck = 'Z' WHERE pos = 9`)
	if got := found(f.verify()); !slices.Equal(got, []string{"hash@3", "hash@7", "columns@9"}) {
		t.Errorf("found %v", got)
	}
	r, err := OpenFile(f.path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	report, err := Verify(r, Check{MaxProblems: 1})
	if err != nil || len(report.Problems) != 1 || report.Omitted != 2 || report.OK() {
		t.Errorf("bounded: %+v, %v", report, err)
	}
}

// A record that moved is found once at each place that is wrong, not ever after.
func TestX3_MovedRecordIsFoundOnce(t *testing.T) {
	m := NewMemory()
	if _, err := m.Append(many(0, 8)); err != nil {
		t.Fatal(err)
	}
	a, b := &m.rows[3], &m.rows[4]
	*a, *b = *b, *a
	a.Pos, b.Pos = 4, 5
	r, err := Verify(m, Check{})
	if want := []string{"hash@4", "stream@4", "hash@5", "stream@5", "hash@6"}; err != nil || !slices.Equal(found(r), want) {
		t.Errorf("found %v, want %v; %v", r.Problems, want, err)
	}
}

// With the hash made to fit, the next record still tells.
func TestX3_EditWithNewHash(t *testing.T) {
	entries := sample()
	f := forge(t, entries).withoutAnchor()
	f.keep()
	for pos := 1; pos < len(entries); pos++ {
		r := f.record(pos)
		r.Wall++
		f.tamper("UPDATE record SET wall = ?, hash = ? WHERE pos = ?", r.Wall, hashOf(r, f.before(pos)), pos)
		if got := found(f.verify()); !slices.Equal(got, []string{fmt.Sprintf("hash@%d", pos+1)}) {
			t.Errorf("record %d: found %v", pos, got)
		}
		f.restore()
	}
}

func (f *forged) record(pos int) Record {
	f.t.Helper()
	var r Record
	var hash []byte
	err := f.db.QueryRow("SELECT pos, stream, n, wall, type, version, payload, hash FROM record WHERE pos = ?", pos).
		Scan(&r.Pos, &r.Stream, &r.N, &r.Wall, &r.Type, &r.Version, &r.Payload, &hash)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Hash = Hash(hash)
	return r
}

func (f *forged) before(pos int) Hash {
	if pos == 1 {
		return Genesis("forged")
	}
	return f.record(pos - 1).Hash
}

func hashOf(r Record, previous Hash) []byte {
	h := r.Chain(previous)
	return h[:]
}

func TestX3_Delete(t *testing.T) {
	entries := sample()
	f := forge(t, entries).withoutAnchor()
	f.keep()
	for pos := 1; pos < len(entries); pos++ {
		f.tamper("DELETE FROM record WHERE pos = ?", pos)
		got := found(f.verify())
		for _, want := range []string{"position@%d", "hash@%d"} {
			if want = fmt.Sprintf(want, pos+1); !slices.Contains(got, want) {
				t.Errorf("without record %d: found %v, want %s", pos, got, want)
			}
		}
		// And with the gap closed.
		f.tamper("UPDATE record SET pos = pos - 1 WHERE pos > ?", pos)
		if got := found(f.verify()); !slices.Contains(got, fmt.Sprintf("hash@%d", pos)) || slices.ContainsFunc(got, isPosition) {
			t.Errorf("without record %d, gap closed: found %v", pos, got)
		}
		f.restore()
	}
	f.tamper("DELETE FROM record WHERE pos IN (4, 5, 6)")
	if r := f.verify(); !strings.Contains(fmt.Sprint(r.Problems), "records 4 to 6 were removed") {
		t.Errorf("found %v", r.Problems)
	}
}

func isPosition(s string) bool { return strings.HasPrefix(s, "position") }

func TestX3_SwapInsertReorder(t *testing.T) {
	entries := sample()
	f := forge(t, entries).withoutAnchor()
	f.keep()
	const all = "stream, n, wall, type, version, payload, hash, hand, deck, actor, key, session"
	for pos := 1; pos < len(entries); pos++ {
		// Two neighbours change places, whole.
		f.tamper("UPDATE record SET pos = -1 WHERE pos = ?", pos)
		f.tamper("UPDATE record SET pos = ? WHERE pos = ?", pos, pos+1)
		f.tamper("UPDATE record SET pos = ? WHERE pos = -1", pos+1)
		if got := found(f.verify()); !slices.Contains(got, fmt.Sprintf("hash@%d", pos)) || !slices.Contains(got, fmt.Sprintf("hash@%d", pos+1)) {
			t.Errorf("swap %d: found %v", pos, got)
		}
		// Their hashes stay where they were.
		f.tamper("UPDATE record SET hash = (SELECT hash FROM kept.row WHERE kept.row.pos = record.pos)")
		if got := found(f.verify()); !slices.Contains(got, fmt.Sprintf("hash@%d", pos)) || !slices.Contains(got, fmt.Sprintf("hash@%d", pos+1)) {
			t.Errorf("swap %d under the old hashes: found %v", pos, got)
		}
		f.restore()
		// A copy is inserted behind it.
		f.tamper("UPDATE record SET pos = -pos - 1 WHERE pos > ?", pos)
		f.tamper("UPDATE record SET pos = -pos WHERE pos < 0")
		f.tamper("INSERT INTO record SELECT pos + 1, "+strings.Replace(all, "key", "NULL", 1)+" FROM record WHERE pos = ?", pos)
		if got := found(f.verify()); !slices.Contains(got, fmt.Sprintf("hash@%d", pos+1)) || !slices.Contains(got, fmt.Sprintf("stream@%d", pos+1)) {
			t.Errorf("copy inserted behind %d: found %v", pos, got)
		}
		f.restore()
	}
	// The last record once more, with a fitting hash: only its number tells.
	r := f.record(len(entries))
	r.Pos++
	f.tamper("INSERT INTO record SELECT pos + 1, "+strings.NewReplacer("hash", "?", "key", "key || 'x'").Replace(all)+
		" FROM record WHERE pos = ?", hashOf(r, r.Hash), len(entries))
	if got := found(f.verify()); !slices.Contains(got, fmt.Sprintf("stream@%d", r.Pos)) || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "hash") }) {
		t.Errorf("repeated end: found %v", got)
	}
}

// Cut, or rewritten with all hashes fitting: only published heads tell.
func TestX3_PublishedHead(t *testing.T) {
	entries := sample()
	end := len(entries)
	good := NewMemory()
	heads := []Head{good.head}
	for _, e := range entries {
		h, err := good.Append([]Entry{e})
		if err != nil {
			t.Fatal(err)
		}
		heads = append(heads, h)
	}
	for cut := 0; cut <= end; cut++ {
		short := NewMemory()
		if _, err := short.Append(entries[:cut]); err != nil {
			t.Fatal(err)
		}
		for pos, h := range heads {
			r, err := Verify(short, Check{Published: []Head{h}})
			if err != nil {
				t.Fatal(err)
			}
			got, want := found(r), []string(nil)
			if pos > cut {
				want = []string{fmt.Sprintf("truncated@%d", pos)}
			}
			if !slices.Equal(got, want) {
				t.Errorf("cut at %d, published %d: found %v, want %v", cut, pos, got, want)
			}
		}
	}
	for branch := 0; branch < end; branch++ {
		fork := NewMemory()
		changed := slices.Clone(entries)
		changed[branch].Wall++
		if _, err := fork.Append(changed); err != nil {
			t.Fatal(err)
		}
		for pos, h := range heads {
			r, err := Verify(fork, Check{Published: []Head{h}})
			if err != nil {
				t.Fatal(err)
			}
			got, want := found(r), []string(nil)
			if pos > branch {
				want = []string{fmt.Sprintf("fork@%d", pos)}
			}
			if !slices.Equal(got, want) {
				t.Errorf("fork at %d, published %d: found %v, want %v", branch, pos, got, want)
			}
		}
	}
	other := heads[3]
	other.Chain = "another"
	r, _ := Verify(good, Check{Published: []Head{other, heads[2], {Pos: 5, Hash: Hash{1}}, {Pos: 99}, {Pos: 77}, {Pos: 0}}})
	if got := found(r); !slices.Equal(got, []string{"chain@0", "fork@0", "fork@5", "truncated@77", "truncated@99"}) {
		t.Errorf("several heads: found %v", got)
	}
}

// What the folder acknowledged is one more published head.
func TestX3_FolderKnowsItsHead(t *testing.T) {
	f := forge(t, sample())
	f.tamper("DELETE FROM record WHERE pos > 9")
	if got := found(f.verify()); !slices.Equal(got, []string{"truncated@11"}) {
		t.Errorf("cut: found %v", got)
	}
	f = forge(t, sample())
	f.tamper("UPDATE record SET hash = zeroblob(32) WHERE pos = 11")
	if got := found(f.verify()); !slices.Equal(got, []string{"fork@11", "hash@11"}) {
		t.Errorf("rewritten: found %v", got)
	}
}

func TestX3_SchemaAndIndexes(t *testing.T) {
	for name, c := range map[string]struct{ change, want string }{
		"trigger dropped":  {"DROP TRIGGER record_no_delete", "trigger record_no_delete is missing"},
		"index dropped":    {"DROP INDEX record_key", "index record_key is missing"},
		"index changed":    {"DROP INDEX record_key; CREATE INDEX record_key ON record (key)", "index record_key was changed"},
		"trigger added":    {"CREATE TRIGGER hide AFTER INSERT ON record BEGIN SELECT 1; END", "trigger hide does not belong here"},
		"column added":     {"ALTER TABLE record ADD COLUMN note TEXT", "table record was changed"},
		"view added":       {"CREATE VIEW receipts AS SELECT * FROM record", "view receipts does not belong here"},
		"index misses row": {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'hand IS NOT NULL', 'hand > 2') WHERE name = 'record_hand'", "record_hand"},
	} {
		t.Run(name, func(t *testing.T) {
			f := forge(t, sample())
			f.exec(c.change)
			if r := f.verify(f.head); !strings.Contains(fmt.Sprint(r.Problems), c.want) {
				t.Errorf("found %v", r.Problems)
			}
		})
	}
}

func TestTriggersRefuseChanges(t *testing.T) {
	f := forge(t, sample())
	for _, q := range []string{"DELETE FROM record WHERE pos = 3", "UPDATE record SET payload = x'7b7d' WHERE pos = 3",
		"UPDATE record SET wall = 1", "UPDATE record SET pos = 99 WHERE pos = 3"} {
		if _, err := f.db.Exec(q); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", q, err)
		}
	}
	if r := f.verify(f.head); !r.OK() {
		t.Errorf("found %v", r.Problems)
	}
}

func TestRebuildColumns(t *testing.T) {
	f := forge(t, sample())
	f.tamper("UPDATE record SET hand = NULL, deck = 'Z', key = NULL WHERE pos > 4; UPDATE record SET actor = '' WHERE pos = 3")
	if r := f.verify(); r.OK() {
		t.Fatal("nothing to rebuild")
	}
	f.db.Close()
	s, err := Open(filepath.Dir(f.path), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, err := s.RebuildColumns(); n != 8 || err != nil {
		t.Errorf("RebuildColumns = %d, %v, want 8", n, err)
	}
	if n, err := s.RebuildColumns(); n != 0 || err != nil {
		t.Errorf("again = %d, %v", n, err)
	}
	if r, err := Verify(s, Check{Published: []Head{f.head}}); err != nil || !r.OK() {
		t.Errorf("%v, %v", r.Problems, err)
	}
}

func TestVerifyTellsProgress(t *testing.T) {
	m := NewMemory()
	var group []Entry
	for i := 1; i <= 3*progressEvery+5; i++ {
		group = append(group, Entry{Stream: "s", N: uint64(i), Type: "t", Payload: []byte(`{}`)})
	}
	if _, err := m.Append(group); err != nil {
		t.Fatal(err)
	}
	var told []uint64
	_, err := Verify(m, Check{Progress: func(done, total uint64) {
		if total != uint64(len(group)) {
			t.Errorf("total %d", total)
		}
		told = append(told, done)
	}})
	if want := []uint64{progressEvery, 2 * progressEvery, 3 * progressEvery, uint64(len(group))}; err != nil || !slices.Equal(told, want) {
		t.Errorf("told %v, want %v; %v", told, want, err)
	}
}
