package config

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the zone must load on a machine without zoneinfo
	"unicode"
	"unicode/utf8"
)

// fault is what is wrong with one value; nil is nothing.
type fault struct{ what, hint string }

// kind is a type of value: what it wants, which YAML types may stand for it, and
// the check of its text.
type kind struct {
	wants  string
	tags   []string
	quoted bool // Show writes it in quotes
	check  func(string) *fault
}

// YAML's names of the types that a plain scalar can have.
const (
	tagText  = "!!str"
	tagInt   = "!!int"
	tagFloat = "!!float"
	tagBool  = "!!bool"
	tagDate  = "!!timestamp"
	maxText  = 64 // characters of any name, id or version
	maxPath  = 255
	maxChips = 1_000_000_000
)

// textKind is a name or a version for people.
func textKind() kind {
	return kind{fmt.Sprintf("text of at most %d characters", maxText), []string{tagText}, true, func(s string) *fault { return hostile(s, maxText) }}
}

// neededKind is a text that is not empty.
func neededKind() kind {
	k := textKind()
	k.check = func(s string) *fault {
		if s == "" {
			return &fault{"is empty", "write a text, or remove the key for the default"}
		}
		return hostile(s, maxText)
	}
	return k
}

// hostile refuses what would break a log line, a receipt or a screen.
func hostile(s string, longest int) *fault {
	if !utf8.ValidString(s) {
		return &fault{"is not UTF-8", "save the file as UTF-8"}
	}
	if n := utf8.RuneCountInString(s); n > longest {
		return &fault{fmt.Sprintf("has %d characters", n), fmt.Sprintf("use at most %d", longest)}
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return &fault{fmt.Sprintf("holds the unprintable character %U", r), "remove it"}
		}
	}
	if strings.TrimSpace(s) != s {
		return &fault{"begins or ends with a space", "remove it"}
	}
	return nil
}

// idKind is an id: it stands in addresses, keys and file names.
func idKind() kind {
	return kind{"an id in quotes: letters, digits, - and _", []string{tagText}, true, func(s string) *fault {
		if f := hostile(s, maxText); f != nil {
			return f
		}
		if s == "" {
			return &fault{"is empty", `give each its own, for example "1"`}
		}
		for _, r := range s {
			if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
				return &fault{fmt.Sprintf("holds %q", r), "an id has letters, digits, - and _ only; name is free"}
			}
		}
		return nil
	}}
}

// choiceKind is one of a few words.
func choiceKind(of ...string) kind {
	return kind{"one of " + strings.Join(of, ", "), []string{tagText}, false, func(s string) *fault {
		if slices.Contains(of, s) {
			return nil
		}
		f := &fault{what: "is none of " + strings.Join(of, ", ")}
		if n := nearest(s, of); n != "" {
			f.hint = "did you mean " + n + "?"
		}
		return f
	}}
}

// countKind is a whole number. Only plain decimal digits are read: YAML would
// take 020 for sixteen.
func countKind(least, most int) kind {
	wants := fmt.Sprintf("a whole number from %d to %d", least, most)
	return kind{wants, []string{tagInt}, false, func(s string) *fault {
		n, err := strconv.Atoi(s)
		switch {
		case err != nil || s[0] == '+':
			return &fault{"is not a whole number", "want " + wants}
		case len(s) > 1 && s[0] == '0':
			return &fault{"begins with 0, which YAML may read as octal", "write " + strconv.Itoa(n)}
		case n < least || n > most:
			return &fault{"is out of range", "want " + wants}
		}
		return nil
	}}
}

// truthKind is true or false.
func truthKind() kind {
	return kind{"true or false", []string{tagBool}, false, func(s string) *fault {
		if _, err := truthOf(s); err != nil {
			return &fault{"is neither true nor false", "write true or false"}
		}
		return nil
	}}
}

func truthOf(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, strconv.ErrSyntax
}

// spanKind is a duration with its unit. A bare number is refused: nobody can
// tell whether 500 means seconds.
func spanKind(least, most time.Duration) kind {
	wants := fmt.Sprintf("a duration from %s to %s with its unit", short(least), short(most))
	return kind{wants, []string{tagText, tagInt, tagFloat}, false, func(s string) *fault {
		if f, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
			return &fault{"has no unit", "write " + s + likelyUnit(f, least, most)}
		}
		d, err := time.ParseDuration(s)
		switch {
		case err != nil:
			return &fault{"is no duration", "want " + wants + ", for example " + short(max(least, time.Second))}
		case d < least || d > most:
			return &fault{"is out of range", "want " + wants}
		}
		return nil
	}}
}

// likelyUnit is the unit under which a bare number lies within the bounds.
func likelyUnit(n float64, least, most time.Duration) string {
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"ms", time.Millisecond}, {"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}} {
		if d := n * float64(u.size); d > 0 && d >= float64(least) && d <= float64(most) {
			return u.name
		}
	}
	return "s"
}

// short prints a duration as people write it: 5m, not 5m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// zoneKind is a time zone by its IANA name.
func zoneKind() kind {
	return kind{"an IANA time zone", []string{tagText}, true, func(s string) *fault {
		if f := hostile(s, maxText); f != nil {
			return f
		}
		if _, err := time.LoadLocation(s); err != nil || s == "" || s == "Local" {
			return &fault{"is no IANA time zone", "write a name such as Asia/Shanghai, Europe/Paris or UTC"}
		}
		return nil
	}}
}

// dateKind is a day, or nothing.
func dateKind() kind {
	return kind{"a date as 2026-03-31", []string{tagText, tagDate}, true, func(s string) *fault {
		if _, err := time.Parse(time.DateOnly, s); err != nil && s != "" {
			return &fault{"is no date", "write year-month-day, for example 2026-03-31"}
		}
		return nil
	}}
}

// pathKind is an absolute path, or nothing. A relative one would mean another
// place whenever the daemon is started from another folder.
func pathKind(example string) kind {
	return kind{"an absolute path", []string{tagText}, true, func(s string) *fault {
		if f := hostile(s, maxPath); f != nil {
			return f
		}
		if s != "" && !filepath.IsAbs(s) {
			return &fault{"is not an absolute path", "write it from the root, for example " + example}
		}
		return nil
	}}
}
