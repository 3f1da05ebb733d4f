package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// clean makes a text fit for one line of a terminal: what moves the cursor or
// cannot be seen becomes the replacement character. Devices and people wrote it.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// columns is the width of a text on a terminal: two for a wide character, none
// for a mark that sits on another.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// pad fills a text with blanks to n columns.
func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-columns(s))) }

// padLeft puts the blanks before it.
func padLeft(s string, n int) string { return strings.Repeat(" ", max(0, n-columns(s))) + s }

// clip cuts a text to n columns.
func clip(s string, n int) string {
	for i, r := range s {
		if n -= runeColumns(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// escaped writes what clean would replace as JSON writes it: such characters stand
// only inside of JSON's strings.
func escaped(b []byte) []byte {
	var out []byte
	for _, r := range string(b) {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			for _, u := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, u)
			}
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}
