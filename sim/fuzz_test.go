package sim

import (
	"testing"
	"time"

	"shuffler/protocol"
)

// FuzzReceive: whatever arrives, nothing panics, and nothing moves unless a
// host has opened a session first.
func FuzzReceive(f *testing.F) {
	f.Add([]byte("ATE1\r\n\x00\x00"))
	f.Add(protocol.AppendFrame(nil, 1, protocol.Step{Op: 1, Kind: protocol.KindRiffle}))
	f.Add(protocol.AppendFrame(nil, 1, protocol.Release{Op: 1}))
	f.Add(protocol.AppendHalt([]byte("half a fra"), 3))
	hello := protocol.AppendFrame(nil, 1, protocol.Hello{Session: 1})
	f.Add(protocol.AppendFrame(hello, 2, protocol.Step{Op: 1, Kind: protocol.KindRiffle}))
	f.Add(protocol.AppendFrame(hello, 2, protocol.Step{Op: 1, Kind: protocol.KindCut, Expect: 2, MinCut: 1}))
	f.Add(protocol.AppendFrame(hello, 2, protocol.Scan{Op: 1}))
	f.Add(protocol.AppendFrame(hello, 9, protocol.Status{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		greeted := false
		dec := protocol.Decoder{From: protocol.FromHost}
		dec.Feed(b, func(f protocol.Frame) { greeted = greeted || f.Type == protocol.TypeHello && !f.Protected })
		m := NewShuffler(Config{Caps: AllCaps}, seeded(1))
		m.chamber = append(m.chamber, NewPack("red")...)
		must(t, m.PutIn(NewPack("blue")))
		before := m.Places()
		now := time.Duration(0)
		for len(b) > 0 {
			n := min(len(b), 1+int(b[0])%40)
			m.Receive(now, b[:n])
			if len(m.Advance(now)) > 1<<16 {
				t.Fatal("says too much")
			}
			b = b[n:]
			now += time.Duration(n) * ms
		}
		if !greeted && m.Moving() {
			t.Fatal("moves without a session")
		}
		m.Advance(now + 3*time.Second)
		after := m.Places()
		if !greeted && (!equal(before.Chamber, after.Chamber) || !equal(before.Tray, after.Tray)) {
			t.Fatal("cards have moved without a session")
		}
		if !equal(before.All().Sorted(), after.All().Sorted()) {
			t.Fatal("cards were lost")
		}
	})
}

// FuzzParseFault: what reads is written so that it reads again.
func FuzzParseFault(f *testing.F) {
	for _, s := range anyFaults {
		f.Add(s)
	}
	f.Add("jam_exit@release#2+50%")
	f.Add("misread:QC>QS@scan#3")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseFault(s)
		if err != nil {
			return
		}
		b, err := ParseFault(a.String())
		if err != nil || a != b {
			t.Fatalf("%q: %+v, then %+v, %v", s, a, b, err)
		}
		_ = NewShuffler(Config{Caps: AllCaps}, seeded(1)).Inject(a)
	})
}

// FuzzParseFlaw: the same for packs.
func FuzzParseFlaw(f *testing.F) {
	for _, s := range []string{"swap:QD>JD", "joker", "back:QD=blue", "boxed:7S"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseFlaw(s)
		if err != nil {
			return
		}
		if b, err := ParseFlaw(a.String()); err != nil || a != b {
			t.Fatalf("%q: %+v, then %+v, %v", s, a, b, err)
		}
	})
}
