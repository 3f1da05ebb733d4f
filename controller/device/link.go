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
	ackExpires = 250 * time.Millisecond
	// A frame that has not been acknowledged for so long is lost or long read: at
	// 115200 baud the whole window takes 6 ms.
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
	seq uint32

	urgent []byte // HALT: goes out before and whatever the window says
	queue  [][]byte
	window []sentFrame

	heard   time.Duration // last frame of the device in our session
	sent    time.Duration // last frame of ours
	hello   time.Duration // last hello, or 0
	greeted bool          // ident of our session has come
	wrong   bool          // it is another device than the port is for
	ident   protocol.Ident

	up      bool
	boot    uint32
	status  protocol.Status
	halting bool
	halted  time.Duration // last HALT sent

	op      operation
	tallied uint32 // op of the last tally told
	acked   uint32 // op of the last tally acknowledged

	events []table.Event
	stats  Stats
}

type sentFrame struct {
	seq  uint32
	size int
	at   time.Duration
}

// operation is the order on its way.
type operation struct {
	cmd     table.Command
	msg     protocol.Message
	pending bool // not accepted yet: retried
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
	l := &Link{cfg: cfg, dec: protocol.Decoder{From: protocol.FromDevice}, heard: now}
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
	if now-l.heard >= protocol.DeviceSilence && (l.up || l.greeted) {
		l.stats.Losses++
		l.down(table.Silent)
	}
	l.expire(now)
	if l.halting && now-l.halted >= protocol.HaltRetry {
		l.sendHalt(now)
	}
	switch {
	case !l.greeted:
		if now-l.hello >= l.helloRetry() {
			l.sendHello(now)
		}
	case l.op.pending && now-l.op.at >= protocol.OpRetry:
		l.stats.Retries++
		l.sendOp(now)
	}
	if now-l.sent >= protocol.PollEvery {
		l.send(now, protocol.Poll{})
	}
	return l.events
}

// Next is when Advance has something to do at the latest.
func (l *Link) Next() time.Duration {
	next := l.sent + protocol.PollEvery
	sooner := func(t time.Duration) { next = min(next, t) }
	if l.up {
		sooner(l.heard + protocol.DeviceSilence)
	}
	if l.halting {
		sooner(l.halted + protocol.HaltRetry)
	}
	if !l.greeted {
		sooner(l.hello + l.helloRetry())
	} else if l.op.pending {
		sooner(l.op.at + protocol.OpRetry)
	}
	return next
}

func (l *Link) helloRetry() time.Duration {
	if l.wrong {
		return wrongRetry
	}
	return protocol.HelloRetry
}

// Do sends an order and repeats it until the device has decided it.
func (l *Link) Do(now time.Duration, c table.Command) {
	if c.Kind == table.TallyAck {
		l.acked = c.Op
		l.send(now, protocol.TallyAck{Op: c.Op})
		return
	}
	l.op = operation{cmd: c, msg: message(c), pending: true}
	if l.greeted && !l.wrong {
		l.sendOp(now)
	}
}

// Halt stops the device: at once, in front of whatever waits to be sent, and
// again until it answers. The order under way is not repeated any more.
func (l *Link) Halt(now time.Duration) {
	l.op = operation{}
	l.queue = l.queue[:0]
	l.halting = true
	l.sendHalt(now)
}

// Write gives the bytes to write now, nil for none. At most protocol.MaxUnacked
// bytes are under way at once; HALT is exempt.
func (l *Link) Write() []byte {
	out := l.urgent
	l.urgent = nil
	for len(l.queue) > 0 && l.underWay()+len(l.queue[0]) <= protocol.MaxUnacked {
		out = append(out, l.queue[0]...)
		l.window = append(l.window, sentFrame{l.seqOf(l.queue[0]), len(l.queue[0]), l.sent})
		l.queue = l.queue[1:]
	}
	return out
}

func (l *Link) underWay() (n int) {
	for _, f := range l.window {
		n += f.size
	}
	return n
}

// seqOf tells the sequence number of a queued frame: they are numbered in order.
func (l *Link) seqOf([]byte) uint32 { return l.seq - uint32(len(l.queue)) + 1 }

// expire forgets frames that will not be acknowledged any more.
func (l *Link) expire(now time.Duration) {
	for len(l.window) > 0 && now-l.window[0].at >= ackExpires {
		l.window = l.window[1:]
	}
}

// acknowledged takes the device's word for what it has read of ours.
func (l *Link) acknowledged(seq uint32) {
	for len(l.window) > 0 && int32(seq-l.window[0].seq) >= 0 {
		l.window = l.window[1:]
	}
}

// maxQueue bounds the frames that wait for the window. A poll says nothing that
// the next one does not say, so polls give way.
const maxQueue = 8

func (l *Link) send(now time.Duration, m protocol.Message) {
	if _, poll := m.(protocol.Poll); poll && len(l.queue) > 0 || len(l.queue) >= maxQueue {
		l.sent = now
		return
	}
	l.seq++
	l.sent = now
	l.queue = append(l.queue, protocol.AppendFrame(make([]byte, 0, protocol.MaxHostFrame), l.seq, m))
}

func (l *Link) sendOp(now time.Duration) {
	l.op.at = now
	l.send(now, l.op.msg)
}

func (l *Link) sendHalt(now time.Duration) {
	l.seq++
	l.halted, l.sent = now, now
	l.stats.Halts++
	l.urgent = protocol.AppendHalt(l.urgent, l.seq)
}

func (l *Link) sendHello(now time.Duration) {
	l.hello = now
	l.stats.Hellos++
	l.window = l.window[:0]
	l.send(now, protocol.Hello{Session: l.cfg.Session, HostVersion: protocol.TextOf(l.cfg.Version)})
	if l.seq == 1 { // the first frame after opening cuts off what lay in the buffers
		l.queue[0] = append([]byte{protocol.Delimiter}, l.queue[0]...)
	}
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
