package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"shuffler/controller/api"
	"shuffler/controller/web"
)

// everyCommand calls f for each command that a person can give.
func everyCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, sub := range shown(cmd) {
		everyCommand(sub, f)
	}
}

func testRoot() *cobra.Command { return (&ctl{host: testHost(nil)}).root() }

// sample are words and flags that carry each action out, with the arguments that
// the API must get.
var sample = map[string]struct {
	words []string
	args  any
}{
	"open_table":         {[]string{"table", "open", "--activity-card", "AC-1", "--manual", "V0.2", "--deputy", "floor:8"}, api.OpenTable{ActivityCard: "AC-1", Manual: "V0.2", Floor: "floor:7", Deputy: "floor:8"}},
	"change_floor":       {[]string{"table", "duty", "--floor", "floor:8", "--reason", "going home"}, api.ChangeFloor{Floor: "floor:8", Reason: "going home"}},
	"close_table":        {[]string{"table", "close"}, struct{}{}},
	"sign_in":            {[]string{"dealer", "sign-in"}, struct{}{}},
	"place_deck":         {[]string{"deck", "place", "a", "D-1", "--back", "red", "--new", "--seal", "S-9", "--cause", "sticky", "--reason", "from the store"}, api.PlaceDeck{Slot: "A", Deck: "D-1", Back: "red", New: true, Seal: "S-9", Cause: "sticky", Reason: "from the store"}},
	"remove_deck":        {[]string{"deck", "remove", "B", "--cause", "damaged", "--reason", "worn"}, api.ChangeDeck{Slot: "B", Cause: "damaged", Reason: "worn"}},
	"use_deck":           {[]string{"deck", "use", "b", "--reason", "a marked card"}, api.ChangeDeck{Slot: "B", Reason: "a marked card"}},
	"start_check":        {[]string{"deck", "check", "A", "--no-wait", "--stated-count", "52"}, api.Slot{Slot: "A", StatedCount: 52}},
	"attest_deck":        {[]string{"deck", "attest", "A", "--condition", "--backs", "--cut-card", "--button", "--stated-count", "52"}, api.AttestDeck{Slot: "A", Condition: true, Backs: true, CutCard: true, Button: true, StatedCount: 52}},
	"quarantine_deck":    {[]string{"deck", "quarantine", "A", "--envelope", "E-1", "--cause", "duplicate_in_play", "--reason", "second jack"}, api.QuarantineDeck{Slot: "A", Envelope: "E-1", Cause: "duplicate_in_play", Reason: "second jack"}},
	"use_for_draw":       {[]string{"deck", "draw", "chip_race", "--slot", "b"}, api.UseForDraw{Slot: "B", Kind: "chip_race"}},
	"street_dealt":       {[]string{"hand", "street", "flop", "--no-burn"}, api.DealStreet{Street: "flop", NoBurn: true}},
	"odd_move":           {[]string{"hand", "move", "ruled", "--cards", "1", "--from", "board", "--to", "stub", "--reason", "five cards"}, api.OddMove{Kind: "ruled", Cards: 1, From: "board", To: "stub", Reason: "five cards"}},
	"reshuffle_stub":     {[]string{"hand", "stub", "stub_only", "--street", "flop", "--cards", "36", "--reason", "dropped"}, api.ReshuffleStub{Outcome: "stub_only", Street: "flop", Cards: 36, Reason: "dropped"}},
	"count_stub":         {[]string{"hand", "count-stub", "32", "--street", "river"}, api.CountStub{Street: "river", Cards: 32}},
	"record_exception":   {[]string{"hand", "exception", "H7", "--why", "fairness"}, api.RecordException{Rule: "H7", Why: "fairness"}},
	"confirm_seats":      {[]string{"seats", "confirm", "--button", "3", "--seats", "1-3, 6,9-10"}, api.ConfirmSeats{Button: 3, Seats: []int{1, 2, 3, 6, 9, 10}}},
	"confirm_level":      {[]string{"level", "confirm", "4"}, api.ConfirmLevel{Number: 4}},
	"announce_level":     {[]string{"level", "announce", "4", "--blinds", "400/800", "--ante", "800"}, api.AnnounceLevel{Number: 4, SmallBlind: 400, BigBlind: 800, BigBlindAnte: 800}},
	"request_wash":       {[]string{"shuffle", "wash", "--reason", "cards on the floor"}, api.Reason{Reason: "cards on the floor"}},
	"begin_shuffle":      {[]string{"shuffle", "begin"}, struct{}{}},
	"dealer_step":        {[]string{"shuffle", "step", "gather", "done", "--cards", "52", "--sensor"}, api.DealerStep{Step: "gather", Phase: "done", Cards: 52, Sensor: true}},
	"void_shuffle":       {[]string{"shuffle", "void", "face_exposed", "--slot", "b"}, api.VoidShuffle{Reason: "face_exposed", Slot: "B"}},
	"set_break":          {[]string{"table", "break", "begin", "--reason", "dinner"}, api.SetBreak{On: true, Reason: "dinner"}},
	"set_rotation":       {[]string{"deck", "rotation", "on", "--reason", "two good decks"}, api.SetRotation{On: true, Reason: "two good decks"}},
	"deal_begun":         {[]string{"hand", "deal"}, struct{}{}},
	"substantial_action": {[]string{"hand", "action"}, struct{}{}},
	"end_hand":           {[]string{"hand", "end"}, struct{}{}},
	"abandon_hand":       {[]string{"hand", "abandon", "--reason", "fire alarm"}, api.Reason{Reason: "fire alarm"}},
	"resume_hand":        {[]string{"hand", "resume", "untouched"}, api.ResumeHand{Said: "untouched"}},
	"call_floor":         {[]string{"table", "hold", "--reason", "dispute"}, api.Reason{Reason: "dispute"}},
	"lift_hold":          {[]string{"table", "lift", "--ruling", "play on", "--basis", "F0 1.2", "--read-back"}, api.LiftHold{Ruling: "play on", Basis: "F0 1.2", ReadBack: true}},
	"propose_handoff":    {[]string{"handoff", "propose", "dealer:5"}, api.ProposeHandoff{To: "dealer:5"}},
	"accept_handoff":     {[]string{"handoff", "accept", "--head", "1:" + strings.Repeat("ab", 32)}, api.AcceptHandoff{Head: "1:" + strings.Repeat("ab", 32)}},
	"refuse_handoff":     {[]string{"handoff", "refuse", "--reason", "count differs"}, api.Reason{Reason: "count differs"}},
	"settle_handoff":     {[]string{"handoff", "settle", "complete", "--reason", "recounted"}, api.SettleHandoff{Complete: true, Reason: "recounted"}},
	"clear_fault":        {[]string{"fault", "clear", "shuffler", "jam_exit", "--note", "taken out"}, api.ClearFault{Part: "shuffler", Code: "jam_exit", Note: "taken out"}},
	"set_service":        {[]string{"table", "service", "out", "--reason", "noise"}, api.SetService{Out: true, Reason: "noise"}},
}

