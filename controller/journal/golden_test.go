package journal

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goldenV1 is the journal of format 1 that every later version must accept, with the
// head that it had when it shipped. Neither may ever change.
const (
	goldenV1     = "testdata/v1.db"
	goldenV1Head = "16:a5c448d5625a9bd24c64f3ee9304deea0b22b9824f1015c780ec37ae276f2275"
)

var writeGolden = flag.Bool("write-golden", false, "make "+goldenV1+" if there is none")

func goldenEntries() []Entry {
	all := sample()
	add := func(e Entry) { all = append(all, e) }
	add(Entry{Stream: "table/1", N: 6, Wall: -1, Type: "odd_bytes", Version: 65535, Payload: []byte("\n{ \"text\" : \"caf\\u00e9 café 验牌 \\ud83c\\udca1 \U0001F0A1\",\t\"number\":1.50e+1 } ")})
	add(Entry{Stream: "table/1", N: 7, Wall: 1<<63 - 1, Type: "columns", Version: 0, Payload: []byte(`{"hand":9223372036854775807,"deck":"\u0041","by":"","key":"\"k\"","session":null}`)})
	add(Entry{Stream: "table/1", N: 8, Wall: -1 << 63, Type: "no_columns", Version: 1, Payload: []byte(`{"hand":9223372036854775808,"deck":7,"by":["x"],"session":"a\u0000b","inner":{"hand":1,"key":"x"},"Hand":3}`)})
	add(Entry{Stream: "a:b.c_d-E/9", N: 1, Wall: 0, Type: "empty", Version: 1, Payload: []byte(`{}`)})
	add(Entry{Stream: "table/1", N: 9, Wall: 1, Type: "long", Version: 1, Payload: []byte(`{"deck":"` + strings.Repeat("é", 128) + `","by":"` + strings.Repeat("x", 257) + `","text":"` + strings.Repeat("long ", 2000) + `"}`)})
	return all
}

func TestX3_GoldenV1(t *testing.T) {
	if *writeGolden {
		makeGolden(t)
	}
	published, err := ParseHead(goldenV1Head)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copyFile(t, goldenV1, filepath.Join(dir, fileName))
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	entries := goldenEntries()
	r, err := Verify(s, Check{Published: []Head{published}})
	if err != nil || !r.OK() || r.Head.String() != goldenV1Head || r.Records != uint64(len(entries)) {
		t.Fatalf("%v, %+v", err, r)
	}
	i := 0
	for got, err := range s.Records(0, Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if want := entries[i]; fmt.Sprintf("%+v", got.Entry) != fmt.Sprintf("%+v", want) {
			t.Errorf("record %d is %+v, want %+v", i+1, got.Entry, want)
		}
		i++
	}
	if _, err := s.Append([]Entry{{Stream: "room", N: 3, Type: "goes_on", Payload: []byte(`{}`)}}); err != nil {
		t.Errorf("the old journal does not go on: %v", err)
	}
}

func makeGolden(t *testing.T) {
	if _, err := os.Stat(goldenV1); err == nil {
		t.Fatalf("%s exists: what shipped is never made anew", goldenV1)
	}
	s, err := Open(t.TempDir(), Options{Chain: "golden-v1"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Append(goldenEntries()); err != nil {
		t.Fatal(err)
	}
	r, err := s.Backup(goldenV1)
	if err != nil {
		t.Fatal(err)
	}
	t.Fatalf("made %s; its head is %v", goldenV1, r.Head)
}

// The verifier printed in FORMAT.md is run as an auditor would.
func TestX3_VerifierOfFORMAT(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	text, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(text)
	if code == nil {
		t.Fatal("FORMAT.md shows no verifier")
	}
	script := filepath.Join(t.TempDir(), "verify.py")
	write(t, script, code[1])
	run := func(args ...string) (string, bool) {
		out, err := exec.Command(python, append([]string{script}, args...)...).CombinedOutput()
		return string(out), err == nil
	}
	golden := filepath.Join(t.TempDir(), "v1.db")
	copyFile(t, goldenV1, golden)
	if out, ok := run(golden, goldenV1Head); !ok || out != goldenV1Head+"\n" {
		t.Errorf("golden journal: %s", out)
	}
	f := forge(t, sample())
	f.tamper("UPDATE record SET wall = 0 WHERE pos = 3; UPDATE record SET deck = 'Z' WHERE pos = 5; UPDATE record SET payload = x'5b5d' WHERE pos = 7; DELETE FROM record WHERE pos = 9")
	want := "pos 3: hash differs\npos 5: query columns differ from the payload\npos 7: hash differs\npos 7: payload: not an object\n" +
		"pos 10: follows 8\npos 10: hash differs\n"
	if out, ok := run(f.path, f.head.String()); ok || !strings.HasPrefix(out, want) {
		t.Errorf("tampered journal:\n%s\nwant\n%s", out, want)
	}
	if out, ok := run(f.path, "99:"+f.head.Hash.String()); ok || !strings.Contains(out, "cut\n") {
		t.Errorf("cut journal: %s", out)
	}
}
