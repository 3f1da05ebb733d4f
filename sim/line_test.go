package sim

import (
	"bytes"
	"testing"
	"time"

	"shuffler/protocol"
)

// tape is a device that keeps what it is given and says what it is told.
type tape struct {
	got  []byte
	when []time.Duration
	say  map[time.Duration][]byte
	now  time.Duration
	out  []byte
}

func (d *tape) Receive(now time.Duration, b []byte) {
	d.got = append(d.got, b...)
	d.when = append(d.when, now)
}
func (d *tape) Advance(now time.Duration) []byte {
	d.out = d.out[:0]
	for t := d.now + 1; t <= now; t++ {
		d.out = append(d.out, d.say[t]...)
	}
	d.now = max(d.now, now)
	return d.out
}
func (d *tape) Next() time.Duration {
	next := Never
	for t := range d.say {
		if t > d.now {
			next = min(next, t)
		}
	}
	return next
}

func frames(n int) (b []byte) {
	for i := range n {
		b = protocol.AppendFrame(b, uint32(i+1), protocol.TallyAck{Op: uint32(i)})
	}
	return b
}

func TestLine_PerfectCable(t *testing.T) {
	d := &tape{say: map[time.Duration][]byte{5: []byte("five\x00"), 9: []byte("nine\x00")}}
	l := NewLine(d, LineFaults{}, seeded(1))
	sent := frames(3)
	l.Write(1, sent[:20])
	l.Write(2, sent[20:])
	if !bytes.Equal(d.got, sent) {
		t.Errorf("got %x", d.got)
	}
	if l.Next() != 5 {
		t.Errorf("next is %d", l.Next())
	}
	if got := string(l.Read(8)); got != "five\x00" {
		t.Errorf("%q", got)
	}
	if got := string(l.Read(9)); got != "nine\x00" {
		t.Errorf("%q", got)
	}
	if l.Next() != Never || len(l.Read(20)) != 0 {
		t.Error("more")
	}
}

func TestLine_Latency(t *testing.T) {
	d := &tape{say: map[time.Duration][]byte{5: {1, 0}}}
	l := NewLine(d, SymmetricFaults(WayFaults{Latency: 100, Baud: 1e10}), seeded(1)) // 1 ns a byte
	l.Write(1, []byte{7, 7, 7, 0})
	if len(l.Read(106)) != 0 || l.Next() != 107 || len(l.Read(107)) != 2 {
		t.Error("to the host: not 102 later")
	}
	if len(d.when) != 1 || d.when[0] != 105 {
		t.Errorf("to the device: %v", d.when)
	}
	l.Write(200, []byte{7, 7, 7, 0, 8, 0}) // the wire is taken until the first is through
	l.Advance(400)
	if len(d.when) != 3 || d.when[1] != 304 || d.when[2] != 306 {
		t.Errorf("to the device: %v", d.when)
	}
}

// TestLine_Faults: each does what it says, and the counts tell it.
func TestLine_Faults(t *testing.T) {
	const n = 2000
	sent := frames(n)
	for _, c := range []struct {
		name  string
		f     WayFaults
		judge func(got []byte, rx protocol.Counters, w WayCounts) bool
	}{
		{"lose", WayFaults{Lose: 0.1}, func(_ []byte, rx protocol.Counters, w WayCounts) bool {
			return w.Lost > 150 && w.Lost < 250 && rx.OK == n-w.Lost && rx.Bad() == 0
		}},
		{"lose all", WayFaults{Lose: 1}, func(got []byte, _ protocol.Counters, w WayCounts) bool { return len(got) == 0 && w.Lost == n }},
		{"repeat", WayFaults{Repeat: 0.1}, func(_ []byte, rx protocol.Counters, w WayCounts) bool {
			return w.Repeated > 150 && rx.Repeats == w.Repeated && rx.OK == n
		}},
		{"cut", WayFaults{Cut: 0.1}, func(_ []byte, rx protocol.Counters, w WayCounts) bool {
			return w.Cut > 150 && rx.Bad() > 100 && rx.OK+w.Cut >= n
		}},
		{"jitter", WayFaults{Jitter: 1000}, func(got []byte, rx protocol.Counters, w WayCounts) bool {
			return bytes.Equal(got, sent) && rx.Restarts == 0
		}},
		{"text", WayFaults{Text: 0.1}, func(_ []byte, rx protocol.Counters, w WayCounts) bool {
			return w.Texts > 150 && rx.OK == n && rx.Resyncs == w.Texts
		}},
		{"flip", WayFaults{Flip: 0.01}, func(got []byte, rx protocol.Counters, w WayCounts) bool {
			p := float64(w.Flipped) / float64(len(sent))
			differ := 0
			for i := range got {
				if got[i] != sent[i] {
					differ++
				}
			}
			return p > 0.008 && p < 0.012 && differ == int(w.Flipped) && len(got) == len(sent) && rx.Bad() > 0
		}},
		{"flip all", WayFaults{Flip: 1}, func(got []byte, rx protocol.Counters, w WayCounts) bool {
			same := 0
			for i := range got {
				if got[i] == sent[i] {
					same++
				}
			}
			return int(w.Flipped) == len(sent) && same == 0 && rx.OK == 0
		}},
		{"burst", WayFaults{Burst: 0.1, BurstBytes: 4}, func(_ []byte, rx protocol.Counters, w WayCounts) bool {
			return w.Bursts > 150 && w.Flipped <= 4*w.Bursts && w.Flipped > 2*w.Bursts && rx.Bad() > 100
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func() ([]byte, WayCounts) {
				d := &tape{}
				l := NewLine(d, LineFaults{ToDevice: c.f}, seeded(1))
				for i := 0; i < len(sent); i += 100 {
					l.Write(time.Duration(i), sent[i:min(len(sent), i+100)])
				}
				l.Advance(1e6)
				return d.got, l.Counts().ToDevice
			}
			got, w := run()
			var dec protocol.Decoder
			dec.Feed(append(bytes.Clone(got), 0), func(protocol.Frame) {})
			if w.Frames != n || w.Bytes != uint64(len(got)) || !c.judge(got, dec.Counters(), w) {
				t.Errorf("%+v %+v", w, dec.Counters())
			}
			if again, _ := run(); !bytes.Equal(got, again) {
				t.Error("the same seed gave other bytes")
			}
		})
	}
}

