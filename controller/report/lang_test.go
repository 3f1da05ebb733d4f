package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseLang(t *testing.T) {
	for s, want := range map[string]Lang{
		"en": English, "en_US.UTF-8": English, "C": English, "C.UTF-8": English, "POSIX": English, "EN-gb": English,
		"zh-CN": Chinese, "zh_CN.UTF-8": Chinese, "zh": Chinese, "zh_CN.GB18030@pinyin": Chinese, "zh-Hans": Chinese, " zh_CN ": Chinese, "zh-SG": Chinese,
		"zh-TW": Taiwanese, "zh_TW.UTF-8": Taiwanese, "zh_TW.Big5": Taiwanese, "zh-Hant": Taiwanese, "zh_HK.UTF-8": Taiwanese, "zh-MO": Taiwanese,
	} {
		if got, err := ParseLang(s); err != nil || got != want {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
	for _, s := range []string{"", ".UTF-8", "de_DE.UTF-8", "english", "1", "-"} {
		if got, err := ParseLang(s); err == nil || got != "" || !strings.Contains(err.Error(), "want en, zh-CN or zh-TW") {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
}

func TestLangOfEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want Lang
	}{
		{nil, ""}, {map[string]string{"LANG": "zh_TW.UTF-8"}, Taiwanese}, {map[string]string{"LANG": "C.UTF-8"}, ""}, {map[string]string{"LANG": "de_DE.UTF-8"}, ""},
		{map[string]string{"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, English}, {map[string]string{"LC_MESSAGES": "zh_CN", "LANG": "en"}, Chinese},
		{map[string]string{"LC_ALL": "POSIX", "LANG": "zh_CN"}, ""}, {map[string]string{"LC_ALL": "", "LANG": "zh_CN"}, Chinese},
	} {
		if got := LangOfEnvironment(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
}

func TestLangOfHeader(t *testing.T) {
	for header, want := range map[string]Lang{
		"": "fallback", "*": "fallback", "de": "fallback", "en": English, "zh": Chinese, "zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7": Taiwanese, "zh-HK": Taiwanese,
		"de, zh-CN;q=0.8, en;q=0.5": Chinese, "en;q=0.1, zh-Hant;q=0.9": Taiwanese, "zh;q=0, en": English, "en-GB,en;q=0.9": English,
		"\"\"": "fallback", "x;q=y": "fallback", "fr-CH, fr;q=0.9, en;q=0.8": English,
	} {
		if got := LangOfHeader(header, "fallback"); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

func TestColumnsCountWideCharactersTwice(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "洗牌": 4, "A，B": 4, "é": 1, "e\u0301": 1, "ｱ": 1, "Ａ": 2, "♦": 1, "한": 2} {
		if got := columns(s); got != want {
			t.Errorf("%q: %d columns, want %d", s, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"one  two", 5, "one|two"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
		{"ab cdefghijk", 4, "ab|cdef|ghij|k"},
		{"洗牌洗牌洗牌", 4, "洗牌|洗牌|洗牌"},
		{"洗牌，洗牌", 4, "洗|牌，|洗牌"},
		{"洗牌（A）", 6, "洗牌|（A）"},
		{"第 3 手", 4, "第 3|手"},
		{"dealer\u00a03 took", 7, "dealer\u00a0|3 took"}, // longer than a line
		{"by dealer\u00a03", 9, "by|dealer\u00a03"},
		{"店长\u00a07，替代", 8, "店长\u00a07，|替代"},
	} {
		if got := strings.Join(wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range []string{"one two three", "洗牌，洗牌", "a\u0301b", "（（（（", "，，，，，，", "\u00a0\u00a0x 　y", "\xff\xfe"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = 2 + abs(n)%60
		s = clean(s)
		got := ""
		for _, l := range wrap(s, n) {
			if columns(l) > n {
				t.Errorf("%q in %d: line %q has %d columns", s, n, l, columns(l))
			}
			got += l
		}
		squeeze := strings.NewReplacer(" ", "").Replace
		if squeeze(got) != squeeze(s) {
			t.Errorf("%q in %d: %q", s, n, got)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%q was cut inside a character", s)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
