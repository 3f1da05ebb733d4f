package protocol

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// section gives the rows of the first table after a heading of SPEC.md, cells
// trimmed, without the head of the table.
func section(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n"+heading)
	if !ok {
		t.Fatalf("SPEC.md has no %q", heading)
	}
	for _, l := range strings.Split(rest, "\n")[1:] {
		if strings.HasPrefix(l, "#") || strings.HasPrefix(l, "**0x") || len(rows) > 0 && !strings.HasPrefix(l, "|") {
			break
		}
		if strings.HasPrefix(l, "|") {
			var cells []string
			for _, c := range strings.Split(strings.Trim(l, "|"), "|") {
				cells = append(cells, strings.Trim(strings.TrimSpace(c), "`"))
			}
			rows = append(rows, cells)
		}
	}
	if len(rows) > 2 {
		rows = rows[2:]
	}
	return rows
}

// Values in SPEC.md and in the code are the same, and neither has more.
func TestSpecValues(t *testing.T) {
	for heading, str := range map[string]func(n int) string{
		"### 5.1 Kind":   func(n int) string { return Kind(n).String() },
		"### 5.2 Role":   func(n int) string { return Role(n).String() },
		"### 5.4 Phase":  func(n int) string { return Phase(n).String() },
		"### 5.5 Result": func(n int) string { return Result(n).String() },
		"### 5.6 Fault":  func(n int) string { return Fault(n).String() },
		"### 5.8 Stop":   func(n int) string { return Stop(n).String() },
		"### 5.9 Reason": func(n int) string { return Reason(n).String() },
		"### 5.3 Caps":   func(n int) string { return bitName(Caps(1<<n).String(), n) },
		"### 5.7 Lines":  func(n int) string { return bitName(Lines(1<<n).String(), n) },
	} {
		want := map[int]string{}
		for _, row := range section(t, heading) {
			n, err := strconv.Atoi(row[0])
			if err != nil {
				t.Fatalf("%s: %v", heading, err)
			}
			want[n] = row[1]
		}
		if len(want) < 3 {
			t.Errorf("%s: %d rows read", heading, len(want))
		}
		for n := range 256 {
			w, ok := want[n]
			if !ok {
				w = strconv.Itoa(n)
			}
			if got := str(n); got != w {
				t.Errorf("%s: %d is %q in the code, %q in SPEC.md", heading, n, got, w)
			}
		}
	}
}

// bitName gives a bit without a name its number, like a value without one.
func bitName(s string, n int) string {
	if s == "0" {
		return strconv.Itoa(n)
	}
	return s
}

// The named constants stand for the values that their names say.
func TestSpecConstantsByName(t *testing.T) {
	for got, want := range map[fmt.Stringer]string{
		KindCutCard: "cut_card", KindRelease: "release", KindReset: "reset", RoleBoth: "both", PhaseFailed: "failed",
		ResultCutRefused: "cut_refused", ReasonBlocked: "blocked", StopHostSilent: "host_silent", FaultInternal: "internal",
		FaultJamEntry: "jam_entry", FaultHostSilent: "host_silent", CapRelease: "release", CapLocalButton: "local_button",
		CapCoverLine: "cover_line", CapChamberLine: "chamber_line", LineHalted: "halted", LineChamber | LineCover: "cover|chamber",
		TallyFaces: "faces", TypeNak: "nak", TypeHalt: "halt", Type(0x30): "0x30", Type(0): "0x00", FromDevice: "device",
	} {
		if got.String() != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for k := range Kind(32) {
		if step := k >= 1 && k <= 7; k.IsStep() != step {
			t.Errorf("%s: IsStep %v", k, k.IsStep())
		}
		if c := k.Cap(); c != 0 && c.String() != k.String() {
			t.Errorf("%s needs %s", k, c)
		}
	}
}

// The layout tables of section 4 fit the messages: fields, order, sizes.
func TestSpecLayouts(t *testing.T) {
	full, _ := samples()
	head := regexp.MustCompile(`0x(..)`)
	for _, m := range full {
		heading := fmt.Sprintf("**0x%02x %s**", uint8(m.Type()), m.Type())
		if !head.MatchString(heading) {
			t.Fatal(heading)
		}
		v := reflect.TypeOf(m)
		var rows [][]string
		if v.NumField() > 0 {
			rows = section(t, heading)
		}
		if len(rows) != v.NumField() {
			t.Errorf("%s: %d rows, %d fields", m.Type(), len(rows), v.NumField())
			continue
		}
		at := 0
		for i, row := range rows {
			f := v.Field(i)
			size := strconv.Itoa(int(f.Type.Size()))
			offset := strconv.Itoa(at)
			if f.Type == reflect.TypeFor[Text]() {
				size = "1+n"
				if i > 0 && rows[i-1][1] == "1+n" {
					offset = ""
				}
			}
			if row[2] != snake(f.Name) || row[1] != size || row[0] != offset {
				t.Errorf("%s: SPEC.md says %v, the code %s %s %s", m.Type(), row, offset, size, snake(f.Name))
			}
			at += int(f.Type.Size())
		}
	}
}

// The constants of section 1 are those of the code.
func TestSpecConstants(t *testing.T) {
	ms := func(d time.Duration) int { return int(d / time.Millisecond) }
	want := map[string]int{
		"version": Version, "max_body": MaxBody, "max_coded": MaxCoded, "max_host_frame": MaxHostFrame, "max_unacked": MaxUnacked,
		"poll_every": ms(PollEvery), "host_silence": ms(HostSilence), "status_every": ms(StatusEvery), "tally_every": ms(TallyEvery),
		"answer_within": ms(AnswerWithin), "halt_stop_within": ms(HaltStopWithin), "max_expect": MaxExpect,
		"max_scan": ms(MaxScan), "default_scan": ms(DefaultScan),
	}
	rows := section(t, "### Constants of the protocol")
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
	for _, row := range rows {
		n := strings.TrimSuffix(strings.TrimSuffix(row[1], " ms"), " bytes")
		if got := strings.ReplaceAll(n, " ", ""); got != strconv.Itoa(want[row[0]]) {
			t.Errorf("%s: SPEC.md says %s, the code %d", row[0], row[1], want[row[0]])
		}
	}
	text, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	tuning := fmt.Sprintf("hello every %d ms, an order every %d ms, HALT every %d ms", ms(HelloRetry), ms(OpRetry), ms(HaltRetry))
	for _, s := range []string{tuning, fmt.Sprintf("no valid frame has come for %d ms", ms(DeviceSilence)), strconv.Itoa(Baud) + " baud"} {
		if !strings.Contains(string(text), s) {
			t.Errorf("SPEC.md does not say %q", s)
		}
	}
}
