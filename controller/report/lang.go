package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
)

// Lang is a language of texts. The zero value is English.
type Lang string

// The languages that have a catalogue.
const (
	English   Lang = "en"
	Chinese   Lang = "zh-CN"
	Taiwanese Lang = "zh-TW" // Chinese as a room in Taiwan writes it
)

// Languages lists them.
func Languages() []Lang { return []Lang{English, Chinese, Taiwanese} }

// matcher finds the nearest of Languages: zh-HK is nearer to zh-TW, zh-SG to zh-CN.
var matcher = func() language.Matcher {
	var tags []language.Tag
	for _, l := range Languages() {
		tags = append(tags, language.MustParse(string(l)))
	}
	return language.NewMatcher(tags)
}()

// ParseLang reads a language as settings and the environment write it: en,
// zh-CN, zh_TW.UTF-8, zh-Hant, C. It fails for a language that has no texts here.
func ParseLang(s string) (Lang, error) {
	name, _, _ := strings.Cut(strings.TrimSpace(s), ".")
	name, _, _ = strings.Cut(name, "@")
	switch {
	case name == "":
		return "", fmt.Errorf("language is empty: want %s", languageList())
	case neutral(s):
		return English, nil
	}
	if tag, err := language.Parse(name); err == nil {
		if l, ok := nearest(tag); ok {
			return l, nil
		}
	}
	return "", fmt.Errorf("language %q has no texts here: want %s", s, languageList())
}

func languageList() string {
	var names []string
	for _, l := range Languages() {
		names = append(names, string(l))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// nearest is the language with texts that a reader of one of the tags, best
// first, reads as well.
func nearest(tags ...language.Tag) (Lang, bool) {
	_, i, how := matcher.Match(tags...)
	return Languages()[i], how >= language.High
}

// neutral tells a locale that says nothing of a language.
func neutral(s string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(s), ".")
	return slices.Contains([]string{"C", "POSIX"}, strings.ToUpper(name))
}

// LangOfEnvironment is the language that the environment asks for: the first of
// LC_ALL, LC_MESSAGES and LANG that is set decides, as in every program. It is
// empty where that names no language, or one without texts.
func LangOfEnvironment(getenv func(string) string) Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if neutral(v) {
				return ""
			}
			l, _ := ParseLang(v) // a language without texts is the same as none
			return l
		}
	}
	return ""
}

// LangOfHeader is the best language for a browser's Accept-Language, and otherwise
// where the header is missing, is no list of languages, or names none with texts.
func LangOfHeader(accept string, otherwise Lang) Lang {
	tags, weights, err := language.ParseAcceptLanguage(accept)
	if err != nil {
		return otherwise
	}
	var wanted []language.Tag
	for i, t := range tags {
		if weights[i] > 0 && t != language.Und {
			wanted = append(wanted, t)
		}
	}
	for _, t := range wanted { // best first
		if l, ok := nearest(t); ok {
			return l
		}
	}
	return otherwise
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
