package port

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Tuning constants of writing.
const (
	// WriteStuck is how long a port may take no bytes before the link is given up.
	// The device has stopped by itself long before (SPEC.md 8).
	WriteStuck = time.Second
	maxPending = 256 // bytes that wait for the port; more are lost, and repeated by the link
)

// conn is an open port. Its reader may be another goroutine than its writer;
// send and stuck belong to one owner at a time.
type conn struct {
	file    *os.File
	raw     syscall.RawConn
	pending []byte        // not taken by the port yet
	since   time.Duration // when the port last took some, or was offered the first
	stalls  uint64        // writes that it did not take whole
	stale   uint64        // bytes thrown away after opening
}

func newConn(f *os.File) (*conn, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	if err := f.SetReadDeadline(time.Time{}); err != nil {
		return nil, err // not under the poller: a Read could not be ended
	}
	return &conn{file: f, raw: raw}, nil
}

// drain throws away what was written while nobody had the port open.
func (c *conn) drain() error {
	var b [512]byte
	for end := time.Now().Add(staleMost); time.Now().Before(end); {
		if err := c.file.SetReadDeadline(time.Now().Add(staleQuiet)); err != nil {
			return err
		}
		n, err := c.file.Read(b[:])
		c.stale += uint64(n)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if err != nil {
			return err
		}
	}
	return c.file.SetReadDeadline(time.Time{})
}

// send writes without waiting. What the port does not take is kept up to a
// bound. Urgent bytes go past whatever waits: they begin with a delimiter, so
// that a frame half sent is cut off.
func (c *conn) send(now time.Duration, b []byte, urgent bool) error {
	if len(c.pending) == 0 {
		c.since = now
	}
	if urgent {
		c.pending = c.pending[:0]
	}
	if len(c.pending)+len(b) <= maxPending {
		c.pending = append(c.pending, b...)
	}
	return c.push(now)
}

// push writes as much as the port takes.
func (c *conn) push(now time.Duration) error {
	for len(c.pending) > 0 {
		n, err := c.write(c.pending)
		c.pending = c.pending[:copy(c.pending, c.pending[n:])]
		if n > 0 {
			c.since = now
		}
		switch {
		case err == unix.EAGAIN:
			c.stalls++
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// write is one write(2) on a descriptor that cannot be closed, and so not be
// another file's, before it returns. After close it says os.ErrClosed.
func (c *conn) write(b []byte) (n int, err error) {
	closed := c.raw.Control(func(fd uintptr) {
		for {
			if n, err = unix.Write(int(fd), b); err != unix.EINTR {
				return
			}
		}
	})
	if closed != nil {
		return 0, os.ErrClosed
	}
	return max(n, 0), err
}

// stuck tells whether the port has taken nothing for too long.
func (c *conn) stuck(now time.Duration) bool {
	return len(c.pending) > 0 && now-c.since >= WriteStuck
}

// discard drops what the kernel holds for a far end that takes nothing: closing
// such a port would wait for it, by default 30 s.
func (c *conn) discard() {
	_ = c.raw.Control(func(fd uintptr) { _ = unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCOFLUSH) })
}

// close ends a Read that waits. Later writes go nowhere.
func (c *conn) close() { _ = c.file.Close() }

// read gives what arrives to out until the port is closed or has gone, and
// returns why. Two buffers take turns: out must not be buffered.
func (c *conn) read(out chan<- []byte, stop <-chan struct{}) error {
	var bufs [2][1024]byte
	for i := 0; ; i ^= 1 {
		n, err := c.file.Read(bufs[i][:])
		if n > 0 {
			select {
			case out <- bufs[i][:n]:
			case <-stop:
				return os.ErrClosed
			}
		}
		if err != nil {
			return err
		}
	}
}
