package report

import (
	"strconv"
	"strings"
)

// Text is the document for a terminal or a receipt printer: lines of at most
// width columns, wide characters counted as two; 0 is 80, and less than 32 is
// taken as 32. It is plain text, ended by a newline.
func (d Document) Text(width int) string {
	p := &page{words: d.words, width: widthOf(width)}
	p.line(0, d.Title)
	p.rule()
	p.section(0, &d.Body)
	p.rule()
	p.line(0, d.words.legend())
	p.anchor(d)
	for _, label := range d.Signatures {
		p.blank()
		p.sign(label)
	}
	return p.String()
}

// Columns of a report.
const (
	defaultWidth = 80
	leastWidth   = 32 // narrower is taken as this
)

func widthOf(n int) int {
	if n == 0 {
		return defaultWidth
	}
	return max(n, leastWidth)
}

// page lays out the text of a report: headings, labels with values, rows. Every
// text that comes in is cleaned; lines are made here and nowhere else.
type page struct {
	words words
	width int
	out   strings.Builder
}

// section writes what stands in a section; its heading is written already.
func (p *page) section(indent int, s *Section) {
	for i, b := range s.Blocks {
		switch b := b.(type) {
		case *Section:
			if indent == 0 && i > 0 {
				p.blank()
			}
			p.hang(indent, indent+2, p.marked(b.Heading, b.Mark))
			p.section(indent+2, b)
		case Pairs:
			p.pairs(indent, b)
		case *Grid:
			p.grid(indent, b)
		case Line:
			p.hang(indent, indent+2, p.marked(b.Text, b.Mark))
		case Blanks:
			p.blanks(indent, b)
		}
	}
}

// marked puts a mark behind a text, so that they stay on one line.
func (p *page) marked(text string, m Mark) string {
	if m == NoMark || text == "" {
		return text
	}
	return text + hardBlank + p.words.mark(m)
}

// raw writes one line as it is.
func (p *page) raw(s string) {
	p.out.WriteString(strings.TrimRight(plain(s), " "))
	p.out.WriteByte('\n')
}

func (p *page) blank() { p.out.WriteByte('\n') }

func (p *page) rule() { p.raw(strings.Repeat("-", p.width)) }

// line writes a text, wrapped, each line indented.
func (p *page) line(indent int, text string) { p.hang(indent, indent, text) }

// hang writes a text whose further lines are indented by more.
func (p *page) hang(indent, further int, text string) {
	if text == "" {
		return
	}
	text = clean(text)
	lines := wrap(text, p.width-indent)
	if len(lines) > 1 && further != indent {
		first := lines[0]
		lines = append([]string{first}, wrap(strings.TrimLeft(text[len(first):], " "), p.width-further)...)
	}
	for i, l := range lines {
		if i > 0 {
			indent = further
		}
		p.raw(strings.Repeat(" ", indent) + l)
	}
}

// pairs writes labels and values in two columns. A label too wide for its column
// stands on a line of its own.
func (p *page) pairs(indent int, list Pairs) {
	longest, column := 0, 0
	for _, e := range list {
		longest = max(longest, columns(p.marked(e.Value, e.Mark)))
	}
	most := max((p.width-indent)*2/5, p.width-indent-2-longest)
	for _, e := range list {
		if w := columns(e.Label); w <= most {
			column = max(column, w)
		}
	}
	at := indent + column + 2
	for _, e := range list {
		label := strings.Repeat(" ", indent) + clean(e.Label)
		if columns(label) > at-2 {
			p.raw(label)
			label = ""
		}
		for _, l := range wrap(clean(p.marked(e.Value, e.Mark)), p.width-at) {
			p.raw(pad(label, at) + l)
			label = ""
		}
	}
}

// leastCell is how narrow the last column may become.
const leastCell = 12

