package journal

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Names in the data folder (FORMAT.md section 1).
const (
	fileName   = "journal.db"
	lockName   = "lock"
	anchorName = "head"
)

// Tuning.
const (
	busyMilliseconds    = 10_000   // wait for SQLite's own short locks
	tailRecords         = 256      // checked on each opening
	quickCheckBytes     = 64 << 20 // files up to this size are checked whole on opening
	defaultWarnDiskUsed = 0.80
	walKeptBytes        = 16 << 20 // the write-ahead log shrinks to this after a burst
)

const (
	hintRestore = "keep the folder as it is, copy it, then verify it or restore the newest backup"
	hintSpace   = "free some space, then try again"
	hintWrite   = "check the disk and who may write there, then try again"
)

// Options tune a journal in SQLite. The zero value serves.
type Options struct {
	// Chain is the id of a journal that is newly made, 1 to 64 of a-z 0-9 -; empty
	// means random. For simulations that must give the same head again.
	Chain string
	// AcceptLoss opens a journal that ends before, or beside, what this folder
	// acknowledged: an older copy put in place. Who sets it must record the fact.
	AcceptLoss bool
	// WarnDiskUsed is the used share of the disk, 0 to 1, at which Status warns; 0
	// means 0.80.
	WarnDiskUsed float64
	// MaxPages bounds the database in pages of 4096 bytes, so that tests can fill it;
	// 0 means no bound.
	MaxPages int

	schema schema // tests build older and newer ones
}

// SQLite is the journal on disk. It may be shared between goroutines; reading does
// not wait for writing.
type SQLite struct {
	*SQLiteReader
	opt  Options
	lock *lock

	mu       sync.Mutex // the writer's
	w        *writer    // nil after a failure
	failed   error      // why w is nil
	anchor   *anchor
	identity os.FileInfo // of the database file when it was opened

	health health // what Status tells
}

var _ Journal = (*SQLite)(nil)

// Open opens the journal in dir for writing and makes folder and journal when there
// are none. It checks the file as far as its size allows (Verify does the whole),
// and upgrades an older schema after a copy. Errors: ErrLocked, ErrDamaged,
// ErrNewer, ErrWrite, ErrRead.
func Open(dir string, opt Options) (*SQLite, error) {
	if opt.schema == nil {
		opt.schema = currentSchema
	}
	if opt.WarnDiskUsed == 0 {
		opt.WarnDiskUsed = defaultWarnDiskUsed
	}
	if opt.Chain == "" {
		opt.Chain = newChain()
	} else if err := checkChain(opt.Chain); err != nil {
		return nil, &Error{Op: "open", Path: dir, Kinds: []error{ErrEntry}, Err: err}
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, &Error{Op: "open", Path: dir, Kinds: []error{ErrWrite}, Err: err,
			Hint: "give a data folder that this user may write"}
	}
	// As SQLite is built on every Linux: the time stamps that fsync would force out
	// as well carry nothing of ours. Unsupported means that fsync stays.
	sqlite.Fdatasync(true)
	l, err := takeLock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, err
	}
	s := &SQLite{opt: opt, lock: l}
	if err := s.open(dir); err != nil {
		s.shut()
		return nil, err
	}
	return s, nil
}

func (s *SQLite) open(dir string) error {
	path := filepath.Join(dir, fileName)
	exists, err := lookAtFile(path)
	if err != nil {
		return err
	}
	if !exists {
		if err := create(path, s.opt); err != nil {
			return err
		}
	}
	if s.w, err = openWriter(path, s.opt); err != nil {
		return err
	}
	if s.SQLiteReader, err = openReader(path, "", s.opt.schema); err != nil {
		return err
	}
	if s.identity, err = os.Stat(path); err != nil {
		return &Error{Op: "open", Path: path, Kinds: []error{ErrRead}, Err: err}
	}
	return s.agreeWithAnchor()
}

// agreeWithAnchor refuses a journal that lost what the folder acknowledged.
func (s *SQLite) agreeWithAnchor() error {
	path := filepath.Join(s.dir, anchorName)
	want, ok, err := readAnchor(path)
	if err != nil {
		s.health.note(fmt.Sprintf("%v; it was written anew", err))
	}
	if ok && !s.opt.AcceptLoss {
		if p, err := s.compareAnchor(want); err != nil {
			return err
		} else if p != nil {
			return &Error{Op: "open", Path: s.path, Kinds: []error{ErrDamaged}, What: p.Detail, Hint: p.Hint}
		}
	}
	if s.anchor, err = openAnchor(path, s.w.head); err != nil {
		return &Error{Op: "open", Path: path, Kinds: []error{ErrWrite}, Err: err, Hint: hintSpace}
	}
	s.health.set(s.w.head, nil)
	return nil
}

