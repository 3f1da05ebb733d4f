package journal

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
)

// health is what Status tells of the writer. It has a lock of its own, so that a
// screen can say "the disk hangs" while an Append hangs.
type health struct {
	mu     sync.Mutex
	head   Head
	failed error
	notes  []string
}

func (h *health) set(head Head, failed error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.head, h.failed = head, failed
}

// note keeps the newest few remarks, each once in a row.
func (h *health) note(text string) {
	const most = 8
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.notes); n > 0 && h.notes[n-1] == text {
		return
	}
	h.notes = append(h.notes, text)
	h.notes = h.notes[max(0, len(h.notes)-most):]
}

func (h *health) tell() Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	return Status{Head: h.head, Failed: h.failed, Notes: slices.Clone(h.notes)}
}

// Status is the journal's health, for screens and metrics.
type Status struct {
	Head      Head     // the newest that was acknowledged
	FileBytes int64    // database and write-ahead log
	DiskBytes uint64   // size of the disk
	FreeBytes uint64   // what this user may still write
	DiskUsed  float64  // 0 to 1
	DiskWarn  bool     // DiskUsed has reached Options.WarnDiskUsed
	Failed    error    // the write that failed, until Reopen succeeds
	Notes     []string // remarks for the operator, the newest last
}

// Status may be called at any time and does not wait for a running Append. The disk
// is asked anew each time.
func (s *SQLite) Status() (Status, error) {
	if s.closed.Load() {
		return Status{}, closed("read status", s.path)
	}
	st := s.health.tell()
	for _, name := range []string{s.path, s.path + "-wal"} {
		if fi, err := os.Stat(name); err == nil {
			st.FileBytes += fi.Size()
		}
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(s.dir, &fs); err != nil {
		return st, &Error{Op: "read disk space", Path: s.dir, Kinds: []error{ErrRead}, Err: err}
	}
	block := uint64(fs.Bsize)
	st.DiskBytes, st.FreeBytes = fs.Blocks*block, fs.Bavail*block
	// As df counts: blocks kept for root are neither used nor free.
	if used := fs.Blocks - fs.Bfree; used+fs.Bavail > 0 {
		st.DiskUsed = float64(used) / float64(used+fs.Bavail)
	}
	if st.DiskWarn = st.DiskUsed >= s.opt.WarnDiskUsed; st.DiskWarn {
		st.Notes = append(st.Notes, fmt.Sprintf("disk of %s is %.0f %% full: %d MB left; archive old journals or free space",
			s.dir, 100*st.DiskUsed, st.FreeBytes>>20))
	}
	return st, nil
}
