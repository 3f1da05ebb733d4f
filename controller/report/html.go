package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"shuffler/controller/journal"
)

//go:embed paper/paper.css
var stylesheet []byte

//go:embed paper/paper.html
var pageSource string

var htmlPage = template.Must(template.New("page").Parse(pageSource))

// Stylesheet is the CSS of every report in HTML, for a server that lets pages
// have no style of their own.
func Stylesheet() []byte { return bytes.Clone(stylesheet) }

// HTML is the document as one page that prints well on A4, without a script. With
// a stylesheet's address it links to that, which should serve Stylesheet; with
// none the style stands in the page, and the page can be kept as a file.
func (d Document) HTML(stylesheetAt string) ([]byte, error) {
	code, err := d.code()
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", d.Kind, err)
	}
	anchor, _ := d.Anchor() // code has read it
	w := d.words
	p := htmlDocument{
		Lang: w.lang, Title: plain(clean(d.Title)), Link: stylesheetAt, Body: w.htmlBlocks(&d.Body, 2), Legend: []htmlText{w.legendEntry(Measured), w.legendEntry(Attested)},
		Journal: plain(d.anchorLine()), Head: anchor.Head.String(), Anchor: anchor.String(), Kind: d.Kind, Short: shortHead(anchor.Head),
		Code: htmlCode{code.side(), code.path()}, Table: plain(w.say("common.of_table", "table", d.Table)),
	}
	if stylesheetAt == "" {
		p.Style = template.CSS(stylesheet)
	}
	for _, s := range d.Signatures {
		p.Signatures = append(p.Signatures, plain(clean(s)))
	}
	var b bytes.Buffer
	if err := htmlPage.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("report %s as HTML: %w", d.Kind, err)
	}
	return b.Bytes(), nil
}

// shortHead is enough of a head to tell that pages belong together.
func shortHead(h journal.Head) string { return fmt.Sprintf("%d:%.12s…", h.Pos, h.Hash) }

// What the page's template reads.
type (
	htmlDocument struct {
		Lang                  Lang
		Short                 string // of the head, for the foot of each page
		Kind, Title, Table    string
		Style                 template.CSS
		Link                  string
		Body                  []htmlBlock
		Legend                []htmlText
		Journal, Head, Anchor string
		Code                  htmlCode
		Signatures            []string
	}
	htmlCode struct {
		Side int
		Path string
	}
	// htmlBlock is one block: the field of its kind is set.
	htmlBlock struct {
		Section *htmlSection
		Pairs   []htmlPair
		Grid    *htmlGrid
		Line    *htmlLine
		Blanks  []string
	}
	htmlSection struct {
		Level   int // of the heading, 2 to 4
		Heading htmlText
		Blocks  []htmlBlock
	}
	htmlText struct {
		Text string
		Mark htmlMark
	}
	htmlMark struct{ Class, Short, Word string }
	htmlPair struct {
		Label string
		Value htmlText
	}
	htmlLine struct {
		htmlText
		Strong bool
	}
	htmlGrid struct {
		Titled  bool
		Columns []htmlColumn
		Rows    []htmlRow
	}
	htmlColumn struct {
		htmlText
		Right bool
	}
	htmlRow struct {
		Cells []htmlCell
		Mark  htmlMark
	}
	htmlCell struct {
		Text  string
		Right bool
	}
)

func (w words) htmlText(s string, m Mark) htmlText { return htmlText{plain(clean(s)), w.htmlMark(m)} }

func (w words) legendEntry(m Mark) htmlText { return w.htmlText(w.means(m), m) }

func (w words) htmlMark(m Mark) htmlMark {
	class := ""
	switch m {
	case Measured:
		class = "measured"
	case Attested:
		class = "attested"
	}
	return htmlMark{class, w.letter(m), w.markWord(m)}
}

// htmlBlocks prepares what stands in a section.
func (w words) htmlBlocks(s *Section, level int) (list []htmlBlock) {
	for _, b := range s.Blocks {
		switch b := b.(type) {
		case *Section:
			list = append(list, htmlBlock{Section: &htmlSection{min(level, 4), w.htmlText(b.Heading, b.Mark), w.htmlBlocks(b, level+1)}})
		case Pairs:
			pairs := make([]htmlPair, len(b))
			for i, p := range b {
				pairs[i] = htmlPair{plain(clean(p.Label)), w.htmlText(p.Value, p.Mark)}
			}
			list = append(list, htmlBlock{Pairs: pairs})
		case *Grid:
			list = append(list, htmlBlock{Grid: w.htmlGrid(b)})
		case Line:
			list = append(list, htmlBlock{Line: &htmlLine{w.htmlText(b.Text, b.Mark), b.Strong}})
		case Blanks:
			var labels []string
			for _, l := range b {
				labels = append(labels, plain(clean(l)))
			}
			list = append(list, htmlBlock{Blanks: labels})
		}
	}
	return list
}

func (w words) htmlGrid(g *Grid) *htmlGrid {
	out := &htmlGrid{Titled: g.titled()}
	for _, c := range g.Columns {
		out.Columns = append(out.Columns, htmlColumn{w.htmlText(c.Title, c.Mark), c.Right})
	}
	for _, r := range g.Rows {
		row := htmlRow{Mark: w.htmlMark(r.Mark)}
		for i, c := range g.Columns {
			text := ""
			if i < len(r.Cells) {
				text = plain(clean(r.Cells[i]))
			}
			row.Cells = append(row.Cells, htmlCell{text, c.Right})
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