// grid writes cells in columns, under their titles where there are any. Where
// they do not fit side by side, the last column is wrapped; where that would make
// it too narrow, each row is a text of its own.
func (p *page) grid(indent int, g *Grid) {
	rows := p.cells(g)
	widths := make([]int, len(g.Columns)+1)
	for _, r := range rows {
		for i, c := range r {
			widths[i] = max(widths[i], columns(c))
		}
	}
	total := indent - 2
	for _, w := range widths {
		if w > 0 {
			total += w + 2
		}
	}
	last := len(g.Columns) - 1
	if over := total - p.width; over > 0 {
		if widths[last]-over < leastCell {
			p.narrow(indent, g)
			return
		}
		widths[last] -= over
	}
	for _, r := range rows {
		for n, cell := range wrap(r[last], max(1, widths[last])) {
			p.gridLine(indent, g, r, widths, n, cell)
		}
	}
}

// gridLine writes line n of a row, whose last cell is wrapped.
func (p *page) gridLine(indent int, g *Grid, row []string, widths []int, n int, cell string) {
	line := strings.Repeat(" ", indent)
	for i, c := range row {
		switch {
		case i == len(g.Columns)-1:
			c = cell
		case n > 0:
			c = ""
		}
		switch {
		case widths[i] == 0:
		case i < len(g.Columns) && g.Columns[i].Right:
			line += padLeft(c, widths[i]) + "  "
		default:
			line += pad(c, widths[i]) + "  "
		}
	}
	p.raw(line)
}

// cells are all rows, cleaned, with the head first and each row's mark last.
func (p *page) cells(g *Grid) (rows [][]string) {
	if g.titled() {
		head := make([]string, len(g.Columns)+1)
		for i, c := range g.Columns {
			head[i] = clean(p.marked(c.Title, c.Mark))
		}
		rows = append(rows, head)
	}
	for _, r := range g.Rows {
		line := make([]string, len(g.Columns)+1)
		for i, c := range r.Cells {
			line[i] = clean(c)
		}
		line[len(g.Columns)] = p.words.mark(r.Mark)
		rows = append(rows, line)
	}
	return rows
}

// narrow writes each row as one text. Under titles, the first cell begins a line
// and every other one is told with its title.
func (p *page) narrow(indent int, g *Grid) {
	for _, r := range g.Rows {
		var list []string
		for i, c := range r.Cells {
			switch t := g.Columns[i]; {
			case c == "":
			case t.Title == "" || i == 0:
				list = append(list, c)
			default:
				list = append(list, p.words.say("common.cell", "title", p.marked(t.Title, t.Mark), "cell", c))
			}
		}
		sep := "  "
		if g.titled() {
			sep = p.words.say("common.semicolon")
		}
		p.hang(indent, indent+2, p.marked(strings.Join(list, sep), r.Mark))
	}
}

// blanks leaves room to write on.
func (p *page) blanks(indent int, labels Blanks) {
	for _, l := range labels {
		label := strings.Repeat(" ", indent) + clean(l) + " "
		if columns(label)+4 > p.width {
			p.hang(indent, indent+2, l)
			label = strings.Repeat(" ", indent+2)
		}
		p.raw(label + strings.Repeat("_", p.width-columns(label)))
	}
}

// anchor prints the journal's place so that paper anchors the journal (X3). On
// wide paper the head can be copied as it is; on narrow paper it is in groups.
func (p *page) anchor(d Document) {
	p.line(0, d.anchorLine())
	head := strconv.FormatUint(d.Place.Pos, 10) + ":" + d.Place.Hash
	if len(head) <= p.width {
		p.line(0, head)
	} else {
		p.line(0, strings.Join(groups(d.Place.Hash), " "))
	}
	code, err := d.code()
	if err == nil && len(code) <= p.width {
		p.out.WriteString(code.blocks(p.width))
	}
}

// groups are the digits of a hash as people read them out.
func groups(hash string) (list []string) {
	for rest := hash; rest != ""; {
		n := min(len(rest), 16)
		list, rest = append(list, rest[:n]), rest[n:]
	}
	return list
}

// sign leaves a line to sign on.
func (p *page) sign(label string) {
	column := min(24, p.width/2)
	p.raw(pad(clean(label), column) + " " + strings.Repeat("_", max(8, min(30, p.width-column-1))))
}

func (p *page) String() string { return p.out.String() }
