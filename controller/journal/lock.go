package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// lock is the flock that makes one process the writer. The kernel frees it when the
// process ends, however it ends.
type lock struct{ f *os.File }

// takeLock never waits. Held by another: *LockedError.
func takeLock(path string) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, &Error{Op: "lock", Path: path, Kinds: []error{ErrWrite}, Err: err,
			Hint: "the data folder must belong to the user that runs this"}
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &LockedError{Path: path, PID: readPID(f)}
		}
		return nil, &Error{Op: "lock", Path: path, Kinds: []error{ErrWrite}, Err: err,
			Hint: "put the data folder on a local disk"}
	}
	if err := writePID(f); err != nil {
		f.Close()
		return nil, &Error{Op: "lock", Path: path, Kinds: []error{ErrWrite}, Err: err, Hint: hintSpace}
	}
	return &lock{f}, nil
}

func writePID(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(fmt.Sprintf("%d\n", os.Getpid())), 0)
	return err
}

func readPID(f *os.File) int {
	b, _ := io.ReadAll(io.NewSectionReader(f, 0, 32))
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0
	}
	return pid
}

func (l *lock) release() error { return l.f.Close() }