func TestLine_SilenceAndChoice(t *testing.T) {
	d := &tape{say: map[time.Duration][]byte{15: {1, 0}, 25: {2, 0}}}
	l := NewLine(d, LineFaults{}, seeded(1))
	l.Silence(10, protocol.FromDevice, 10)
	l.Write(12, []byte{7, 0})
	if len(d.got) != 2 {
		t.Error("silent the other way too")
	}
	if got := l.Read(30); !bytes.Equal(got, []byte{2, 0}) || l.Counts().ToHost.Silenced != 1 {
		t.Errorf("%x %+v", got, l.Counts())
	}
	l.Silence(30, protocol.AnyDirection, Never)
	l.Write(1e6, []byte{8, 0})
	l.Silence(1e6, protocol.AnyDirection, 0)
	l.Write(1e6, []byte{9, 0})
	if !bytes.Equal(d.got, []byte{7, 0, 9, 0}) {
		t.Errorf("%x", d.got)
	}
	l.Lose(func(from protocol.Direction, b []byte) bool { return from == protocol.FromHost && b[0] == 3 })
	l.Write(1e6, []byte{3, 0, 4, 0})
	l.Lose(nil)
	l.SetFaults(SymmetricFaults(WayFaults{Lose: 1}))
	l.Write(1e6, []byte{5, 0})
	l.SetFaults(LineFaults{})
	l.Write(1e6, []byte{3, 0})
	if !bytes.Equal(d.got, []byte{7, 0, 9, 0, 4, 0, 3, 0}) {
		t.Errorf("%x", d.got)
	}
}

// TestLine_MemoryIsBounded: whatever is written and never ended or read away
// at once.
func TestLine_MemoryIsBounded(t *testing.T) {
	l := NewLine(&tape{}, LineFaults{ToDevice: WayFaults{Latency: 100}}, seeded(1))
	junk := bytes.Repeat([]byte{5}, 1000)
	for i := range time.Duration(2000) {
		l.Write(i, junk)
		l.Write(i, []byte{0})
	}
	if n := cap(l.toDevice.queue) + cap(l.toDevice.partial); n > 1<<20 {
		t.Errorf("%d bytes", n)
	}
}

// TestLine_WholeShuffle: a machine behind 1 % of everything, and a host that
// only repeats its orders: every operation is applied once and completes.
func TestLine_WholeShuffle(t *testing.T) {
	m := NewShuffler(Config{}, seeded(1))
	bad := WayFaults{Latency: 2 * ms, Jitter: ms, Baud: protocol.Baud, Lose: 0.01, Repeat: 0.01, Cut: 0.01, Text: 0.01, Flip: 0.0002, Burst: 0.01}
	l := NewLine(m, SymmetricFaults(bad), seeded(2))
	var seq uint32
	now := time.Duration(0)
	write := func(msg protocol.Message) {
		seq++
		l.Write(now, protocol.AppendFrame(nil, seq, msg))
	}
	dec := protocol.Decoder{From: protocol.FromDevice}
	var last protocol.Status
	must(t, m.PutIn(NewPack("red")))
	orders := []protocol.Message{
		protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52}, protocol.Step{Op: 2, Kind: protocol.KindRiffle},
		protocol.Step{Op: 3, Kind: protocol.KindStrip}, protocol.Step{Op: 4, Kind: protocol.KindRiffle}, protocol.Release{Op: 5, Expect: 52},
	}
	for done := 0; done < len(orders); {
		if now > time.Minute {
			t.Fatalf("stuck: %+v", last)
		}
		dec.Feed(l.Read(now), func(f protocol.Frame) {
			if s, err := protocol.DecodeStatus(f.Payload); f.Type == protocol.TypeStatus && err == nil {
				last = s
			}
		})
		switch {
		case last.Session != session:
			write(protocol.Hello{Session: session})
		case last.Op == uint32(done+1) && last.Phase == protocol.PhaseDone:
			done++
			continue
		case last.Phase == protocol.PhaseFailed:
			t.Fatalf("%+v", last)
		default:
			write(orders[done])
		}
		now += 100 * ms
	}
	if p, _ := m.TakeOut(); !equal(p.Sorted(), NewPack("red")) {
		t.Error("not the same pack")
	}
	if c := l.Counts(); c.ToDevice.Lost == 0 || c.ToHost.Flipped == 0 {
		t.Errorf("the cable was too good: %+v", c)
	}
}