// TestActions_EachHasOneCommand: what the API can do, shufflectl can do.
func TestActions_EachHasOneCommand(t *testing.T) {
	have := map[string]string{}
	everyCommand(testRoot(), func(cmd *cobra.Command) {
		if a := cmd.Annotations[actionNote]; a != "" {
			if have[a] != "" {
				t.Errorf("%s is done by %q and %q", a, have[a], cmd.CommandPath())
			}
			have[a] = cmd.CommandPath()
		}
	})
	want := append(web.Actions(), api.AnnounceLevelAction)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(have)); !slices.Equal(got, want) {
		t.Errorf("commands do %v\nthe API has %v", got, want)
	}
}

// TestActions_SayWhatWasMeant: each command sends its action with all arguments,
// the person, the second one and a key, to the table that was named.
func TestActions_SayWhatWasMeant(t *testing.T) {
	for _, action := range append(web.Actions(), api.AnnounceLevelAction) {
		s, ok := sample[action]
		if !ok {
			t.Errorf("%s: the test has no words for it", action)
			continue
		}
		f := cardRoom()
		r := ctlIn(t, nil, append(s.words, "--server", f.serve(t), "--as", "floor:7", "--approved-by", "dealer:3", "--table", "2", "--key", "k-1")...)
		if r.code != exitOK || len(f.asked) != 1 {
			t.Errorf("%q: exit %d with %d requests: %s", s.words, r.code, len(f.asked), r.err)
			continue
		}
		path := "/v1/tables/2/actions/" + action
		if action == api.AnnounceLevelAction {
			path = "/v1/level"
		}
		h := f.asked[0].Header
		if f.asked[0].URL.Path != path || h.Get(api.HeaderAs) != "floor:7" || h.Get(api.HeaderApprovedBy) != "dealer:3" || h.Get(api.HeaderKey) != "k-1" {
			t.Errorf("%q: asked %s with %v", s.words, f.asked[0].URL.Path, h)
		}
		if want := string(api.Args(s.args)); f.bodies[0] != want {
			t.Errorf("%q: said %s, want %s", s.words, f.bodies[0], want)
		}
	}
}

