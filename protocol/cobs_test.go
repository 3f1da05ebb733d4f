package protocol

import (
	"bytes"
	"testing"
)

// Every body there is room for, of the patterns that matter to COBS, both
// ways, against the plain version.
func TestCOBSOfEveryLength(t *testing.T) {
	for n := range MaxBody + 1 {
		for _, zeroEvery := range []int{1, 2, 3, 5, 64, 1000} {
			for shift := range min(zeroEvery, 5) {
				b := make([]byte, n+1)
				for i := range n {
					if (i+shift)%zeroEvery != 0 {
						b[i+1] = byte(i | 1)
					}
				}
				want := plainCOBS(b[1:])
				coded := bytes.Clone(b)
				if stuff(coded); !bytes.Equal(coded, want) {
					t.Fatalf("%x: %x, want %x", b[1:], coded, want)
				}
				got := make([]byte, n)
				if m, ok := unstuff(got, coded); !ok || m != n || !bytes.Equal(got, b[1:]) {
					t.Fatalf("%x decoded to %x", coded, got)
				}
				if n > 0 {
					if _, ok := unstuff(got[:n-1], coded); ok {
						t.Fatalf("%d bytes fitted into %d", n, n-1)
					}
				}
			}
		}
	}
}

// A code that does not lead exactly to the end is always seen.
func TestCOBSCodePastTheEnd(t *testing.T) {
	var out [MaxBody]byte
	if _, ok := unstuff(out[:], nil); ok {
		t.Error("nothing at all decoded")
	}
	for n := 1; n <= MaxCoded; n++ {
		for code := 1; code < 256; code++ {
			c := bytes.Repeat([]byte{1}, n)
			c[0] = byte(code)
			if _, ok := unstuff(out[:], c); ok != (code <= n) {
				t.Fatalf("code %d of %d: %v", code, n, ok)
			}
		}
	}
}
