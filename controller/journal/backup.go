package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup copies the journal into the new file dst while it may be written, verifies
// the copy and tells where it ends. An existing dst is refused. On an error there is
// no dst.
func (r *SQLiteReader) Backup(dst string) (Report, error) {
	const op = "back up"
	if r.closed.Load() {
		return Report{}, closed(op, r.path)
	}
	if _, err := os.Lstat(dst); err == nil {
		return Report{}, &Error{Op: op, Path: dst, Kinds: []error{ErrWrite}, What: "the file exists", Hint: "give a new name"}
	}
	temporary := dst + ".part"
	defer os.Remove(temporary)
	if err := copyDatabase(r.db, temporary); err != nil {
		return Report{}, writeError(op, dst, err)
	}
	report, err := verifyFile(temporary)
	if err != nil {
		return report, err
	}
	if !report.OK() {
		return report, &Error{Op: op, Path: dst, Kinds: []error{ErrDamaged},
			What: fmt.Sprintf("the copy has %d problems, the first: %v", len(report.Problems)+report.Omitted, report.Problems[0]),
			Hint: "verify the journal itself"}
	}
	// Link, unlike Rename, never replaces a file that came up meanwhile.
	if err := os.Link(temporary, dst); err != nil {
		return report, writeError(op, dst, err)
	}
	if err := syncFolder(filepath.Dir(dst)); err != nil {
		return report, writeError(op, dst, err)
	}
	return report, nil
}

func verifyFile(path string) (Report, error) {
	copied, err := OpenFile(path)
	if err != nil {
		return Report{}, err
	}
	defer copied.Close()
	return Verify(copied, Check{})
}

// copyDatabase writes a consistent copy to the new file dst and forces it to disk.
func copyDatabase(db execer, dst string) error {
	if err := os.Remove(dst); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := execute(db, "VACUUM INTO ?", dst); err != nil {
		return err
	}
	f, err := os.OpenFile(dst, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// RebuildColumns derives all query columns anew from the payloads. It returns how
// many records had others. No other method changes a record's row.
func (s *SQLite) RebuildColumns() (changed int, err error) {
	for st, err := range s.Stored() {
		if err != nil {
			return changed, err
		}
		want, deriveErr := Derive(st.Record.Payload)
		if deriveErr != nil || want == st.Columns && st.Blank == "" {
			continue // a payload that is none is for Verify to report
		}
		if err := s.setColumns(st.Pos, want); err != nil {
			return changed, err
		}
		changed++
	}
	return changed, nil
}

func (s *SQLite) setColumns(pos int64, c Columns) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return closed("rebuild columns", s.path)
	}
	if s.failed != nil {
		return &Error{Op: "rebuild columns", Path: s.path, Kinds: []error{ErrWrite},
			What: "an earlier write failed", Hint: "reopen the journal first", Err: s.failed}
	}
	err := execute(s.w.conn, `UPDATE record SET hand = ?, deck = nullif(?, ''), actor = nullif(?, ''),
		key = nullif(?, ''), session = nullif(?, '') WHERE pos = ?`, c.Hand, c.Deck, c.Actor, c.Key, c.Session, pos)
	if err != nil {
		return s.fail(writeError("rebuild columns", s.path, err))
	}
	return nil
}
