package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"
)

// The worked example of FORMAT.md section 10, typed from there.
const (
	exampleGenesis = "0798c3fea99cc5f11c18bf4b3a2614fbbeecff67bafbf82a0920bba85a767cb5"
	exampleHead    = "1:f03d1246f66e68a211f7692cce39f7aeab9e47b7da6393c79cccfed5cdd16559"
)

var exampleRecord = Record{Pos: 1, Entry: Entry{Stream: "table/1", N: 1, Wall: 1700000000123,
	Type: "hand_start", Version: 1, Payload: []byte(`{"hand":1}`)}}

func TestX3_WorkedExampleOfFORMAT(t *testing.T) {
	text, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	genesis := Genesis("example")
	head := Head{Pos: 1, Hash: exampleRecord.Chain(genesis)}
	for got, want := range map[string]string{genesis.String(): exampleGenesis, head.String(): exampleHead} {
		if got != want {
			t.Errorf("computed %s, want %s", got, want)
		}
		if !bytes.Contains(text, []byte("= "+want+"\n")) {
			t.Errorf("FORMAT.md does not show %s", want)
		}
	}
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), strings.Join(strings.Fields(schema1[:strings.Index(schema1, "CREATE INDEX")]), " ")) {
		t.Error("FORMAT.md shows other tables than schema1")
	}
}

// Changing any one field changes the hash.
func TestX3_HashCoversEachField(t *testing.T) {
	genesis := Genesis("example")
	changes := map[string]func(*Record){
		"pos":     func(r *Record) { r.Pos++ },
		"stream":  func(r *Record) { r.Stream = "table/2" },
		"n":       func(r *Record) { r.N++ },
		"wall":    func(r *Record) { r.Wall = -r.Wall },
		"type":    func(r *Record) { r.Type = "hand_Start" },
		"version": func(r *Record) { r.Version++ },
		"payload": func(r *Record) { r.Payload = []byte(`{"hand": 1}`) },
		"shift":   func(r *Record) { r.Type, r.Stream = "hand_startt", "able/1" },
	}
	want := exampleRecord.Chain(genesis)
	for name, change := range changes {
		r := exampleRecord
		if change(&r); r.Chain(genesis) == want {
			t.Errorf("a change of %s leaves the hash as it is", name)
		}
	}
	if exampleRecord.Chain(Genesis("examplf")) == want {
		t.Error("the hash does not depend on the chain id")
	}
	other := exampleRecord
	other.Hash[0] = 1
	if other.Chain(genesis) != want {
		t.Error("the hash depends on the stored hash")
	}
}

// decodePreimage reads back what appendPreimage wrote. That it can is the proof that no
// two inputs share their bytes.
func decodePreimage(b []byte) (domain string, previous Hash, r Record, err error) {
	cut := errors.New("cut")
	take := func(n int) []byte {
		if err != nil || n > len(b) {
			err = cut
			return make([]byte, min(n, 64))
		}
		head := b[:n]
		b = b[n:]
		return head
	}
	str := func() string { return string(take(int(binary.BigEndian.Uint32(take(4))))) }
	domain = str()
	copy(previous[:], take(32))
	r.Version = binary.BigEndian.Uint16(take(2))
	r.Type = str()
	r.Stream = str()
	r.N = binary.BigEndian.Uint64(take(8))
	r.Pos = binary.BigEndian.Uint64(take(8))
	r.Wall = int64(binary.BigEndian.Uint64(take(8)))
	r.Payload = []byte(str())
	if err == nil && len(b) > 0 {
		err = errors.New("bytes left over")
	}
	return domain, previous, r, err
}

func FuzzX3_PreimageIsInjective(f *testing.F) {
	f.Add([]byte("previous"), uint16(1), "hand_start", "table/1", uint64(1), uint64(1), int64(1700000000123), []byte(`{"hand":1}`))
	f.Add([]byte{}, uint16(0), "", "", uint64(0), uint64(0), int64(-1), []byte{})
	f.Add([]byte{0}, uint16(65535), "\x00\x00\x00\x01a", "a", uint64(1)<<63, ^uint64(0), int64(-1)<<63, []byte("\x00"))
	f.Fuzz(func(t *testing.T, prev []byte, version uint16, kind, stream string, n, pos uint64, wall int64, payload []byte) {
		want := Record{Pos: pos, Entry: Entry{Stream: stream, N: n, Wall: wall, Type: kind, Version: version, Payload: payload}}
		previous := Hash(sha256.Sum256(prev))
		domain, gotPrevious, got, err := decodePreimage(appendPreimage(nil, previous, &want))
		if err != nil || domain != recordDomain || gotPrevious != previous {
			t.Fatalf("%v %q", err, domain)
		}
		if got.Pos != want.Pos || got.Stream != want.Stream || got.N != want.N || got.Wall != want.Wall ||
			got.Type != want.Type || got.Version != want.Version || !bytes.Equal(got.Payload, want.Payload) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func FuzzParseHead(f *testing.F) {
	f.Add(exampleHead)
	f.Add("0:" + exampleGenesis)
	f.Add("9223372036854775807:" + strings.ToUpper(exampleGenesis))
	f.Add("01:" + exampleGenesis)
	f.Add("+1:" + exampleGenesis)
	f.Add("18446744073709551615:" + exampleGenesis)
	f.Add(":")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := ParseHead(s)
		if err != nil {
			if h != (Head{}) {
				t.Fatalf("%q: an error and a head %v", s, h)
			}
			return
		}
		if !strings.EqualFold(h.String(), s) {
			t.Fatalf("%q became %q", s, h)
		}
		if again, err := ParseHead(h.String()); err != nil || again != h {
			t.Fatalf("%q does not come back: %v", h, err)
		}
	})
}

func TestParseHead(t *testing.T) {
	h, err := ParseHead(exampleHead)
	if err != nil || h.Pos != 1 || h.Hash != exampleRecord.Chain(Genesis("example")) {
		t.Errorf("ParseHead = %v, %v", h, err)
	}
	if h, err := ParseHead(strings.ToUpper(exampleHead)); err != nil || h.String() != exampleHead {
		t.Errorf("upper case: %v, %v", h, err)
	}
	for _, s := range []string{"", ":", "1", "1:", ":" + exampleGenesis, "01:" + exampleGenesis, "-1:" + exampleGenesis,
		"+1:" + exampleGenesis, " 1:" + exampleGenesis, exampleHead + "0", exampleHead[:len(exampleHead)-1], exampleHead + "\n",
		"9223372036854775808:" + exampleGenesis, "1:" + strings.Repeat("g", 64)} {
		if h, err := ParseHead(s); err == nil || h != (Head{}) {
			t.Errorf("ParseHead(%q) = %v, %v", s, h, err)
		}
	}
}
