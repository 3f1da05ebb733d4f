package protocol

// stuff encodes b[1:] by COBS in place; b[0] takes the first code. A body is
// shorter than 254 bytes, so the encoded form is always one byte longer.
func stuff(b []byte) {
	code := 0
	for i := 1; i < len(b); i++ {
		if b[i] == 0 {
			b[code] = byte(i - code)
			code = i
		}
	}
	b[code] = byte(len(b) - code)
}

// unstuff decodes src, which holds no zero, into dst and tells how many bytes
// it gave. It is false if a code points past the end or dst is too small.
//
// Without blocks of 254 each byte keeps its place, and each code but the first
// stands where a zero was.
func unstuff(dst, src []byte) (n int, ok bool) {
	if len(src) == 0 || len(src)-1 > len(dst) {
		return 0, false
	}
	n = copy(dst, src[1:])
	i := int(src[0])
	for i < len(src) {
		dst[i-1] = 0
		i += int(src[i])
	}
	return n, i == len(src)
}
