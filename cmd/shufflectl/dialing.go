package main

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"shuffler/controller/api"
)

// dialWithin is how long one attempt to connect may take.
const dialWithin = 5 * time.Second

// lifeline knows whether a client is connected, so that a screen which nobody
// updates any more can say so.
type lifeline struct {
	open   atomic.Int32
	broken chan struct{} // a connection has ended
}

func newLifeline() *lifeline { return &lifeline{broken: make(chan struct{}, 1)} }

// connected tells whether there is a connection.
func (l *lifeline) connected() bool { return l.open.Load() > 0 }

// client makes a client that hangs on the lifeline.
func (l *lifeline) client(server string) (*api.Client, error) {
	a, err := api.ParseAddress(server)
	if err != nil {
		return nil, usage("--server: %w", err)
	}
	base := "http://shufflerd"
	if a.Network == "tcp" {
		base = "http://" + a.Address
	}
	d := net.Dialer{Timeout: dialWithin}
	return api.NewClient(base, func(ctx context.Context) (net.Conn, error) {
		conn, err := d.DialContext(ctx, a.Network, a.Address)
		if err != nil {
			return nil, err
		}
		l.open.Add(1)
		return &lifelineConn{Conn: conn, end: sync.OnceFunc(func() {
			l.open.Add(-1)
			select {
			case l.broken <- struct{}{}:
			default: // one is waiting to be heard already
			}
		})}, nil
	}), nil
}

// lifelineConn is a connection that tells its end.
type lifelineConn struct {
	net.Conn
	end func()
}

func (c *lifelineConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil {
		c.end()
	}
	return n, err
}

func (c *lifelineConn) Close() error {
	c.end()
	return c.Conn.Close()
}
