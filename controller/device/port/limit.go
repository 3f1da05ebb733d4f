package port

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Descriptors. A port holds one, and three more for a moment while the library
// sets its line.
const (
	maxSetting    = 4
	filesWhileSet = 3 * maxSetting
	filesForRest  = 64 // journal, sockets, logs, the poller
)

// Fits tells whether so many ports can be open at once beside all the rest. It
// is asked before any is opened: with half of a room's ports open, nobody would
// know why the others are not.
func Fits(ports int) error {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return fmt.Errorf("ports: cannot read the limit of open files: %w", err)
	}
	return fits(ports, l.Cur)
}

func fits(ports int, limit uint64) error {
	if need := uint64(max(ports, 0)) + filesWhileSet + filesForRest; need > limit {
		room := max(0, int64(limit)-filesWhileSet-filesForRest)
		return fmt.Errorf("%d serial ports do not fit: %d open files are allowed, which leaves room for %d ports; raise LimitNOFILE of the service to %d or configure fewer devices",
			ports, limit, room, need)
	}
	return nil
}
