package protocol

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type vector struct {
	name      string
	from      Direction
	key       []byte
	canonical bool
	wire      []byte
	want      []string // "frame ..." and "refused ..." lines
	count     map[string]uint64
}

type primitives struct {
	crc  [][2]string
	cobs [][2]string
}

func readVectors(t *testing.T) (vs []vector, p primitives) {
	t.Helper()
	file, err := os.Open("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var v vector
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		w, rest, _ := strings.Cut(in.Text(), " ")
		switch w {
		case "", "#":
		case "crc", "cobs":
			a, b, _ := strings.Cut(rest, " ")
			if w == "crc" {
				p.crc = append(p.crc, [2]string{a, b})
			} else {
				p.cobs = append(p.cobs, [2]string{a, b})
			}
		case "vector":
			v = vector{name: rest, count: map[string]uint64{}}
		case "from":
			v.from = map[string]Direction{"host": FromHost, "device": FromDevice}[rest]
		case "key":
			v.key = unhex(t, rest)
		case "canonical":
			v.canonical = true
		case "resync":
		case "wire":
			v.wire = append(v.wire, unhex(t, rest)...)
		case "frame", "refused":
			v.want = append(v.want, in.Text())
		case "count":
			for _, f := range strings.Fields(rest) {
				k, x, _ := strings.Cut(f, "=")
				u, err := strconv.ParseUint(x, 10, 64)
				if err != nil {
					t.Fatalf("vectors.txt:%d: %v", n, err)
				}
				v.count[k] = u
			}
		case "end":
			vs = append(vs, v)
		default:
			t.Fatalf("vectors.txt:%d: unknown word %q", n, w)
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return vs, p
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	if s == "-" {
		return nil
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return b
}

// receive feeds the wire bytes in pieces of n and writes what comes of them.
func (v vector) receive(t *testing.T, n int) (got []string, _ Counters) {
	d := Decoder{From: v.from}
	var o *Opener
	if v.key != nil {
		var err error
		if o, err = NewOpener(v.key, v.from); err != nil {
			t.Fatal(err)
		}
	}
	for piece := range slices.Chunk(v.wire, n) {
		d.Feed(piece, func(f Frame) {
			if o != nil {
				var err error
				if f, err = o.Open(f); err != nil {
					why := map[error]string{ErrForged: "forged", ErrReplay: "replay", ErrPlain: "plain"}[err]
					got = append(got, "refused "+why)
					return
				}
			}
			m, err := f.Message()
			if err != nil {
				t.Errorf("delivered frame does not decode: %v", err)
				return
			}
			got = append(got, "frame "+line(f.Seq, f.Protected, m))
		})
	}
	return got, d.Counters()
}

func TestVectors(t *testing.T) {
	vs, _ := readVectors(t)
	if len(vs) < 60 {
		t.Fatalf("only %d vectors read", len(vs))
	}
	for _, v := range vs {
		t.Run(v.name, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 7, 64, len(v.wire)} {
				got, c := v.receive(t, n)
				if !slices.Equal(got, v.want) {
					t.Fatalf("pieces of %d\n got %s\nwant %s", n, strings.Join(got, "\n     "), strings.Join(v.want, "\n     "))
				}
				if g := counts(c); !maps.Equal(g, v.count) {
					t.Fatalf("pieces of %d: counts %v, want %v", n, g, v.count)
				}
			}
			if v.canonical {
				if again := v.encode(t); !bytes.Equal(again, v.wire) {
					t.Errorf("encoded\n got %x\nwant %x", again, v.wire)
				}
			}
		})
	}
}

// encode makes the frames of a vector again from what was decoded.
func (v vector) encode(t *testing.T) (out []byte) {
	d := Decoder{From: v.from}
	d.Feed(v.wire, func(f Frame) {
		if v.key == nil {
			m, err := f.Message()
			if err != nil {
				t.Fatal(err)
			}
			out = AppendFrame(out, f.Seq, m)
			return
		}
		o, _ := NewOpener(v.key, v.from)
		s, _ := NewSealer(v.key, v.from)
		f, err := o.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Message()
		if err != nil {
			t.Fatal(err)
		}
		if out, err = s.AppendFrame(out, f.Seq, m); err != nil {
			t.Fatal(err)
		}
	})
	return out
}

// Each message of the protocol must stand in the vectors, plain and in form.
func TestVectorsCoverEveryType(t *testing.T) {
	vs, _ := readVectors(t)
	seen := map[string]bool{}
	for _, v := range vs {
		if v.canonical && v.key == nil {
			seen[strings.Fields(v.want[0])[1]] = true
		}
	}
	for x := range 256 {
		if ty := Type(x); ty.Known() && !seen[ty.String()] {
			t.Errorf("no vector for %s", ty)
		}
	}
}

// The vectors are judged by a second implementation too, so that neither they
// nor the package can be wrong alone.
func TestVectorsOfCRCAndCOBS(t *testing.T) {
	_, p := readVectors(t)
	if len(p.crc) < 5 || len(p.cobs) < 15 {
		t.Fatalf("only %d and %d lines read", len(p.crc), len(p.cobs))
	}
	for _, l := range p.crc {
		b := unhex(t, l[0])
		if got := fmt.Sprintf("%08x", plainCRC(b)); got != l[1] {
			t.Errorf("plain CRC of %s: %s, want %s", l[0], got, l[1])
		}
		// The package's CRC, as it leaves in a frame.
		buf := finish(append([]byte{0}, b...), 0)
		var body [300]byte
		n, ok := unstuff(body[:], buf[:len(buf)-1])
		if !ok || n != len(b)+4 || fmt.Sprintf("%08x", le.Uint32(body[n-4:n])) != l[1] {
			t.Errorf("CRC of %s: %x, want %s", l[0], body[n-4:n], l[1])
		}
	}
	for _, l := range p.cobs {
		coded := unhex(t, l[1])
		var out [MaxBody]byte
		n, ok := unstuff(out[:], coded)
		if l[0] == "bad" {
			if ok {
				t.Errorf("COBS %s decoded to %x", l[1], out[:n])
			}
			continue
		}
		body := unhex(t, l[0])
		if !ok || !bytes.Equal(out[:n], body) {
			t.Errorf("COBS %s decoded to %x, want %s", l[1], out[:n], l[0])
		}
		if got := plainCOBS(body); !bytes.Equal(got, coded) {
			t.Errorf("plain COBS of %s: %x, want %s", l[0], got, l[1])
		}
		b := append([]byte{0}, body...)
		if stuff(b); !bytes.Equal(b, coded) {
			t.Errorf("COBS of %s: %x, want %s", l[0], b, l[1])
		}
	}
}
