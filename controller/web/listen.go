package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"shuffler/controller/api"
)

// Specification constants of the socket.
const (
	socketMode = 0o660 // the user and the group of the controller may ask
	dirMode    = 0o750
	maxPath    = 107 // bytes that the kernel takes
)

// probeWithin is how long a socket that exists has to answer.
const probeWithin = time.Second

// Listen listens on a unix socket (unix:///path or a path) or on a loopback
// address (http://127.0.0.1:port, 127.0.0.1:port). As identity is not proven,
// every other address is refused.
//
// A socket that nobody answers on was left behind and is replaced; nothing else
// is ever removed. The folder is made if only it is missing.
func Listen(addr string) (net.Listener, error) {
	a, err := api.ParseAddress(addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if a.Network == "unix" {
		l, err := listenUnix(a.Address)
		if err != nil {
			return nil, fmt.Errorf("listen on %s: %w", a.Address, err)
		}
		return l, nil
	}
	host, port, _ := net.SplitHostPort(a.Address) // ParseAddress has done it
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("listen on %s: other machines could reach it, and nobody has to sign in: use 127.0.0.1, [::1] or a unix socket", a.Address)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%w: is another controller running? choose another port", err)
	}
	return l, err
}

func listenUnix(path string) (net.Listener, error) {
	if len(path) > maxPath {
		return nil, fmt.Errorf("the path has %d bytes, the kernel takes %d: choose a shorter one", len(path), maxPath)
	}
	if err := prepareDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	lc := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var chmod error // before it has a name, so that nobody finds it wider
		err := c.Control(func(fd uintptr) { chmod = syscall.Fchmod(int(fd), socketMode) })
		return errors.Join(err, chmod)
	}}
	l, err := lc.Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, socketMode); err != nil { // what the umask took away
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// prepareDir refuses a folder in which others could put another socket.
func prepareDir(dir string) error {
	fi, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.Mkdir(dir, dirMode); err == nil {
			fi, err = os.Stat(dir)
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: make the folder, or choose another place", err)
	case !fi.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	case fi.Mode().Perm()&0o002 != 0 && fi.Mode()&os.ModeSticky == 0:
		return fmt.Errorf("everybody may write in %s (mode %o): chmod o-w it", dir, fi.Mode().Perm())
	}
	return nil
}

// removeStale removes a socket that its controller left behind.
func removeStale(path string) error {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case fi.Mode().Type() != os.ModeSocket:
		return errors.New("there is something else of that name, which is left alone: remove it, or choose another place")
	}
	c, err := net.DialTimeout("unix", path, probeWithin)
	if err == nil {
		c.Close()
		return errors.New("another controller answers there: stop it, or choose another place")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("a socket is there and it is not clear whose: %w", err)
	}
	return os.Remove(path)
}
