package sim

import (
	"bytes"
	"math"
	"math/rand/v2"
	"time"

	"shuffler/protocol"
)

const (
	wayHold    = 4096 // bytes without a delimiter that are kept together
	burstBytes = 16
	mostGap    = 1e15 // bytes: never, for any cable
)

// junk is what debug output in the middle of a stream looks like.
var junk = [...]string{"boot ok\r\n", "[dbg] adc=1023 t=41.2\r\n", "WARN: watchdog late 12ms\r\n", "\x1b[0m> "}

// way is one way of a cable: it cuts the stream into frames, does its worst to
// each, and delivers in order.
type way struct {
	faults  WayFaults
	rng     *rand.Rand
	pick    func([]byte) bool
	silent  time.Duration
	count   WayCounts
	flipIn  uint64 // bytes until the next wrong one
	flipFor float64

	partial []byte // no delimiter yet
	queue   []byte
	parts   []part // of the queue, by time
	head    int    // bytes of the queue that are gone
	first   int    // parts that are gone
	last    time.Duration
}

// part is so many bytes that arrive together.
type part struct {
	at time.Duration
	n  int
}

func newWay(f WayFaults, rng *rand.Rand) way { return way{faults: f, rng: rng} }

// push takes bytes that are sent at now.
func (w *way) push(now time.Duration, b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, protocol.Delimiter)
		if i < 0 {
			w.partial = append(w.partial, b...)
			if len(w.partial) > wayHold {
				w.frame(now, w.partial)
				w.partial = w.partial[:0]
			}
			return
		}
		w.partial = append(w.partial, b[:i+1]...)
		w.frame(now, w.partial)
		w.partial = w.partial[:0]
		b = b[i+1:]
	}
}

// frame sends one chunk with its delimiter.
func (w *way) frame(now time.Duration, b []byte) {
	f := &w.faults
	w.count.Frames++
	switch {
	case now < w.silent:
		w.count.Silenced++
		return
	case w.pick != nil && w.pick(b), w.chance(f.Lose):
		w.count.Lost++
		return
	}
	if w.chance(f.Text) {
		w.count.Texts++
		w.deliver(now, []byte(junk[w.rng.IntN(len(junk))]))
	}
	if len(b) > 1 && w.chance(f.Cut) {
		w.count.Cut++
		b = b[:1+w.rng.IntN(len(b)-1)]
	}
	w.deliver(now, b)
	if w.chance(f.Repeat) {
		w.count.Repeated++
		w.deliver(now, b)
	}
}

// chance draws only if there is one, so that a perfect cable takes nothing
// from the rng.
func (w *way) chance(p float64) bool { return p > 0 && w.rng.Float64() < p }

// deliver puts bytes on the way.
func (w *way) deliver(now time.Duration, b []byte) {
	f := &w.faults
	at := now + f.Latency
	if f.Jitter > 0 {
		at += time.Duration(w.rng.Int64N(int64(f.Jitter)))
	}
	at = max(at, w.last)
	if f.Baud > 0 {
		at += time.Duration(len(b)) * 10 * time.Second / time.Duration(f.Baud)
	}
	w.last = at
	w.compact()
	from := len(w.queue)
	w.queue = append(w.queue, b...)
	w.parts = append(w.parts, part{at, len(b)})
	w.damage(w.queue[from:])
}

// compact moves what is still on the way to the front.
func (w *way) compact() {
	if w.head < wayHold {
		return
	}
	w.queue = w.queue[:copy(w.queue, w.queue[w.head:])]
	w.parts = w.parts[:copy(w.parts, w.parts[w.first:])]
	w.head, w.first = 0, 0
}

// damage flips bytes, singly and in bursts.
func (w *way) damage(b []byte) {
	f := &w.faults
	if f.Flip > 0 {
		if w.flipFor != f.Flip {
			w.flipFor = f.Flip
			w.flipIn = w.gap()
		}
		at := uint64(0)
		for ; w.flipIn < uint64(len(b))-at; w.flipIn = w.gap() {
			at += w.flipIn
			w.spoil(b[at:][:1])
			at++
		}
		w.flipIn -= uint64(len(b)) - at
	}
	if w.chance(f.Burst) {
		n := f.BurstBytes
		if n <= 0 {
			n = burstBytes
		}
		w.count.Bursts++
		i := w.rng.IntN(len(b))
		w.spoil(b[i:min(len(b), i+n)])
	}
}

// spoil makes each byte another one; it may become a delimiter.
func (w *way) spoil(b []byte) {
	for i := range b {
		b[i] ^= byte(1 + w.rng.IntN(255))
		w.count.Flipped++
	}
}

// gap draws how many bytes are right before the next wrong one.
func (w *way) gap() uint64 {
	if w.faults.Flip >= 1 {
		return 0
	}
	return uint64(min(mostGap, math.Log(1-w.rng.Float64())/math.Log1p(-w.faults.Flip)))
}

func (w *way) next() time.Duration {
	if w.first == len(w.parts) {
		return Never
	}
	return w.parts[w.first].at
}

// pop gives the bytes that have arrived by now, valid until the next push.
func (w *way) pop(now time.Duration) []byte {
	from := w.head
	for w.first < len(w.parts) && w.parts[w.first].at <= now {
		w.head += w.parts[w.first].n
		w.first++
	}
	b := w.queue[from:w.head]
	w.count.Bytes += uint64(len(b))
	if w.first == len(w.parts) {
		w.queue, w.parts, w.head, w.first = w.queue[:0], w.parts[:0], 0, 0
	}
	return b
}
