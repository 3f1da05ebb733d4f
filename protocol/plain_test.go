package protocol

// A second reading of SPEC.md, as plain as can be and sharing nothing with
// the package: the judge of CRC and COBS in the tests.

func plainCRC(b []byte) uint32 {
	c := uint32(0xffffffff)
	for _, x := range b {
		for bit := range 8 {
			top := (c ^ uint32(x>>bit)) & 1
			c >>= 1
			if top != 0 {
				c ^= 0x82f63b78
			}
		}
	}
	return ^c
}

func plainCOBS(body []byte) []byte {
	var out, run []byte
	for _, x := range append(append([]byte{}, body...), 0) {
		if x == 0 {
			out = append(append(out, byte(len(run)+1)), run...)
			run = nil
			continue
		}
		run = append(run, x)
	}
	return out
}

// plainFrame makes a frame of any header and payload, right or wrong.
func plainFrame(flags byte, t Type, seq uint32, payload []byte) []byte {
	b := append([]byte{flags, byte(t), byte(seq), byte(seq >> 8), byte(seq >> 16), byte(seq >> 24)}, payload...)
	c := plainCRC(b)
	return append(plainCOBS(append(b, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))), 0)
}
