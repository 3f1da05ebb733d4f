package port

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

var (
	errHeld      = errors.New("another program holds the lock")
	errExclusive = errors.New("another program has it for itself")
	errNotSerial = errors.New("is no serial port")
	errStuck     = errors.New("the far end takes no bytes")
)

// failure is why a port cannot be opened, or is open no more.
type failure struct {
	path   string
	holder string // who has it, if that can be seen
	err    error
}

func (f *failure) Error() string { return fmt.Sprintf("port %s: %v", f.path, f.err) }
func (f *failure) Unwrap() error { return f.err }

// waits tells whether the failure may be over soon by itself: ModemManager and
// brltty open a new port, send it a few words and leave (balena-os#317).
func (f *failure) waits() bool { return errors.Is(f.err, errExclusive) || errors.Is(f.err, unix.EBUSY) }

// trouble puts the failure into words for people.
func (f *failure) trouble() Trouble {
	by := ""
	if f.holder != "" {
		by = " by " + f.holder
	}
	is := func(target error) bool { return errors.Is(f.err, target) }
	switch {
	case is(os.ErrNotExist), is(unix.ENXIO), is(unix.ENODEV):
		return Trouble{Missing, f.path + " is not there", "the device is switched off, its cable is out, or it is in another socket",
			"plug it in, it is opened by itself; or set the path to one of those: " + existing("/")}
	case is(errNotSerial), is(unix.EISDIR):
		return Trouble{NotSerial, f.path + " is no serial port", "a mistake in the configuration", "set the path to one of those: " + existing("/")}
	case is(os.ErrPermission):
		return Trouble{Forbidden, f.path + " may not be opened by this user", "the service's user is not in the port's group",
			"add the user to the group that `ls -l` shows for it, often dialout, and restart the service"}
	case is(errHeld):
		return Trouble{Held, f.path + " is held" + by, "another controller runs, or the same port is configured twice", "stop the other one; the port is tried again by itself"}
	case f.waits():
		return Trouble{Busy, f.path + " is in use" + by, "ModemManager, brltty or a terminal program has opened it",
			"stop that program, or install the udev rule that keeps it away; the port is tried again by itself"}
	case is(unix.EMFILE), is(unix.ENFILE):
		return Trouble{TooManyFiles, f.path + " cannot be opened: no file descriptor is left", "the limit is too low for so many ports", "raise LimitNOFILE of the service"}
	case is(errStuck):
		return Trouble{WriteBlocked, f.path + " takes no bytes any more", "the device hangs, or its adapter does", "switch the device off and on, or pull its plug and put it in again"}
	case is(io.EOF), is(unix.EIO):
		return Trouble{Unplugged, f.path + " has gone away", "the cable was pulled, the hub reset, or the device restarted", "look at the plug; the port is opened again by itself"}
	}
	return Trouble{Broken, f.path + " does not work: " + f.err.Error(), "the adapter or its driver failed", "pull the plug and put it in again, else look at the kernel's log"}
}
