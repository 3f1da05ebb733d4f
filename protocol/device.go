package protocol

// Messages from device to host. All are comparable values.
type (
	// Ident answers a Hello.
	Ident struct {
		Session                        uint64 // echo
		Boot                           uint32 // names one power-up, not 0
		Role                           Role
		Caps                           Caps
		Maker, Model, Serial, Firmware Text
	}

	// Status is the whole truth about a device at Tick.
	Status struct {
		Boot      uint32
		Session   uint64 // 0 = none
		Tick      uint32 // ms since power-up, modulo 2^32
		Op        uint32 // latest accepted operation of the session, 0 = none
		Kind      Kind
		Index     uint8
		Phase     Phase
		Result    Result
		Started   uint32 // tick, 0 = not yet or never
		Done      uint32 // tick, 0 = not yet
		Fault     Fault
		Lines     Lines
		Cards     uint16 // counted so far in this operation; never the depth of a cut
		LocalOps  uint32 // motions since power-up that no host ordered
		LocalKind Kind   // of the last of them
		LocalTick uint32 // when the last of them began
		RxSeq     uint32 // last frame delivered from the host: acknowledges it and all before
		RxGood    uint32
		RxBad     uint32
	}

	// Tally is the result of a scan: counts, and no order (X1).
	Tally struct {
		Session                          uint64
		Op                               uint32
		Flags                            TallyFlags
		Stop                             Stop
		Fed                              uint16 // by the feed counter
		Read                             uint16 // sum of all that follows, faces included, sent or not
		Jokers, Backs, Boxed, Unreadable uint8
		Faces                            [52]uint8 // index: suit (♠♥♦♣) × 13 + rank (A, 2 … K)
	}

	// Halted answers each Halt.
	Halted struct {
		Session uint64
		Boot    uint32
		Tick    uint32
	}

	// Nak refuses an operation, for good: another try needs another number.
	Nak struct {
		Session uint64
		Op      uint32
		Reason  Reason
	}
)

// Type tells the message's type.
func (Ident) Type() Type { return TypeIdent }

// Type tells the message's type.
func (Status) Type() Type { return TypeStatus }

// Type tells the message's type.
func (Tally) Type() Type { return TypeTally }

// Type tells the message's type.
func (Halted) Type() Type { return TypeHalted }

// Type tells the message's type.
func (Nak) Type() Type { return TypeNak }

// Usable tells whether the faces of a tally can be judged: complete, filled,
// nothing unreadable, and the sums add up (SPEC.md, section 9). Any other
// tally is "not read" (D2).
func (m Tally) Usable() bool {
	sum := int(m.Jokers) + int(m.Backs) + int(m.Boxed)
	for _, n := range m.Faces {
		sum += int(n)
	}
	return m.Flags.Has(TallyComplete|TallyFaces) && m.Stop == StopEnd && m.Unreadable == 0 && sum == int(m.Read)
}

func (m Ident) appendPayload(b []byte) []byte {
	b = le.AppendUint64(b, m.Session)
	b = le.AppendUint32(b, m.Boot)
	b = append(b, byte(m.Role))
	b = le.AppendUint32(b, uint32(m.Caps))
	return m.Firmware.append(m.Serial.append(m.Model.append(m.Maker.append(b))))
}

func (m Status) appendPayload(b []byte) []byte {
	b = le.AppendUint32(b, m.Boot)
	b = le.AppendUint64(b, m.Session)
	b = le.AppendUint32(b, m.Tick)
	b = le.AppendUint32(b, m.Op)
	b = append(b, byte(m.Kind), m.Index, byte(m.Phase), byte(m.Result))
	b = le.AppendUint32(b, m.Started)
	b = le.AppendUint32(b, m.Done)
	b = le.AppendUint16(b, uint16(m.Fault))
	b = le.AppendUint16(b, uint16(m.Lines))
	b = le.AppendUint16(b, m.Cards)
	b = le.AppendUint32(b, m.LocalOps)
	b = append(b, byte(m.LocalKind))
	b = le.AppendUint32(b, m.LocalTick)
	b = le.AppendUint32(b, m.RxSeq)
	b = le.AppendUint32(b, m.RxGood)
	return le.AppendUint32(b, m.RxBad)
}

func (m Tally) appendPayload(b []byte) []byte {
	b = le.AppendUint64(b, m.Session)
	b = le.AppendUint32(b, m.Op)
	b = append(b, byte(m.Flags), byte(m.Stop))
	b = le.AppendUint16(b, m.Fed)
	b = le.AppendUint16(b, m.Read)
	b = append(b, m.Jokers, m.Backs, m.Boxed, m.Unreadable)
	return append(b, m.Faces[:]...)
}

func (m Halted) appendPayload(b []byte) []byte {
	return le.AppendUint32(le.AppendUint32(le.AppendUint64(b, m.Session), m.Boot), m.Tick)
}

func (m Nak) appendPayload(b []byte) []byte {
	return append(le.AppendUint32(le.AppendUint64(b, m.Session), m.Op), byte(m.Reason))
}

// DecodeIdent reads a payload of TypeIdent.
func DecodeIdent(p []byte) (m Ident, err error) {
	r := reader{p: p}
	m.Session, m.Boot, m.Role, m.Caps = r.u64(), r.u32(), Role(r.u8()), Caps(r.u32())
	m.Maker.take(&r)
	m.Model.take(&r)
	m.Serial.take(&r)
	m.Firmware.take(&r)
	if r.err != nil {
		return Ident{}, r.err
	}
	return m, nil
}

// DecodeStatus reads a payload of TypeStatus.
func DecodeStatus(p []byte) (m Status, err error) {
	r := reader{p: p}
	m.Boot, m.Session, m.Tick, m.Op = r.u32(), r.u64(), r.u32(), r.u32()
	m.Kind, m.Index, m.Phase, m.Result = Kind(r.u8()), r.u8(), Phase(r.u8()), Result(r.u8())
	m.Started, m.Done = r.u32(), r.u32()
	m.Fault, m.Lines, m.Cards = Fault(r.u16()), Lines(r.u16()), r.u16()
	m.LocalOps, m.LocalKind, m.LocalTick = r.u32(), Kind(r.u8()), r.u32()
	m.RxSeq, m.RxGood, m.RxBad = r.u32(), r.u32(), r.u32()
	if r.err != nil {
		return Status{}, r.err
	}
	return m, nil
}

// DecodeTally reads a payload of TypeTally.
func DecodeTally(p []byte) (m Tally, err error) {
	r := reader{p: p}
	m.Session, m.Op, m.Flags, m.Stop, m.Fed, m.Read = r.u64(), r.u32(), TallyFlags(r.u8()), Stop(r.u8()), r.u16(), r.u16()
	m.Jokers, m.Backs, m.Boxed, m.Unreadable = r.u8(), r.u8(), r.u8(), r.u8()
	copy(m.Faces[:], r.bytes(len(m.Faces)))
	if r.err != nil {
		return Tally{}, r.err
	}
	return m, nil
}

// DecodeHalted reads a payload of TypeHalted.
func DecodeHalted(p []byte) (m Halted, err error) {
	r := reader{p: p}
	m.Session, m.Boot, m.Tick = r.u64(), r.u32(), r.u32()
	if r.err != nil {
		return Halted{}, r.err
	}
	return m, nil
}

// DecodeNak reads a payload of TypeNak.
func DecodeNak(p []byte) (m Nak, err error) {
	r := reader{p: p}
	m.Session, m.Op, m.Reason = r.u64(), r.u32(), Reason(r.u8())
	if r.err != nil {
		return Nak{}, r.err
	}
	return m, nil
}
