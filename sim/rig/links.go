package rig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// links is a folder of symbolic links with names that stay when a pseudo-terminal
// changes, as udev keeps /dev/serial/by-path. One bench has it at a time.
type links struct {
	dir  string
	made bool
	lock *os.File // the folder itself
}

// openLinks takes a folder, makes it if need be, and clears away what a bench
// that was killed has left: a name that leads to somebody's terminal by now.
func openLinks(dir string) (*links, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	_, missing := os.Stat(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("folder of links: %w", err)
	}
	l := &links{dir: dir, made: missing != nil}
	if l.lock, err = os.Open(dir); err != nil {
		return nil, fmt.Errorf("folder of links: %w", err)
	}
	if err := unix.Flock(int(l.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		l.lock.Close()
		return nil, fmt.Errorf("folder of links %s: another simulator uses it (%w): choose another folder or end that one", dir, err)
	}
	for _, part := range parts {
		old, _ := filepath.Glob(filepath.Join(dir, "table*-"+part))
		for _, path := range old {
			if to, err := os.Readlink(path); err == nil && strings.HasPrefix(to, "/dev/pts/") {
				_ = os.Remove(path) // if it cannot be, set says so
			}
		}
	}
	return l, nil
}

// path is the stable name of a table's port.
func (l *links) path(table, part string) string {
	return filepath.Join(l.dir, "table"+table+"-"+part)
}

// set lets a name lead to a terminal, in one step.
func (l *links) set(path, to string) error {
	if fi, err := os.Lstat(path); err == nil && fi.Mode().Type() != fs.ModeSymlink {
		return fmt.Errorf("link %s: there is something else of this name: remove it or choose another folder", path)
	}
	next := path + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("link %s: %w", path, err)
	}
	if err := os.Symlink(to, next); err != nil {
		return fmt.Errorf("link %s: %w", path, err)
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("link %s: %w", path, err)
	}
	return nil
}

// remove takes a name away, as udev does when a device goes.
func (l *links) remove(path, to string) {
	if is, err := os.Readlink(path); err == nil && is == to {
		_ = os.Remove(path)
	}
}

// close gives the folder back, and removes it if it was made here and is empty.
func (l *links) close() {
	if l.made {
		_ = os.Remove(l.dir)
	}
	l.lock.Close()
}
