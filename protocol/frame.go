package protocol

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Message is one of the messages of this package, as a value.
type Message interface{ Type() Type }

// Frame is what a Decoder delivers. It is valid only until the Decoder's next
// step: decode its payload in the callback.
type Frame struct {
	Seq       uint32
	Type      Type
	Protected bool   // Payload is sealed unless Opener gave this frame
	Payload   []byte // borrowed

	sealed bool
	header [headerSize]byte // as sent: the associated data of a protected frame
}

// Message decodes the payload. Unlike the Decode functions it allocates.
func (f Frame) Message() (Message, error) {
	if f.sealed {
		return nil, ErrProtected
	}
	switch f.Type {
	case TypeHello:
		return boxed(DecodeHello(f.Payload))
	case TypePoll:
		return Poll{}, nil
	case TypeStep:
		return boxed(DecodeStep(f.Payload))
	case TypeRelease:
		return boxed(DecodeRelease(f.Payload))
	case TypeScan:
		return boxed(DecodeScan(f.Payload))
	case TypeReset:
		return boxed(DecodeReset(f.Payload))
	case TypeTallyAck:
		return boxed(DecodeTallyAck(f.Payload))
	case TypeHalt:
		return Halt{}, nil
	case TypeIdent:
		return boxed(DecodeIdent(f.Payload))
	case TypeStatus:
		return boxed(DecodeStatus(f.Payload))
	case TypeTally:
		return boxed(DecodeTally(f.Payload))
	case TypeHalted:
		return boxed(DecodeHalted(f.Payload))
	case TypeNak:
		return boxed(DecodeNak(f.Payload))
	}
	return nil, ErrUnknownType
}

func boxed[M Message](m M, err error) (Message, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// checkPayload tells whether the payload of a known type can be decoded.
// Without texts its length decides, and the receiver need not decode twice.
func checkPayload(t Type, p []byte) (err error) {
	need := 0
	switch t {
	case TypeHello:
		_, err = DecodeHello(p)
	case TypeIdent:
		_, err = DecodeIdent(p)
	case TypePoll, TypeHalt:
	case TypeStep:
		need = 9
	case TypeRelease:
		need = 6
	case TypeScan:
		need = 10
	case TypeReset, TypeTallyAck:
		need = 4
	case TypeStatus:
		need = 59
	case TypeTally:
		need = 74
	case TypeHalted:
		need = 16
	case TypeNak:
		need = 13
	default:
		return ErrUnknownType
	}
	if len(p) < need {
		return ErrShort
	}
	return err
}

// AppendFrame appends one whole frame with its delimiter. It allocates only if
// dst lacks room for MaxFrame bytes. It panics if m is not a message of this
// package, given as a value.
func AppendFrame(dst []byte, seq uint32, m Message) []byte {
	start := len(dst)
	return finish(appendMessage(append(dst, 0), Version<<4, seq, m), start)
}

// AppendHalt appends a delimiter, which cuts short a frame that is half sent,
// and a Halt.
func AppendHalt(dst []byte, seq uint32) []byte {
	return AppendFrame(append(dst, Delimiter), seq, Halt{})
}

// appendMessage appends header and payload. It calls no method of the
// interface, not even Type, so that a message given as a value does not move
// to the heap.
func appendMessage(dst []byte, flags byte, seq uint32, m Message) []byte {
	at := len(dst)
	dst = le.AppendUint32(append(dst, flags, 0), seq)
	var t Type
	switch m := m.(type) {
	case Hello:
		t, dst = TypeHello, m.appendPayload(dst)
	case Poll:
		t = TypePoll
	case Step:
		t, dst = TypeStep, m.appendPayload(dst)
	case Release:
		t, dst = TypeRelease, m.appendPayload(dst)
	case Scan:
		t, dst = TypeScan, m.appendPayload(dst)
	case Reset:
		t, dst = TypeReset, m.appendPayload(dst)
	case TallyAck:
		t, dst = TypeTallyAck, m.appendPayload(dst)
	case Halt:
		t = TypeHalt
	case Ident:
		t, dst = TypeIdent, m.appendPayload(dst)
	case Status:
		t, dst = TypeStatus, m.appendPayload(dst)
	case Tally:
		t, dst = TypeTally, m.appendPayload(dst)
	case Halted:
		t, dst = TypeHalted, m.appendPayload(dst)
	case Nak:
		t, dst = TypeNak, m.appendPayload(dst)
	default:
		panic("protocol: not a message, or a pointer to one")
	}
	dst[at+1] = byte(t)
	return dst
}

// finish adds the CRC to the body at dst[start+1:], encodes it in place and
// adds the delimiter.
func finish(dst []byte, start int) []byte {
	dst = le.AppendUint32(dst, crc32.Checksum(dst[start+1:], castagnoli))
	stuff(dst[start:])
	return append(dst, Delimiter)
}
