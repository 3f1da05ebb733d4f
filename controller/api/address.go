package api

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// SocketName is the file name of the controller's socket.
const SocketName = "shufflerd.sock"

// Address is where a controller listens.
type Address struct {
	Network string // unix or tcp
	Address string // path, or host:port
}

// ParseAddress reads unix:///path, a path (anything with a slash in it),
// http://127.0.0.1:8080 or 127.0.0.1:8080.
func ParseAddress(s string) (Address, error) {
	bad := func(why string) (Address, error) {
		return Address{}, fmt.Errorf("server %q: %s; want unix:///path/of/%s, a path, or http://127.0.0.1:port", s, why, SocketName)
	}
	if path, ok := strings.CutPrefix(s, "unix://"); ok {
		if path == "" || path[0] != '/' {
			return bad("the path must begin with a slash")
		}
		return Address{"unix", path}, nil
	}
	if scheme, _, ok := strings.Cut(s, "://"); ok {
		u, err := url.Parse(s)
		switch {
		case err != nil:
			return bad("it is no URL")
		case scheme != "http":
			return bad("scheme " + scheme + " is not spoken")
		case u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
			return bad("there is more than host and port")
		}
		s = u.Host
	} else if strings.Contains(s, "/") {
		return Address{"unix", s}, nil
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil || port == "" || host == "" {
		return bad("host or port is missing")
	}
	return Address{"tcp", s}, nil
}

// FindServer gives the address of the controller on this machine: the first
// socket that exists in $RUNTIME_DIRECTORY, $XDG_RUNTIME_DIR/shuffler and
// /run/shuffler. getenv is os.Getenv or a stand-in for it.
func FindServer(getenv func(string) string) (string, error) {
	places := SocketPaths(getenv)
	for _, p := range places {
		if fi, err := os.Stat(p); err == nil && fi.Mode().Type() == os.ModeSocket {
			return "unix://" + p, nil
		}
	}
	return "", fmt.Errorf("%w: no socket at %s; start shufflerd, or say where it listens with --server", ErrUnreachable, strings.Join(places, ", "))
}

// SocketPaths lists where the controller's socket may be, in order. A
// controller that is not told otherwise listens at the first.
func SocketPaths(getenv func(string) string) []string {
	var l []string
	for dir := range strings.SplitSeq(getenv("RUNTIME_DIRECTORY"), ":") { // systemd may name several
		if filepath.IsAbs(dir) {
			l = append(l, filepath.Join(dir, SocketName))
		}
	}
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		l = append(l, filepath.Join(dir, "shuffler", SocketName))
	}
	if p := filepath.Join("/run/shuffler", SocketName); len(l) == 0 || l[0] != p {
		l = append(l, p)
	}
	return l
}
