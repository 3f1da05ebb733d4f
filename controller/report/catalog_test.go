package report

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// codes are the sections whose texts are found by a code, with every code that
// there is. Texts of a code may be several: .what, .cause, .next.
func codes(t *testing.T) map[string][]string {
	ops := []string{table.LoadOp.String(), table.ReleaseOp.String()}
	registry := constants(t, "../room", "Code")
	other := []string{"bad_level", "pin_needed", "pin_wrong", "locked_out", "unknown_staff", "role_not_held", "not_active", "other_table", "not_locked"} // of announcements and people, not of decks
	registry = slices.DeleteFunc(registry, func(c string) bool { return slices.Contains(other, c) })
	faults := []string{}
	for _, c := range fault.All() {
		faults = append(faults, c.String())
	}
	return map[string][]string{
		"role":      append(numbered(func(i uint8) string { return custody.Role(i).String() }), "nobody"),
		"who":       {"dealer", "floor", "incoming", "machine", "technician"},
		"part":      numbered(func(i uint8) string { return fault.Part(i).String() }),
		"draw":      numbered(func(i uint8) string { return custody.DrawKind(i).String() }),
		"cause":     numbered(func(i uint8) string { return custody.Cause(i).String() }),
		"sent_away": numbered(func(i uint8) string { return custody.SentAway(i).String() }),
		"lock":      numbered(func(i uint8) string { return custody.Lock(i).String() }),
		"stage":     append(numbered(func(i uint8) string { return hand.Stage(i).String() }), "none"),
		"gate":      slices.Concat(numbered(func(i uint8) string { return hand.Reason(i).String() }), details(t, "NotNow"), assigned(t, "why")),
		"trigger":   numbered(func(i uint8) string { return hand.Trigger(i).String() }),
		"step":      append(numbered(func(i uint8) string { return shuffle.Step(i).String() }), ops...),
		"phase":     numbered(func(i uint8) string { return shuffle.Phase(i).String() }),
		"actor":     numbered(func(i uint8) string { return shuffle.Actor(i).String() }),
		"wash":      numbered(func(i uint8) string { return shuffle.WashReason(i).String() }),
		"stop":      numbered(func(i uint8) string { return shuffle.StopReason(i).String() }),
		"break":     numbered(func(i uint8) string { return shuffle.BreakKind(i).String() }),
		"unread":    numbered(func(i uint8) string { return deckcheck.UnreadReason(i).String() }),
		"finding":   numbered(func(i uint8) string { return deckcheck.FindingKind(i).String() }),
		"found":     numbered(func(i uint8) string { return deckcheck.FindingKind(i).String() }),
		"outcome":   append(numbered(func(i uint8) string { return deckcheck.Outcome(i).String() }), "unchecked"),
		"hint":      numbered(func(i uint8) string { return deckcheck.Hint(i).String() }),
		"doing":     append([]string{"check", "step", "reset"}, ops...),
		"place":     {"players_hand", "under_rail", "used_as_cut_card", "machine_well", "stub", "board", "burns", "muck", "scrap"},
		"street":    append(numbered(func(i uint8) string { return hand.Street(i).String() }), "preflop"),
		"stub":      numbered(func(i uint8) string { return hand.StubOutcome(i).String() }),
		"area":      numbered(func(i uint8) string { return hand.Area(i).String() }),
		"odd_move":  append(numbered(func(i uint8) string { return hand.OddMove(i).String() }), "flop_burn_missing_acted"),
		"said":      constants(t, "../table", "PackSaid"),
		"down":      constants(t, "../table", "DownReason"),
		"source":    {"floor", "clock"},
		"field":     details(t, "BadInput"),
		"attest":    append(deckcheck.Attestation{}.Complete(true), "stated_count"),
		"registry":  registry, "so": append(details(t, "AlreadySo"), "A", "B", "shuffler"),
		"action": append(actions(t), "announce_level", "lift_lock"), "proof": {"pin", "approved_pin"}, "notice": constants(t, "../table", "NoticeCode"), "prompt": append(constants(t, "../table", "PromptCode"), "other"),
		"refusal": append(constants(t, "../table", "Code"), constants(t, "../room", "Code")...), "fault": faults, "state": {HandInPlay, HandEnded, HandAbandoned}, "unknown": notRecorded(),
		"label.device":    {"shuffler", "scanner"},
		"handoff.of":      {HandoffPending + "_open", HandoffRefused + "_open", HandoffAccepted, HandoffRefused, HandoffCompleted, HandoffKept},
		"outcome_handoff": {HandoffPending, HandoffAccepted, HandoffRefused, HandoffCompleted, HandoffKept},
		"sentence.of":     {"check_good", "check_bad", "check_unread", "check_unchecked"},
	}
}

// parts of the text of one code, where there is more than one.
var codeParts = map[string][]string{"refusal": {".what", ".todo"}, "fault": {".what", ".cause", ".next"}}

