package protocol

import (
	"bytes"
	"testing"
)

func keyed(t testing.TB) (*Sealer, *Opener) {
	key := bytes.Repeat([]byte{7}, 32)
	s, err := NewSealer(key, FromDevice)
	if err != nil {
		t.Fatal(err)
	}
	o, err := NewOpener(key, FromDevice)
	if err != nil {
		t.Fatal(err)
	}
	return s, o
}

// A nonce must never be used twice with one key.
func TestSealerRefusesUsedSeq(t *testing.T) {
	s, _ := keyed(t)
	w, err := s.AppendFrame(nil, 5, Halted{})
	if err != nil {
		t.Fatal(err)
	}
	for _, seq := range []uint32{0, 4, 5} {
		if got, err := s.AppendFrame(w, seq, Halted{}); err != ErrSeqUsed || len(got) != len(w) {
			t.Errorf("seq %d: %v, %d bytes", seq, err, len(got))
		}
	}
	if _, err := s.AppendFrame(nil, 6, Halted{}); err != nil {
		t.Error(err)
	}
}

// Every byte of a protected frame is covered: header, ciphertext and tag.
func TestOpenerSeesEveryChange(t *testing.T) {
	s, o := keyed(t)
	w, err := s.AppendFrame(nil, 9, Status{Op: 7, Cards: 52})
	if err != nil {
		t.Fatal(err)
	}
	var body [MaxBody]byte
	n, _ := unstuff(body[:], w[:len(w)-1])
	for i := range (n - 4) * 8 {
		b := bytes.Clone(body[:n-4])
		b[i/8] ^= 1 << (i % 8)
		f := Frame{Seq: le.Uint32(b[2:]), Type: Type(b[1]), Protected: true, Payload: b[6:], sealed: true, header: [6]byte(b)}
		if _, err := o.Open(f); err != ErrForged {
			t.Fatalf("bit %d: %v", i, err)
		}
	}
	new(Decoder).Feed(w, func(f Frame) {
		if f, err := o.Open(f); err != nil || describe(f) != line(9, true, Status{Op: 7, Cards: 52}) {
			t.Errorf("unchanged: %v %s", err, describe(f))
		}
	})
}

// A frame of the one direction never opens as one of the other.
func TestDirectionsDoNotMix(t *testing.T) {
	s, _ := keyed(t)
	w, _ := s.AppendFrame(nil, 1, Halted{})
	o, _ := NewOpener(bytes.Repeat([]byte{7}, 32), FromHost)
	n := 0
	new(Decoder).Feed(w, func(f Frame) {
		n++
		if _, err := o.Open(f); err != ErrForged {
			t.Errorf("got %v", err)
		}
	})
	if n != 1 {
		t.Errorf("%d frames", n)
	}
}

// An authentic frame with a payload that is too short is still refused.
func TestOpenerChecksPayload(t *testing.T) {
	s, o := keyed(t)
	header := []byte{Version<<4 | protectedFlag, byte(TypeNak), 3, 0, 0, 0}
	le.PutUint32(s.nonce[8:], 3)
	p := s.aead.Seal(nil, s.nonce[:], []byte{1, 2, 3}, header)
	if _, err := o.Open(Frame{Seq: 3, Type: TypeNak, Protected: true, Payload: p, sealed: true, header: [6]byte(header)}); err != ErrShort {
		t.Errorf("got %v", err)
	}
}

func TestBadKeys(t *testing.T) {
	for _, n := range []int{0, 16, 31, 33} {
		if _, err := NewSealer(make([]byte, n), FromHost); err != ErrKey {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := NewOpener(make([]byte, 32), AnyDirection); err != ErrKey {
		t.Errorf("no direction: %v", err)
	}
}
