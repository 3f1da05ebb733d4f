package journal

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// writer is the one connection that writes. It is thrown away after any failure:
// what a broken transaction left behind is SQLite's to clear up on the next opening.
type writer struct {
	path    string
	db      *sql.DB
	conn    *sql.Conn
	insert  *sql.Stmt
	head    Head
	streams map[string]uint64 // newest numbers of the streams asked for
}

// openWriter opens an existing journal, upgrades it if it is older and finds its
// end. Nothing is changed in a file that is damaged, newer, or no journal.
func openWriter(path string, opt Options) (*writer, error) {
	db, conn, err := connect(path, "mode=rw", "synchronous(FULL)", "foreign_keys(0)")
	if err != nil {
		return nil, readError("open", path, err)
	}
	w := &writer{path: path, db: db, conn: conn, streams: make(map[string]uint64)}
	if err := w.prepare(opt); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *writer) prepare(opt Options) error {
	version, err := identify(w.conn, w.path, opt.schema)
	if err != nil {
		return err
	}
	if err := w.quickCheck(); err != nil {
		return err
	}
	if version < opt.schema.version() {
		if err := w.upgrade(version, opt.schema); err != nil {
			return err
		}
	}
	if err := w.setUp(opt); err != nil {
		return err
	}
	if w.head, err = soundTail(w.conn, w.path); err != nil {
		return err
	}
	w.insert, err = w.conn.PrepareContext(background, `INSERT INTO record
		(pos, stream, n, wall, type, version, payload, hash, hand, deck, actor, key, session)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''))`)
	if err != nil {
		return readError("open", w.path, err)
	}
	return nil
}

// quickCheck lets SQLite look at its pages, if that is quick.
func (w *writer) quickCheck() error {
	fi, err := os.Stat(w.path)
	if err != nil {
		return readError("open", w.path, err)
	}
	if fi.Size() > quickCheckBytes {
		return nil
	}
	lines, err := checkPages(w.conn, "quick_check")
	if err != nil {
		return readError("check", w.path, err)
	}
	if len(lines) > 0 {
		return &Error{Op: "check", Path: w.path, Kinds: []error{ErrDamaged}, What: lines[0], Hint: hintRestore}
	}
	return nil
}

// upgrade copies the journal, then adds what the newer schema has.
func (w *writer) upgrade(from int, s schema) error {
	copied := filepath.Join(filepath.Dir(w.path), fmt.Sprintf("before-schema-%d.db", s.version()))
	if _, err := os.Stat(copied); err != nil { // an earlier attempt may have made it
		if err := copyDatabase(w.conn, copied); err != nil {
			return writeError("copy before upgrade", w.path, err)
		}
	}
	if err := s.build(w.conn, from, nil); err != nil {
		return writeError("upgrade", w.path, err)
	}
	return nil
}

func (w *writer) setUp(opt Options) error {
	var mode string
	if err := w.conn.QueryRowContext(background, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return writeError("open", w.path, err)
	}
	if mode != "wal" {
		return &Error{Op: "open", Path: w.path, Kinds: []error{ErrWrite},
			What: fmt.Sprintf("SQLite keeps journal mode %q, wal is needed", mode), Hint: "put the data folder on a local disk"}
	}
	if err := execute(w.conn, fmt.Sprintf("PRAGMA journal_size_limit = %d", walKeptBytes)); err != nil {
		return writeError("open", w.path, err)
	}
	if opt.MaxPages > 0 {
		if err := execute(w.conn, fmt.Sprintf("PRAGMA max_page_count = %d", opt.MaxPages)); err != nil {
			return writeError("open", w.path, err)
		}
	}
	return nil
}

