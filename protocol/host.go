package protocol

// Messages from host to device. All are comparable values.
type (
	// Hello opens or confirms a session.
	Hello struct {
		Session     uint64 // random, not 0
		HostVersion Text
	}

	// Poll says "I am here".
	Poll struct{}

	// Step orders one motion of a shuffle.
	Step struct {
		Op     uint32 // rising within a session, not 0
		Kind   Kind
		Index  uint8  // place in the host's procedure, only echoed
		Expect uint16 // cards, 0 = not stated
		MinCut uint8  // only for KindCut (S7)
	}

	// Release orders the pack out of the machine, counted at the exit.
	Release struct {
		Op     uint32
		Expect uint16 // cards, 0 = whatever is inside
	}

	// Scan orders the reading of a pack. It ends in a Tally.
	Scan struct {
		Op     uint32
		Expect uint16 // cards, 0 = not stated; a hint only
		MaxMs  uint32 // 0 = DefaultScan
	}

	// Reset clears halt and a fault whose cause is gone, leaves sort mode, homes.
	Reset struct{ Op uint32 }

	// TallyAck says that the tally of a scan is safe.
	TallyAck struct{ Op uint32 }

	// Halt stops all motion.
	Halt struct{}
)

// Type tells the message's type.
func (Hello) Type() Type { return TypeHello }

// Type tells the message's type.
func (Poll) Type() Type { return TypePoll }

// Type tells the message's type.
func (Step) Type() Type { return TypeStep }

// Type tells the message's type.
func (Release) Type() Type { return TypeRelease }

// Type tells the message's type.
func (Scan) Type() Type { return TypeScan }

// Type tells the message's type.
func (Reset) Type() Type { return TypeReset }

// Type tells the message's type.
func (TallyAck) Type() Type { return TypeTallyAck }

// Type tells the message's type.
func (Halt) Type() Type { return TypeHalt }

func (m Hello) appendPayload(b []byte) []byte {
	return m.HostVersion.append(le.AppendUint64(b, m.Session))
}

func (m Step) appendPayload(b []byte) []byte {
	b = le.AppendUint32(b, m.Op)
	b = append(b, byte(m.Kind), m.Index)
	b = le.AppendUint16(b, m.Expect)
	return append(b, m.MinCut)
}

func (m Release) appendPayload(b []byte) []byte {
	return le.AppendUint16(le.AppendUint32(b, m.Op), m.Expect)
}

func (m Scan) appendPayload(b []byte) []byte {
	return le.AppendUint32(le.AppendUint16(le.AppendUint32(b, m.Op), m.Expect), m.MaxMs)
}

func (m Reset) appendPayload(b []byte) []byte    { return le.AppendUint32(b, m.Op) }
func (m TallyAck) appendPayload(b []byte) []byte { return le.AppendUint32(b, m.Op) }

// DecodeHello reads a payload of TypeHello.
func DecodeHello(p []byte) (m Hello, err error) {
	r := reader{p: p}
	m.Session = r.u64()
	m.HostVersion.take(&r)
	if r.err == nil && m.Session == 0 {
		r.fail(ErrSession)
	}
	if r.err != nil {
		return Hello{}, r.err
	}
	return m, nil
}

// DecodeStep reads a payload of TypeStep.
func DecodeStep(p []byte) (m Step, err error) {
	r := reader{p: p}
	m.Op, m.Kind, m.Index, m.Expect, m.MinCut = r.u32(), Kind(r.u8()), r.u8(), r.u16(), r.u8()
	if r.err != nil {
		return Step{}, r.err
	}
	return m, nil
}

// DecodeRelease reads a payload of TypeRelease.
func DecodeRelease(p []byte) (m Release, err error) {
	r := reader{p: p}
	m.Op, m.Expect = r.u32(), r.u16()
	if r.err != nil {
		return Release{}, r.err
	}
	return m, nil
}

// DecodeScan reads a payload of TypeScan.
func DecodeScan(p []byte) (m Scan, err error) {
	r := reader{p: p}
	m.Op, m.Expect, m.MaxMs = r.u32(), r.u16(), r.u32()
	if r.err != nil {
		return Scan{}, r.err
	}
	return m, nil
}

// DecodeReset reads a payload of TypeReset.
func DecodeReset(p []byte) (m Reset, err error) {
	r := reader{p: p}
	m.Op = r.u32()
	return m, r.err
}

// DecodeTallyAck reads a payload of TypeTallyAck.
func DecodeTallyAck(p []byte) (m TallyAck, err error) {
	r := reader{p: p}
	m.Op = r.u32()
	return m, r.err
}