// TestActions_TheControllerUnderstandsThem: against the real API nothing that
// shufflectl says is a bad request; rules may refuse it.
func TestActions_TheControllerUnderstandsThem(t *testing.T) {
	h := open(t, "1")
	for action, s := range sample {
		for _, who := range []string{"floor:7", "dealer:3"} {
			r := h.ctl(append(s.words, "--as", who)...)
			if r.code != exitOK && r.code != exitRefused {
				t.Errorf("%s by %s: exit %d: %s", action, who, r.code, r.err)
			}
		}
	}
}

// TestKeys_AreNew: two requests without --key are two requests.
func TestKeys_AreNew(t *testing.T) {
	f := cardRoom()
	server := f.serve(t)
	for range 2 {
		ctlIn(t, nil, "hand", "deal", "--server", server, "--as", "dealer:3", "--table", "2")
	}
	if len(f.asked) != 2 || f.asked[0].Header.Get(api.HeaderKey) == f.asked[1].Header.Get(api.HeaderKey) {
		t.Errorf("%d requests with one key", len(f.asked))
	}
}

// TestHelp_OfEveryCommand: each tells what it does, how it is called and, where it
// does something, an example that can be typed as it stands.
func TestHelp_OfEveryCommand(t *testing.T) {
	var list strings.Builder
	everyCommand(testRoot(), func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		r := ctlIn(t, nil, append(path, "--help")...)
		if r.code != exitOK || r.err != "" || !strings.Contains(r.out, "Usage:") {
			t.Errorf("%q: exit %d: %s", path, r.code, r.err)
		}
		if strings.Contains(cmd.CommandPath(), " completion") || cmd.Name() == "help" {
			return // cobra's
		}
		list.WriteString(cmd.UseLine() + "\n    " + cmd.Short + "\n")
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short help %q", cmd.CommandPath(), cmd.Short)
		}
		for _, l := range strings.Split(r.out, "\n") {
			if !strings.HasPrefix(strings.TrimSpace(l), "-") && columns(l) > 125 {
				t.Errorf("%s: help line of %d columns: %s", cmd.CommandPath(), columns(l), l)
			}
		}
		if len(shown(cmd)) > 0 {
			return
		}
		if cmd.Example == "" {
			t.Errorf("%s: no example", cmd.CommandPath())
		}
		for example := range strings.SplitSeq(cmd.Example, "\n") {
			checkExample(t, cmd, example)
		}
	})
	golden(t, "commands.txt", list.String())
}

// checkExample parses an example's words as its command would.
func checkExample(t *testing.T, cmd *cobra.Command, example string) {
	t.Helper()
	example, _, _ = strings.Cut(example, " > ")
	example, _, _ = strings.Cut(example, " | ")
	words := typed(example)
	if len(words) == 0 || words[0] != "shufflectl" {
		t.Errorf("%s: example %q", cmd.CommandPath(), example)
		return
	}
	root := testRoot()
	found, rest, err := root.Find(words[1:])
	if err != nil || found.CommandPath() != cmd.CommandPath() {
		t.Errorf("example %q is of %s: %v", example, found.CommandPath(), err)
		return
	}
	if err := found.ParseFlags(rest); err != nil {
		t.Errorf("example %q: %v", example, err)
		return
	}
	if err := found.ValidateArgs(found.Flags().Args()); err != nil {
		t.Errorf("example %q: %v", example, err)
	}
}

