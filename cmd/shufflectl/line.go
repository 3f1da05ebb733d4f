package main

import "strings"

// style is how a piece of a line looks on a terminal. The zero value is plain.
type style uint8

const (
	plain style = iota
	bold
	loud  // the next action
	alarm // faults and holds
	faint
)

// sequences switch a style on (ECMA-48).
var sequences = [...]string{plain: "", bold: "\x1b[1m", loud: "\x1b[1;7m", alarm: "\x1b[1;31m", faint: "\x1b[2m"}

const styleOff = "\x1b[0m"

// piece is text of one style; it is clean.
type piece struct {
	text  string
	style style
}

// line is one line of a screen.
type line []piece

func (l line) text() string {
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.text)
	}
	return strings.TrimRight(b.String(), " ")
}

// drawn is the line for a terminal, not wider than width.
func (l line) drawn(width int, styles bool) string {
	var b strings.Builder
	for _, p := range l {
		text := clip(p.text, width)
		width -= columns(text)
		if p.style == plain || !styles || text == "" {
			b.WriteString(text)
			continue
		}
		b.WriteString(sequences[p.style] + text + styleOff)
	}
	return b.String()
}

// wrap cuts a text into lines of at most n columns, at blanks where there are
// any.
func wrap(s string, n int) (lines []string) {
	for columns(s) > n {
		fits := clip(s, n)
		if fits == "" { // narrower than one character
			break
		}
		cut, rest := len(fits), len(fits)
		if i := strings.LastIndexByte(fits, ' '); i > 0 && s[len(fits)] != ' ' {
			cut, rest = i, i+1
		}
		lines = append(lines, s[:cut])
		s = strings.TrimLeft(s[rest:], " ")
	}
	return append(lines, s)
}
