package device

import (
	"encoding/binary"
	"testing"
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
)

// FuzzReceive: whatever bytes arrive, nothing panics, and no end of an
// operation or scan is told that was not ordered, nor one told twice.
func FuzzReceive(f *testing.F) {
	st := protocol.Status{Boot: 7, Session: session, Tick: 10, Op: 5, Phase: protocol.PhaseDone, Started: 1, Done: 2}
	id := protocol.Ident{Session: session, Boot: 7, Role: protocol.RoleBoth, Caps: shufflerCaps | protocol.CapScan}
	var seed []byte
	for i, m := range []protocol.Message{id, st, goodTally(5), protocol.Nak{Session: session, Op: 5, Reason: protocol.ReasonHalted}, protocol.Halted{Session: session}} {
		seed = protocol.AppendFrame(seed, uint32(i+1), m)
	}
	f.Add(seed, uint16(3))
	f.Add(seed[:40], uint16(0))
	f.Add([]byte("hello\x00\x00\xff"), uint16(9))
	f.Fuzz(func(t *testing.T, b []byte, deeds uint16) {
		for _, part := range []fault.Part{fault.Shuffler, fault.Scanner} {
			s := newStorm(t, part)
			s.play(b, deeds, func(b []byte) []byte { return b })
		}
	})
}

// FuzzFrames is FuzzReceive with good frames around the fuzzer's bytes, so that
// it gets past the CRC.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{0x81, 0x82, 0x85, 0x83, 1, 2, 3, 4, 5, 6, 7, 8}, uint16(0b1011))
	f.Add(make([]byte, 400), uint16(0xffff))
	f.Fuzz(func(t *testing.T, b []byte, deeds uint16) {
		for _, part := range []fault.Part{fault.Shuffler, fault.Scanner} {
			s := newStorm(t, part)
			seq := uint32(0)
			s.play(b, deeds, func(b []byte) []byte {
				seq++
				return frameOf(seq, b)
			})
		}
	})
}

// frameOf makes a good frame of arbitrary bytes: mostly of our session and boot.
func frameOf(seq uint32, b []byte) []byte {
	var p [80]byte
	copy(p[:], b)
	u32 := func(i int) uint32 { return binary.LittleEndian.Uint32(p[i:]) }
	ses := uint64(session)
	if p[1]%8 == 0 {
		ses = uint64(p[2] % 3)
	}
	boot := uint32(7)
	if p[1]%16 == 1 {
		boot = uint32(p[3] % 4)
	}
	op := uint32(p[4] % 12)
	var m protocol.Message
	switch p[0] % 8 {
	case 0:
		m = protocol.Ident{Session: ses, Boot: boot, Role: protocol.Role(p[5] % 4), Caps: protocol.Caps(u32(8)) | (shufflerCaps|protocol.CapScan)*protocol.Caps(p[6]%4/3^1)}
	case 1, 2, 3, 4:
		m = protocol.Status{
			Boot: boot, Session: ses, Tick: u32(8), Op: op, Kind: protocol.Kind(p[12]), Phase: protocol.Phase(p[13] % 6), Result: protocol.Result(p[14]),
			Started: u32(16), Done: u32(20), Fault: protocol.Fault(p[24] % 20), Lines: protocol.Lines(p[25]), Cards: uint16(p[26]),
			LocalOps: uint32(p[27] % 3), LocalKind: protocol.Kind(p[28]), RxSeq: uint32(p[29]),
		}
	case 5:
		t := goodTally(op)
		t.Session, t.Flags, t.Stop = ses, protocol.TallyFlags(p[5]), protocol.Stop(p[6]%10)
		m = t
	case 6:
		m = protocol.Nak{Session: ses, Op: op, Reason: protocol.Reason(p[5] % 10)}
	case 7:
		m = protocol.Halted{Session: ses, Boot: boot, Tick: u32(8)}
	}
	return protocol.AppendFrame(nil, seq, m)
}

