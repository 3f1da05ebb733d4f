package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes a report as indented JSON with a newline at the end. Control
// characters that JSON would let through are written as \u escapes, so that
// looking at the file in a terminal is safe.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write %T as JSON: %w", v, err)
	}
	in := b.Bytes()
	out := make([]byte, 0, len(in))
	for i := 0; i < len(in); {
		r, n := utf8.DecodeRune(in[i:])
		if r >= utf8.RuneSelf && unseen(r) || r == 0x7f {
			for _, u := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, u)
			}
		} else {
			out = append(out, in[i:i+n]...)
		}
		i += n
	}
	return out, nil
}
