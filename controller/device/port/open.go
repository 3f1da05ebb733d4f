package port

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

// Modem is what to do with a modem line when the port is opened. A port without
// modem lines, such as a pty, is taken as it is.
type Modem uint8

// The settings of a modem line. Left is as the kernel has it: on.
const (
	Left Modem = iota
	On
	Off
)

// settings are how a line is set; 8N1 and no flow control is fixed (SPEC.md 1).
type settings struct {
	baud     int
	dtr, rts Modem
}

// Tuning constants of opening.
const (
	staleQuiet = 10 * time.Millisecond // nothing for so long: what was stale is gone
	staleMost  = 50 * time.Millisecond // a device that talks all the time is heard from here on
)

// open opens a port, takes it for this process, sets the line and throws away
// what lay in its buffers. The error is a *failure.
func open(path string, s settings) (*conn, error) {
	fd, err := openNonblock(path)
	if err != nil {
		return nil, &failure{path: path, holder: holderIf(err, path), err: err}
	}
	c, err := take(fd, path, s)
	if err != nil {
		unix.Close(fd)
		return nil, &failure{path: path, holder: holderIf(err, path), err: err}
	}
	if err := c.drain(); err != nil {
		c.close()
		return nil, &failure{path: path, err: err}
	}
	return c, nil
}

func openNonblock(path string) (fd int, err error) {
	for {
		fd, err = unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// take makes the descriptor this process's own before it changes anything: a
// second opener would set the speed under the first, and each would get half of
// the bytes (BlueOS#2324).
func take(fd int, path string, s settings) (*conn, error) {
	if _, err := unix.IoctlGetTermios(fd, unix.TCGETS); err == unix.ENOTTY || err == unix.EINVAL {
		return nil, errNotSerial
	} else if err != nil {
		return nil, err
	}
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == unix.EWOULDBLOCK {
		return nil, errHeld
	} else if err != nil {
		return nil, err
	}
	alone := exclusively(fd)
	if alone && taken(fd) {
		return nil, errExclusive
	}
	if err := configure(fd, s); err != nil {
		return nil, err
	}
	if alone {
		if err := unix.IoctlSetInt(fd, unix.TIOCEXCL, 0); err != nil {
			return nil, err
		}
	}
	return newConn(os.NewFile(uintptr(fd), path))
}

// exclusively tells whether exclusive use means something here. On a pty the
// mark outlives whoever made it, as long as the far end is open: after a kill
// nobody but root could open it again.
func exclusively(fd int) bool {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return true
	}
	major := unix.Major(st.Rdev)
	return major < ptyMajor || major >= ptyMajor+ptyMajors
}

// Major numbers of the ptys' slave ends (Documentation/admin-guide/devices.txt).
const (
	ptyMajor  = 136
	ptyMajors = 8
)

// taken tells whether another program has marked the port as its own. The
// kernel keeps others than root out by itself.
func taken(fd int) bool {
	v, err := unix.IoctlGetInt(fd, unix.TIOCGEXCL)
	return err == nil && v != 0
}

// setting bounds how many ports the library has open at one time: many tables
// start together, and Fits must know.
var setting = make(chan struct{}, maxSetting)

var openLine = serial.Open // tests make it fail

// configure lets the library set the line. It opens the port a second time for
// that, by the descriptor, so that it is the same one even if the path has
// moved; no child is started meanwhile that would inherit it (the library's
// descriptors survive an exec).
func configure(fd int, s settings) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the serial library failed: %v", p)
		}
	}()
	setting <- struct{}{}
	defer func() { <-setting }()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	lib, err := openLine(fmt.Sprintf("/proc/self/fd/%d", fd), &serial.Mode{BaudRate: s.baud, DataBits: 8})
	if err != nil {
		return err
	}
	defer lib.Close()
	for _, line := range []struct {
		to  Modem
		set func(bool) error
	}{{s.dtr, lib.SetDTR}, {s.rts, lib.SetRTS}} {
		if line.to == Left {
			continue
		}
		if err := line.set(line.to == On); err != nil && !errors.Is(err, unix.ENOTTY) && !errors.Is(err, unix.EINVAL) {
			return err
		}
	}
	return nil
}
