package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// sheet is rows under named columns, to be printed for people or as CSV.
type sheet struct {
	columns []column
	rows    [][]any // texts and numbers, as many as there are columns
	none    string  // what to tell people where there is no row
}

// column is a name that programs rely on, and the heading that people read.
type column struct {
	name, heading string
	right         bool // numbers
}

func col(name, heading string) column { return column{name: name, heading: heading} }
func num(name, heading string) column { return column{name: name, heading: heading, right: true} }

func (s *sheet) add(cells ...any) { s.rows = append(s.rows, cells) }

// text lays the rows out in columns; label translates headings. A column that is
// empty in every row is left out.
func (s *sheet) text(label func(string) string) string {
	if len(s.rows) == 0 {
		return label(s.none) + "\n"
	}
	grid := [][]string{{}}
	for _, c := range s.columns {
		grid[0] = append(grid[0], label(c.heading))
	}
	used := make([]bool, len(s.columns))
	for _, r := range s.rows {
		var line []string
		for i, v := range r {
			cell := clean(fmt.Sprint(v))
			used[i] = used[i] || cell != ""
			line = append(line, cell)
		}
		grid = append(grid, line)
	}
	widths := make([]int, len(s.columns))
	for _, line := range grid {
		for i, cell := range line {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	var b strings.Builder
	for _, line := range grid {
		var out strings.Builder
		for i, cell := range line {
			switch {
			case !used[i]:
				continue
			case s.columns[i].right:
				cell = padLeft(cell, widths[i])
			default:
				cell = pad(cell, widths[i])
			}
			out.WriteString(cell + "  ")
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
	return b.String()
}

// byteOrderMark makes Excel read the file as UTF-8.
const byteOrderMark = "\ufeff"

// writeCSV writes the rows by RFC 4180, as Excel opens them in any language.
func (s *sheet) writeCSV(w io.Writer) error {
	var names []string
	for _, c := range s.columns {
		names = append(names, c.name)
	}
	out, err := newCSV(w, names)
	if err != nil {
		return err
	}
	for _, r := range s.rows {
		if err := out.write(r...); err != nil {
			return err
		}
	}
	return out.flush()
}

// csvFile is a CSV that is written row by row.
type csvFile struct{ w *csv.Writer }

func newCSV(w io.Writer, names []string) (*csvFile, error) {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return nil, err
	}
	c := &csvFile{csv.NewWriter(w)}
	c.w.UseCRLF = true
	return c, c.w.Write(names)
}

func (c *csvFile) write(cells ...any) error {
	row := make([]string, len(cells))
	for i, v := range cells {
		row[i] = csvCell(v)
	}
	return c.w.Write(row)
}

func (c *csvFile) flush() error {
	c.w.Flush()
	return c.w.Error()
}

// csvCell is a cell that no spreadsheet takes for a formula: what was typed at a
// table must not run on the computer of whoever opens the file. Numbers of ours
// are none.
func csvCell(v any) string {
	text, isText := v.(string)
	if !isText {
		return fmt.Sprint(v)
	}
	text = clean(text)
	if text != "" && strings.ContainsRune("=+-@＝＋－＠\ufffd", []rune(text)[0]) {
		return "'" + text
	}
	return text
}
