package device

import (
	"time"

	"shuffler/protocol"
)

// outbox is what waits to go on the wire, and what is on it and not yet read at
// the far end. Bytes that lie in the kernel cannot be called back, so no more
// of them than SPEC.md allows are given out, and HALT goes past them all. The
// zero value is ready.
type outbox struct {
	now    time.Duration
	seq    uint32 // of the last frame given out: numbers rise in the order of the wire
	halt   bool   // a HALT is to go out first
	queue  []protocol.Message
	window []sentFrame

	haltSeq uint32 // of the first HALT since the last call to stop, 0 = still inside
}

type sentFrame struct {
	seq  uint32
	size int
	at   time.Duration
}

// put queues a message unless there is no room.
func (o *outbox) put(now time.Duration, m protocol.Message) {
	o.now = now
	_, poll := m.(protocol.Poll)
	if poll && len(o.queue) > 0 || len(o.queue) >= maxQueue {
		return
	}
	o.queue = append(o.queue, m)
}

// clear forgets what waits.
func (o *outbox) clear() {
	clear(o.queue)
	o.queue = o.queue[:0]
}

// write gives the bytes that may go out now.
func (o *outbox) write() (b []byte) {
	if o.halt {
		o.halt = false
		o.seq++
		if o.haltSeq == 0 {
			o.haltSeq = o.seq
		}
		b = protocol.AppendHalt(b, o.seq)
	}
	for len(o.queue) > 0 {
		start := len(b)
		if o.seq == 0 { // the first frame after opening cuts off what lay in the buffers
			b = append(b, protocol.Delimiter)
		}
		b = protocol.AppendFrame(b, o.seq+1, o.queue[0])
		if o.underWay()+len(b)-start > protocol.MaxUnacked {
			return b[:start]
		}
		o.seq++
		o.window = append(o.window, sentFrame{o.seq, len(b) - start, o.now})
		o.queue[0] = nil
		o.queue = o.queue[1:]
	}
	return b
}

func (o *outbox) underWay() (n int) {
	for _, f := range o.window {
		n += f.size
	}
	return n
}

// expire forgets frames that will not be acknowledged any more.
func (o *outbox) expire(now time.Duration) {
	o.now = now
	for len(o.window) > 0 && now-o.window[0].at >= ackExpires {
		o.window = o.window[1:]
	}
}

// opens tells when the window opens at the latest, if something waits for it.
func (o *outbox) opens() (time.Duration, bool) {
	if len(o.queue) == 0 || len(o.window) == 0 {
		return 0, false
	}
	return o.window[0].at + ackExpires, true
}

// acknowledged takes the device's word for what it has read of ours.
func (o *outbox) acknowledged(seq uint32) {
	for len(o.window) > 0 && o.reached(seq, o.window[0].seq) {
		o.window = o.window[1:]
	}
}

// haltRead tells whether a device that has read up to seq has read the HALT.
func (o *outbox) haltRead(seq uint32) bool { return o.haltSeq != 0 && o.reached(seq, o.haltSeq) }

// reached tells whether seq is at or behind want and a number that was given
// out: a device that was greeted by another host tells that one's.
func (o *outbox) reached(seq, want uint32) bool { return seq >= want && seq <= o.seq }
