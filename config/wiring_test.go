package config

import (
	"slices"
	"strings"
	"testing"
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// S1, S4, S7: what the room wrote is what the shuffle gets.
func TestS1_ProcedureReachesTheShuffle(t *testing.T) {
	c, _ := good(t, in(t, `
procedure:
  version: "short-2"
  steps: [wash, riffle@dealer, strip, riffle, cut]
  wash: always
  min_cut_cards: 12
  approved_by: "floor:7"
  approved_at: 2026-03-31
hand: {triggers: [dealer_push, first_riffle]}
check: {confusions: [QD/JD]}
`))
	p, err := c.ShuffleProcedure()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"wash@dealer", "riffle@dealer", "strip@machine", "riffle@machine", "cut@dealer"}
	if p.Version != "short-2" || !slices.Equal(p.List(), want) || !slices.Equal(c.Procedure.Steps, want) || !p.WashAlways || p.MinCut != 12 ||
		!p.Approved || p.ApprovedBy != "floor:7" || p.ApprovedAt != "2026-03-31" {
		t.Errorf("procedure %+v", p)
	}
	if d, err := Default().ShuffleProcedure(); err != nil || d != shuffle.Default() {
		t.Errorf("default procedure %+v, %v", d, err)
	}
	s, err := c.TableSettings(Table{})
	if err != nil || s.Procedure != p || s.Confusions.Len() != 1 || !slices.Equal(s.Triggers.List(), []hand.Trigger{hand.FirstRiffle, hand.DealerPush}) {
		t.Errorf("settings of a table %+v, %v", s, err)
	}
	if l := c.Levels[1].Tag(); l.Check() != nil || l.BigBlindAnte != 200 {
		t.Errorf("level %+v", l)
	}
}

func settings(t *testing.T, c Config) table.Settings {
	t.Helper()
	s, err := c.TableSettings(Table{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The defaults stand twice: here with their text for people, and in the table,
// which may not import this package. They are the same.
func TestDefaultsAreTheTablesDefaults(t *testing.T) {
	if got := settings(t, Default()); got != table.DefaultSettings() {
		t.Errorf("by default %+v\nthe table's own %+v", got, table.DefaultSettings())
	}
}

// A setting that nothing obeys is worse than none: each one about play changes
// what the table gets.
func TestEverySettingOfPlayReachesTheTable(t *testing.T) {
	n := 0
	for _, s := range scalars {
		section, _, _ := cutLast(s.key)
		if !slices.Contains([]string{"procedure", "hand", "check", "machine"}, section) {
			continue
		}
		n++
		c := Default()
		s.set(&c, alternatives[s.key])
		if settings(t, c) == table.DefaultSettings() {
			t.Errorf("%s = %s changes nothing at the table", s.key, alternatives[s.key])
		}
	}
	if n < 10 {
		t.Errorf("%d settings of play", n)
	}
	c := Default()
	c.Procedure.ApprovedBy, c.Procedure.ApprovedAt = "floor:7", "2026-03-31"
	if p := settings(t, c).Procedure; !p.Approved || p.ApprovedBy != "floor:7" || p.ApprovedAt != "2026-03-31" {
		t.Errorf("approved procedure %+v", p)
	}
	c = Default()
	c.Check.RecheckEveryHands, c.Check.RecheckAfter = 1000, 72*time.Hour
	if s := settings(t, c); s.RecheckHands != 1000 || s.RecheckAfter != 72*time.Hour {
		t.Errorf("D11: %+v", s)
	}
	c.Check.ScanTimeout, c.Machine.StepTimeout = 7*time.Second, 8*time.Second
	if s := settings(t, c); s.ScanTimeout != 7*time.Second || s.StepTimeout != 8*time.Second {
		t.Errorf("patience: %+v", s)
	}
}

// A value made by hand has passed no check.
func TestTableSettingsOfAWrongValueNameTheSetting(t *testing.T) {
	for want, spoil := range map[string]func(*Config){
		"procedure: ":        func(c *Config) { c.Procedure.Steps = []string{"gather", "cut"} },
		"hand.triggers: ":    func(c *Config) { c.Hand.Triggers = []string{"first_rifle"} },
		"check.confusions: ": func(c *Config) { c.Check.Confusions = []string{"J/Q"} },
	} {
		c := Default()
		spoil(&c)
		if s, err := c.TableSettings(Table{}); err == nil || !strings.HasPrefix(err.Error(), want) || s != (table.Settings{}) {
			t.Errorf("%s gave %+v, %v", want, s, err)
		}
	}
}
