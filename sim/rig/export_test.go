package rig

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// BreakTerminal lets the master of a table's port fail by itself.
func BreakTerminal(t *Table, port int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.ports[port].term.master.Close()
}

// TerminalTakes fills a terminal that nobody reads, and tells how much it took
// and what the slave gives then.
func TerminalTakes(chunk []byte) (took int, first []byte, err error) {
	t, err := openTerminal("")
	if err != nil {
		return 0, nil, err
	}
	defer t.close()
	for {
		n := t.write(chunk)
		took += n
		if n < len(chunk) {
			break
		}
	}
	f, err := os.OpenFile(t.name, os.O_RDWR|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return took, nil, err
	}
	defer f.Close()
	if err := f.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil { // only a line that is not raw keeps bytes back
		return took, nil, err
	}
	first = make([]byte, len(chunk))
	n, err := f.Read(first)
	return took, first[:n], err
}

// Motions are the times of a machine of a speed.
var Motions = motions

// Typical are the times that a bench takes for a real machine's.
var Typical = typical

// DeedOf is the deed of an order; the zero value if it has none.
func DeedOf(o Order) Deed { return o.deed }
