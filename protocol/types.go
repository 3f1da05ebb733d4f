package protocol

import "fmt"

// Type tells what a frame's payload is. The high bit is the direction.
type Type uint8

// Types of messages (SPEC.md, section 4).
const (
	TypeHello    Type = 0x01
	TypePoll     Type = 0x02
	TypeStep     Type = 0x03
	TypeRelease  Type = 0x04
	TypeScan     Type = 0x05
	TypeReset    Type = 0x06
	TypeTallyAck Type = 0x07
	TypeHalt     Type = 0x08

	TypeIdent  Type = 0x81
	TypeStatus Type = 0x82
	TypeTally  Type = 0x83
	TypeHalted Type = 0x84
	TypeNak    Type = 0x85
)

// Direction is who sends.
type Direction uint8

// Directions. The zero value is either.
const (
	AnyDirection Direction = 0
	FromHost     Direction = 1
	FromDevice   Direction = 2
)

// String gives the name that the vectors use.
func (d Direction) String() string { return name(d, "any", "host", "device") }

// From tells who sends messages of this type.
func (t Type) From() Direction {
	if t&0x80 != 0 {
		return FromDevice
	}
	return FromHost
}

// Known tells whether this version of the protocol defines t.
func (t Type) Known() bool {
	return t >= TypeHello && t <= TypeHalt || t >= TypeIdent && t <= TypeNak
}

// String gives the name in SPEC.md, or the number in hex.
func (t Type) String() string {
	if !t.Known() {
		return fmt.Sprintf("0x%02x", uint8(t))
	}
	if t.From() == FromDevice {
		return name(t&^0x80, "", "ident", "status", "tally", "halted", "nak")
	}
	return name(t, "", "hello", "poll", "step", "release", "scan", "reset", "tally_ack", "halt")
}

// name picks a value's name from a list that starts at 0.
func name[E ~uint8 | ~uint16](e E, names ...string) string {
	if int(e) < len(names) && names[e] != "" {
		return names[e]
	}
	return fmt.Sprintf("%d", e)
}
