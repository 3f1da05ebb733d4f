package protocol

import "encoding/binary"

var le = binary.LittleEndian

// reader takes fields from the front of a payload. After a failure all it
// gives is zero; the first error stays.
type reader struct {
	p   []byte
	err error
}

func (r *reader) fail(e Error) {
	if r.err == nil {
		r.err = e
	}
	r.p = nil
}

func (r *reader) bytes(n int) []byte {
	if len(r.p) < n {
		r.fail(ErrShort)
		return nil
	}
	b := r.p[:n]
	r.p = r.p[n:]
	return b
}

func (r *reader) u8() uint8 {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16() uint16 {
	if b := r.bytes(2); b != nil {
		return le.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.bytes(4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.bytes(8); b != nil {
		return le.Uint64(b)
	}
	return 0
}
