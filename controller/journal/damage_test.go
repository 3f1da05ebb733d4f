package journal

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// many gives n entries behind number from of one stream.
func many(from, n int) []Entry {
	all := make([]Entry, n)
	for i := range all {
		all[i] = Entry{Stream: "table/1", N: uint64(from + i + 1), Wall: int64(i), Type: "hand_start", Version: 1,
			Payload: fmt.Appendf(nil, `{"hand":%d,"deck":"A","text":"%0100d"}`, from+i+1, i)}
	}
	return all
}

// folder makes a closed journal with n records.
func folder(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(many(0, n)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// crashed makes a folder as a power cut leaves it: the newest records stand in the
// write-ahead log only.
func crashed(t *testing.T, n int) string {
	t.Helper()
	live, dir := t.TempDir(), t.TempDir()
	s, err := Open(live, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range n {
		if _, err := s.Append(many(i, 1)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{fileName, fileName + "-wal", anchorName} {
		copyFile(t, filepath.Join(live, name), filepath.Join(dir, name))
	}
	return dir
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, b)
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o640); err != nil {
		t.Fatal(err)
	}
}

// edit changes a file's bytes.
func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, change(b))
}

func rawSQL(t *testing.T, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, "mode=rwc"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

func TestDamageIsNamedAndNothingIsReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, dir, file string)
		kind error
		says string
	}{
		"empty file":   {func(t *testing.T, dir, file string) { write(t, file, nil) }, ErrDamaged, "no content"},
		"text":         {func(t *testing.T, dir, file string) { write(t, file, []byte(strings.Repeat("hello\n", 2000))) }, ErrDamaged, "not a database"},
		"a folder":     {func(t *testing.T, dir, file string) { os.Remove(file); os.Mkdir(file, 0o750) }, ErrDamaged, "not a regular file"},
		"cut in half":  {func(t *testing.T, dir, file string) { edit(t, file, func(b []byte) []byte { return b[:len(b)/2] }) }, ErrDamaged, ""},
		"one page cut": {func(t *testing.T, dir, file string) { edit(t, file, func(b []byte) []byte { return b[:len(b)-4096] }) }, ErrDamaged, ""},
		"pages of rubbish": {func(t *testing.T, dir, file string) {
			edit(t, file, func(b []byte) []byte { copy(b[5*4096:], bytes.Repeat([]byte{0xA5}, 3*4096)); return b })
		}, ErrDamaged, ""},
		"pages of zeros": {func(t *testing.T, dir, file string) {
			edit(t, file, func(b []byte) []byte { clear(b[len(b)-2*4096:]); return b })
		}, ErrDamaged, ""},
		"a bit in the last record": {func(t *testing.T, dir, file string) {
			edit(t, file, func(b []byte) []byte {
				i := bytes.LastIndex(b, []byte(`"hand":2`))
				b[i+1] ^= 4
				return b
			})
		}, ErrDamaged, "record "},
		"another database": {func(t *testing.T, dir, file string) {
			os.Remove(file)
			rawSQL(t, file, "CREATE TABLE t (a)")
		}, ErrDamaged, "no journal"},
		"file gone": {func(t *testing.T, dir, file string) { os.Remove(file) }, ErrDamaged, "missing"},
		"file gone, log there": {func(t *testing.T, dir, file string) {
			os.Rename(file, file+"-wal")
			os.Remove(filepath.Join(dir, anchorName))
		}, ErrDamaged, "missing"},
		"table gone":    {func(t *testing.T, dir, file string) { rawSQL(t, file, "DROP TABLE meta") }, ErrDamaged, "meta"},
		"chain id gone": {func(t *testing.T, dir, file string) { rawSQL(t, file, "DELETE FROM meta WHERE name = 'chain'") }, ErrDamaged, "meta"},
		"chain id changed": {func(t *testing.T, dir, file string) {
			rawSQL(t, file, "UPDATE meta SET value = 'x' WHERE name = 'chain'")
		}, ErrDamaged, "record 1"},
		"format unreadable": {func(t *testing.T, dir, file string) {
			rawSQL(t, file, "UPDATE meta SET value = 'x' WHERE name = 'format'")
		}, ErrDamaged, "meta"},
		"newer hash format": {func(t *testing.T, dir, file string) {
			rawSQL(t, file, "UPDATE meta SET value = '2' WHERE name = 'format'")
		}, ErrNewer, "hash format 2"},
		"newer schema":          {func(t *testing.T, dir, file string) { rawSQL(t, file, "PRAGMA user_version = 2") }, ErrNewer, "schema version 2"},
		"schema without number": {func(t *testing.T, dir, file string) { rawSQL(t, file, "PRAGMA user_version = 0") }, ErrDamaged, "schema version 0"},
		"a record edited": {func(t *testing.T, dir, file string) {
			rawSQL(t, file, "DROP TRIGGER record_no_update; UPDATE record SET wall = -5 WHERE pos = 20")
		}, ErrDamaged, "record 20"},
		"an older copy":          {func(t *testing.T, dir, file string) { copyFile(t, filepath.Join(folder(t, 12), fileName), file) }, ErrDamaged, "record 12, but 25 was acknowledged"},
		"another journal's file": {func(t *testing.T, dir, file string) { copyFile(t, filepath.Join(folder(t, 40), fileName), file) }, ErrDamaged, "record 25 is not the one"},
		"head file says more": {func(t *testing.T, dir, file string) {
			write(t, filepath.Join(dir, anchorName), []byte("26:"+Hash{}.String()+"\n"))
		}, ErrDamaged, "26 was acknowledged"},
		"head file of no records": {func(t *testing.T, dir, file string) {
			write(t, filepath.Join(dir, anchorName), []byte("0:"+Hash{}.String()+"\n"))
		}, ErrDamaged, "record 0"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, 25)
			file := filepath.Join(dir, fileName)
			c.harm(t, dir, file)
			before, _ := os.ReadFile(file)
			for range 2 { // the second time is no better
				s, err := Open(dir, Options{})
				if err == nil {
					s.Close()
					t.Fatal("opened")
				}
				var e *Error
				if !errors.Is(err, c.kind) || !errors.As(err, &e) || !strings.Contains(err.Error(), c.says) || e.Path == "" || e.Hint == "" {
					t.Fatalf("Open = %v, want %v with path and hint, saying %q", err, c.kind, c.says)
				}
			}
			if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
			r, err := OpenReadOnly(dir)
			if err == nil {
				defer r.Close()
				var report Report
				report, err = Verify(r, Check{})
				if !report.OK() {
					err = ErrDamaged
				}
			}
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer) && !errors.Is(err, ErrMissing) {
				t.Errorf("reading and verifying finds %v", err)
			}
		})
	}
}

