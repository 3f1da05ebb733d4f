package protocol

// Counters of a receiver (SPEC.md, section 3). The zero value is ready.
type Counters struct {
	OK          uint64 // frames delivered
	TooLong     uint64
	BadCOBS     uint64
	TooShort    uint64
	BadCRC      uint64
	BadVersion  uint64
	WrongWay    uint64 // echo, loop-back plug
	UnknownType uint64
	BadPayload  uint64
	Repeats     uint64 // same seq again
	SeqGaps     uint64
	Lost        uint64 // frames missing in those gaps: an estimate
	Restarts    uint64 // seq went back: the sender began anew
	Resyncs     uint64 // frames found inside a rejected chunk
}

// Bad sums what was rejected; a repeat is none. Status.RxBad carries it.
func (c Counters) Bad() uint64 {
	return c.TooLong + c.BadCOBS + c.TooShort + c.BadCRC + c.BadVersion + c.WrongWay + c.UnknownType + c.BadPayload
}
