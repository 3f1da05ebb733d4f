// Package port runs the links of package device over serial ports, for months:
// it opens, loses and reopens ports by their configured path, and names what is
// wrong with them. A Device is one port, a Set is those of a table.
//
// go.bug.st/serial sets the line: raw mode, speed, modem lines. It does not
// carry the bytes. Its Read says (0, nil) when nothing comes and panics above
// descriptor 1023; its Write cannot be stopped, not even by Close, and writes
// into another file once the descriptor is used again (bugst/go-serial#148,
// #150). So the bytes go over a descriptor of our own on the same port, opened
// O_NONBLOCK, under the poller of the Go runtime: a Read waits without a thread
// and without time-outs, Close ends it, and a write never blocks: what does not
// fit waits here, bounded, and a far end that takes nothing for WriteStuck loses
// the link. The same descriptor holds the lock that keeps a second process out.
//
// Ports are never enumerated by opening them (go-serial#104): what help texts
// say about ports that exist is read from /dev/serial and sysfs.
package port