// An early page is found broken too, not only what opening happens to read.
func TestDamageFarFromTheEnd(t *testing.T) {
	dir := folder(t, 2000)
	file := filepath.Join(dir, fileName)
	edit(t, file, func(b []byte) []byte {
		page := bytes.Index(b, []byte(`"hand":50,`)) / 4096
		clear(b[page*4096 : (page+1)*4096])
		return b
	})
	s, err := Open(dir, Options{})
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, ErrDamaged) {
		t.Fatalf("Open = %v", err)
	}
}

// What survives a power cut cannot be tested here; that SQLite was told to see to it can.
func TestIndiAllsky1534_DurabilityIsAskedFor(t *testing.T) {
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal"} {
		var got string
		if err := s.w.conn.QueryRowContext(background, "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %s, %v, want %s", pragma, got, err, want)
		}
	}
}

// The write-ahead log is cut at each of its frames: whatever was acknowledged and is
// gone is reported, never swallowed.
func TestX3_CutWriteAheadLog(t *testing.T) {
	const records = 5
	dir := crashed(t, records)
	wal, err := os.ReadFile(filepath.Join(dir, fileName+"-wal"))
	if err != nil {
		t.Fatal(err)
	}
	const header, frame = 32, 24 + 4096
	whole := 0
	for length := len(wal); length >= 0; length -= frame / 2 {
		cut := t.TempDir()
		for _, name := range []string{fileName, anchorName} {
			copyFile(t, filepath.Join(dir, name), filepath.Join(cut, name))
		}
		write(t, filepath.Join(cut, fileName+"-wal"), wal[:length])
		s, err := Open(cut, Options{})
		if err == nil {
			h, _ := s.Head()
			s.Close()
			if whole++; h.Pos != records || length != len(wal) {
				t.Errorf("log cut to %d of %d bytes: opened at %d of %d", length, len(wal), h.Pos, records)
			}
			continue
		}
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), fmt.Sprintf("%d was acknowledged", records)) {
			t.Errorf("log cut to %d bytes: %v", length, err)
		}
		// Who accepts the loss goes on from what is left.
		s, err = Open(cut, Options{AcceptLoss: true})
		if err != nil {
			t.Fatal(err)
		}
		h, _ := s.Head()
		if h.Pos >= records {
			t.Errorf("log cut to %d bytes: %v", length, h)
		}
		if _, err := s.Append(many(int(h.Pos), 3)); err != nil {
			t.Error(err)
		}
		if r, err := Verify(s, Check{}); err != nil || !r.OK() {
			t.Error(err, r.Problems)
		}
		s.Close()
		if s, err = Open(cut, Options{}); err != nil {
			t.Errorf("after the loss was accepted: %v", err)
		} else {
			s.Close()
		}
	}
	if whole != 1 || len(wal) < header+records*frame {
		t.Errorf("%d whole logs of %d bytes", whole, len(wal))
	}
}

