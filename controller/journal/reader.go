package journal

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	sqlite3 "modernc.org/sqlite/lib"
)

// Tuning of reading.
const (
	readConnections = 4
	batchRecords    = 512
	batchBytes      = 1 << 20 // of payload; the batch ends with the record that passes it
)

// SQLiteReader reads a journal on disk, also while another process writes it. It may
// be shared between goroutines.
type SQLiteReader struct {
	dir, path string
	db        *sql.DB
	chain     string
	steps     schema
	version   int // of the schema in the file
	closed    atomic.Bool
}

var (
	_ Reader = (*SQLiteReader)(nil)
	_ Source = (*SQLiteReader)(nil)
)

// OpenReadOnly opens the journal in dir for reading; it takes no lock and changes
// nothing. Errors: ErrMissing, ErrDamaged, ErrNewer, ErrRead.
func OpenReadOnly(dir string) (*SQLiteReader, error) {
	return openExisting(filepath.Join(dir, fileName))
}

// OpenFile is OpenReadOnly for a single file: a backup.
func OpenFile(path string) (*SQLiteReader, error) { return openExisting(path) }

func openExisting(path string) (*SQLiteReader, error) {
	exists, err := lookAtFile(path)
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, &Error{Op: "open", Path: path, Kinds: []error{ErrMissing}, Hint: "give the data folder of a controller that ran"}
	}
	r, err := openReader(path, "", currentSchema)
	if err == nil || !unwritable(err) {
		return r, err
	}
	// On a read-only disk SQLite cannot make its index beside the file. Without a
	// write-ahead log none is needed.
	if fi, statErr := os.Stat(path + "-wal"); statErr == nil && fi.Size() > 0 || statErr != nil && !errors.Is(statErr, fs.ErrNotExist) {
		return nil, &Error{Op: "open", Path: path, Kinds: []error{ErrRead}, Err: err,
			What: "there is a write-ahead log beside it, and the folder cannot be written",
			Hint: "copy journal.db and journal.db-wal into a folder that can be written"}
	}
	return openReader(path, "&immutable=1", currentSchema)
}

func unwritable(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return true
	}
	return false
}

func openReader(path, query string, steps schema) (*SQLiteReader, error) {
	db, err := sql.Open("sqlite", dsn(path, "mode=ro"+query))
	if err != nil {
		return nil, readError("open", path, err)
	}
	db.SetMaxOpenConns(readConnections)
	db.SetMaxIdleConns(readConnections)
	r := &SQLiteReader{dir: filepath.Dir(path), path: path, db: db, steps: steps}
	if r.version, err = identify(db, path, steps); err == nil {
		r.chain, err = chainOf(db, path)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return r, nil
}

// Close ends reading; every method then answers ErrClosed.
func (r *SQLiteReader) Close() error {
	if r.closed.Swap(true) {
		return nil
	}
	return r.db.Close()
}

// Path is the database file.
func (r *SQLiteReader) Path() string { return r.path }

func (r *SQLiteReader) fault(op string, err error) error {
	if r.closed.Load() {
		return closed(op, r.path)
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return readError(op, r.path, err)
}

// Head is described at Reader.
func (r *SQLiteReader) Head() (Head, error) {
	h, err := headOf(r.db, r.path, r.chain)
	if err != nil {
		return Head{}, r.fault("read head", err)
	}
	return h, nil
}

func headOf(db execer, path, chain string) (Head, error) {
	h := Head{Chain: chain, Hash: Genesis(chain)}
	var pos int64
	var hash []byte
	err := db.QueryRowContext(background, "SELECT pos, hash FROM record ORDER BY pos DESC LIMIT 1").Scan(&pos, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return h, nil
	}
	if err != nil {
		return Head{}, err
	}
	if len(hash) != len(h.Hash) || pos < 1 {
		return Head{}, damagedAt("read head", path, pos, "its hash or position is none")
	}
	h.Pos, h.Hash = uint64(pos), Hash(hash)
	return h, nil
}

func damagedAt(op, path string, pos int64, what string) error {
	return &Error{Op: op, Path: path, Kinds: []error{ErrDamaged}, What: fmt.Sprintf("record %d: %s", pos, what),
		Hint: "verify the journal, then restore the newest backup"}
}

// StreamHead is described at Reader.
func (r *SQLiteReader) StreamHead(stream string) (uint64, error) {
	n, err := streamHead(r.db, stream)
	if err != nil {
		return 0, r.fault("read stream head", err)
	}
	return n, nil
}

func streamHead(db execer, stream string) (n uint64, err error) {
	err = db.QueryRowContext(background, "SELECT n FROM record WHERE stream = ? ORDER BY pos DESC LIMIT 1", stream).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// ByKey is described at Reader.
func (r *SQLiteReader) ByKey(key string) (Record, bool, error) {
	if key == "" {
		return Record{}, false, nil
	}
	return r.one("read by key", " WHERE key = ?", key)
}

// Last is described at Reader.
func (r *SQLiteReader) Last(f Filter) (Record, bool, error) {
	where, args := f.where(math.MinInt64)
	return r.one("read last record", where+" ORDER BY pos DESC LIMIT 1", args...)
}

func (r *SQLiteReader) one(op, clause string, args ...any) (Record, bool, error) {
	found, err := r.batch(op, clause, args)
	if err != nil || len(found) == 0 {
		return Record{}, false, err
	}
	if found[0].Defect != "" {
		return Record{}, false, damagedAt(op, r.path, found[0].Pos, found[0].Defect)
	}
	return found[0].Record, true, nil
}

// Records is described at Reader.
func (r *SQLiteReader) Records(after uint64, f Filter) iter.Seq2[Record, error] {
	const op = "read records"
	return func(yield func(Record, error) bool) {
		for st, err := range r.stored(op, int64(min(after, math.MaxInt64)), f) {
			if err == nil && st.Defect != "" {
				err = damagedAt(op, r.path, st.Pos, st.Defect)
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(st.Record, nil) {
				return
			}
		}
	}
}

// Extent is described at Source.
func (r *SQLiteReader) Extent() (string, uint64, error) {
	var last int64
	if err := r.db.QueryRowContext(background, "SELECT coalesce(max(pos), 0) FROM record").Scan(&last); err != nil {
		return "", 0, r.fault("read head", err)
	}
	return r.chain, uint64(max(last, 0)), nil
}

// Stored is described at Source.
func (r *SQLiteReader) Stored() iter.Seq2[Stored, error] {
	return r.stored("read records", math.MinInt64, Filter{})
}
