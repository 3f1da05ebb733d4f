package config

import (
	"slices"
	"strings"
	"testing"
)

// Each case is a file and what must be told about it, with its place.
func TestK8shark220_RefusedFiles(t *testing.T) {
	level := func(s string) string { return "levels:\n  - {" + s + "}\n" }
	table := func(s string) string { return "tables:\n  - {id: \"1\"}\n  - {" + s + "}\n" }
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		// misspelt keys: k8shark#220, opentelemetry-collector#35838
		{"misspelt", "check:\n  scan_timeuot: 60s\n", []string{"shufflerd.yaml:2: check.scan_timeuot: unknown key; did you mean check.scan_timeout?"}},
		{"misspelt section", "chekc: {scan_timeout: 60s}\n", []string{"shufflerd.yaml:1: chekc: unknown key; did you mean check?"}},
		{"capital", "Room: {name: a}\n", []string{"did you mean room?"}},
		{"dash", "check: {scan-timeout: 60s}\n", []string{"did you mean check.scan_timeout?"}},
		{"wrong section", "room: {scan_timeout: 60s}\n", []string{"shufflerd.yaml:1: room.scan_timeout: unknown key; did you mean check.scan_timeout?"}},
		{"no section", "level: info\n", []string{"level: unknown key; did you mean levels?"}},
		{"nothing near", "journal: {colour: red}\n", []string{"journal.colour: unknown key; remove it; known here: disk_warn_percent"}},
		{"misspelt in a list", table(`id: "2", seat: 9`), []string{"shufflerd.yaml:3: tables[1].seat: unknown key; did you mean tables[1].seats?"}},
		{"wrong place in a list", table(`id: "2", port: /dev/x`), []string{"did you mean tables[1].shuffler.port?"}},
		{"merge", "room: {<<: {name: a}}\n", []string{"room.<<: unknown key"}},
		{"key is a list", "[a]: b\n", []string{"shufflerd.yaml:1: a key that is no word"}},
		{"twice", "room: {name: a}\nlog: {level: info}\nroom: {name: b}\n", []string{"shufflerd.yaml:3: room: the key stands twice, first in line 1"}},

		// wrong types
		{"duration without unit", "check: {scan_timeout: 60}\n", []string{"check.scan_timeout: 60 has no unit; write 60s"}},
		{"short duration without unit", "machine: {step_timeout: 45000}\n", []string{"machine.step_timeout: 45000 has no unit; write 45000ms"}},
		{"quoted duration without unit", "machine: {step_timeout: \"45000\"}\n", []string{"45000 has no unit; write 45000ms"}},
		{"fraction without unit", "check: {scan_timeout: 7.5}\n", []string{"7.5 has no unit; write 7.5s"}},
		{"no duration", "check: {scan_timeout: soon}\n", []string{"soon is no duration; want a duration from 5s to 30m with its unit"}},
		{"negative duration", "check: {scan_timeout: -60s}\n", []string{"-60s is out of range"}},
		{"too long", "check: {scan_timeout: 31m}\n", []string{"31m is out of range; want a duration from 5s to 30m"}},
		{"duration is a list", "check: {scan_timeout: [60s]}\n", []string{"found a list, want a duration"}},
		{"id is a number", "tables:\n  - {id: 007}\n", []string{`shufflerd.yaml:2: tables[0].id: 007 is a number, want an id in quotes`, `put it in quotes: "007"`}},
		{"id is a truth value", "tables:\n  - {id: true}\n", []string{`put it in quotes: "true"`}},
		{"name is a number", "room: {name: 88}\n", []string{`room.name: 88 is a number, want text`, `put it in quotes: "88"`}},
		{"version is a fraction", "procedure: {version: 1.10}\n", []string{`put it in quotes: "1.10"`}},
		{"octal", "journal: {disk_warn_percent: 070}\n", []string{"070 begins with 0, which YAML may read as octal; write 70"}},
		{"hexadecimal", "journal: {disk_warn_percent: 0x46}\n", []string{"0x46 is not a whole number"}},
		{"underscores", "journal: {disk_warn_percent: 7_0}\n", []string{"7_0 is not a whole number"}},
		{"fraction", "journal: {disk_warn_percent: 79.5}\n", []string{"79.5 is a number, want a whole number from 1 to 99"}},
		{"number in quotes", "journal: {disk_warn_percent: \"70\"}\n", []string{"70 in quotes is text, want a whole number", "without quotes"}},
		{"number out of range", "journal: {disk_warn_percent: 100}\n", []string{"100 is out of range; want a whole number from 1 to 99"}},
		{"huge number", "journal: {disk_warn_percent: 99999999999999999999}\n", []string{"journal.disk_warn_percent"}},
		{"yes", "procedure: {wash_after_stop: yes}\n", []string{"procedure.wash_after_stop: yes is text, want true or false"}},
		{"truth in quotes", "procedure: {wash_after_stop: \"true\"}\n", []string{"true in quotes is text", "without quotes"}},
		{"choice", "log: {level: inof}\n", []string{"log.level: inof is none of trace, debug, info, warn, error; did you mean info?"}},
		{"no value", "room:\n  name:\n", []string{"shufflerd.yaml:2: room.name: has no value, want text"}},
		{"empty section", "room:\nlog: {level: info}\n", []string{"shufflerd.yaml:1: room: nothing stands under it"}},
		{"section is text", "room: Hall\n", []string{"room: found text, want keys with values"}},
		{"full-width colon", "room：\n  name： Hall\n", []string{"full-width colon"}},
		{"list instead of keys", "- room\n", []string{"shufflerd.yaml:1: found a list, want keys with values"}},
		{"text instead of a list", "levels: 8\n", []string{"levels: found a number, want a list"}},
		{"alias", "room: {name: &a x, activity_card: *a}\n", []string{"anchors and aliases are not read"}},
		{"alias in a list", "hand: {triggers: [&a first_riffle, *a]}\n", []string{"hand.triggers[1]: anchors and aliases"}},
		{"anchor", "room: &a {name: x}\n", []string{"shufflerd.yaml:1: room: anchors and aliases"}},
		{"type mark", "journal: {disk_warn_percent: !percent 70}\n", []string{"carries the type mark !percent; remove the mark"}},

		// values
		{"zone", "room: {time_zone: Asia/Peking}\n", []string{"room.time_zone: Asia/Peking is no IANA time zone"}},
		{"local zone", "room: {time_zone: Local}\n", []string{"Local is no IANA time zone"}},
		{"zone outside", "room: {time_zone: ../../etc/passwd}\n", []string{"is no IANA time zone"}},
		{"control character", "room: {name: \"a\\eb\"}\n", []string{`"a\x1bb" holds the unprintable character U+001B`}},
		{"line break", "room: {name: \"a\\nb\"}\n", []string{`holds the unprintable character U+000A`}},
		{"right to left", "room: {name: \"a\\u202eb\"}\n", []string{`holds the unprintable character U+202E`}},
		{"long", "room: {name: " + strings.Repeat("桌", 65) + "}\n", []string{"has 65 characters; use at most 64"}},
		{"space", "room: {name: \" a\"}\n", []string{"begins or ends with a space"}},
		{"approval without day", "procedure: {approved_by: floor:7}\n", []string{"shufflerd.yaml:1: procedure.approved_by: the approval has a person and no day"}},
		{"approval without person", "procedure: {approved_at: 2026-03-31}\n", []string{"procedure.approved_at: the approval has a day and no person"}},
		{"no day", "procedure: {approved_by: floor:7, approved_at: 2026-02-30}\n", []string{"2026-02-30 is no date"}},
		{"S7 cut of two cards", "procedure: {min_cut_cards: 2}\n", []string{"procedure.min_cut_cards: 2 is out of range"}},
		{"S7 cut of half", "procedure: {min_cut_cards: 26}\n", []string{"26 is out of range"}},
		{"S1 unknown step", "procedure:\n  steps: [gather, shake, cut]\n", []string{"shufflerd.yaml:2: procedure.steps", "step 2", "unknown step"}},
		{"S1 no riffle", "procedure: {steps: [gather, wash, cut]}\n", []string{"procedure.steps: no riffle"}},
		{"S1 mixing after the cut", "procedure: {steps: [riffle, cut, riffle]}\n", []string{"procedure.steps: step 3 (riffle): mixes after the cut"}},
		{"S4 unknown actor", "procedure: {steps: [riffle@robot, cut]}\n", []string{"procedure.steps", "unknown actor"}},
		{"no version", "procedure: {version: \"\"}\n", []string{`procedure.version: "" is empty`}},
		{"H1 trigger", "hand: {triggers: [first_rifle]}\n", []string{"hand.triggers[0]", "want first_riffle, shuffler_button or dealer_push"}},
		{"H1 rotating riffle", "hand: {triggers_rotating: [shuffler_button, first_riffle]}\n", []string{"hand.triggers_rotating[1]", "begins nothing"}},
		{"H1 by hand button", "hand: {triggers_by_hand: [shuffler_button]}\n", []string{"hand.triggers_by_hand", "add first_riffle"}},
		{"H1 trigger twice", "hand: {triggers: [first_riffle, first_riffle]}\n", []string{"hand.triggers[1]: first_riffle stands twice"}},
		{"H1 no trigger", "hand: {triggers: []}\n", []string{"hand.triggers: the list is empty"}},
		{"D3 pair", "check: {confusions: [JD/QD, J/Q]}\n", []string{"shufflerd.yaml:1: check.confusions[1]"}},
		{"D3 same card", "check: {confusions: [JD/JD]}\n", []string{"check.confusions[0]"}},

		// levels (H2, H11) and tables
		{"level without number", level("small_blind: 1, big_blind: 2, minutes: 20"), []string{"shufflerd.yaml:2: levels[0].number: is missing"}},
		{"level 0", level("number: 0, small_blind: 1, big_blind: 2, minutes: 20"), []string{"levels[0].number: 0 is out of range"}},
		{"small over big", level("number: 1, small_blind: 3, big_blind: 2, minutes: 20"), []string{"levels[0].small_blind: level 1: small blind 3 is over big blind 2"}},
		{"numbers fall", "levels:\n  - {number: 2, small_blind: 1, big_blind: 2, minutes: 20}\n  - {number: 2, small_blind: 1, big_blind: 2, minutes: 20}\n",
			[]string{"shufflerd.yaml:3: levels[1].number: 2 comes after level 2"}},
		{"blinds fall", "levels:\n  - {number: 1, small_blind: 100, big_blind: 200, minutes: 20}\n  - {number: 2, small_blind: 10, big_blind: 20, minutes: 20}\n",
			[]string{"levels[1].big_blind: 20 is less than 200 of level 1"}},
		{"level of no time", level("number: 1, small_blind: 1, big_blind: 2, minutes: 0"), []string{"levels[0].minutes: 0 is out of range"}},
		{"no levels", "levels: []\n", []string{"levels: the list is empty"}},
		{"too many", "hand: {triggers: [" + strings.Repeat("dealer_push,", 201) + "]}\n", []string{"the list has 201 elements; at most 200"}},
		{"same id", table(`id: "1"`), []string{`shufflerd.yaml:3: tables[1].id: "1" is the id of tables[0] too`}},
		{"reserved id", table(`id: room`), []string{`"room" is reserved`}},
		{"id with a stroke", table(`id: a/b`), []string{`tables[1].id: a/b holds '/'`}},
		{"no id", table(`seats: 9`), []string{"tables[1].id: is missing"}},
		{"empty id", table(`id: ""`), []string{`tables[1].id: "" is empty`}},
		{"mode", table(`id: "2", mode: three_decks`), []string{"tables[1].mode: three_decks is none of one_deck, rotation"}},
		{"relative port", table(`id: "2", shuffler: {port: ttyUSB0}`), []string{"tables[1].shuffler.port: ttyUSB0 is not an absolute path"}},
		{"same port", table(`id: "2", shuffler: {port: /dev/a}, scanner: {port: /dev/a}`), []string{"tables[1].scanner.port: /dev/a is the port of tables[1].shuffler.port too"}},
		{"seats", table(`id: "2", seats: 11`), []string{"tables[1].seats: 11 is out of range; want a whole number from 2 to 10"}},
		{"table is a word", "tables: [a]\n", []string{"tables[0]: found text, want keys with values"}},

		// files that are not whole, and no configuration at all
		{"tab", "room:\n\tname: a\n", []string{"shufflerd.yaml:2: is not YAML", "never tabs"}},
		{"two documents", "room: {name: a}\n---\nroom: {name: b}\n", []string{"holds more than one document"}},
		{"GBK", "room:\n  name: \xc5\xc6\xca\xd2\n", []string{"shufflerd.yaml:2: is not UTF-8; save the file as UTF-8"}},
	} {
		t.Run(c.name, func(t *testing.T) { wants(t, problems(t, in(t, c.text)), c.want...) })
	}
}

