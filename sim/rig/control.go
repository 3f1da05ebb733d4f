package rig

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Limits of a control socket.
const (
	maxOrder     = 4096 // bytes in a line
	maxTalkers   = 16
	answerWithin = 5 * time.Second // a talker takes an answer, or is cut off
	maxSocket    = 107             // bytes in the path of a unix socket
)

// Control is a unix socket at which a bench can be told what to do: one order a
// line, one answer each (Bench.Answer).
type Control struct {
	answer func(line string) string
	l      net.Listener
	path   string

	mu      sync.Mutex
	talkers map[net.Conn]bool
	closed  bool
	all     sync.WaitGroup
}

// ListenControl opens the socket, for this user only. What a killed bench has
// left at the path is replaced; a living one is not. answer may be called from
// several goroutines at once.
func ListenControl(path string, answer func(line string) string) (*Control, error) {
	if len(path) > maxSocket {
		return nil, fmt.Errorf("control socket %s: the path has %d bytes, the kernel takes %d: choose a shorter one", path, len(path), maxSocket)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	if err := removeDead(path); err != nil {
		return nil, fmt.Errorf("control socket %s: %w", path, err)
	}
	private := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var chmod error // before it has a name, so that nobody finds it wider
		err := c.Control(func(fd uintptr) { chmod = syscall.Fchmod(int(fd), 0o600) })
		return cmp.Or(err, chmod)
	}}
	l, err := private.Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, fmt.Errorf("control socket: %w", err)
	}
	c := &Control{answer: answer, l: l, path: path, talkers: map[net.Conn]bool{}}
	c.all.Go(c.serve)
	return c, nil
}

// removeDead takes away a socket that nobody answers at.
func removeDead(path string) error {
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if fi.Mode().Type() != fs.ModeSocket {
		return errors.New("there is something else of this name: remove it or choose another path")
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		conn.Close()
		return errors.New("another simulator answers there: end it or choose another path")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return err
	}
	return os.Remove(path)
}

// Path is where the socket is.
func (c *Control) Path() string { return c.path }

// Close removes the socket and cuts off whoever talks. It returns when all have
// gone.
func (c *Control) Close() {
	c.mu.Lock()
	c.closed = true
	c.l.Close() // the path goes with it
	for t := range c.talkers {
		t.Close()
	}
	c.mu.Unlock()
	c.all.Wait()
}

func (c *Control) serve() {
	for pause := time.Duration(0); ; {
		conn, err := c.l.Accept()
		if err == nil {
			pause = 0
			c.welcome(conn)
			continue
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
		pause = min(2*pause+10*time.Millisecond, time.Second) // no descriptor left: others may end
		time.Sleep(pause)
	}
}

func (c *Control) welcome(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || len(c.talkers) >= maxTalkers {
		_ = conn.SetWriteDeadline(time.Now().Add(answerWithin))
		_, _ = io.WriteString(conn, "error: too many talk at once: close another connection\n") // fits any buffer
		conn.Close()
		return
	}
	c.talkers[conn] = true
	c.all.Go(func() {
		c.talk(conn)
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.talkers, conn)
		conn.Close()
	})
}

// talk answers each line until the far end goes.
func (c *Control) talk(conn net.Conn) {
	err := Converse(conn, func(answer string) error {
		if err := conn.SetWriteDeadline(time.Now().Add(answerWithin)); err != nil {
			return err
		}
		_, err := io.WriteString(conn, answer+"\n")
		return err
	}, c.answer)
	if errors.Is(err, bufio.ErrTooLong) {
		_ = conn.SetWriteDeadline(time.Now().Add(answerWithin))
		_, _ = fmt.Fprintf(conn, "error: a line has more than %d bytes\n", maxOrder)
	}
}

// Converse reads orders, one a line, and says the answer to each that has one,
// until there are no more or saying fails. The error is say's or the reader's;
// bufio.ErrTooLong for a line of more than 4096 bytes.
func Converse(orders io.Reader, say func(answer string) error, answer func(line string) string) error {
	lines := bufio.NewScanner(orders)
	lines.Buffer(make([]byte, 0, 256), maxOrder)
	for lines.Scan() {
		if a := answer(lines.Text()); a != "" {
			if err := say(a); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}
