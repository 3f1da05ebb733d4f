package hand

import "testing"

// TestH14_OnlyThreeRulesHaveAnException: whatever is asked, the floor cannot set
// aside what makes a deck good or a shuffle whole.
func TestH14_OnlyThreeRulesHaveAnException(t *testing.T) {
	for _, e := range Exceptions() {
		text, _ := e.MarshalText()
		var back Exception
		if err := back.UnmarshalText(text); err != nil || back != e || e == NoException {
			t.Errorf("%s reads back as %s: %v", e, back, err)
		}
	}
	for _, rule := range []string{"D1", "D5", "S3", "D6", "H1", "H3", "H9", "h7", "H7 ", "H", "all", "exception(9)"} {
		if e, err := ParseException(rule); err == nil || e != NoException {
			t.Errorf("%q may be set aside as %s", rule, e)
		}
	}
	if e, err := ParseException(""); err != nil || e != NoException {
		t.Errorf("no rule is %s, %v", e, err)
	}
}
