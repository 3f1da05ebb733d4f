package deckcheck

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestD3_TheConfusionListIsASetOfPairs(t *testing.T) {
	a, err := ParseConfusions([]string{"JD/QD", "6h / 9H", "QD/JD"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := ParseConfusions([]string{"9H/6H", "J♦/Q♦"})
	if err != nil {
		t.Fatal(err)
	}
	if a != b || a.Len() != 2 || fmt.Sprint(a.List()) != "[6H/9H JD/QD]" {
		t.Errorf("%v and %v are the same pairs", a.List(), b.List())
	}
	jd, qd, ah := card(t, "JD"), card(t, "QD"), card(t, "AS")
	if !a.Has(jd, qd) || !a.Has(qd, jd) || a.Has(jd, ah) || (Confusions{}).Has(0, 0) {
		t.Error("Has does not tell what is on the list")
	}
}

func TestD3_ABadConfusionListIsNamed(t *testing.T) {
	var full []string
	for c := range MaxConfusions {
		full = append(full, Card(c).String()+"/"+Card(c+20).String())
	}
	if _, err := ParseConfusions(full); err != nil {
		t.Errorf("%d pairs: %v", len(full), err)
	}
	if _, err := ParseConfusions(append(full, full[0])); err != nil {
		t.Errorf("a pair that stands twice is no pair more: %v", err)
	}
	for _, c := range []struct {
		list []string
		want string
	}{
		{[]string{"JD/QD", "JD"}, "entry 2: \"JD\" is no pair"}, {[]string{"JD/JD"}, "with itself"}, {[]string{"JD/XX"}, `"XX" is no card`},
		{[]string{"/QD"}, `"" is no card`}, {[]string{"JD/QD/KD"}, "no card"}, {append(full, "AS/KC"), "entry 17: more than 16"},
	} {
		if got, err := ParseConfusions(c.list); err == nil || !strings.Contains(err.Error(), c.want) || got != (Confusions{}) {
			t.Errorf("%v: %v, %v; want an error with %q", c.list, got.List(), err, c.want)
		}
	}
	for data, want := range map[string]string{`"JD/QD"`: "want a list", `["JD"]`: "entry 1"} {
		var c Confusions
		if err := json.Unmarshal([]byte(data), &c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want an error with %q", data, err, want)
		}
	}
}

func FuzzParseConfusions(f *testing.F) {
	f.Add("JD/QD")
	f.Add("6H/9H\nJD/QD\nQD/JD")
	f.Add("JD/JD")
	f.Add("/\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseConfusions(strings.Split(text, "\n"))
		if err != nil {
			return
		}
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var back Confusions
		if err := json.Unmarshal(data, &back); err != nil || back != c {
			t.Fatalf("%q reads as %v, writes %s, reads as %v, %v", text, c.List(), data, back.List(), err)
		}
	})
}