// typed cuts a line into words as a shell does, as far as examples need it.
func typed(s string) (words []string) {
	for i, quoted := range strings.Split(s, `"`) {
		if i%2 == 1 {
			words = append(words, quoted)
			continue
		}
		words = append(words, strings.Fields(quoted)...)
	}
	return words
}

// TestManual_EveryPage: a page for each command, the same every time, and no
// complaint of the program that formats it.
func TestManual_EveryPage(t *testing.T) {
	dirs := []string{t.TempDir(), filepath.Join(t.TempDir(), "new")}
	for _, dir := range dirs {
		if r := ctlIn(t, nil, "man", dir); r.code != exitOK {
			t.Fatalf("exit %d: %s", r.code, r.err)
		}
	}
	n := 0
	var pages []string
	everyCommand(testRoot(), func(cmd *cobra.Command) {
		name := pageName(cmd) + ".1"
		a, err := os.ReadFile(filepath.Join(dirs[0], name))
		b, err2 := os.ReadFile(filepath.Join(dirs[1], name))
		if err != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s: %v, %v, or two pages", name, err, err2)
		}
		n++
		pages = append(pages, filepath.Join(dirs[0], name))
	})
	if groff, err := exec.LookPath("groff"); err == nil {
		out, err := exec.Command(groff, append([]string{"-man", "-ww", "-z", "-Tutf8"}, pages...)...).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("groff: %v: %s", err, out)
		}
	}
	if files, _ := os.ReadDir(dirs[0]); len(files) != n {
		t.Errorf("%d pages for %d commands", len(files), n)
	}
	page, err := os.ReadFile(filepath.Join(dirs[0], "shufflectl-table-lift.1"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "shufflectl-table-lift.1", string(page))
}

// TestManual_TextIsNoRequest: a line that begins like a request is printed.
func TestManual_TextIsNoRequest(t *testing.T) {
	for in, want := range map[string]string{".so /etc/passwd": `\&.so /etc/passwd`, "'tr": `\&'tr`, `a\fB-x`: `a\efB\-x`, "plain": "plain"} {
		var m manual
		m.text(in)
		if got := m.b.String(); got != want+"\n" {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// TestCompletion_OfWordsAndTables: what a shell asks, in the form that cobra's
// scripts use.
func TestCompletion_OfWordsAndTables(t *testing.T) {
	h := open(t, "1", "vip")
	for _, c := range []struct {
		words []string
		want  []string
	}{
		{[]string{"deck", "check", ""}, []string{"A", "B"}},
		{[]string{"deck", "place", "A", ""}, nil},
		{[]string{"shuffle", "step", "wash", ""}, []string{"started", "done", "performed"}},
		{[]string{"fault", "clear", "shuffler", "jam_e"}, []string{"jam_entry", "jam_exit"}},
		{[]string{"table", "status", "--table", ""}, []string{"1", "vip"}},
		{[]string{"-o", ""}, []string{"table", "json", "csv"}},
		{[]string{"--lang", ""}, []string{"en", "zh-CN", "zh-TW"}},
	} {
		out := h.must(append([]string{"__complete"}, c.words...)...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if got := lines[:len(lines)-1]; !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			var kept []string
			for _, l := range got { // cobra leaves the choice by prefix to the shell
				if strings.HasPrefix(l, c.words[len(c.words)-1]) {
					kept = append(kept, l)
				}
			}
			if !slices.Equal(kept, c.want) {
				t.Errorf("%q: %q, want %q", c.words, kept, c.want)
			}
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out := h.must("completion", shell); !strings.Contains(out, "shufflectl") {
			t.Errorf("completion %s: %q", shell, out)
		}
	}
}

// TestVersion tells the controller's too, and is no failure without one.
func TestVersion(t *testing.T) {
	r := ctlIn(t, nil, "version", "--server", cardRoom().serve(t))
	if r.code != exitOK || !strings.Contains(r.out, "1.2.3") || r.err != "" {
		t.Errorf("%+v", r)
	}
	r = ctlIn(t, nil, "version", "--server", "/nowhere/s.sock", "-o", "json")
	var v struct{ Shufflectl, Trouble string }
	if err := json.Unmarshal([]byte(r.out), &v); r.code != exitOK || err != nil || v.Shufflectl != version || v.Trouble == "" {
		t.Errorf("%+v, %v", r, err)
	}
}
