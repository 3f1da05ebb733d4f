package protocol

import (
	"bytes"
	"hash/crc32"
)

// Decoder finds frames in a stream of bytes, however it is cut. Its memory is
// fixed, it allocates nothing, and any input is survived (SPEC.md, section 3).
// The zero value is ready and takes frames of both directions. Not to be
// shared between goroutines.
type Decoder struct {
	From Direction // whose frames are wanted; set it before the first Feed

	held  [2 * MaxCoded]byte // the chunk so far, or at least its last MaxCoded bytes
	n     int                // bytes held
	long  bool               // the chunk is longer than MaxCoded
	body  [MaxBody]byte      // the decoded body
	seen  bool
	last  uint32 // seq of the latest accepted frame
	count Counters
}

// Counters gives the counts so far.
func (d *Decoder) Counters() Counters { return d.count }

// LastSeq gives the seq of the latest accepted frame, 0 before the first:
// what Status.RxSeq carries.
func (d *Decoder) LastSeq() uint32 { return d.last }

// Feed takes the next bytes and calls emit for each frame that ends in them.
// The frame's payload is valid until emit returns; emit must not call Feed.
func (d *Decoder) Feed(b []byte, emit func(Frame)) {
	for {
		i := bytes.IndexByte(b, Delimiter)
		if i < 0 {
			d.hold(b)
			return
		}
		d.hold(b[:i])
		d.chunk(emit)
		d.n, d.long = 0, false
		b = b[i+1:]
	}
}

// hold keeps the last MaxCoded bytes of a chunk at least, and never more than
// held has room for.
func (d *Decoder) hold(b []byte) {
	if d.n+len(b) > MaxCoded {
		d.long = true
	}
	if len(b) > MaxCoded {
		b = b[len(b)-MaxCoded:]
		d.n = 0
	}
	if d.n+len(b) > len(d.held) {
		d.n = copy(d.held[:], d.held[d.n-MaxCoded:d.n])
	}
	d.n += copy(d.held[d.n:], b)
}

// chunk judges what stood between two delimiters.
func (d *Decoder) chunk(emit func(Frame)) {
	c := d.held[max(0, d.n-MaxCoded):d.n]
	if len(c) == 0 {
		return
	}
	if d.long {
		d.count.TooLong++
	} else {
		f, flaw := d.parse(c)
		switch flaw {
		case sound:
			d.deliver(f, emit)
			return
		case badCOBS:
			d.count.BadCOBS++
		case tooShort:
			d.count.TooShort++
		case badCRC:
			d.count.BadCRC++
		case badVersion:
			d.count.BadVersion++
			return
		case wrongWay:
			d.count.WrongWay++
			return
		case unknownType:
			d.count.UnknownType++
			return
		case badPayload:
			d.count.BadPayload++
			return
		}
		c = c[1:]
	}
	d.resync(c, emit)
}

// resync looks for a good frame at the end of a rejected chunk: text, or a
// frame whose delimiter was lost, stood in front of it.
func (d *Decoder) resync(c []byte, emit func(Frame)) {
	for ; len(c) > headerSize+crcSize; c = c[1:] {
		// Neither of the first two bytes of a body is 0, so they stand in
		// clear behind a code of 3 at least.
		if c[0] < 3 || c[1]&^protectedFlag != Version<<4 || !d.wanted(Type(c[2])) {
			continue
		}
		if f, flaw := d.parse(c); flaw == sound {
			d.count.Resyncs++
			d.deliver(f, emit)
			return
		}
	}
}

// deliver takes the frame into the sequence and hands it out, unless it is a
// repeat.
func (d *Decoder) deliver(f Frame, emit func(Frame)) {
	switch {
	case !d.seen:
	case f.Seq == d.last:
		d.count.Repeats++
		// Hello begins a host's numbering anew, HALT is never too many, and
		// of a sealed frame only the Opener can tell.
		if !f.Protected && f.Type != TypeHello && f.Type != TypeHalt {
			return
		}
	case f.Seq < d.last:
		d.count.Restarts++
	case f.Seq-d.last > 1:
		d.count.SeqGaps++
		d.count.Lost += uint64(f.Seq - d.last - 1)
	}
	d.seen, d.last = true, f.Seq
	d.count.OK++
	emit(f)
}

// flaw is what is wrong with an encoded body.
type flaw uint8

const (
	sound flaw = iota
	badCOBS
	tooShort
	badCRC
	badVersion
	wrongWay
	unknownType
	badPayload
)

const protectedFlag = 0x01

// parse decodes and judges one encoded body.
func (d *Decoder) parse(c []byte) (f Frame, _ flaw) {
	n, ok := unstuff(d.body[:], c)
	if !ok {
		return f, badCOBS
	}
	if n < headerSize+crcSize {
		return f, tooShort
	}
	b, crc := d.body[:n-crcSize], d.body[n-crcSize:n]
	if crc32.Checksum(b, castagnoli) != le.Uint32(crc) {
		return f, badCRC
	}
	f.Type, f.Seq, f.Payload = Type(b[1]), le.Uint32(b[2:]), b[headerSize:]
	f.Protected = b[0]&protectedFlag != 0
	f.sealed = f.Protected
	copy(f.header[:], b)
	switch {
	case b[0]&^protectedFlag != Version<<4:
		return f, badVersion
	case d.From != AnyDirection && f.Type.From() != d.From:
		return f, wrongWay
	case !f.Type.Known():
		return f, unknownType
	case f.Protected && len(f.Payload) < tagSize:
		return f, badPayload
	case !f.Protected && checkPayload(f.Type, f.Payload) != nil:
		return f, badPayload
	}
	return f, sound
}

func (d *Decoder) wanted(t Type) bool {
	return t.Known() && (d.From == AnyDirection || t.From() == d.From)
}
