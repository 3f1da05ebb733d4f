package deckcheck

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestD2_TheJSONListsFindingsInTheirOrder(t *testing.T) {
	p := tally(t, 60, "JD JD KC", "QD AS")
	p.Jokers, p.Backs, p.Boxed, p.FedAttested = 1, 2, 3, true
	for _, c := range []struct {
		verdict Verdict
		want    string
	}{
		{Verdict{}, `{"outcome":"unchecked","fed":0,"read":0}`},
		{Judge(perfect(), Confusions{}), `{"outcome":"good","fed":52,"read":52}`},
		{Judge(Tally{Fed: 20, Unnamed: 19, Stop: UnreadCoverOpen}, Confusions{}), `{"outcome":"unread","reason":"cover_open","fed":20,"read":19}`},
		{Judge(tally(t, 52, "QC", "QS"), Confusions{}), `{"outcome":"bad","hint":"probable_misread","fed":52,"read":52,"findings":[{"kind":"missing","cards":["QS"]},{"kind":"duplicate","cards":["QC"]}]}`},
		{Judge(p, Confusions{}), `{"outcome":"bad","fed":60,"read":59,"count_attested":true,"findings":[{"kind":"missing","cards":["AS","QD"]},{"kind":"duplicate","cards":["JD","KC"]},` +
			`{"kind":"joker","n":1},{"kind":"foreign_back","n":2},{"kind":"boxed","n":3},{"kind":"long","n":7},{"kind":"count_mismatch","fed":60,"read":59}]}`},
	} {
		data, err := json.Marshal(c.verdict)
		if err != nil || string(data) != c.want {
			t.Errorf("%s, %v\nwant %s", data, err, c.want)
		}
	}
}

func TestVerdict_JSONReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Judge(drawTally(t), Confusions{})
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		back := Verdict{Outcome: Good, Jokers: 9} // what stood there before is gone
		if err := json.Unmarshal(data, &back); err != nil || back != v {
			t.Fatalf("%s reads back as %+v, %v; want %+v", data, back, err, v)
		}
	})
}

func TestVerdict_AContradictionIsRefused(t *testing.T) {
	for data, want := range map[string]string{
		`{"outcome":"fine"}`: "unknown outcome",
		`{"outcome":"good","findings":[{"kind":"joker","n":1}]}`:                                                     "only a bad one",
		`{"outcome":"unread","findings":[{"kind":"missing","cards":["AS"]}]}`:                                        "only a bad one",
		`{"outcome":"bad","findings":[{"kind":"joker","n":1},{"kind":"joker","n":2}]}`:                               "finding 2: joker stands twice",
		`{"outcome":"bad","findings":[{"kind":"joker"}]}`:                                                            "finding 1",
		`{"outcome":"bad","findings":[{"kind":"joker","n":1,"cards":["AS"]}]}`:                                       "finding 1",
		`{"outcome":"bad","findings":[{"kind":"none"}]}`:                                                             "finding 1",
		`{"outcome":"bad","fed":52,"read":52,"findings":[{"kind":"count_mismatch","fed":52,"read":51}]}`:             "contradicts",
		`{"outcome":"bad","findings":[{"kind":"burnt","n":1}]}`:                                                      "unknown finding",
		`{"outcome":"bad","fed":70000}`:                                                                              "verdict",
		`{"outcome":"bad","fed":1,"findings":[{"kind":"count_mismatch","fed":1},{"kind":"count_mismatch","fed":1}]}`: "twice",
		`{"outcome":"bad","findings":[{"kind":"missing","cards":["AS","AS"]}]}`:                                      "AS stands twice",
		`{"outcome":"unread","reason":"bored"}`:                                                                      "unknown unread reason",
		`{"outcome":"bad","hint":"none of your business"}`:                                                           "unknown hint",
	} {
		v := Verdict{Outcome: Good}
		err := json.Unmarshal([]byte(data), &v)
		if err == nil || !strings.Contains(err.Error(), want) || v != (Verdict{Outcome: Good}) {
			t.Errorf("%s: %+v, %v; want an error with %q", data, v, err, want)
		}
	}
}

func FuzzVerdictJSON(f *testing.F) {
	f.Add([]byte(`{"outcome":"bad","hint":"probable_misread","fed":52,"read":52,"findings":[{"kind":"missing","cards":["QS"]},{"kind":"duplicate","cards":["QC"]}]}`))
	f.Add([]byte(`{"outcome":"unread","reason":"cover_open","fed":20,"read":19}`))
	f.Add([]byte(`{"outcome":"bad","fed":60,"read":59,"count_attested":true,"findings":[{"kind":"count_mismatch","fed":60,"read":59},{"kind":"long","n":7}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v, back Verdict
		if json.Unmarshal(data, &v) != nil {
			return
		}
		if v.Outcome != Bad && !v.Clean() {
			t.Fatalf("%s reads as %+v", data, v)
		}
		written, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("%s reads as %+v, which cannot be written: %v", data, v, err)
		}
		if err := json.Unmarshal(written, &back); err != nil || back != v {
			t.Fatalf("%s reads as %+v, writes %s, reads as %+v, %v", data, v, written, back, err)
		}
	})
}

func TestNames_EveryValueReadsBackAndUnknownOnesFail(t *testing.T) {
	check(t, outcomeNames, func(v uint8) any { return Outcome(v) }, new(Outcome))
	check(t, reasonNames, func(v uint8) any { return UnreadReason(v) }, new(UnreadReason))
	check(t, hintNames, func(v uint8) any { return Hint(v) }, new(Hint))
	check(t, findingNames, func(v uint8) any { return FindingKind(v) }, new(FindingKind))
}

// check writes and reads each value of an enumeration, and one too many.
func check[T ~uint8](t *testing.T, all names, value func(uint8) any, into *T) {
	t.Helper()
	for i, name := range all {
		data, err := json.Marshal(value(uint8(i)))
		if err != nil || string(data) != `"`+name+`"` {
			t.Errorf("%d is %s, %v; want %q", i, data, err, name)
		}
		if err := json.Unmarshal(data, into); err != nil || int(*into) != i {
			t.Errorf("%s reads as %d, %v; want %d", data, *into, err, i)
		}
	}
	if data, err := json.Marshal(value(uint8(len(all)))); err == nil {
		t.Errorf("%d is written as %s", len(all), data)
	}
	if err := json.Unmarshal([]byte(`"nonsense"`), into); err == nil || !strings.Contains(err.Error(), all[0]) {
		t.Errorf("nonsense: %v; want an error that names what there is", err)
	}
}

func TestNames_AValueWithoutNameStillPrints(t *testing.T) {
	for _, r := range []UnreadReason{99, UnreadReason(len(reasonNames))} {
		if got := r.String(); got != fmt.Sprintf("UnreadReason(%d)", uint8(r)) {
			t.Errorf("%q", got)
		}
	}
	if got := (Finding{Kind: FoundBoxed, N: 3}).String(); got != "boxed(3)" {
		t.Errorf("%q", got)
	}
}
