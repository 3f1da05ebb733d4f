package device

import (
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
)

// Tuning constants of the link, beside those of package protocol.
const (
	wrongRetry = 2 * time.Second // hello to a device of the wrong role
	// A frame that has not been acknowledged for so long is lost or long read: at
	// 115200 baud the whole window takes 6 ms.
	ackExpires = 250 * time.Millisecond
	// Messages that wait for the window. A poll says nothing that the next one does
	// not say, so polls give way; orders, hellos and acknowledgements are repeated.
	maxQueue = 8
)

// Config says what a Link is for. All fields are required.
type Config struct {
	Part    fault.Part // Shuffler or Scanner: the role that the device must have
	Session uint64     // random for each run of the controller, not 0
	Version string     // of the controller, for the device's log
}

// Link is the host's end of one line. It does no I/O and has no clock: now is
// the time since any fixed point, the same for all calls. Not to be shared
// between goroutines.
type Link struct {
	cfg Config
	dec protocol.Decoder
	out outbox

	heard   time.Duration // last frame of the device in our session
	polled  time.Duration // last message of ours
	helloAt time.Duration // when the next hello is due, while not greeted
	greeted bool          // the right device has answered in our session
	wrong   bool          // another device than the port is for has answered
	ident   protocol.Ident

	up      bool // a status has come since the greeting
	status  protocol.Status
	halting bool
	halted  time.Duration // last HALT sent

	op    operation
	scan  uint32 // op of the last scan ordered
	told  uint32 // op of the last tally told
	acked uint32 // op of the last tally acknowledged

	events []table.Event
	stats  Stats
}

// operation is the order on its way.
type operation struct {
	cmd     table.Command
	msg     protocol.Message
	pending bool // not decided yet: sent, and sent again
	sent    bool
	at      time.Duration
	started bool
	ended   bool
	cards   uint16
}

// Stats are figures for the technician.
type Stats struct {
	Up       bool
	Counters protocol.Counters
	RxBad    uint32        // what the device says that it rejected of ours
	Heard    time.Duration // when the last good frame came
	Hellos   uint64
	Retries  uint64 // orders sent again
	Halts    uint64
	Naks     uint64
	Losses   uint64 // times the link was lost
	Restarts uint64 // times the device had restarted
}

// NewLink makes a link; the port is taken as open from now on.
func NewLink(now time.Duration, cfg Config) *Link {
	l := &Link{cfg: cfg, dec: protocol.Decoder{From: protocol.FromDevice}, heard: now, polled: now}
	l.sendHello(now)
	return l
}

// Part is the part that the link serves.
func (l *Link) Part() fault.Part { return l.cfg.Part }

// Stats gives the figures so far.
func (l *Link) Stats() Stats {
	s := l.stats
	s.Up, s.Counters, s.RxBad, s.Heard = l.up, l.dec.Counters(), l.status.RxBad, l.heard
	return s
}

// Receive takes bytes that have arrived and gives the events that they mean.
// The slice is valid until the next call of a method.
func (l *Link) Receive(now time.Duration, b []byte) []table.Event {
	l.events = l.events[:0]
	l.dec.Feed(b, func(f protocol.Frame) { l.frame(now, f) })
	return l.events
}

// Advance does what is due: polls, retries, the watch over silence. The slice
// is valid until the next call of a method.
func (l *Link) Advance(now time.Duration) []table.Event {
	l.events = l.events[:0]
	if (l.up || l.greeted) && now-l.heard >= protocol.DeviceSilence {
		l.stats.Losses++
		l.down(now, table.Silent)
	}
	l.out.expire(now)
	if l.halting && now-l.halted >= protocol.HaltRetry {
		l.sendHalt(now)
	}
	if !l.greeted && now >= l.helloAt {
		l.sendHello(now)
	}
	if l.mayOrder() && now-l.op.at >= protocol.OpRetry {
		l.sendOp(now)
	}
	if now-l.polled >= protocol.PollEvery {
		l.send(now, protocol.Poll{})
	}
	return l.events
}

// Next is when Advance has something to do at the latest. Right after Advance
// it lies in the future.
func (l *Link) Next() time.Duration {
	next := l.polled + protocol.PollEvery
	if l.halting {
		next = min(next, l.halted+protocol.HaltRetry)
	}
	if l.up || l.greeted {
		next = min(next, l.heard+protocol.DeviceSilence)
	}
	if !l.greeted {
		next = min(next, l.helloAt)
	}
	if l.mayOrder() {
		next = min(next, l.op.at+protocol.OpRetry)
	}
	if at, full := l.out.opens(); full {
		next = min(next, at)
	}
	return next
}

// Do sends an order and repeats it until the device has decided it. One for a
// device that is not there any more is dropped: the event that says so is on
// its way, and what it did not get it will not make up for.
func (l *Link) Do(now time.Duration, c table.Command) {
	switch {
	case c.Kind == table.TallyAck:
		l.acked = c.Op
		l.send(now, protocol.TallyAck{Op: c.Op})
	case l.up:
		if c.Kind == table.ScanOp {
			l.scan = c.Op
		}
		l.op = operation{cmd: c, msg: message(c), pending: true}
		if l.mayOrder() {
			l.sendOp(now)
		}
	}
}

// mayOrder tells whether the order under way is to go on the wire. Behind a
// HALT that is still repeated it would be stopped by it; a device whose session
// is in doubt may have restarted, and what is inside is unknown (M3).
func (l *Link) mayOrder() bool { return l.op.pending && l.up && l.greeted && !l.halting }

// Halt stops the device: at once, in front of whatever waits to be sent, and
// again until its status says that it stands halted. The order under way is not
// repeated any more.
func (l *Link) Halt(now time.Duration) {
	l.op = operation{}
	l.out.clear()
	l.out.haltSeq = 0
	l.halting = true
	l.sendHalt(now)
}

// Write gives the bytes to write now, nil for none. At most protocol.MaxUnacked
// bytes are under way at once; HALT is exempt. The bytes belong to the caller.
func (l *Link) Write() []byte { return l.out.write() }

func (l *Link) send(now time.Duration, m protocol.Message) {
	l.polled = now
	l.out.put(now, m)
}

func (l *Link) sendOp(now time.Duration) {
	if l.op.sent {
		l.stats.Retries++
	}
	l.op.sent, l.op.at = true, now
	l.send(now, l.op.msg)
}

func (l *Link) sendHalt(now time.Duration) {
	l.halted, l.polled = now, now
	l.stats.Halts++
	l.out.halt = true
}

func (l *Link) sendHello(now time.Duration) {
	l.helloAt = now + protocol.HelloRetry
	if l.wrong {
		l.helloAt = now + wrongRetry
	}
	l.stats.Hellos++
	l.send(now, protocol.Hello{Session: l.cfg.Session, HostVersion: protocol.TextOf(l.cfg.Version)})
}

// message is the order on the wire.
func message(c table.Command) protocol.Message {
	switch c.Kind {
	case table.StepOp:
		return protocol.Step{Op: c.Op, Kind: kindOf(c.Step), Index: c.Index, Expect: c.Expect, MinCut: minCut(c)}
	case table.LoadOp:
		return protocol.Step{Op: c.Op, Kind: protocol.KindGather, Expect: c.Expect}
	case table.ReleaseOp:
		return protocol.Release{Op: c.Op, Expect: c.Expect}
	case table.ScanOp:
		return protocol.Scan{Op: c.Op, Expect: c.Expect, MaxMs: uint32(min(c.Timeout, protocol.MaxScan).Milliseconds())}
	}
	return protocol.Reset{Op: c.Op}
}