// viper's WatchConfig took a file that was just being written, empty or half,
// for "no settings", and the program ran on defaults.
func TestViperWatchConfig_EmptyOrHalfFileIsNoDefaults(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"0 bytes":       {"", "is empty (0 bytes)"},
		"blank":         {"\n\n", "holds no settings"},
		"comments only": {"# room:\n", "holds no settings"},
		"document mark": {"---\n", "holds no settings"},
		"cut":           {"room:\n  name: Hall\nprocedure:\n  ver", "shufflerd.yaml:4: the last line has no end, as in a file cut short"},
		"cut in a list": {"levels:\n  - {number: 1,\n", "is not YAML"},
		"zeros":         {"room:\n  name: a\n\x00\x00\x00\n", "shufflerd.yaml:3: holds NUL bytes, as after a power cut"},
		"too large":     {"# " + strings.Repeat("x", maxFileBytes) + "\n", "larger than"},
	} {
		t.Run(name, func(t *testing.T) { wants(t, problems(t, in(t, c.text)), c.want) })
	}
}

// Every line of the example, cut at any byte but a line's end, is refused.
func TestViperWatchConfig_EveryCutInsideALineIsRefused(t *testing.T) {
	text := Example()
	for i := 0; i < len(text); i += 97 {
		if text[max(i-1, 0)] == '\n' {
			continue
		}
		if _, _, err := Load(in(t, text[:i])); err == nil {
			t.Fatalf("cut after %d bytes: accepted", i)
		}
	}
}

