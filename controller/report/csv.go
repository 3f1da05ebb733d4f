package report

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"unicode"
)

// byteOrderMark tells Excel that the file is UTF-8; without it Chinese is read in
// the machine's old code page.
const byteOrderMark = "\ufeff"

// CSV is the document as rows for Excel: a byte order mark, commas, lines ended by
// CR LF. The first column is the section, the second how the facts of the row are
// known; then come label and value, or the cells of a grid under a row with their
// titles. Sections of detail are left out; JSON has them. A cell that Excel would
// take for a formula begins with an apostrophe.
func (d Document) CSV() []byte {
	s := sheet{words: d.words}
	s.out.WriteString(byteOrderMark)
	s.csv = csv.NewWriter(&s.out)
	s.csv.UseCRLF = true
	w := d.words
	s.write(w.say("csv.section"), w.say("csv.known"), w.say("csv.item"), w.say("csv.value"))
	s.row("", NoMark, d.Title)
	s.section("", &d.Body)
	place := w.say("csv.journal")
	s.row(place, NoMark, d.anchorLine(), strconv.FormatUint(d.Place.Pos, 10)+":"+d.Place.Hash)
	if a, err := d.Anchor(); err == nil {
		s.row(place, NoMark, w.say("csv.anchor"), a.String())
	}
	for _, label := range d.Signatures {
		s.row(w.say("csv.signature"), NoMark, label, "")
	}
	s.csv.Flush()
	return s.out.Bytes()
}

// sheet is rows as they are written.
type sheet struct {
	words words
	out   bytes.Buffer
	csv   *csv.Writer
}

// row writes one row with its section and mark.
func (s *sheet) row(section string, m Mark, cells ...string) {
	s.write(append([]string{section, s.words.markWord(m)}, cells...)...)
}

func (s *sheet) write(cells ...string) {
	for i, c := range cells {
		cells[i] = harmless(plain(clean(c)))
	}
	_ = s.csv.Write(cells) // into memory
}

func (s *sheet) section(path string, in *Section) {
	for _, b := range in.Blocks {
		switch b := b.(type) {
		case *Section:
			if b.Detail {
				continue
			}
			inner := b.Heading
			if path != "" {
				inner = path + " / " + b.Heading
			}
			s.section(inner, b)
		case Pairs:
			for _, p := range b {
				s.row(path, p.Mark, p.Label, p.Value)
			}
		case *Grid:
			s.grid(path, b)
		case Line:
			s.row(path, b.Mark, b.Text)
		case Blanks:
			for _, l := range b {
				s.row(path, NoMark, l, "")
			}
		}
	}
}

func (s *sheet) grid(path string, g *Grid) {
	if g.titled() {
		head := make([]string, len(g.Columns))
		for i, c := range g.Columns {
			head[i] = c.Title
			if c.Mark != NoMark {
				head[i] += " " + s.words.mark(c.Mark)
			}
		}
		s.row(path, NoMark, head...)
	}
	for _, r := range g.Rows {
		s.row(path, r.Mark, r.Cells...)
	}
}

// harmless keeps Excel from taking a cell for a formula: what begins with = + - @,
// or their wide forms, behind any blanks, gets an apostrophe in front.
func harmless(s string) string {
	if begin := strings.TrimLeftFunc(s, unicode.IsSpace); begin != "" && strings.ContainsRune("=+-@＝＋－＠﹢﹣﹦﹫−", []rune(begin)[0]) {
		return "'" + s
	}
	return s
}
