package report

import (
	"fmt"
	"strings"
	"time"
)

// Lang is a language of texts. The zero value is English.
type Lang string

// The languages that have a catalogue.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// Languages lists them.
func Languages() []Lang { return []Lang{English, Chinese} }

// ParseLang reads a language as settings and the environment write it: en,
// zh-CN, zh_CN.UTF-8, C. It fails for a language that has no texts here.
func ParseLang(s string) (Lang, error) {
	name, _, _ := strings.Cut(strings.TrimSpace(s), ".")
	name, _, _ = strings.Cut(name, "@")
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(name, "_", "-")), "-")
	switch base {
	case "en", "c", "posix":
		return English, nil
	case "zh":
		return Chinese, nil
	case "":
		return "", fmt.Errorf("language is empty: want en or zh-CN")
	}
	return "", fmt.Errorf("language %q has no texts here: want en or zh-CN", s)
}

// Options say how a text is written. The zero value is English, UTC, 80 columns.
// It may be copied and shared.
type Options struct {
	Lang  Lang
	Zone  *time.Location // of the times; nil is UTC
	Width int            // columns of a report, a wide character counts two; 0 is 80
}

func (o Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}