func TestRefusedEnvironmentAndFlags(t *testing.T) {
	o := Options{SystemPath: "/nonexistent/x", Env: []string{
		"SHUFFLERD_LOG_LEVL=debug", "SHUFFLERD_LEVELS=1", "SHUFFLERD_ROOM_NAME=a\x1b[2Jb", "SHUFFLERD_PROCEDURE_WASH_AFTER_STOP=1",
		"SHUFFLERD_CHECK_SCAN_TIMEOUT=60", "SHUFFLERD_COLOURS_OF_THE_RAINBOW=7", "SHUFFLER_OTHER=1", "PATH=/bin",
	}}
	o = with(t, o, "--machine-step-timeout=45000", "--log-format=xml", "--journal-disk-warn-percent=+7")
	got := problems(t, o)
	wants(t, got,
		"configuration: 9 problems",
		"environment SHUFFLERD_LOG_LEVL: unknown variable; did you mean SHUFFLERD_LOG_LEVEL?",
		"environment SHUFFLERD_COLOURS_OF_THE_RAINBOW: unknown variable; unset it",
		"environment SHUFFLERD_LEVELS: a list can be set in the file only",
		`environment SHUFFLERD_ROOM_NAME: room.name: "a\x1b[2Jb" holds the unprintable character U+001B`,
		"environment SHUFFLERD_PROCEDURE_WASH_AFTER_STOP: procedure.wash_after_stop: 1 is neither true nor false",
		"environment SHUFFLERD_CHECK_SCAN_TIMEOUT: check.scan_timeout: 60 has no unit; write 60s",
		"flag --machine-step-timeout: machine.step_timeout: 45000 has no unit; write 45000ms",
		"flag --log-format: log.format: xml is none of auto, console, json",
		"flag --journal-disk-warn-percent: journal.disk_warn_percent: +7 is not a whole number",
	)
	if strings.Contains(got, "SHUFFLER_OTHER") || strings.ContainsRune(got, 0x1b) {
		t.Errorf("report:\n%s", got)
	}
}

