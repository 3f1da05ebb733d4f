package report

import (
	"strings"
	"testing"
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
)

func summaryOf(t *testing.T, e *evening, q SummaryQuery) SummaryReport {
	t.Helper()
	r, err := Summary(e.j, testTable, q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestM1_TheSummaryTellsWhoClearedAFaultAndHowLongItStood(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	e.do(table.DeviceFault{Part: fault.Scanner, Code: fault.Camera})
	e.pass(7*time.Minute - 2*time.Second)
	e.must(table.ClearFault{Act: act("floor:9"), Part: fault.Scanner, Code: fault.Camera})
	e.do(table.DeviceFault{Part: fault.Scanner, Code: fault.Lighting})
	r := summaryOf(t, e, SummaryQuery{})
	if f := r.Faults; len(f) != 2 || f[0].By != person("floor:9") || f[0].Cleared-f[0].AtMS != 7*60_000 || r.Totals.FaultsOpen != 1 {
		t.Errorf("faults %+v", f)
	}
	if text := asText(r, Options{Width: 200}); !strings.Contains(text, "It stood 7 min 00 s.") || !strings.Contains(text, "NOT CLEARED.") {
		t.Errorf("it is not told:\n%s", text)
	}
}

func TestP5_OnlyTheFloorsSummaryHasFiguresOfDealers(t *testing.T) {
	e := wholeEvening(t)
	staff, floor := summaryOf(t, e, SummaryQuery{}), summaryOf(t, e, SummaryQuery{Floor: true})
	for _, f := range Forms() {
		for _, l := range Languages() {
			s, err := Render(staff, f, Options{Lang: l})
			if err != nil {
				t.Fatal(err)
			}
			if has := strings.Contains(string(s), Options{Lang: l}.words().say("summary.dealers")) || strings.Contains(string(s), `"dealers"`); has {
				t.Errorf("%s in %s has figures of dealers", f, l)
			}
		}
	}
	if len(staff.Dealers) != 0 || len(floor.Dealers) != 2 {
		t.Fatalf("dealers %v, for the floor %v", staff.Dealers, floor.Dealers)
	}
	three, five := floor.Dealers[0], floor.Dealers[1]
	if three.Dealer != person("dealer:3") || three.Downs != 1 || three.Totals.Hands != 2 || three.Totals.Breaks != 1 || five.Totals.Hands != 2 || five.Totals.Voids != 1 {
		t.Errorf("figures %+v and %+v", three, five)
	}
	if sum := three.Totals.Hands + five.Totals.Hands; sum != floor.Totals.Hands {
		t.Errorf("the dealers have %d hands, the session %d", sum, floor.Totals.Hands)
	}
}

// A session's summary ends where the next one begins, and agrees with its log.
func TestD11_ASummaryIsOfOneSession(t *testing.T) {
	e := season(t)
	for session, hands := range map[uint64]int{0: 6, 1: 13, 2: 6} {
		r := summaryOf(t, e, SummaryQuery{Session: session, Floor: true})
		log, err := HandLog(e.j, testTable, HandQuery{Session: session})
		if err != nil || r.Totals != log.Totals || r.Pace.Ended != hands || r.Machine.N != hands || r.ByHand.N != 0 {
			t.Errorf("session %d: %+v, the log has %+v, %v", session, r.Totals, log.Totals, err)
		}
		if r.Journal != log.Journal {
			t.Errorf("session %d rests on %v, its log on %v", session, r.Journal, log.Journal)
		}
	}
	first := summaryOf(t, e, SummaryQuery{Session: 1})
	if len(first.Checks) != 3 || len(first.Handoffs) != 0 || first.Session.ClosedMS == 0 || len(first.Levels) != 2 {
		t.Errorf("session 1: %+v", first)
	}
	if d := summaryOf(t, e, SummaryQuery{Session: 1, Floor: true}).Dealers; len(d) != 1 || d[0].Downs != 1 || d[0].TableMS <= 0 || d[0].TableMS > first.Session.ClosedMS-first.Session.OpenedMS {
		t.Errorf("dealers of session 1: %+v", d)
	}
}

func TestRankedTakesTheNearestRank(t *testing.T) {
	for _, c := range []struct {
		ms   []int64
		want Durations
	}{
		{nil, Durations{}},
		{[]int64{7}, Durations{1, 7, 7, 7}},
		{[]int64{9, 1}, Durations{2, 1, 9, 9}},
		{[]int64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, Durations{10, 50, 90, 100}},
		{[]int64{11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Durations{11, 6, 10, 11}},
	} {
		if got := durationsOf(c.ms); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.ms, got, c.want)
		}
	}
}

func TestHandsPerHour(t *testing.T) {
	e := newEvening(t)
	e.ready()
	if p := summaryOf(t, e, SummaryQuery{}).Pace; p != (Pace{}) {
		t.Errorf("no hand: %+v", p)
	}
	e.firstHand()
	p := summaryOf(t, e, SummaryQuery{}).Pace
	if want := 3_600_000 / float64(p.LastMS-p.FirstMS); p.Ended != 1 || p.PerHour != want {
		t.Errorf("%+v, want %f", p, want)
	}
}

// Every check of the session is there with its verdict, an unread one too (D2).
func TestD2_TheSummaryListsEveryCheck(t *testing.T) {
	r := summaryOf(t, badDeck(t), SummaryQuery{})
	if len(r.Checks) != 2 || !r.Checks[1].QuarantineDue || r.Checks[0].Slot != custody.A || r.Checks[0].EndedMS == 0 {
		t.Errorf("%+v", r.Checks)
	}
	if text := asText(r, Options{}); !strings.Contains(text, "2 checks: 0 good, 2 bad, 0 not read.") || !strings.Contains(text, "missing Q♦") {
		t.Errorf("%s", text)
	}
}
