package main

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSheet_ColumnsStandUnderEachOther, whatever scripts are in them: every cell
// begins at the column where its heading begins.
func TestSheet_ColumnsStandUnderEachOther(t *testing.T) {
	s := sheet{columns: []column{col("a", "牌副"), num("n", "N"), col("empty", "Nothing"), col("b", "Back")}}
	s.add("D-1", 7, "", "red")
	s.add("牌牌牌副", 52000, "", "蓝")
	s.add("e\u0301clair", "", "", "x\x1b[2J\u202ey")
	lines := strings.Split(strings.TrimSuffix(s.text(func(w string) string { return w }), "\n"), "\n")
	want := []string{
		"牌副          N  Back",
		"D-1           7  red",
		"牌牌牌副  52000  蓝",
		"e\u0301clair           x�[2J�y",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	for _, l := range lines {
		if at := columns(l[:strings.LastIndex(l, "  ")+2]); at != 17 {
			t.Errorf("%q: the last column begins at %d", l, at)
		}
	}
}

func TestSheet_OfNothing(t *testing.T) {
	s := sheet{columns: []column{col("a", "A")}, none: "No fault."}
	if got := s.text(func(w string) string { return w }); got != "No fault.\n" {
		t.Errorf("%q", got)
	}
	var b bytes.Buffer
	if err := s.writeCSV(&b); err != nil || b.String() != byteOrderMark+"a\r\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// TestCSV_NoFormula: what people and machines wrote is no formula for a
// spreadsheet, and numbers of ours stay numbers.
func TestCSV_NoFormula(t *testing.T) {
	for in, want := range map[any]string{
		"=1+1": "'=1+1", "+49": "'+49", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "＝1": "'＝1", "\t=1": "'\ufffd=1", "\r=1": "'\ufffd=1",
		"a=1": "a=1", "": "", "张三": "张三", -5: "-5", uint64(7): "7", false: "false",
	} {
		if got := csvCell(in); got != want {
			t.Errorf("%v became %q, want %q", in, got, want)
		}
	}
}

// FuzzCSV: whatever is in a cell, the file is one that RFC 4180 allows, a reader
// gets the text back, and no cell begins a formula.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"plain", `a "quoted", text`, "line\r\nbreak", "=cmd|' /C calc'!A0", "\ufeff=1", "\xff\xfe", "  =1", "牌副，红"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		s := sheet{columns: []column{col("a", ""), col("b", "")}}
		s.add(a, b)
		var out bytes.Buffer
		if err := s.writeCSV(&out); err != nil {
			t.Fatal(err)
		}
		text, marked := strings.CutPrefix(out.String(), byteOrderMark)
		if !marked || !utf8.ValidString(text) || strings.Count(text, "\r\n") != 2 || strings.Count(text, "\n") != 2 || !strings.HasSuffix(text, "\r\n") {
			t.Fatalf("%q", out.String())
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != 2 {
			t.Fatalf("%q: %v", text, err)
		}
		for i, in := range []string{a, b} {
			got := rows[1][i]
			if got != "" && strings.ContainsRune("=+-@＝＋－＠\t\r", []rune(got)[0]) {
				t.Errorf("%q begins a formula", got)
			}
			if want := clean(in); strings.TrimPrefix(got, "'") != strings.TrimPrefix(want, "'") {
				t.Errorf("%q came back as %q", in, got)
			}
		}
	})
}

// FuzzLine: a line on a terminal is never wider than it may be, has no sequence
// but ours, and wrapping loses no letter.
func FuzzLine(f *testing.F) {
	f.Add("Cards are stuck at the exit.", 12)
	f.Add("牌卡在出口。x", 5)
	f.Add("\x1b[2Jhello", 3)
	f.Add("a  b   c", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 2 + width&0x7f
		text = clean(text)
		l := line{{text, alarm}, {text, plain}}
		if got := columns(l.drawn(width, false)); got > width {
			t.Errorf("%q: %d columns of %d", text, got, width)
		}
		if plainText := strings.NewReplacer(sequences[alarm], "", styleOff, "").Replace(l.drawn(width, true)); plainText != l.drawn(width, false) {
			t.Errorf("%q drawn as %q", text, plainText)
		}
		squeeze := strings.NewReplacer(" ", "").Replace
		lines := wrap(text, width)
		for _, one := range lines {
			if columns(one) > width {
				t.Errorf("%q: line %q has more than %d columns", text, one, width)
			}
		}
		if squeeze(strings.Join(lines, "")) != squeeze(text) {
			t.Errorf("%q became %q", text, lines)
		}
	})
}

// TestEscaped_ForTerminals: JSON for a terminal says the same in characters that
// do nothing.
func TestEscaped_ForTerminals(t *testing.T) {
	in := "{\"a\":\"\u009b2J\u202e牌\U000e0001\"}\n"
	if got, want := string(escaped([]byte(in))), "{\"a\":\"\\u009b2J\\u202e牌\\udb40\\udc01\"}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
