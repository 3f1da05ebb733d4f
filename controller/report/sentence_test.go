package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
)

var wallTime = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// silent records are heard by nobody.
var silent = map[string]bool{"checkpoint": true}

// unfilled is what a text looks like whose key or value was not found.
var unfilled = regexp.MustCompile(`[{}\[\]]|%!|\b(sentence|notice|refusal|fault)\.[a-z]`)

// oneLine is what every sentence must be.
func oneLine(t *testing.T, what, s string) {
	t.Helper()
	for _, r := range s {
		if unicode.IsControl(r) || unseen(r) {
			t.Errorf("%s has a control character: %q", what, s)
		}
	}
	if unfilled.MatchString(s) {
		t.Errorf("%s is not filled in: %q", what, s)
	}
}

func TestEveryRecordTypeHasASentence(t *testing.T) {
	for _, l := range Languages() {
		o := Options{Lang: l, Zone: macao}
		for _, typ := range table.Types() {
			r, err := table.Decode(typ, table.RecordVersion, []byte(`{}`))
			if err != nil {
				t.Fatal(err)
			}
			w := o.words()
			told := 0
			for _, chapter := range []func(table.Record) (string, bool){
				w.lifeSentence, w.deckSentence, w.checkSentence, w.shuffleSentence, w.stopSentence, w.handSentence, w.cardsSentence, w.triggerSentence, w.dutySentence, w.partSentence,
			} {
				if _, mine := chapter(r); mine {
					told++
				}
			}
			if told != 1 {
				t.Errorf("%s is told by %d chapters", typ, told)
			}
		}
		for _, code := range constants(t, "../table", "NoticeCode") {
			s := Sentence(o, wallTime, table.Notice{Code: table.NoticeCode(code), Part: fault.Shuffler, Arg: "no_level"})
			if s == "" {
				t.Errorf("%s: notice %s says nothing", l, code)
			}
			if code != string(table.PackUnexpected) { // its argument is a refusal
				oneLine(t, code, s)
			}
		}
	}
}