func (w *writer) close() error {
	var errs []error
	if w.insert != nil {
		errs = append(errs, w.insert.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}

func (w *writer) streamHead(stream string) (uint64, error) {
	if n, ok := w.streams[stream]; ok {
		return n, nil
	}
	n, err := streamHead(w.conn, stream)
	if err != nil {
		return 0, writeError("append", w.path, err)
	}
	w.streams[stream] = n
	return n, nil
}

func (w *writer) keyPos(key string) (pos uint64, used bool, err error) {
	err = w.conn.QueryRowContext(background, "SELECT pos FROM record WHERE key = ?", key).Scan(&pos)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, writeError("append", w.path, err)
	}
	return pos, true, nil
}

// commit stores the rows in one transaction and waits for the disk.
func (w *writer) commit(rows []row) error {
	if err := execute(w.conn, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if _, err := w.insert.ExecContext(background, int64(r.Pos), r.Stream, int64(r.N), r.Wall, r.Type, int64(r.Version),
			r.Payload, r.Record.Hash[:], r.Hand, r.Deck, r.Actor, r.Key, r.Session); err != nil {
			return err
		}
	}
	if err := execute(w.conn, "COMMIT"); err != nil {
		return err
	}
	for i := range rows {
		w.streams[rows[i].Stream] = rows[i].N
	}
	last := &rows[len(rows)-1].Record
	w.head.Pos, w.head.Hash = last.Pos, last.Hash
	return nil
}

// probe writes and commits something that is no record. It shows that writing works,
// and it overwrites what a failed commit may have left in the write-ahead log, where
// the next recovery could take it for a commit after all.
func (w *writer) probe() error {
	return execute(w.conn, `INSERT INTO meta VALUES ('probe', '1')
		ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`)
}

// Append is described at Writer.
func (s *SQLite) Append(entries []Entry) (Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return Head{}, closed("append", s.path)
	}
	if s.failed != nil {
		return Head{}, &Error{Op: "append", Path: s.path, Kinds: []error{ErrWrite},
			What: "an earlier write failed", Hint: "reopen the journal first", Err: s.failed}
	}
	rows, err := link(s.path, s.w.head, entries, s.w)
	if errors.Is(err, ErrEntry) {
		return Head{}, err
	}
	if err != nil {
		return Head{}, s.fail(err)
	}
	if len(rows) == 0 {
		return s.w.head, nil
	}
	if err := s.stillThere(); err != nil {
		return Head{}, s.fail(err)
	}
	if err := s.w.commit(rows); err != nil {
		return Head{}, s.fail(writeError("append", s.path, err))
	}
	s.acknowledge()
	return s.w.head, nil
}

// stillThere finds that the file was removed or replaced under us: SQLite would go
// on writing into a file that no name leads to.
func (s *SQLite) stillThere() error {
	fi, err := os.Stat(s.path)
	if err == nil && os.SameFile(fi, s.identity) {
		return nil
	}
	return &Error{Op: "append", Path: s.path, Kinds: []error{ErrWrite}, Err: err,
		What: "the file was removed or replaced while in use", Hint: "put the old file back, then start again"}
}

func (s *SQLite) fail(err error) error {
	s.failed = err
	s.health.set(s.w.head, err)
	s.w.close() // the first error tells
	s.w = nil
	return err
}

// acknowledge notes a durable head. The file cannot fail an append that is durable:
// an older head in it stays true.
func (s *SQLite) acknowledge() {
	if err := s.anchor.set(s.w.head); err != nil {
		s.health.note(fmt.Sprintf("file %s could not be written: %v", anchorName, err))
	}
	s.health.set(s.w.head, nil)
}

// Reopen is described at Journal.
func (s *SQLite) Reopen() (Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return Head{}, closed("reopen", s.path)
	}
	if s.failed == nil {
		return s.w.head, nil
	}
	if err := s.stillThere(); err != nil {
		return Head{}, err
	}
	w, err := openWriter(s.path, s.opt)
	if err != nil {
		return Head{}, err
	}
	if err := w.probe(); err != nil {
		w.close()
		return Head{}, writeError("reopen", s.path, err)
	}
	s.w, s.failed = w, nil
	s.acknowledge()
	return w.head, nil
}
