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
func unstuff(dst, src []byte) (n int, ok bool) {
	for len(src) > 0 {
		run := int(src[0])
		if run > len(src) || n+run > len(dst)+1 {
			return 0, false
		}
		n += copy(dst[n:], src[1:run])
		src = src[run:]
		if len(src) > 0 {
			if n == len(dst) {
				return 0, false
			}
			dst[n] = 0
			n++
		}
	}
	return n, true
}
