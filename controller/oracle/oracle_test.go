package oracle_test

import (
	"strings"
	"testing"

	"shuffler/controller/journal"
	"shuffler/controller/oracle"
)

// hand is a whole hand as the journal tells it, one record a line.
const hand = `level_in_force {"level":{"number":1}}
signed_in {"by":"dealer:3"}
check_started {"deck":"D1"}
check_ended {"deck":"D1","verdict":{"outcome":"good"}}
deck_attested {"deck":"D1"}
shuffle_started {"shuffle":1,"deck":"D1"}
shuffle_step {"step":"gather","phase":"started","actor":"machine"}
shuffle_step {"step":"gather","phase":"done","actor":"machine","cards":52}
shuffle_step {"step":"riffle","phase":"started","actor":"machine"}
hand_started {"hand":1,"level_tag":{"number":1},"deck":"D1","dealer":"dealer:3"}
shuffle_step {"step":"riffle","phase":"done","actor":"machine"}
shuffle_step {"step":"riffle","phase":"started","actor":"machine"}
shuffle_step {"step":"riffle","phase":"done","actor":"machine"}
shuffle_step {"step":"strip","phase":"started","actor":"machine"}
shuffle_step {"step":"strip","phase":"done","actor":"machine"}
shuffle_step {"step":"riffle","phase":"started","actor":"machine"}
shuffle_step {"step":"riffle","phase":"done","actor":"machine"}
shuffle_step {"step":"square","phase":"started","actor":"machine"}
shuffle_step {"step":"square","phase":"done","actor":"machine"}
pack_verified {"cards":52}
shuffle_step {"step":"cut","phase":"started","actor":"dealer"}
shuffle_step {"step":"cut","phase":"done","actor":"dealer"}
shuffle_step {"step":"cut_card","phase":"started","actor":"dealer"}
shuffle_step {"step":"cut_card","phase":"done","actor":"dealer"}
shuffle_complete {"shuffle":1}
hand_ready {"hand":1}
deal_begun {"hand":1}
hand_ended {"hand":1}`

func judge(t *testing.T, text string) oracle.Evening {
	t.Helper()
	j := journal.NewMemory()
	for i, line := range strings.Split(text, "\n") {
		typ, payload, _ := strings.Cut(line, " ")
		if _, err := j.Append([]journal.Entry{{Stream: "1", N: uint64(i + 1), Wall: 1, Type: typ, Version: 1, Payload: []byte(payload)}}); err != nil {
			t.Fatal(err)
		}
	}
	e, err := oracle.Judge(j, "1")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestJudge_AGoodHand(t *testing.T) {
	if e := judge(t, hand); len(e.Findings) > 0 || e.Ended != 1 || e.Tags[1] != 1 {
		t.Errorf("%+v", e)
	}
}

// TestJudge_SeesEachBrokenPromise changes one thing at a time.
func TestJudge_SeesEachBrokenPromise(t *testing.T) {
	for rule, change := range map[string][2]string{
		"H2":  {`"level_tag":{"number":1}`, `"level_tag":{"number":2}`},
		"H3":  {`hand_started {"hand":1`, `hand_started {"hand":2`},
		"D5":  {"deck_attested {\"deck\":\"D1\"}\n", ""},
		"S1":  {`"step":"strip"`, `"step":"square"`},
		"S3":  {"shuffle_step {\"step\":\"square\",\"phase\":\"started\",\"actor\":\"machine\"}\n", ""},
		"S6":  {"pack_verified {\"cards\":52}\n", ""},
		"H5":  {"hand_ready {\"hand\":1}", "hand_ready {\"hand\":7}"},
		"P3":  {"deal_begun", "handoff_proposed {}\ndeal_begun"},
		"H12": {"shuffle_started {", "hold {}\nshuffle_started {"},
		"M1":  {"deal_begun", "fault {\"part\":\"shuffler\",\"code\":\"jam_entry\"}\nfault_cleared {\"part\":\"shuffler\",\"code\":\"jam_entry\",\"by\":\"dealer:3\"}\ndeal_begun"},
		"H13": {"deal_begun {\"hand\":1}\n", ""},
	} {
		text := strings.ReplaceAll(hand, change[0], change[1])
		if text == hand {
			t.Errorf("%s: nothing was changed", rule)
			continue
		}
		found := false
		e := judge(t, text)
		for _, f := range e.Findings {
			found = found || strings.Contains(f.What, rule)
		}
		if !found {
			t.Errorf("%s is broken and not seen: %v", rule, e.Findings)
		}
	}
}