func TestHeadFileUnreadableOrGone(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"gone":    os.Remove,
		"rubbish": func(p string) error { return os.WriteFile(p, []byte("rubbish"), 0o640) },
		"zeros":   func(p string) error { return os.WriteFile(p, make([]byte, anchorBytes), 0o640) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, 3)
			path := filepath.Join(dir, anchorName)
			if err := harm(path); err != nil {
				t.Fatal(err)
			}
			s, err := Open(dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			st, err := s.Status()
			if err != nil || (len(st.Notes) > 0) != (name != "gone") {
				t.Errorf("notes %q, %v", st.Notes, err)
			}
			h, err := s.Append(many(3, 1))
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(path)
			if got, ok, errRead := readAnchor(path); err != nil || errRead != nil || !ok || got.Hash != h.Hash || len(b) != anchorBytes || b[anchorBytes-1] != '\n' {
				t.Errorf("head file holds %q, %v, %v", b, err, errRead)
			}
		})
	}
}

func TestFileReplacedWhileInUse(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := s.Append(many(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, fileName)
	if err := os.Rename(file, file+".old"); err != nil {
		t.Fatal(err)
	}
	copyFile(t, file+".old", file) // a restore under our feet
	if _, err := s.Append(many(2, 1)); !errors.Is(err, ErrWrite) || !strings.Contains(err.Error(), "removed or replaced") {
		t.Fatalf("Append into a file without a name: %v", err)
	}
	if _, err := s.Reopen(); err == nil {
		t.Fatal("Reopen without the file")
	}
	if err := os.Rename(file+".old", file); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Reopen(); err != nil || got != h {
		t.Fatalf("Reopen = %v, %v, want %v", got, err, h)
	}
	if _, err := s.Append(many(2, 1)); err != nil {
		t.Fatal(err)
	}
}

func TestMissingForReaders(t *testing.T) {
	if _, err := OpenReadOnly(t.TempDir()); !errors.Is(err, ErrMissing) {
		t.Errorf("OpenReadOnly of an empty folder: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "a ?#%41&mode=memory'", "b")
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatalf("a folder with odd characters: %v", err)
	}
	defer s.Close()
	if _, err := s.Append(many(0, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
		t.Error(err)
	}
	if _, err := Open(t.TempDir(), Options{Chain: "A b"}); err == nil {
		t.Error("a chain id with odd characters is taken")
	}
}

// A crash in the making leaves a whole journal or none.
func TestCrashWhileMaking(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, fileName+".new"), []byte("half made"))
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}

func TestUpgradeCopiesThenAdds(t *testing.T) {
	next := append(schema{}, currentSchema...)
	next = append(next, "ALTER TABLE record ADD COLUMN note TEXT; CREATE INDEX record_note ON record (note) WHERE note IS NOT NULL")
	dir := folder(t, 30)
	old, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := old.Head()
	old.Close()

	broken := append(append(schema{}, currentSchema...), "CREATE TABLE more (a); THIS IS NO SQL")
	if _, err := Open(dir, Options{schema: broken}); !errors.Is(err, ErrWrite) {
		t.Fatalf("a failing upgrade: %v", err)
	}
	for range 2 {
		s, err := Open(dir, Options{schema: next})
		if err != nil {
			t.Fatal(err)
		}
		if h, _ := s.Head(); h != want {
			t.Errorf("head %v, want %v", h, want)
		}
		if want, err = s.Append(many(int(want.Pos), 1)); err != nil {
			t.Fatal(err)
		}
		if r, err := Verify(s, Check{}); err != nil || !r.OK() {
			t.Errorf("%v, %v", err, r.Problems)
		}
		s.Close()
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, ErrNewer) {
		t.Errorf("the older program: %v", err)
	}
	copied, err := OpenFile(filepath.Join(dir, "before-schema-2.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if r, err := Verify(copied, Check{}); err != nil || !r.OK() || r.Records != 30 {
		t.Errorf("the copy: %v, %+v", err, r)
	}
}

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := s.Append(many(0, 600))
	if err != nil {
		t.Fatal(err)
	}
	dst := filepath.Join(t.TempDir(), "it's a copy.db")
	r, err := s.Backup(dst)
	if err != nil || r.Head != h || !r.OK() {
		t.Fatalf("Backup = %+v, %v", r, err)
	}
	if _, err := s.Backup(dst); !errors.Is(err, ErrWrite) || !strings.Contains(err.Error(), "exists") {
		t.Errorf("over an existing file: %v", err)
	}
	if _, err := s.Backup(filepath.Join(dir, "no", "folder.db")); !errors.Is(err, ErrWrite) {
		t.Errorf("into no folder: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(dst), "*"))
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := s.Append(many(600, 1)); err != nil {
		t.Fatal(err)
	}
	// Restored into a new folder it goes on.
	restored := t.TempDir()
	copyFile(t, dst, filepath.Join(restored, fileName))
	b, err := Open(restored, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got, _ := b.Head(); got != h {
		t.Errorf("restored head %v, want %v", got, h)
	}
	if _, err := b.Append(many(600, 1)); err != nil {
		t.Error(err)
	}

	rawSQL(t, filepath.Join(dir, fileName), "DROP TRIGGER record_no_update; UPDATE record SET wall = -5 WHERE pos = 20")
	bad := filepath.Join(t.TempDir(), "bad.db")
	if r, err := s.Backup(bad); !errors.Is(err, ErrDamaged) || r.OK() {
		t.Errorf("backup of a damaged journal: %v", err)
	}
	if _, err := os.Stat(bad); err == nil {
		t.Error("a bad backup was kept")
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{MaxPages: 24})
	if err != nil {
		t.Fatal(err)
	}
	var acknowledged Head
	n := 0
	for {
		h, err := s.Append(many(n, 10))
		if err != nil {
			if !errors.Is(err, ErrFull) || !errors.Is(err, ErrWrite) || errors.Is(err, ErrDamaged) {
				t.Fatalf("full: %v", err)
			}
			break
		}
		acknowledged = h
		if n += 10; n > 10_000 {
			t.Fatal("24 pages never get full")
		}
	}
	if h, err := s.Head(); err != nil || h != acknowledged {
		t.Errorf("reading on a full disk: %v, %v, want %v", h, err, acknowledged)
	}
	st, err := s.Status()
	if err != nil || !errors.Is(st.Failed, ErrFull) {
		t.Errorf("status %+v, %v", st, err)
	}
	if _, err := s.Append(many(n, 1)); !errors.Is(err, ErrWrite) || !strings.Contains(err.Error(), "reopen") {
		t.Errorf("Append before Reopen: %v", err)
	}
	if h, err := s.Reopen(); err != nil || h != acknowledged {
		t.Fatalf("Reopen = %v, %v, want %v", h, err, acknowledged)
	}
	if _, err := s.Append(many(n, 100)); !errors.Is(err, ErrFull) {
		t.Errorf("still full: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close after a failure: %v", err)
	}
	if s, err = Open(dir, Options{}); err != nil { // the disk grew
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Append(many(n, 10)); err != nil {
		t.Error(err)
	}
	if r, err := Verify(s, Check{Published: []Head{acknowledged}}); err != nil || !r.OK() || r.Records != uint64(n+10) {
		t.Errorf("%v, %+v", err, r)
	}
}

// On a read-only disk the journal is still readable, if it was closed in order.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	closedInOrder, cut := folder(t, 9), crashed(t, 9)
	for _, dir := range []string{closedInOrder, cut} {
		if err := os.Chmod(dir, 0o550); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o750)
	}
	r, err := OpenReadOnly(closedInOrder)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if report, err := Verify(r, Check{}); err != nil || !report.OK() || report.Records != 9 {
		t.Errorf("%v, %+v", err, report)
	}
	if _, err := OpenReadOnly(cut); !errors.Is(err, ErrRead) || !strings.Contains(err.Error(), "copy journal.db and journal.db-wal") {
		t.Errorf("with a write-ahead log: %v", err)
	}
	if _, err := Open(closedInOrder, Options{}); !errors.Is(err, ErrWrite) {
		t.Errorf("for writing: %v", err)
	}
}

func TestStatus(t *testing.T) {
	s, err := Open(t.TempDir(), Options{WarnDiskUsed: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Append(many(0, 3))
	if err != nil {
		t.Fatal(err)
	}
	st, err := s.Status()
	if err != nil || st.Head != h || st.FileBytes < 8192 || st.DiskBytes == 0 || st.DiskUsed <= 0 || st.DiskUsed > 1 || st.Failed != nil {
		t.Errorf("status %+v, %v", st, err)
	}
	if !st.DiskWarn || len(st.Notes) != 1 || !strings.Contains(st.Notes[0], "% full") {
		t.Errorf("no warning: %+v", st)
	}
	s.mu.Lock() // as a hanging Append does
	if st, err := s.Status(); err != nil || st.Head != h {
		t.Errorf("while an Append hangs: %+v, %v", st, err)
	}
	s.mu.Unlock()
	s.Close()
	if _, err := s.Status(); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}
