package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Problem is one thing that is wrong with the configuration.
type Problem struct {
	Where string // "shufflerd.yaml:12", "environment SHUFFLERD_LOG_LEVEL", "flag --log-level"
	Key   string // "check.scan_timeout", empty where the whole file is meant
	What  string // what was found and what is wanted
	Hint  string // what to do; may be empty
	line  int    // for the order of the report
}

func (p Problem) String() string {
	s := p.Where + ": "
	if p.Key != "" {
		s += p.Key + ": "
	}
	s += p.What
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Error is every problem found in one reading. A program that gets one ends
// with exit code 78 (configuration).
type Error struct{ Problems []Problem }

// maxShown bounds what one error prints: a file of another kind is wrong in
// every line, and the first lines tell that well enough.
const maxShown = 40

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "configuration: %s", plural(len(e.Problems), "problem"))
	for i, p := range e.Problems {
		if i == maxShown {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Problems)-maxShown)
			break
		}
		b.WriteString("\n  " + p.String())
	}
	return b.String()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// report collects the problems of one reading.
type report struct{ problems []Problem }

func (r *report) add(at place, key, hint, what string, args ...any) {
	r.problems = append(r.problems, Problem{
		Where: at.String(), Key: key, What: fmt.Sprintf(what, args...), Hint: hint, line: at.line,
	})
}

// err gives nil, or all problems: those of the file by line, then the others in
// the order of finding.
func (r *report) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return rank(a) - rank(b) })
	return &Error{Problems: r.problems}
}

func rank(p Problem) int {
	if p.line > 0 {
		return p.line
	}
	return int(^uint(0) >> 1) // no line: last
}

// shown makes a value from outside fit for a message: quoted, one line, short.
func shown(s string) string {
	const longest = 40
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	if s == "" {
		return `""`
	}
	for _, r := range s {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '"' || r == unicode.ReplacementChar {
			return fmt.Sprintf("%+q", s)
		}
	}
	return s
}
