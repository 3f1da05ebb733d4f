package logging

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/rs/zerolog"
)

// oneLine keeps a JSON event on one line. zerolog escapes what stands in
// strings; a raw JSON field may bring line ends of its own, and between JSON's
// words they are blanks.
type oneLine struct{ w io.Writer }

func (o oneLine) Write(p []byte) (int, error) {
	body, ended := bytes.CutSuffix(p, []byte("\n"))
	if bytes.ContainsAny(body, "\r\n") {
		body = bytes.Map(func(r rune) rune {
			if r == '\r' || r == '\n' {
				return ' '
			}
			return r
		}, body)
		if ended {
			body = append(body, '\n')
		}
		_, err := o.w.Write(body)
		return len(p), err
	}
	return o.w.Write(p)
}

// console writes for people: clock, level, message, fields. Colours only on a
// terminal that wants them.
func console(w io.Writer) io.Writer {
	_, noColour := os.LookupEnv("NO_COLOR")
	return zerolog.ConsoleWriter{
		Out:     w,
		NoColor: noColour || !terminal(w),
		FormatTimestamp: func(v any) string {
			s, _ := v.(string)
			if len(s) == len(timeLayout) {
				return s[len("2006-01-02T"):len("2006-01-02T15:04:05.000")]
			}
			return printable(s)
		},
		FormatMessage:       text,
		FormatFieldName:     func(v any) string { return text(v) + "=" },
		FormatErrFieldName:  func(v any) string { return text(v) + "=" },
		FormatFieldValue:    text,
		FormatErrFieldValue: text,
		FormatCaller:        text,
	}
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return printable(fmt.Sprintf("%s", v))
}

// printable escapes line ends, terminal commands and invisible characters: what
// comes from outside must not forge a line or move the cursor.
func printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRune(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}
