package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// unseen tells a character that changes how a terminal or a reader takes the
// text around it: controls, overrides of direction, joiners, line separators.
func unseen(r rune) bool {
	return r != utf8.RuneError && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r))
}

// clean makes a text from the journal fit for one line of a terminal: what
// cannot be seen becomes the replacement character.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return utf8.RuneError
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
	switch {
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
		return 0
	case wide(r):
		return 2
	}
	return 1
}

func wide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// pad fills a text with blanks to n columns.
func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-columns(s))) }

// padLeft puts the blanks before it.
func padLeft(s string, n int) string { return strings.Repeat(" ", max(0, n-columns(s))) + s }

// What may not begin a line, and what may not end one.
const (
	notFirst = hardBlank + "，。；：、！？）》】”’…〕」』"
	notLast  = hardBlank + "（《【“‘〔「『"
)

// hardBlank keeps words on one line while a text is wrapped; it leaves as a
// plain blank.
const hardBlank = "\u00a0"

// plain is a text as it leaves this package.
func plain(s string) string { return strings.ReplaceAll(s, hardBlank, " ") }

// wrap cuts a text into lines of at most n columns: at blanks, between wide
// characters, and through a word only where the word is longer than a line.
func wrap(s string, n int) []string {
	var lines []string
	line, room := "", n
	flush := func() { lines, line, room = append(lines, strings.TrimRight(line, " ")), "", n }
	for _, piece := range pieces(s) {
		w := columns(strings.TrimRight(piece, " "))
		if w > room && line != "" {
			flush()
		}
		for w > room { // longer than a whole line
			cut := fit(piece, room)
			line += piece[:cut]
			flush()
			piece = piece[cut:]
			w = columns(strings.TrimRight(piece, " "))
		}
		line += piece
		room -= columns(piece)
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// pieces cuts a text where a line may end; blanks stay with what is before them.
func pieces(s string) []string {
	var list []string
	start := 0
	prev := rune(0)
	for i, r := range s {
		free := prev == ' ' && r != ' ' || r != ' ' && (wide(prev) || wide(r)) && !strings.ContainsRune(notFirst, r) && !strings.ContainsRune(notLast, prev)
		if free && i > start {
			list, start = append(list, s[start:i]), i
		}
		prev = r
	}
	return append(list, s[start:])
}

// fit is how many bytes of s fill at most n columns, at least one character.
func fit(s string, n int) int {
	used := 0
	for i, r := range s {
		if used += runeColumns(r); used > n && i > 0 {
			return i
		}
	}
	return len(s)
}