// storm drives a link and judges its events.
type storm struct {
	t       *testing.T
	link    *Link
	now     time.Duration
	op      uint32
	ordered map[uint32]table.OpKind
	ended   map[uint32]bool
	tallied map[uint32]bool
	up      bool
}

func newStorm(t *testing.T, part fault.Part) *storm {
	s := &storm{t: t, now: time.Hour, ordered: map[uint32]table.OpKind{}, ended: map[uint32]bool{}, tallied: map[uint32]bool{}}
	s.link = NewLink(s.now, Config{Part: part, Session: session, Version: "fuzz"})
	return s
}

// play feeds the bytes in pieces, and orders and halts in between.
func (s *storm) play(b []byte, deeds uint16, wrap func([]byte) []byte) {
	// The right device greets first, so that there is something to disturb.
	s.judge(s.link.Receive(s.now, protocol.AppendFrame(nil, 1, protocol.Ident{Session: session, Boot: 7, Role: protocol.RoleBoth, Caps: shufflerCaps | protocol.CapScan})))
	s.judge(s.link.Receive(s.now, protocol.AppendFrame(nil, 2, protocol.Status{Boot: 7, Session: session, Tick: 1})))
	for i := 0; len(b) > 0 && i < 64; i++ {
		s.deed(deeds >> (i % 14) & 7)
		n := min(len(b), 1+int(b[0])%40)
		s.judge(s.link.Receive(s.now, wrap(b[:n])))
		b = b[n:]
		s.now += time.Duration(n*7) * time.Millisecond
		s.judge(s.link.Advance(s.now))
		if next := s.link.Next(); next <= s.now {
			s.t.Fatalf("right after Advance at %v the next is %v", s.now, next)
		}
		s.link.Write()
		if n := s.link.out.underWay(); n > protocol.MaxUnacked {
			s.t.Fatalf("%d bytes are under way", n)
		}
	}
}

func (s *storm) deed(d uint16) {
	switch d {
	case 0, 1:
		return
	case 2:
		s.link.Halt(s.now)
		return
	case 3:
		s.link.Do(s.now, table.Command{Kind: table.TallyAck, Op: s.op})
		return
	}
	s.op++
	kind := map[uint16]table.OpKind{4: table.StepOp, 5: table.ScanOp, 6: table.ResetOp, 7: table.ReleaseOp}[d]
	s.ordered[s.op] = kind
	s.link.Do(s.now, table.Command{Part: s.link.Part(), Op: s.op, Kind: kind, Step: 3, Expect: 52, Timeout: time.Minute})
}

func (s *storm) judge(events []table.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case table.OpStarted:
			s.wasOrdered(e.Op)
		case table.OpMoved:
			s.wasOrdered(e.Op)
		case table.OpDone:
			s.end(e.Op)
		case table.OpFailed:
			s.end(e.Op)
		case table.OpBarred:
			s.end(e.Op)
		case table.ScanEnded:
			if s.ordered[e.Op] != table.ScanOp || s.tallied[e.Op] {
				s.t.Fatalf("the tally of op %d is told, ordered %v, told before %v", e.Op, s.ordered[e.Op], s.tallied[e.Op])
			}
			s.tallied[e.Op] = true
		case table.DeviceUp:
			if s.up {
				s.t.Fatal("up twice")
			}
			s.up = true
		case table.DeviceDown:
			s.up = false
		default:
			if !s.up {
				s.t.Fatalf("%T of a device that is not up", e)
			}
		}
	}
}

func (s *storm) wasOrdered(op uint32) {
	if op == 0 || s.ordered[op] == table.NoOp || s.ended[op] || !s.up {
		s.t.Fatalf("op %d: ordered %v, ended %v, up %v", op, s.ordered[op], s.ended[op], s.up)
	}
}

func (s *storm) end(op uint32) {
	s.wasOrdered(op)
	s.ended[op] = true
}
