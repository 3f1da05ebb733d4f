package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// anchorBytes is the size of the file "head" (FORMAT.md section 7). It never
// changes, so that writing it needs no space and fits one sector.
const anchorBytes = 96

// anchor is the newest acknowledged head beside the database. SQLite drops the end
// of a damaged write-ahead log in silence; this file tells that it did.
type anchor struct{ f *os.File }

// readAnchor gives the head that the folder acknowledged, and whether there is one.
// A file that holds no head is an error.
func readAnchor(path string) (Head, bool, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Head{}, false, nil
	}
	if err != nil {
		return Head{}, false, err
	}
	h, err := ParseHead(string(bytes.TrimRight(b, " \n")))
	if err != nil {
		return Head{}, false, fmt.Errorf("file %s: %w", filepath.Base(path), err)
	}
	return h, true, nil
}

// openAnchor makes the file if needed and sets it to h.
func openAnchor(path string, h Head) (*anchor, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o640)
	if err != nil {
		return nil, err
	}
	a := &anchor{f}
	if err := errors.Join(a.set(h), f.Truncate(anchorBytes), f.Sync()); err != nil {
		f.Close()
		return nil, err
	}
	return a, nil
}

// set is not forced to disk: that would double the cost of a commit, and an older
// head is still true.
func (a *anchor) set(h Head) error {
	b := bytes.Repeat([]byte{' '}, anchorBytes)
	copy(b, h.String())
	b[anchorBytes-1] = '\n'
	_, err := a.f.WriteAt(b, 0)
	return err
}

func (a *anchor) close() error { return a.f.Close() }
