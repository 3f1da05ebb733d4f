package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"
)

// rowsOf reads a sheet back as Excel does.
func rowsOf(t testing.TB, sheet []byte) [][]string {
	t.Helper()
	body, marked := bytes.CutPrefix(sheet, []byte(byteOrderMark))
	if !marked {
		t.Error("no byte order mark: Excel reads Chinese wrongly")
	}
	if lines := bytes.Count(body, []byte("\n")); lines != bytes.Count(body, []byte("\r\n")) {
		t.Error("a line does not end in CR LF")
	}
	r := csv.NewReader(bytes.NewReader(body))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func FuzzCSVCellsAreNoFormulas(f *testing.F) {
	for _, s := range []string{"=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "＝1", `"=1"`, "a,b", "a\nb", "=cmd|' /C calc'!A0", "\u00a0=1", "\ufeff=1", "−1", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := Document{Kind: "receipt", Title: s, words: Options{}.words(), Signatures: []string{s}}
		d.Body.pairs(Pair{s, s, Measured})
		d.Body.line(Attested, s)
		d.Body.section(s).grid([]Column{{Title: s}}, []Row{{Cells: []string{s}}})
		for _, row := range rowsOf(t, d.CSV()) {
			for _, c := range row {
				if begin := []rune(strings.TrimSpace(c)); len(begin) > 0 && strings.ContainsRune("=+-@＝＋－＠", begin[0]) || strings.ContainsAny(c, "\t\r\n") {
					t.Errorf("%q makes the cell %q", s, c)
				}
				if !utf8.ValidString(c) {
					t.Errorf("%q makes a cell that is not UTF-8", s)
				}
			}
		}
	})
}

func TestHTMLHasNoScriptAndTakesNoMarkup(t *testing.T) {
	evil := `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	d := Document{Kind: "receipt", Title: evil, Table: evil, words: Options{Lang: Chinese}.words(), Signatures: []string{evil}, Place: Place{Pos: 1, Hash: strings.Repeat("ab", 32)}}
	d.Body.pairs(Pair{evil, evil, Measured})
	s := d.Body.section(evil)
	s.line(Attested, evil)
	s.grid([]Column{{Title: evil}}, []Row{{Cells: []string{evil}}})
	s.add(Blanks{evil})
	for _, at := range []string{"", "/paper.css"} {
		page, err := d.HTML(at)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(page, []byte("<script")) || bytes.Contains(page, []byte("<img")) || bytes.Contains(page, []byte("ZgotmplZ")) {
			t.Errorf("markup got in:\n%s", page)
		}
		if !bytes.Contains(page, []byte(`<html lang="zh-CN">`)) {
			t.Error("the page has no language")
		}
		if own := bytes.Contains(page, []byte("<style>")); own != (at == "") || bytes.Contains(page, []byte("style=")) {
			t.Errorf("stylesheet at %q: own style %v", at, own)
		}
	}
}

func TestX3_AnchorsAreReadBack(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for _, id := range []string{"1", "T/12.A-3", "vip: %41", "贵宾"} {
		d := Document{Kind: "receipt", Number: 12, Table: id, Place: Place{Pos: 155, Hash: hash}}
		a, err := d.Anchor()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{a.String(), strings.ToLower(a.String()), " " + a.String()[:40] + "\n" + a.String()[40:] + " ", a.String() + ":OF-A-LATER-VERSION"} {
			if got, err := ParseAnchor(s); err != nil || got.Head != a.Head || got.Report != "receipt.12" || !strings.EqualFold(got.Table, id) {
				t.Errorf("%q: %+v, %v", s, got, err)
			}
		}
		if strings.Trim(a.String(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:") != "" {
			t.Errorf("%q does not fit the dense mode", a)
		}
		if c, err := d.code(); err != nil || len(c) > 49 {
			t.Errorf("%q: %d modules, %v", a, len(c), err)
		}
	}
	if a, err := ParseAnchor("155: " + hash[:16] + " " + hash[16:]); err != nil || a.Head.Pos != 155 || a.Table != "" {
		t.Errorf("a bare head: %+v, %v", a, err)
	}
	for _, s := range []string{"", "shuffler", "SHUFFLER:2:1:155:" + hash + ":X", "SHUFFLER:1:1:155", "SHUFFLER:1:1:155:abcd:X", "SHUFFLER:1:%4:155:" + hash + ":X", "SHUFFLER:1:%GG:155:" + hash + ":X", "155"} {
		if a, err := ParseAnchor(s); err == nil {
			t.Errorf("%q reads as %+v", s, a)
		}
	}
}
