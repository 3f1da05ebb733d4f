package protocol

import "time"

// Constants of the specification (SPEC.md, section 1). Both ends rely on them.
const (
	Version = 1 // of the protocol, high half of the first header byte

	MaxBody      = 192         // bytes of header, payload and CRC
	MaxCoded     = MaxBody + 1 // bytes of an encoded body without its delimiter
	MaxFrame     = MaxCoded + 1
	MaxHostFrame = 64 // bytes of a frame from host to device, delimiter included
	MaxUnacked   = 64 // bytes sent by the host and not yet acknowledged; HALT is exempt

	PollEvery      = 100 * time.Millisecond // the host sends some frame at least so often
	HostSilence    = 500 * time.Millisecond // the device stops after so long without one
	StatusEvery    = 200 * time.Millisecond
	TallyEvery     = 200 * time.Millisecond
	AnswerWithin   = 50 * time.Millisecond
	HaltStopWithin = 50 * time.Millisecond

	MaxExpect   = 512 // cards in an order
	MaxScan     = 600 * time.Second
	DefaultScan = 60 * time.Second

	Baud = 115200
)

// Constants of tuning: the host's own, no device relies on them.
const (
	HelloRetry    = 250 * time.Millisecond
	OpRetry       = 100 * time.Millisecond
	HaltRetry     = 20 * time.Millisecond
	DeviceSilence = 1000 * time.Millisecond // then the link is lost
)

// Delimiter ends a frame; in front of one it cuts short whatever was half sent.
const Delimiter = 0x00

const (
	headerSize = 6
	crcSize    = 4
	tagSize    = 16
)
