package main

import (
	"fmt"
	"io"
	"strings"
)

// Sequences of a terminal (ECMA-48 and the cursor's of every terminal since).
const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	clearLine  = "\x1b[K"
	clearBelow = "\x1b[J"
)

// screen draws lines over those it drew before; what stands above stays.
type screen struct {
	w      io.Writer
	styles bool
	drawn  []int // columns of each line on the screen
}

// draw replaces what is drawn. Lines that do not fit are left out, so that the
// terminal neither wraps nor scrolls.
func (s *screen) draw(lines []line, width, height int) error {
	if len(lines) > height-1 {
		lines = lines[:max(height-1, 1)]
	}
	var b strings.Builder
	b.WriteString(hideCursor)
	if up := s.height(width); up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r", up)
	}
	s.drawn = s.drawn[:0]
	for _, l := range lines {
		b.WriteString(l.drawn(width-1, s.styles) + clearLine + "\r\n") // the last column wraps on some terminals
		s.drawn = append(s.drawn, min(columns(l.text()), width-1))
	}
	b.WriteString(clearBelow)
	_, err := io.WriteString(s.w, b.String())
	return err
}

// height is how many rows the drawn lines take: a terminal that became narrower
// has wrapped them.
func (s *screen) height(width int) (rows int) {
	for _, n := range s.drawn {
		rows += max(1, (n+width-1)/max(width, 1))
	}
	return rows
}

// close leaves what is drawn and gives the cursor back.
func (s *screen) close() error {
	_, err := io.WriteString(s.w, showCursor)
	return err
}
