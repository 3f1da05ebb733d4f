package protocol

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// line writes a message as the vectors do: the fields in the order of SPEC.md,
// which must be the order of the struct.
func line(seq uint32, protected bool, m Message) string {
	var b strings.Builder
	p := 0
	if protected {
		p = 1
	}
	fmt.Fprintf(&b, "%s seq=%d protected=%d", m.Type(), seq, p)
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		n := snake(v.Type().Field(i).Name)
		switch f := v.Field(i).Interface().(type) {
		case Text:
			fmt.Fprintf(&b, " %s=%s", n, f)
		case [52]uint8:
			fmt.Fprintf(&b, " %s=%x", n, f[:])
		default:
			form := " %s=%d"
			if strings.Contains(" session boot caps lines flags fault ", " "+n+" ") {
				form = " %s=%#x"
			}
			fmt.Fprintf(&b, form, n, v.Field(i).Uint())
		}
	}
	return b.String()
}

func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// counts writes the counters that are not 0, by SPEC.md's names.
func counts(c Counters) map[string]uint64 {
	m := map[string]uint64{}
	for n, x := range map[string]uint64{"ok": c.OK, "too_long": c.TooLong, "bad_cobs": c.BadCOBS, "too_short": c.TooShort,
		"bad_crc": c.BadCRC, "bad_version": c.BadVersion, "wrong_way": c.WrongWay, "unknown_type": c.UnknownType,
		"bad_payload": c.BadPayload, "repeats": c.Repeats, "seq_gaps": c.SeqGaps, "lost": c.Lost,
		"restarts": c.Restarts, "resyncs": c.Resyncs} {
		if x != 0 {
			m[n] = x
		}
	}
	return m
}
