package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/journal"
)

// offline runs shufflectl where no controller can be found.
func offline(t *testing.T, args ...string) told {
	t.Helper()
	return ctlIn(t, map[string]string{"XDG_RUNTIME_DIR": "/nowhere"}, args...)
}

// change alters the database of a journal behind the journal's back, as somebody
// with the disk in their hands does.
func change(t *testing.T, file string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestVerify_AGoodJournalOffline(t *testing.T) {
	dir := evening(t)
	r := offline(t, "journal", "verify", "--data", dir)
	if r.code != exitOK || !strings.Contains(r.out, "journal verified:") || r.err != "" {
		t.Errorf("%+v", r)
	}
	var v verified
	js := offline(t, "journal", "verify", "--data", dir, "-o", "json")
	if err := json.Unmarshal([]byte(js.out), &v); err != nil || !v.OK || v.Records < 100 || !strings.HasSuffix(strings.TrimSpace(r.out), v.Head) {
		t.Errorf("%s: %v", js.out, err)
	}
	if head := offline(t, "journal", "head", "--data", dir); head.code != exitOK || !strings.HasPrefix(head.out, v.Head+"\n") || !strings.Contains(head.out, v.Chain) {
		t.Errorf("%+v", head)
	}
	if r := offline(t, "journal", "verify", "--data", dir, "--head", v.Head); r.code != exitOK {
		t.Errorf("with its own head: %+v", r)
	}
}

// TestVerify_X3_Tampered: each kind of change ends with code 5, names where, and
// says what to do; in every format.
func TestVerify_X3_Tampered(t *testing.T) {
	free := []string{"DROP TRIGGER record_no_update", "DROP TRIGGER record_no_delete"}
	for name, c := range map[string]struct {
		statement, want string
	}{
		"a dealer changed": {`UPDATE record SET payload = CAST(replace(CAST(payload AS TEXT), 'dealer:3', 'dealer:9') AS BLOB) WHERE pos = (SELECT min(pos) FROM record WHERE type = 'hand_started')`, "hash at record"},
		"a record removed": {`DELETE FROM record WHERE pos = 40`, "record 40 was removed"},
		"a time changed":   {`UPDATE record SET wall = wall - 60000 WHERE pos = 50`, "hash at record 50"},
		"the end cut off":  {`DELETE FROM record WHERE pos > 100`, "was acknowledged"},
		"a column changed": {`UPDATE record SET hand = 99 WHERE hand = 2`, "columns at record"},
	} {
		dir := evening(t)
		change(t, filepath.Join(dir, databaseName), append(free, c.statement)...)
		r := offline(t, "journal", "verify", "--data", dir)
		if r.code != exitVerifyFailed || !strings.Contains(r.out, c.want) || !strings.Contains(r.err, "not what was written") {
			t.Errorf("%s: exit %d: %s%s", name, r.code, r.out, r.err)
		}
		var v verified
		js := offline(t, "journal", "verify", "--data", dir, "-o", "json")
		if err := json.Unmarshal([]byte(js.out), &v); js.code != exitVerifyFailed || err != nil || v.OK || len(v.Problems) == 0 || v.Problems[0].Hint == "" {
			t.Errorf("%s: exit %d: %s: %v", name, js.code, js.out, err)
		}
		if r := offline(t, "journal", "verify", "--data", dir, "-o", "csv"); r.code != exitVerifyFailed || strings.Count(r.out, "\r\n") < 2 {
			t.Errorf("%s: exit %d: %q", name, r.code, r.out)
		}
	}
}

// TestVerify_X3_AgainstPaper: a journal cut behind the back of its folder is found
// by the head that a report printed.
func TestVerify_X3_AgainstPaper(t *testing.T) {
	dir := evening(t)
	head, _, _ := strings.Cut(offline(t, "journal", "head", "--data", dir).out, "\n")
	change(t, filepath.Join(dir, databaseName), "DROP TRIGGER record_no_delete", "DELETE FROM record WHERE pos > 100",
		"CREATE TRIGGER record_no_delete BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'records are never deleted'); END")
	if err := os.Remove(filepath.Join(dir, "head")); err != nil {
		t.Fatal(err)
	}
	r := offline(t, "journal", "verify", "--data", dir, "--head", head)
	if r.code != exitVerifyFailed || !strings.Contains(r.out, "truncated") {
		t.Errorf("exit %d: %s%s", r.code, r.out, r.err)
	}
}

func TestJournal_ThatIsNotThere(t *testing.T) {
	empty := t.TempDir()
	junk := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"journal", "verify", "--data", empty}, exitFailed},
		{[]string{"journal", "head", "--data", filepath.Join(empty, "nowhere")}, exitFailed},
		{[]string{"journal", "export", "--data", empty}, exitFailed},
		{[]string{"journal", "backup", filepath.Join(empty, "b.db"), "--data", filepath.Join(empty, "nowhere")}, exitFailed},
		{[]string{"journal", "verify", "--file", junk}, exitVerifyFailed},
		{[]string{"hand", "list", "--data", empty, "--table", "1"}, exitFailed},
		{[]string{"journal", "restore", junk, "--data", filepath.Join(empty, "r")}, exitVerifyFailed},
	} {
		if r := offline(t, c.args...); r.code != c.code || r.err == "" || r.out != "" {
			t.Errorf("%q: exit %d, want %d: %s%s", c.args, r.code, c.code, r.out, r.err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(empty, "r")); err == nil && len(left) > 0 {
		t.Errorf("a failed restore left %v", left)
	}
}

// TestBackupAndRestore: a backup beside a running controller, restored into a new
// folder, is the same journal, and a controller goes on with it.
func TestBackupAndRestore(t *testing.T) {
	h := newHouse(t, evening(t), filepath.Join(shortTemp(t), "s.sock"), "1")
	backup := filepath.Join(t.TempDir(), "evening.db")
	var k copied
	r := offline(t, "journal", "backup", backup, "--data", h.dir, "-o", "json")
	if err := json.Unmarshal([]byte(r.out), &k); r.code != exitOK || err != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	head := k.Head
	if r := h.ctl("journal", "verify", "--head", head); r.code != exitOK { // it is of the running one's history
		t.Errorf("%+v", r)
	}
	if r := offline(t, "journal", "backup", backup, "--data", h.dir); r.code != exitFailed || !strings.Contains(r.err, "exists") {
		t.Errorf("over an old backup: %+v", r)
	}
	if r := offline(t, "journal", "verify", "--file", backup, "--head", head); r.code != exitOK {
		t.Errorf("%+v", r)
	}

	dir := filepath.Join(t.TempDir(), "new")
	r = offline(t, "journal", "restore", backup, "--data", dir)
	if r.code != exitOK || !strings.Contains(r.out, "record restored_from") {
		t.Fatalf("%+v", r)
	}
	if r := offline(t, "journal", "verify", "--data", dir, "--head", head); r.code != exitOK {
		t.Errorf("%+v", r)
	}
	again := newHouse(t, dir, filepath.Join(shortTemp(t), "s.sock"), "1")
	again.must("table", "open", "--activity-card", "A", "--manual", "V", "--deputy", "floor:8", "--as", "floor:7")
	if r := offline(t, "journal", "verify", "--data", dir, "--head", head); r.code != exitOK {
		t.Errorf("%+v", r)
	}
}

// TestRestore_LeavesWhatIsThere: never over a journal, and the process that has it
// is named.
func TestRestore_LeavesWhatIsThere(t *testing.T) {
	h := newHouse(t, evening(t), filepath.Join(shortTemp(t), "s.sock"), "1")
	backup := filepath.Join(t.TempDir(), "evening.db")
	if r := offline(t, "journal", "backup", backup, "--data", h.dir); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	if r := offline(t, "journal", "restore", backup, "--data", h.dir); r.code != exitLockHeld || !strings.Contains(r.err, "process ") {
		t.Errorf("while it is in use: %+v", r)
	}
	h.stop()
	before, err := os.ReadFile(filepath.Join(h.dir, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	if r := offline(t, "journal", "restore", backup, "--data", h.dir); r.code != exitFailed || !strings.Contains(r.err, databaseName) {
		t.Errorf("over a journal: %+v", r)
	}
	if after, err := os.ReadFile(filepath.Join(h.dir, databaseName)); err != nil || string(after) != string(before) {
		t.Error("the journal was touched")
	}
	change(t, backup, "DROP TRIGGER record_no_update", "UPDATE record SET wall = 1 WHERE pos = 3")
	dir := filepath.Join(t.TempDir(), "new")
	if r := offline(t, "journal", "restore", backup, "--data", dir); r.code != exitVerifyFailed || !strings.Contains(r.err, "nothing was restored") {
		t.Errorf("a changed backup: %+v", r)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a changed backup was restored")
	}
}

// TestExport_HoldsTheChain: an auditor recomputes every hash from the exported
// lines alone (FORMAT.md).
func TestExport_HoldsTheChain(t *testing.T) {
	dir := evening(t)
	r := offline(t, "journal", "export", "--data", dir, "-o", "json")
	if r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	src := exported{t, r.out, offlineHead(t, dir).Chain}
	rep, err := journal.Verify(src, journal.Check{Published: []journal.Head{offlineHead(t, dir)}})
	if err != nil || !rep.OK() || rep.Records < 100 {
		t.Errorf("%+v, %v", rep, err)
	}
}

func offlineHead(t *testing.T, dir string) journal.Head {
	t.Helper()
	j, err := journal.OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	h, err := j.Head()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// exported is an export as a source to verify.
type exported struct {
	t           *testing.T
	text, chain string
}

func (e exported) Extent() (string, uint64, error)             { return e.chain, 0, nil }
func (e exported) StorageProblems() ([]journal.Problem, error) { return nil, nil }
func (e exported) Stored() iter.Seq2[journal.Stored, error] {
	return func(yield func(journal.Stored, error) bool) {
		lines := bufio.NewScanner(strings.NewReader(e.text))
		lines.Buffer(nil, 1<<22)
		for lines.Scan() {
			var w api.Record
			if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
				e.t.Fatalf("%s: %v", lines.Text(), err)
			}
			rec, err := recordOf(w)
			if err != nil {
				e.t.Fatal(err)
			}
			c, err := journal.Derive(rec.Payload)
			if err != nil {
				e.t.Fatal(err)
			}
			if !yield(journal.Stored{Pos: int64(rec.Pos), Record: rec, Columns: c}, nil) {
				return
			}
		}
	}
}

// TestExport_Picks: by table, hand, type, person and position; and CSV that reads
// back.
func TestExport_Picks(t *testing.T) {
	dir := evening(t)
	count := func(args ...string) (n int, out string) {
		r := offline(t, append([]string{"journal", "export", "--data", dir, "-o", "json"}, args...)...)
		if r.code != exitOK {
			t.Fatalf("%q: %+v", args, r)
		}
		return strings.Count(r.out, "\n"), r.out
	}
	all, _ := count()
	if n, out := count("--type", "hand_started"); n != 3 || strings.Count(out, `"type":"hand_started"`) != 3 {
		t.Errorf("%d hands: %s", n, out)
	}
	if n, _ := count("--type", "hand_started,hand_ended"); n != 6 {
		t.Errorf("%d begins and ends", n)
	}
	one, _ := count("--table", "1", "--hand", "3")
	two, _ := count("--table", "1", "--hand", "2")
	if one <= two { // it had a jam
		t.Errorf("%d records of hand 3, %d of hand 2", one, two)
	}
	if n, _ := count("--after", "100"); n != all-100 {
		t.Errorf("%d records after 100 of %d", n, all)
	}
	inRoom, _ := count("--table", "room")
	atTable, _ := count("--table", "1")
	if inRoom == 0 || inRoom+atTable != all {
		t.Errorf("%d + %d of %d", inRoom, atTable, all)
	}
	if n, out := count("--by", "floor:7"); n == 0 || n != strings.Count(out, `"by":"floor:7"`) {
		t.Errorf("%d by the floor", n)
	}
	// The environment's table picks nothing here.
	r := ctlIn(t, map[string]string{envTable: "1"}, "journal", "export", "--data", dir, "-o", "csv", "--zone", "Asia/Shanghai")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(r.out, byteOrderMark))).ReadAll()
	if err != nil || len(rows) != all+1 {
		t.Errorf("%d rows of %d, %v", len(rows), all, err)
	}
	if !strings.Contains(rows[1][4], "+08:00") || !json.Valid([]byte(rows[1][7])) {
		t.Errorf("%q", rows[1])
	}
	text := offline(t, "journal", "export", "--data", dir)
	if n := strings.Count(text.out, "\n"); n != all {
		t.Errorf("%d lines of %d: every record has one", n, all)
	}
}

// TestExport_IntoAFile: a new one, whole or not there.
func TestExport_IntoAFile(t *testing.T) {
	dir, file := evening(t), filepath.Join(t.TempDir(), "x.jsonl")
	if r := offline(t, "journal", "export", "--data", dir, "-o", "json", "--to", file); r.code != exitOK || r.out != "" {
		t.Errorf("%+v", r)
	}
	want := offline(t, "journal", "export", "--data", dir, "-o", "json").out
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%v, or another text", err)
	}
	if r := offline(t, "journal", "export", "--data", dir, "--to", file); r.code != exitFailed || !strings.Contains(r.err, "exists") {
		t.Errorf("%+v", r)
	}
	// A journal that breaks off in the middle leaves no half of a file.
	change(t, filepath.Join(dir, databaseName), "DROP TRIGGER record_no_update", "UPDATE record SET hash = x'00' WHERE pos = 90")
	half := filepath.Join(t.TempDir(), "half")
	if r := offline(t, "journal", "export", "--data", dir, "--to", half); r.code != exitVerifyFailed || !strings.Contains(r.err, "record 90") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("half an export is left")
	}
}

