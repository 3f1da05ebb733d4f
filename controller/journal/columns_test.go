package journal

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func hand(n int64) sql.Null[int64] { return sql.Null[int64]{V: n, Valid: true} }

func TestDerive(t *testing.T) {
	long := strings.Repeat("é", 128)
	for _, c := range []struct {
		payload string
		want    Columns
	}{
		{`{}`, Columns{}},
		{` { } `, Columns{}},
		{`{"hand":17,"deck":"A","by":"floor:7","key":"k","session":"s"}`, Columns{hand(17), "A", "floor:7", "k", "s"}},
		{"\n{\t\"hand\" :\r17 , \"deck\" : \"A\"\n}", Columns{Hand: hand(17), Deck: "A"}},
		{`{"hand":0}`, Columns{Hand: hand(0)}},
		{`{"hand":9223372036854775807}`, Columns{Hand: hand(1<<63 - 1)}},
		{`{"hand":9223372036854775808}`, Columns{}},
		{`{"hand":-1}`, Columns{}},
		{`{"hand":1.0}`, Columns{}},
		{`{"hand":1e3}`, Columns{}},
		{`{"hand":"1"}`, Columns{}},
		{`{"hand":[1]}`, Columns{}},
		{`{"hand":null,"deck":null,"by":true,"session":{"deck":"Z"}}`, Columns{}},
		{`{"Hand":1,"DECK":"A","actor":"x"}`, Columns{}},
		{`{"inner":{"hand":1,"deck":"A"},"list":["}",{"key":"x"}],"by":"b"}`, Columns{Actor: "b"}},
		{`{"deck":""}`, Columns{}},
		{`{"deck":"\u0041\n\"\\"}`, Columns{Deck: "A\n\"\\"}},
		{`{"\u0064eck":"A"}`, Columns{Deck: "A"}},
		{`{"deck":"a\u0000b"}`, Columns{}},
		{`{"deck":"\ud800"}`, Columns{Deck: "\ufffd"}},
		{`{"deck":"` + long + `"}`, Columns{Deck: long}},
		{`{"deck":"` + long + `x"}`, Columns{}},
		{`{"x":"\\","deck":"A"}`, Columns{Deck: "A"}},
		{`{"x":1,"deck":"A","y":-1.5e3}`, Columns{Deck: "A"}},
	} {
		got, err := Derive([]byte(c.payload))
		if err != nil || got != c.want {
			t.Errorf("Derive(%.60s) = %+v, %v, want %+v", c.payload, got, err, c.want)
		}
	}
	for _, p := range []string{``, ` `, `null`, `[]`, `"a"`, `1`, `{`, `{}x`, `{"a":1,}`, "{\"a\":\"\xff\"}", `{"a":1,"a":1}`, `{"":1,"":2}`, "\ufeff{}"} {
		if c, err := Derive([]byte(p)); err == nil || c != (Columns{}) {
			t.Errorf("Derive(%q) = %+v, %v, want an error", p, c, err)
		}
	}
}

// The cutting of the top level agrees with encoding/json's tokens.
func FuzzDerive(f *testing.F) {
	for _, s := range []string{`{"hand":1,"deck":"A","by":"b","key":"k","session":"s"}`, `{"a":[{"b":"}"}],"deck":"\u0041"}`,
		`{"a":1,"a":2}`, `{"hand":1.5e1}`, " {\n\"x\" : [ ] , \"hand\" : 12 } ", `{"":{},"deck":"\\\""}`, `[1,2]`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		got, err := Derive(p)
		want, ok := deriveSlowly(p)
		if ok != (err == nil) || ok && got != want {
			t.Fatalf("Derive(%q) = %+v, %v; tokens say %+v, %v", p, got, err, want, ok)
		}
	})
}

func deriveSlowly(p []byte) (c Columns, ok bool) {
	if !json.Valid(p) || !bytes.Equal(p, bytes.ToValidUTF8(p, []byte("?"))) {
		return c, false
	}
	d := json.NewDecoder(bytes.NewReader(p))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return c, false
	}
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		name, isName := tok.(string)
		if err != nil || !isName || seen[name] {
			return Columns{}, false
		}
		seen[name] = true
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return Columns{}, false
		}
		var s string
		if json.Unmarshal(raw, &s) != nil || len(s) > 256 || strings.Contains(s, "\x00") {
			s = ""
		}
		var u uint64
		switch name {
		case "hand":
			if raw[0] != '-' && json.Unmarshal(raw, &u) == nil && string(raw) != "null" && u < 1<<63 {
				c.Hand = hand(int64(u))
			}
		case "deck":
			c.Deck = s
		case "by":
			c.Actor = s
		case "key":
			c.Key = s
		case "session":
			c.Session = s
		}
	}
	d.Token()
	_, err := d.Token()
	return c, err == io.EOF
}