// lookAtFile tells whether there is a journal, and refuses what must not be taken
// for an empty place. It must not open the file: closing it again would drop the
// locks that SQLite holds for this process.
func lookAtFile(path string) (bool, error) {
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		for _, trace := range []string{filepath.Join(filepath.Dir(path), anchorName), path + "-wal"} {
			if _, err := os.Stat(trace); err == nil {
				return false, &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged},
					What: fmt.Sprintf("the file is missing, but %s shows that there was a journal", filepath.Base(trace)),
					Hint: "put the file back or restore the newest backup; for a new journal give an empty folder"}
			}
		}
		return false, nil
	case err != nil:
		return false, &Error{Op: "open", Path: path, Kinds: []error{ErrRead}, Err: err}
	case !fi.Mode().IsRegular():
		return false, &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged}, What: "not a regular file", Hint: hintRestore}
	case fi.Size() == 0:
		return false, &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged}, What: "the file has no content", Hint: hintRestore}
	}
	return true, nil
}

// create makes an empty journal under another name and moves it in place, so that a
// crash leaves a whole one or none.
func create(path string, opt Options) error {
	fail := func(err error) error {
		return writeError("create", path, err)
	}
	temporary := path + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	db, conn, err := connect(temporary, "mode=rwc", "synchronous(FULL)")
	if err != nil {
		return fail(err)
	}
	err = execute(conn, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	if err == nil {
		err = opt.schema.build(conn, 0, func() error {
			return execute(conn, "INSERT INTO meta VALUES ('format', ?), ('chain', ?)", strconv.Itoa(hashFormat), opt.Chain)
		})
	}
	if err := errors.Join(err, conn.Close(), db.Close()); err != nil {
		return fail(err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fail(err)
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return fail(err)
	}
	return nil
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// connect opens one connection with pragmas.
func connect(path, query string, pragmas ...string) (*sql.DB, *sql.Conn, error) {
	db, err := sql.Open("sqlite", dsn(path, query, pragmas...))
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(background)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, conn, nil
}

func dsn(path, query string, pragmas ...string) string {
	var b strings.Builder
	b.WriteString("file:" + (&url.URL{Path: path}).EscapedPath())
	fmt.Fprintf(&b, "?%s&_pragma=busy_timeout(%d)", query, busyMilliseconds)
	for _, p := range pragmas {
		b.WriteString("&_pragma=" + p)
	}
	return b.String()
}

// Close is described at Journal.
func (s *SQLite) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.shut(); err != nil {
		return &Error{Op: "close", Path: s.path, Kinds: []error{ErrWrite}, Err: err}
	}
	return nil
}

// shut closes what is open. The reader goes first: then the writer is the last
// connection and SQLite folds the write-ahead log into the database.
func (s *SQLite) shut() error {
	var errs []error
	if s.SQLiteReader != nil {
		errs = append(errs, s.db.Close())
	}
	if s.w != nil {
		errs = append(errs, s.w.close())
		s.w = nil
	}
	if s.anchor != nil {
		errs = append(errs, s.anchor.close())
	}
	return errors.Join(append(errs, s.lock.release())...)
}

// readError and writeError sort what SQLite says.
func readError(op, path string, err error) error {
	e := &Error{Op: op, Path: path, Kinds: []error{ErrRead}, Err: err}
	switch code(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		e.Kinds, e.Hint = []error{ErrDamaged, ErrRead}, hintRestore
	case sqlite3.SQLITE_READONLY: // even reading needs files beside the database
		e.Kinds, e.Hint = []error{ErrWrite, ErrRead}, "the data folder and its files must belong to the user that runs this"
	}
	return e
}

func writeError(op, path string, err error) error {
	e := &Error{Op: op, Path: path, Kinds: []error{ErrWrite}, Err: err, Hint: hintWrite}
	c := code(err)
	switch {
	case c == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		e.Kinds, e.Hint = []error{ErrFull, ErrWrite}, hintSpace
	case c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB:
		e.Kinds, e.Hint = []error{ErrDamaged, ErrWrite}, hintRestore
	}
	return e
}

// code is SQLite's primary result code, 0 when err is none of its own.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}