func TestEveryRecordOfTheRoomHasASentence(t *testing.T) {
	level, covered := hand.Level{Number: 2, SmallBlind: 100, BigBlind: 200}, map[string]bool{}
	for _, c := range []struct {
		r    room.Record
		want string
	}{
		{room.LevelAnnounced{Act: room.Act{By: person("floor:7")}, Level: level, Source: "floor"}, "20:00:00  Room: level 2 (100/200) is announced by the floor (floor 7)."},
		{room.LevelAnnounced{Level: level, Source: "clock"}, "20:00:00  Room: level 2 (100/200) is announced by the official clock."},
		{room.DeckRegistered{Deck: "D-1", Back: "red"}, "20:00:00  Room: deck D-1 (red back) is registered."},
		{room.DeckQuarantineNoted{Deck: "D-1", Table: "1", Envelope: "E-7"}, "20:00:00  Room: deck D-1, envelope E-7, opens at no table again."},
		{room.RestoredFrom{Head: "7:ab"}, "20:00:00  Room: THIS JOURNAL WAS RESTORED from a backup that ends at 7:ab. What was recorded after that is not in it."},
		{room.StaffApplied{}, "20:00:00  Room: no staff file is in force. Who acts is believed, and every record says so."},
		{room.StaffApplied{Staff: room.Staff{InForce: true, People: make([]room.Member, 2)}}, "20:00:00  Room: the staff file is in force: 2 people. Who acts proves it with a PIN."},
		{room.ProofRefused{By: person("dealer:3"), ApprovedBy: person("floor:7"), Table: "1", Action: "propose_handoff", Code: room.PINNeeded, Arg: "approved_pin"},
			"20:00:00  Room: turned away: propose a handoff at table 1 (dealer 3, approved by floor 7). This needs a PIN: that of the second person."},
		{room.ProofRefused{By: person("floor:9"), Action: "announce_level", Code: room.UnknownStaff, Arg: "floor:9"}, "20:00:00  Room: turned away: announce a level (floor 9). Not on the staff: floor 9."},
		{room.PINFailed{By: person("floor:7"), Table: "1", Wrong: 2}, "20:00:00  Room: wrong PIN of floor 7 at table 1, 2 in a row."},
		{room.PINAccepted{By: person("floor:7")}, ""},
		{room.LockBegan{Staff: "7", Until: wallTime.UnixMilli() + 600_000}, "20:00:00  Room: no PIN of 7 is looked at until 20:10:00."},
		{room.LockLifted{Act: room.Act{By: person("floor:8")}, Staff: "7"}, "20:00:00  Room: floor 8 lets 7 try again."},
		{room.DeckMoved{Deck: "D-1", Table: "1"}, ""},
		{room.Checkpoint{}, ""},
	} {
		covered[c.r.Type()] = true
		if got := Sentence(Options{Zone: macao}, wallTime, c.r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, typ := range returned(t, "../room", "Type") {
		if !covered[typ] {
			t.Errorf("a record of type %s is not in this test", typ)
		}
	}
}

// The sessions of package table hold records of every kind; each reads well.
func TestSentencesOfTheSessions(t *testing.T) {
	files, err := filepath.Glob("../table/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			typ, payload, ok := bytes.Cut(line, []byte(" {"))
			if !ok {
				continue
			}
			r, err := table.Decode(string(typ), table.RecordVersion, append([]byte("{"), payload...))
			if err != nil {
				continue // a line of another kind
			}
			seen[string(typ)] = true
			for _, l := range Languages() {
				s := Sentence(Options{Lang: l}, wallTime, r)
				if s == "" && !silent[string(typ)] && string(typ) != "trigger" && string(typ) != "shuffle_step" && string(typ) != "stub_step" {
					t.Errorf("%s: %s says nothing: %s", filepath.Base(file), typ, line)
				}
				oneLine(t, fmt.Sprintf("%s %s %s", filepath.Base(file), l, typ), s)
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d types of records seen", len(seen))
	}
}

// narration is the whole evening as the demo tells it.
func narration(t *testing.T, e *evening, l Lang) []byte {
	t.Helper()
	var b bytes.Buffer
	for r, err := range e.j.Records(0, journal.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		rec, err := table.Decode(r.Type, r.Version, r.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if s := Sentence(Options{Lang: l, Zone: macao}, time.UnixMilli(r.Wall), rec); s != "" {
			b.WriteString(s + "\n")
		}
	}
	return b.Bytes()
}

func TestGoldenNarration(t *testing.T) {
	whole, bad := wholeEvening(t), badDeck(t)
	for _, l := range Languages() {
		golden(t, "narration."+string(l)+".txt", narration(t, whole, l))
		golden(t, "narration_bad_deck."+string(l)+".txt", narration(t, bad, l))
	}
}

func TestD4_WhoSignedIsTold(t *testing.T) {
	for _, c := range []struct {
		r    table.DeckAttested
		want string
	}{
		{table.DeckAttested{Act: act("dealer:3"), Deck: "D-1"}, "12:00:00  Deck D-1 is attested by dealer 3: cards clean, backs alike, cut card, button and timer at hand."},
		{table.DeckAttested{Act: act("dealer:3", "floor:7"), Deck: "D-1", Countersign: true}, "12:00:00  Deck D-1 is attested by dealer 3 and countersigned by floor 7."},
		{table.DeckAttested{Act: act("floor:7"), Deck: "D-1", Countersign: true}, "12:00:00  Deck D-1 is countersigned by floor 7."},
	} {
		if got := Sentence(Options{}, wallTime, c.r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestSentenceOfAnUnknownThing(t *testing.T) {
	if s := Sentence(Options{}, wallTime, 7); s != "" {
		t.Errorf("%q", s)
	}
	if s := Sentence(Options{Lang: "xx"}, wallTime, table.Stop{}); s != "12:00:00  The controller stops in order." {
		t.Errorf("an unknown language reads %q", s)
	}
}

// Texts of people are stripped before they reach a terminal or paper.
func TestHostileTextsAreHarmless(t *testing.T) {
	evil := "a\nb\r\x1b[2Jc\u009b31md\u202ee\u2028f\u200bg\xffh"
	s := Sentence(Options{}, wallTime, table.HoldBegan{Act: act("dealer:3"), Reason: evil})
	for _, r := range s {
		if unseen(r) {
			t.Errorf("%q", s)
		}
	}
	e := newEvening(t)
	e.open()
	e.check(custody.A, fullTally())
	e.attest(custody.A)
	e.must(table.AttestDeck{Act: act("floor:7"), Slot: custody.A})
	e.level(1, 1, 100, 200, 0)
	e.seats("dealer:3", 4)
	e.feed()
	e.wash("dealer:3")
	e.machine(0)
	e.cut("dealer:3")
	e.must(table.DealBegun{Act: act("dealer:3")})
	payload := []byte(`{"by":"dealer:3","auth":"none","reason":"a\nb\u001b[2Jc\u009b31md\u202ee\u2028f","hand":1}`)
	n, _ := e.j.StreamHead(testTable)
	if _, err := e.j.Append([]journal.Entry{{Stream: testTable, N: n + 1, Wall: 1, Type: "hold", Version: 1, Payload: payload}}); err != nil {
		t.Fatal(err)
	}
	r, err := HandLog(e.j, testTable, HandQuery{})
	if err != nil {
		t.Fatal(err)
	}
	text := asText(r, Options{})
	asJSON, err := JSON(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{text, string(asJSON)} {
		for _, c := range out {
			if unseen(c) && c != '\n' {
				t.Fatalf("control character %U in\n%s", c, out)
			}
		}
	}
	if !strings.Contains(text, "a\ufffdb\ufffd[2Jc\ufffd31md\ufffde\ufffdf") {
		t.Errorf("the hold is not told:\n%s", text)
	}
	if !bytes.Contains(asJSON, []byte(`a\nb\u001b[2Jc\u009b31md\u202ee\u2028f`)) {
		t.Errorf("the hold is not written:\n%s", asJSON)
	}
}
