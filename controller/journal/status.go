package journal

import (
	"fmt"
	"os"
	"slices"
	"syscall"
)

// Status is the journal's health, for screens and metrics.
type Status struct {
	Head      Head
	FileBytes int64    // database and write-ahead log
	DiskBytes uint64   // size of the disk
	FreeBytes uint64   // what this user may still write
	DiskUsed  float64  // 0 to 1
	DiskWarn  bool     // DiskUsed has reached Options.WarnDiskUsed
	Failed    error    // the write that failed, until Reopen succeeds
	Notes     []string // remarks for the operator, the newest last
}

// Status may be called at any time; it waits for a running Append. The disk is asked
// anew each time.
func (s *SQLite) Status() (Status, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return Status{}, closed("read status", s.path)
	}
	st := Status{Failed: s.failed, Notes: slices.Clone(s.notes)}
	if s.w != nil {
		st.Head = s.w.head
	}
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