func TestAllProblemsAtOnceInTheOrderOfTheFile(t *testing.T) {
	o := in(t, "room:\n  nmae: x\n  time_zone: Mars/North\ncheck:\n  scan_timeout: 60\nlevels:\n  - {number: 1, small_blind: 5, big_blind: two}\njournal: {disk_warn_percent: 0}\n")
	o.Env = []string{"SHUFFLERD_LOG_LEVEL=loud"}
	got := problems(t, o)
	var lines []string
	for _, l := range strings.Split(got, "\n")[1:] {
		lines = append(lines, strings.Fields(l)[0])
	}
	want := []string{"shufflerd.yaml:2:", "shufflerd.yaml:3:", "shufflerd.yaml:5:", "shufflerd.yaml:7:", "shufflerd.yaml:7:", "shufflerd.yaml:8:", "environment"}
	if !slices.Equal(lines, want) {
		t.Errorf("places %v, want %v in\n%s", lines, want, got)
	}
}

func TestAReportHasAnEnd(t *testing.T) {
	got := problems(t, in(t, strings.Repeat("x: 1\n", 500)))
	wants(t, got, "500 problems", "and 460 more")
	if n := strings.Count(got, "\n"); n > maxShown+1 {
		t.Errorf("%d lines", n)
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		Example(), "", "a", "room: {name: 5}\n", "levels:\n - {number: 1}\n", "tables: [{id: 007, shuffler: {port: 5}}]\n", "? [a]\n: b\n",
		"room: &a {name: *a}\n", "%YAML 1.1\n---\nroom: !!map {}\n", "\xef\xbb\xbfroom: {name: a}\n", "[[[[[[[[", "a: !!binary x\n", "room:\r\n  name: x\r\n", "log: {level: !!str info}\n...\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		o := in(t, string(text))
		c, src, err := Load(o)
		if err == nil {
			if len(text) == 0 {
				t.Error("an empty file was taken")
			}
			var b strings.Builder
			if err := Show(&b, c, src); err != nil {
				t.Error(err)
			}
			if again, _, err := Load(in(t, b.String())); err != nil || !equal(again, c) {
				t.Errorf("what was shown does not load again: %v\n%s", err, b.String())
			}
			return
		}
		e, ok := err.(*Error)
		if !ok || len(e.Problems) == 0 {
			t.Fatalf("error %v", err)
		}
		for _, p := range e.Problems {
			if !strings.Contains(p.Where, "shufflerd.yaml") || p.What == "" {
				t.Errorf("a problem without place or content: %+v", p)
			}
			if strings.ContainsFunc(p.String(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("control characters in %q", p.String())
			}
		}
	})
}