// keysOf are the catalogue keys of codes.
func keysOf(t *testing.T) map[string]bool {
	set := map[string]bool{}
	for section, list := range codes(t) {
		section, _, _ = strings.Cut(section, ".")
		if len(list) == 0 {
			t.Errorf("no codes of %s: the test reads them wrongly", section)
		}
		for _, code := range list {
			for _, part := range append([]string{""}, codeParts[section]...) {
				if (part == "") == (codeParts[section] == nil) {
					set[section+"."+code+part] = true
				}
			}
		}
	}
	return set
}

func TestM2_EveryCodeHasATextInEveryLanguage(t *testing.T) {
	keys := keysOf(t)
	if len(keys) < 200 {
		t.Errorf("only %d codes found", len(keys))
	}
	for l, c := range catalogs {
		for key := range keys {
			if text, ok := c[key]; !ok || len(text) == 0 {
				t.Errorf("%s: no text for %s", l, key)
			}
		}
	}
}

// TestTaiwaneseIsComplete lists what zh-TW.json lacks; with SHUFFLER_STRICT_LANG=1
// that is a failure.
func TestTaiwaneseIsComplete(t *testing.T) {
	for _, key := range untranslated {
		if os.Getenv("SHUFFLER_STRICT_LANG") == "1" {
			t.Errorf("%s: no text for %s", Taiwanese, key)
		} else {
			t.Logf("%s: no text for %s yet", Taiwanese, key)
		}
	}
}

func TestNoTextIsUnused(t *testing.T) {
	used, own := keysOf(t), ownLiterals(t)
	for key := range catalogs[English] {
		if !used[key] && !own[key] {
			t.Errorf("%s is never said", key)
		}
	}
}

func TestM2_EveryFaultTellsWhatCauseAndNext(t *testing.T) {
	for _, l := range Languages() {
		seen := map[string]fault.Code{}
		for _, c := range fault.All() {
			what, cause, next := Fault(Options{Lang: l}, c)
			if what == "" || cause == "" || next == "" {
				t.Errorf("%s: %v: %q, %q, %q", l, c, what, cause, next)
			}
			if other, twice := seen[what]; twice {
				t.Errorf("%s: %v and %v read alike", l, c, other)
			}
			seen[what] = c
		}
	}
	what, _, _ := Fault(Options{}, fault.Code(200))
	if known, _, _ := Fault(Options{}, fault.UnknownFault); what != known {
		t.Errorf("an unknown code reads %q", what)
	}
}

func TestEveryRefusalSaysWhatToDo(t *testing.T) {
	for _, l := range Languages() {
		for _, code := range append(constants(t, "../table", "Code"), constants(t, "../room", "Code")...) {
			what, todo := Refusal(Options{Lang: l}, table.Refusal{Code: table.Code(code)})
			if what == "" || todo == "" || strings.ContainsAny(what+todo, "{}[]") {
				t.Errorf("%s: %s: %q, %q", l, code, what, todo)
			}
		}
	}
	for _, c := range []struct {
		r    table.Refusal
		l    Lang
		want string
	}{
		{table.Refusal{Code: table.NeedsRole, Arg: "dealer,floor"}, English, "This is for dealer or floor only."},
		{table.Refusal{Code: table.NeedsRole, Arg: "dealer,floor"}, Chinese, "只有发牌员或店长可以这样做。"},
		{table.Refusal{Code: table.PartFaulty, Arg: "scanner"}, English, "A fault stands: scanner."},
		{table.Refusal{Code: table.PartFaulty, Arg: "jam_exit"}, English, "A fault stands: Cards are stuck at the exit."},
		{table.Refusal{Code: table.NoSuchFault, Arg: "shuffler/jam_exit"}, English, "No such fault stands: shuffler: Cards are stuck at the exit."},
		{table.Refusal{Code: table.NotOnDuty, Arg: "dealer:3"}, English, "Only the dealer on duty may do this; that is dealer 3."},
		{table.Refusal{Code: table.NotOnDuty}, English, "Only the dealer on duty may do this."},
		{table.Refusal{Code: table.NotNow, Arg: "no_level"}, Chinese, "现在不行：尚无生效级别。"},
		{table.Refusal{Code: table.DeckBarred, Arg: "deck_elsewhere"}, English, "The room's registry bars this deck: it lies at another table."},
		{table.Refusal{Code: "of_a_newer_version", Arg: "x"}, English, "Refused: of_a_newer_version (x)."},
	} {
		if got, _ := Refusal(Options{Lang: c.l}, c.r); got != c.want {
			t.Errorf("%v in %s: %q, want %q", c.r, c.l, got, c.want)
		}
	}
}

