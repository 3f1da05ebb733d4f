package rig

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminal is one pseudo-terminal: a controller opens its slave end as a serial
// port, a simulated device talks at its master end. The slave is kept open here
// as well: without any opener a Read of the master would say EIO at once, for
// ever. So nothing notices whether a controller is there, as on a real line, and
// what is sent to nobody waits in the kernel for the next opener.
type terminal struct {
	name   string // /dev/pts/3
	master *os.File
	raw    syscall.RawConn
	slave  *os.File
}

// openTerminal makes a pseudo-terminal in raw mode with another name than not: a
// device that is plugged in again comes back under another number.
func openTerminal(not string) (*terminal, error) {
	t, err := newTerminal()
	if err != nil {
		return nil, hintTerminal(err)
	}
	if t.name != not {
		return t, nil
	}
	defer t.close() // it holds the old name until the other has one
	other, err := newTerminal()
	if err != nil {
		return nil, hintTerminal(err)
	}
	return other, nil
}

func newTerminal() (*terminal, error) {
	first, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer first.Close()
	t := &terminal{name: slave.Name(), slave: slave}
	if err := t.setUp(first); err != nil {
		slave.Close()
		return nil, err
	}
	return t, nil
}

// setUp puts the master under the runtime's poller, so that a Read of it takes no
// thread and ends when it is closed, and the line into raw mode.
func (t *terminal) setUp(first *os.File) error {
	if _, err := term.MakeRaw(int(t.slave.Fd())); err != nil {
		return fmt.Errorf("raw mode of %s: %w", t.name, err)
	}
	fd, err := unix.FcntlInt(first.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return err
	}
	t.master = os.NewFile(uintptr(fd), "master of "+t.name)
	if t.raw, err = t.master.SyscallConn(); err != nil {
		t.master.Close()
	}
	return err
}

// write gives bytes to the line and tells how many it took. It never waits: a
// device does not stop because nobody listens, the bytes are lost.
func (t *terminal) write(b []byte) (n int) {
	_ = t.raw.Control(func(fd uintptr) { // after close there is nobody to take any
		for {
			var err error
			if n, err = unix.Write(int(fd), b); err != unix.EINTR {
				return
			}
		}
	})
	return max(n, 0)
}

// close hangs the line up for whoever has it open.
func (t *terminal) close() {
	t.slave.Close()
	t.master.Close()
}

// hintTerminal says what to do about a pseudo-terminal that cannot be had.
func hintTerminal(err error) error {
	hint := "is /dev/pts mounted, and /dev/ptmx open to this user?"
	switch {
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		hint = "no file descriptor is left: start fewer tables, or raise the limit (ulimit -n)"
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EIO):
		hint = "the kernel has no more of them: start fewer tables, or raise kernel.pty.max"
	}
	return fmt.Errorf("open a pseudo-terminal: %w; %s", err, hint)
}
