package journal

import (
	"errors"
	"fmt"
	"strings"
)

// The kinds of failure, for errors.Is. All come as *Error (a held lock as
// *LockedError), which tells what, where and what to do.
var (
	ErrLocked  = errors.New("another process writes this journal")
	ErrDamaged = errors.New("journal is damaged")
	ErrNewer   = errors.New("journal was written by a newer version")
	ErrMissing = errors.New("there is no journal here")
	ErrWrite   = errors.New("journal cannot be written") // the commit may have landed: Reopen
	ErrFull    = errors.New("no space for the journal")  // comes with ErrWrite
	ErrRead    = errors.New("journal cannot be read")
	ErrEntry   = errors.New("entry refused")
	ErrOrder   = errors.New("entry does not continue its stream") // comes with ErrEntry
	ErrKeyUsed = errors.New("idempotency key is already used")    // comes with ErrEntry
	ErrClosed  = errors.New("journal is closed")
)

// Error is a failure of a journal.
type Error struct {
	Op    string  // what was tried, e.g. "append"
	Path  string  // file or folder, empty in memory
	Kinds []error // of the list above, the telling one first
	What  string  // what happened
	Hint  string  // what to do next, may be empty
	Err   error   // cause, may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("journal: " + e.Op)
	if e.Path != "" {
		b.WriteString(" " + e.Path)
	}
	if len(e.Kinds) > 0 {
		b.WriteString(": " + e.Kinds[0].Error())
	}
	if e.What != "" {
		b.WriteString(": " + e.What)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap lets errors.Is find the kinds and the cause.
func (e *Error) Unwrap() []error {
	all := append([]error(nil), e.Kinds...)
	if e.Err != nil {
		all = append(all, e.Err)
	}
	return all
}

// LockedError says who holds the journal.
type LockedError struct {
	Path string // of the lock file
	PID  int    // of the holder, 0 when the file does not tell
}

func (e *LockedError) Error() string {
	who := "an unknown process"
	if e.PID > 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("journal: lock %s: held by %s; stop it first, or give this one another data folder", e.Path, who)
}

// Is makes errors.Is(err, ErrLocked) hold.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// refused is an entry that Append does not take.
func refused(path string, i int, e *Entry, kind error, what, hint string) error {
	kinds := []error{ErrEntry}
	if kind != nil {
		kinds = []error{kind, ErrEntry}
	}
	return &Error{Op: "append", Path: path, Kinds: kinds, Hint: hint,
		What: fmt.Sprintf("entry %d of the group (%s %d, %s): %s", i+1, e.Stream, e.N, e.Type, what)}
}

func closed(op, path string) error {
	return &Error{Op: op, Path: path, Kinds: []error{ErrClosed}}
}