func TestEveryPromptHasALine(t *testing.T) {
	for _, l := range Languages() {
		for _, code := range constants(t, "../table", "PromptCode") {
			got := Prompt(Options{Lang: l}, table.Prompt{Do: table.PromptCode(code), Who: "dealer", Slot: "A", Step: "cut", Arg: "shuffler/jam_exit"})
			if got == "" || strings.ContainsAny(got, "{}[]\n") {
				t.Errorf("%s: %s: %q", l, code, got)
			}
		}
	}
	for want, p := range map[string]table.Prompt{
		"Floor: remove the cause and clear the fault (shuffler: Cards are stuck at the exit).": {Do: table.DoClearFault, Who: "floor", Arg: "shuffler/jam_exit"},
		"Incoming dealer: read the handoff report and accept (dealer 5).":                      {Do: table.DoAcceptHandoff, Who: "incoming", Arg: "dealer:5"},
		"Dealer: cut.":                     {Do: table.DoDealerStep, Who: "dealer", Step: "cut"},
		"Technician: connect the scanner.": {Do: table.DoConnect, Who: "technician", Arg: "scanner"},
		"Dealer: of_a_newer_version":       {Do: "of_a_newer_version", Who: "dealer"},
	} {
		if got := Prompt(Options{}, p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDoingNamesWhatIsUnderWay(t *testing.T) {
	for want, got := range map[string]string{
		"checking A": Doing(Options{}, table.ScanOp, shuffle.NoStep, custody.A), "交错洗牌": Doing(Options{Lang: Chinese}, table.StepOp, shuffle.Riffle, custody.NoSlot),
		"出牌": Doing(Options{Lang: Chinese}, table.ReleaseOp, shuffle.NoStep, custody.NoSlot), "": Doing(Options{}, table.NoOp, shuffle.NoStep, custody.NoSlot),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLoadCatalogsRefusesWhatDoesNotFit(t *testing.T) {
	for name, c := range map[string]struct{ en, zh, want string }{
		"missing there":     {`{"a":{"x":"X","y":"Y"}}`, `{"a":{"x":"X"}}`, "a.y stands only in the first"},
		"missing here":      {`{"a":{"x":"X"}}`, `{"a":{"x":"X","y":"Y"}}`, "a.y stands only in the second"},
		"other placeholder": {`{"a":"{n} cards"}`, `{"a":"{m} 张"}`, "a has placeholders [n] and [m]"},
		"in an option":      {`{"a":"x[ {n}]"}`, `{"a":"x"}`, "a has placeholders [n] and []"},
		"blank":             {`{"a":"  "}`, `{"a":"x"}`, "a: is blank"},
		"unclosed":          {`{"a":"{n"}`, `{"a":"x"}`, "a: '{' stands alone"},
		"unopened":          {`{"a":"n]"}`, `{"a":"x"}`, "a: ']' stands alone"},
		"empty placeholder": {`{"a":"{}"}`, `{"a":"x"}`, "a: placeholder {}: want {name} or {name|one|many}"},
		"two forms":         {`{"a":"{n|x}"}`, `{"a":"x"}`, "a: placeholder {n|x}: want"},
		"option of nothing": {`{"a":"x[y]"}`, `{"a":"x"}`, "a: the part [y] has no placeholder"},
		"no text":           {`{"a":1}`, `{"a":"x"}`, "a: want a text or a section"},
		"no JSON":           {`{`, `{}`, "catalog/en.json"},
	} {
		files := fstest.MapFS{"catalog/en.json": {Data: []byte(c.en)}, "catalog/zh-CN.json": {Data: []byte(c.zh)}, "catalog/zh-TW.json": {Data: []byte(c.zh)}}
		if _, _, err := loadCatalogs(files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, _, err := loadCatalogs(fstest.MapFS{}); err == nil {
		t.Error("no files, no error")
	}
	if keys := slices.Sorted(maps.Keys(catalogs)); !slices.Equal(keys, Languages()) {
		t.Errorf("languages %v", keys)
	}
}

func TestTextFillsPlaceholders(t *testing.T) {
	text, err := parseText("{n} {n|card|cards}[ by {by}][: {why}].")
	if err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]map[string]string{
		"1 card by X.":      {"n": "1", "by": "X"},
		"2 cards: why.":     {"n": "2", "why": "why"},
		"0 cards by X: {}.": {"n": "0", "by": "X", "why": "{}"},
	} {
		if got, _ := text.fill(v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzParseText(f *testing.F) {
	for _, s := range []string{"{n} {n|a|b}[ x {y}]", "[", "{[}]", "[{a|b|c}]", "}{", "[[{x}]]", "{a|}", "{|b|c}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, err := parseText(s)
		if err != nil {
			return
		}
		values := map[string]string{}
		for _, n := range text.names() {
			values[n] = "v"
		}
		if _, empty := text.fill(values); empty {
			t.Errorf("%q: a placeholder stays empty with every value given", s)
		}
	})
}
