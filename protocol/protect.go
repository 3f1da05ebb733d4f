package protocol

import (
	"crypto/cipher"

	"golang.org/x/crypto/chacha20poly1305"
)

// Sealer makes protected frames (SPEC.md, section 14). How both ends come to
// a key is not specified yet; until then this is for vectors and tests. Make
// one with NewSealer; not to be shared between goroutines.
type Sealer struct {
	aead  cipher.AEAD
	nonce [chacha20poly1305.NonceSize]byte
	last  uint32
}

// NewSealer makes a Sealer for frames sent by from. The error is ErrKey.
func NewSealer(key []byte, from Direction) (*Sealer, error) {
	aead, err := newAEAD(key, from)
	if err != nil {
		return nil, err
	}
	return &Sealer{aead: aead, nonce: [chacha20poly1305.NonceSize]byte{byte(from)}}, nil
}

// AppendFrame appends one protected frame with its delimiter. seq must rise:
// a nonce used twice would give the key away; else the error is ErrSeqUsed and
// dst is unchanged.
func (s *Sealer) AppendFrame(dst []byte, seq uint32, m Message) ([]byte, error) {
	if seq <= s.last {
		return dst, ErrSeqUsed
	}
	s.last = seq
	start := len(dst)
	dst = appendMessage(append(dst, 0), Version<<4|protectedFlag, seq, m)
	at := start + 1 + headerSize
	header := dst[start+1 : at]
	le.PutUint32(s.nonce[8:], seq)
	dst = s.aead.Seal(dst[:at], s.nonce[:], dst[at:], header)
	return finish(dst, start), nil
}

// Opener opens protected frames. Make one with NewOpener; not to be shared
// between goroutines.
type Opener struct {
	aead   cipher.AEAD
	nonce  [chacha20poly1305.NonceSize]byte
	header [headerSize]byte
	last   uint32
}

// NewOpener makes an Opener for frames sent by from. The error is ErrKey.
func NewOpener(key []byte, from Direction) (*Opener, error) {
	aead, err := newAEAD(key, from)
	if err != nil {
		return nil, err
	}
	return &Opener{aead: aead, nonce: [chacha20poly1305.NonceSize]byte{byte(from)}}, nil
}

// Open opens a frame that a Decoder delivered, in place, and checks its
// payload. Plain frames are refused with ErrPlain, but for a Halt, which
// nobody may hinder. Other errors: ErrForged, ErrReplay, and those of the
// Decode functions.
func (o *Opener) Open(f Frame) (Frame, error) {
	if !f.Protected {
		if f.Type == TypeHalt {
			return f, nil
		}
		return Frame{}, ErrPlain
	}
	if f.Seq <= o.last {
		return Frame{}, ErrReplay
	}
	le.PutUint32(o.nonce[8:], f.Seq)
	o.header = f.header
	p, err := o.aead.Open(f.Payload[:0], o.nonce[:], f.Payload, o.header[:])
	if err != nil {
		return Frame{}, ErrForged
	}
	o.last = f.Seq
	f.Payload, f.sealed = p, false
	if err := checkPayload(f.Type, p); err != nil {
		return Frame{}, err
	}
	return f, nil
}

func newAEAD(key []byte, from Direction) (cipher.AEAD, error) {
	aead, err := chacha20poly1305.New(key)
	if err != nil || from != FromHost && from != FromDevice {
		return nil, ErrKey
	}
	return aead, nil
}
