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
	"strings"
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

// identify tells the schema version, or why the file is no journal for us.
func identify(db execer, path string, s schema) (version int, err error) {
	var application int64
	if err := db.QueryRowContext(background, "PRAGMA application_id").Scan(&application); err != nil {
		return 0, readError("open", path, err)
	}
	if application != applicationID {
		return 0, &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged},
			What: fmt.Sprintf("an SQLite file, but no journal (application_id %d)", application), Hint: hintRestore}
	}
	if err := db.QueryRowContext(background, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, readError("open", path, err)
	}
	if version > s.version() {
		return 0, &Error{Op: "open", Path: path, Kinds: []error{ErrNewer},
			What: fmt.Sprintf("schema version %d, this program knows %d", version, s.version()), Hint: "use the newer program"}
	}
	if version < 1 {
		return 0, &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged},
			What: fmt.Sprintf("schema version %d does not exist", version), Hint: hintRestore}
	}
	return version, nil
}

// chainOf reads the chain id and refuses hash rules that are not known here.
func chainOf(db execer, path string) (string, error) {
	var format, chain string
	err := db.QueryRowContext(background, `SELECT
		coalesce((SELECT value FROM meta WHERE name = 'format'), ''),
		coalesce((SELECT value FROM meta WHERE name = 'chain'), '')`).Scan(&format, &chain)
	if err != nil {
		e := readError("open", path, err).(*Error)
		if code(err) == sqlite3.SQLITE_ERROR { // no such table or column
			e.Kinds, e.Hint = []error{ErrDamaged, ErrRead}, hintRestore
		}
		return "", e
	}
	var n int
	if _, err := fmt.Sscanf(format, "%d", &n); err != nil || checkChain(chain) != nil {
		return "", &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged},
			What: fmt.Sprintf("table meta says format %q, chain %q", format, chain), Hint: hintRestore}
	}
	if n != hashFormat {
		return "", &Error{Op: "open", Path: path, Kinds: []error{ErrNewer},
			What: fmt.Sprintf("hash format %d, this program knows %d", n, hashFormat), Hint: "use the newer program"}
	}
	return chain, nil
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

// stored reads in batches, each a short transaction: a reader that takes its time
// would else keep the write-ahead log growing.
func (r *SQLiteReader) stored(op string, after int64, f Filter) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		for {
			where, args := f.where(after)
			found, err := r.batch(op, where+" ORDER BY pos LIMIT ?", append(args, batchRecords))
			if err != nil {
				yield(Stored{}, err)
				return
			}
			for i := range found {
				if !yield(found[i], nil) {
					return
				}
				after = found[i].Pos
			}
			if len(found) == 0 || after == math.MaxInt64 {
				return
			}
		}
	}
}

// where is the filter in SQL.
func (f *Filter) where(after int64) (string, []any) {
	clause, args := " WHERE pos > ?", []any{after}
	equal := func(column, value string) {
		if value != "" {
			clause += " AND " + column + " = ?"
			args = append(args, value)
		}
	}
	equal("stream", f.Stream)
	equal("deck", f.Deck)
	equal("actor", f.Actor)
	equal("session", f.Session)
	if f.Hand != 0 {
		clause += " AND hand = ?"
		args = append(args, int64(min(f.Hand, math.MaxInt64)))
	}
	if len(f.Types) > 0 {
		clause += " AND type IN (?" + strings.Repeat(", ?", len(f.Types)-1) + ")"
		for _, t := range f.Types {
			args = append(args, t)
		}
	}
	return clause, args
}

const storedColumns = "SELECT pos, stream, n, wall, type, version, payload, hash, hand, deck, actor, key, session FROM record"

// batch reads rows until their payloads pass batchBytes.
func (r *SQLiteReader) batch(op, clause string, args []any) ([]Stored, error) {
	rows, err := r.db.QueryContext(background, storedColumns+clause, args...)
	if err != nil {
		return nil, r.fault(op, err)
	}
	defer rows.Close()
	var found []Stored
	for size := 0; size < batchBytes && rows.Next(); {
		var st Stored
		st.scan(rows)
		found = append(found, st)
		size += len(st.Record.Payload)
	}
	if err := rows.Err(); err != nil {
		return nil, r.fault(op, err)
	}
	return found, nil
}

// scan takes a row as it is; what the format does not allow becomes its Defect.
func (st *Stored) scan(rows *sql.Rows) {
	var (
		n, version                int64
		hash                      []byte
		deck, actor, key, session sql.Null[string]
		r, c                      = &st.Record, &st.Columns
	)
	err := rows.Scan(&st.Pos, &r.Stream, &n, &r.Wall, &r.Type, &version, &r.Payload, &hash, &c.Hand, &deck, &actor, &key, &session)
	r.Pos, r.N, r.Version = uint64(st.Pos), uint64(n), uint16(version)
	copy(r.Hash[:], hash)
	c.Deck, c.Actor, c.Key, c.Session = deck.V, actor.V, key.V, session.V
	switch {
	case err != nil:
		st.Defect = err.Error()
	case st.Pos < 1:
		st.Defect = fmt.Sprintf("position %d", st.Pos)
	case n < 1:
		st.Defect = fmt.Sprintf("n is %d", n)
	case version < 0 || version > math.MaxUint16:
		st.Defect = fmt.Sprintf("version is %d", version)
	case len(hash) != len(r.Hash):
		st.Defect = fmt.Sprintf("hash has %d bytes, expected %d", len(hash), len(r.Hash))
	}
	for i, t := range []sql.Null[string]{deck, actor, key, session} {
		if t.Valid && t.V == "" {
			st.Blank = [...]string{"deck", "actor", "key", "session"}[i]
		}
	}
}

// soundTail finds the end of the journal and checks the chain of the last records:
// nothing may be appended to an end that was tampered with.
func soundTail(db execer, path string) (Head, error) {
	chain, err := chainOf(db, path)
	if err != nil {
		return Head{}, err
	}
	rows, err := db.QueryContext(background, fmt.Sprintf(
		"SELECT * FROM (%s ORDER BY pos DESC LIMIT %d) ORDER BY pos", storedColumns, tailRecords+1))
	if err != nil {
		return Head{}, readError("open", path, err)
	}
	defer rows.Close()
	h := Head{Chain: chain, Hash: Genesis(chain)}
	for first := true; rows.Next(); first = false {
		var st Stored
		st.scan(rows)
		if st.Defect != "" {
			return Head{}, damagedAt("open", path, st.Pos, st.Defect)
		}
		r := &st.Record
		known := !first || r.Pos == 1 // the hash before the first of the tail is not at hand
		if known && (r.Pos != h.Pos+1 || r.Chain(h.Hash) != r.Hash) {
			return Head{}, damagedAt("open", path, st.Pos, "it does not continue the chain: records were changed or removed")
		}
		h.Pos, h.Hash = r.Pos, r.Hash
	}
	if err := rows.Err(); err != nil {
		return Head{}, readError("open", path, err)
	}
	return h, nil
}