// TestRemote_IsTheSameJournal: through the API the journal is what it is on disk,
// byte for byte, in every way of reading.
func TestRemote_IsTheSameJournal(t *testing.T) {
	h := newHouse(t, evening(t), filepath.Join(shortTemp(t), "s.sock"), "1")
	odd := `<b>&amp; "quotes" \ 牌副 ` + "\u200b"
	h.must("table", "open", "--activity-card", odd, "--manual", "V", "--deputy", "floor:8", "--as", "floor:7", "--key", "odd")
	disk, err := journal.OpenReadOnly(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	client, err := api.Dial(h.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	far := &remoteJournal{ctx: t.Context(), client: client, page: 7}

	a, errA := disk.Head()
	b, errB := far.Head()
	if a != b || errA != nil || errB != nil {
		t.Errorf("head %v, %v and %v, %v", a, errA, b, errB)
	}
	for _, f := range []journal.Filter{
		{}, {Stream: "1"}, {Stream: "room"}, {Types: []string{"hand_started", "hand_ended"}}, {Stream: "1", Hand: 2}, {Deck: "D-A1"}, {Actor: "floor:7"},
		{Stream: "1", Actor: "dealer:3", Types: []string{"hand_ended"}}, {Session: "1"}, {Types: []string{"nothing"}},
	} {
		for _, after := range []uint64{0, 50, 1 << 40} {
			want, got := all(t, disk, after, f), all(t, far, after, f)
			if !reflect.DeepEqual(want, got) {
				t.Errorf("%+v after %d: %d records on disk, %d through the API, or others", f, after, len(want), len(got))
			}
		}
		la, fa, ea := disk.Last(f)
		lb, fb, eb := far.Last(f)
		if !reflect.DeepEqual(la, lb) || fa != fb || ea != nil || eb != nil {
			t.Errorf("last %+v: %v, %v and %v, %v", f, la.Pos, ea, lb.Pos, eb)
		}
	}
	ka, fa, _ := disk.ByKey("odd")
	kb, fb, err := far.ByKey("odd")
	if !fa || !fb || err != nil || !reflect.DeepEqual(ka, kb) {
		t.Errorf("by key: %v, %v", ka, kb)
	}
	if _, found, err := far.ByKey(""); found || err != nil {
		t.Errorf("no key: %v, %v", found, err)
	}
	na, _ := disk.StreamHead("1")
	nb, err := far.StreamHead("1")
	if na != nb || na == 0 || err != nil {
		t.Errorf("stream heads %d and %d, %v", na, nb, err)
	}
	if out := h.must("journal", "verify", "--head", a.String()); !strings.Contains(out, "journal verified") {
		t.Error(out)
	}
	if r := h.ctl("journal", "verify", "--head", "5:"+strings.Repeat("0", 64)); r.code != exitVerifyFailed {
		t.Errorf("another history: %+v", r)
	}
}

func all(t *testing.T, j journal.Reader, after uint64, f journal.Filter) (l []journal.Record) {
	t.Helper()
	for r, err := range j.Records(after, f) {
		if err != nil {
			t.Fatal(err)
		}
		l = append(l, r)
	}
	return l
}

// TestReports_SameFromFolderAndController: hands, receipts and handoffs read alike
// from both, in both languages.
func TestReports_SameFromFolderAndController(t *testing.T) {
	h := newHouse(t, evening(t), filepath.Join(shortTemp(t), "s.sock"), "1")
	for _, args := range [][]string{
		{"hand", "list"}, {"hand", "list", "--full"}, {"hand", "list", "-o", "json"}, {"hand", "list", "-o", "csv"}, {"hand", "list", "--from", "2", "--to", "2", "--full", "--lang", "zh-CN"},
		{"deck", "receipt"}, {"deck", "receipt", "1", "--lang", "zh-CN"}, {"deck", "receipt", "1", "-o", "json"}, {"handoff", "show"}, {"handoff", "show", "1", "-o", "json"},
	} {
		near := offline(t, append(args, "--data", h.dir, "--table", "1")...)
		far := h.ctl(args...)
		if near.code != exitOK || near != far || len(near.out) < 100 {
			t.Errorf("%q: from the folder exit %d %s\nfrom the controller exit %d %s", args, near.code, near.err, far.code, far.err)
		}
		if args[len(args)-1] == "json" && !json.Valid([]byte(near.out)) {
			t.Errorf("%q: %s", args, near.out)
		}
	}
	if out := h.must("hand", "list"); !strings.Contains(out, "1 2 3 4 5 6 7 8 9") || strings.Count(out, "dealer:") != 3 {
		t.Error(out)
	}
	if r := h.ctl("deck", "receipt", "99"); r.code != exitFailed || !strings.Contains(r.err, "not in the journal") {
		t.Errorf("%+v", r)
	}
	if r := offline(t, "handoff", "show", "--data", h.dir, "--table", "9"); r.code != exitFailed {
		t.Errorf("%+v", r)
	}
}

// TestReading_ChangesNothing in the database, whoever reads.
func TestReading_ChangesNothing(t *testing.T) {
	dir := evening(t)
	sum := func() [32]byte {
		b, err := os.ReadFile(filepath.Join(dir, databaseName))
		if err != nil {
			t.Fatal(err)
		}
		return sha256.Sum256(b)
	}
	before := sum()
	for _, args := range [][]string{{"journal", "verify"}, {"journal", "head"}, {"journal", "export"}, {"hand", "list", "--table", "1"}, {"journal", "backup", filepath.Join(t.TempDir(), "b")}} {
		if r := offline(t, append(args, "--data", dir)...); r.code != exitOK {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if sum() != before {
		t.Error("reading changed the journal")
	}
}

// TestInterrupted_Ends: Ctrl-C in the middle of a request is a failure, and soon.
func TestInterrupted_Ends(t *testing.T) {
	h := open(t, "1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	one := testHost(map[string]string{envServer: h.socket})
	if code := run(ctx, one, []string{"table", "list"}); code != exitFailed {
		t.Errorf("exit %d", code)
	}
}
