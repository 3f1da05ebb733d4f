package report

import "strings"

// page lays out the text of a report: headings, labels with values, rows. Every
// text that comes in is cleaned; lines are made here and nowhere else.
type page struct {
	width int
	out   strings.Builder
}

func newPage(o Options) *page { return &page{width: o.width()} }

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

// pair is a label with its value; an empty value is left out.
type pair struct{ label, value string }

// pairs writes labels and values in two columns. A label too wide for its column
// stands on a line of its own.
func (p *page) pairs(indent int, list []pair) {
	longest, column := 0, 0
	for _, e := range list {
		longest = max(longest, columns(e.value))
	}
	most := max((p.width-indent)*2/5, p.width-indent-2-longest)
	for _, e := range list {
		if w := columns(e.label); e.value != "" && w <= most {
			column = max(column, w)
		}
	}
	at := indent + column + 2
	for _, e := range list {
		if e.value == "" {
			continue
		}
		label := strings.Repeat(" ", indent) + clean(e.label)
		if columns(label) > at-2 {
			p.raw(label)
			label = ""
		}
		for _, l := range wrap(clean(e.value), p.width-at) {
			p.raw(pad(label, at) + l)
			label = ""
		}
	}
}

// rows writes cells in columns. Where they do not fit side by side, each row is
// a wrapped line. A cell that begins with a tab goes to the right of its column.
func (p *page) rows(indent int, rows [][]string) {
	var widths []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(clean(strings.TrimPrefix(c, "\t"))))
		}
	}
	total := indent
	for _, w := range widths {
		total += w + 2
	}
	for _, r := range rows {
		line := ""
		for i, c := range r {
			text, right := strings.CutPrefix(c, "\t")
			text = clean(text)
			switch {
			case total-2 > p.width:
				if text != "" {
					line += text + "  "
				}
			case right:
				line += padLeft(text, widths[i]) + "  "
			default:
				line += pad(text, widths[i]) + "  "
			}
		}
		p.hang(indent, indent+2, strings.TrimRight(line, " "))
	}
}

func (p *page) String() string { return p.out.String() }
