package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"shuffler/shuffle"
)

// list is a setting with several values. It is given in the file only.
type list struct {
	key  string
	note string
	def  func(*Config)
	read func(*reading, *yaml.Node, *Config)
	show func(Config) []string // each element as flow YAML
}

// maxElements bounds every list.
const maxElements = 200

var lists = []list{
	textList("procedure.steps", "steps of the shuffle in order; step@dealer or step@machine says by whom", true, shuffle.Default().List(),
		func(c *Config) *[]string { return &c.Procedure.Steps }),
	textList("procedure.stub_steps", "steps of a stub's reshuffle in the middle of a hand, all by the dealer", true, []string{"wash", "riffle", "cut", "cut_card"},
		func(c *Config) *[]string { return &c.Procedure.StubSteps }),
	textList("hand.triggers", "what may begin a hand with one deck in the machine: first_riffle, shuffler_button, dealer_push", true, []string{"first_riffle"},
		func(c *Config) *[]string { return &c.Hand.Triggers }),
	textList("hand.triggers_rotating", "the same where two decks take turns: shuffler_button, dealer_push", true, []string{"shuffler_button"},
		func(c *Config) *[]string { return &c.Hand.TriggersRotating }),
	textList("hand.triggers_by_hand", "the same where the dealer shuffles: first_riffle", true, []string{"first_riffle"},
		func(c *Config) *[]string { return &c.Hand.TriggersByHand }),
	textList("check.confusions", "pairs of cards that the camera confuses, as JD/QD", false, []string{},
		func(c *Config) *[]string { return &c.Check.Confusions }),
	structList("levels", "blind levels in order; amounts are chips", levelFields, defaultLevels,
		func(c *Config) *[]Level { return &c.Levels }),
	structList("tables", "tables of the room; a device without a port is not there", tableFields, []Table{defaultTable()},
		func(c *Config) *[]Table { return &c.Tables }),
}

var levelFields = []field[Level]{
	must(countField("number", 0, 1, 999, "number that is announced", func(l *Level) *int { return &l.Number })),
	must(countField("small_blind", 0, 0, maxChips, "small blind in chips", func(l *Level) *int { return &l.SmallBlind })),
	must(countField("big_blind", 0, 1, maxChips, "big blind in chips", func(l *Level) *int { return &l.BigBlind })),
	countField("big_blind_ante", 0, 0, maxChips, "big blind ante in chips, 0 for none", func(l *Level) *int { return &l.BigBlindAnte }),
	must(countField("minutes", 0, 1, 600, "length of the level", func(l *Level) *int { return &l.Minutes })),
}

var tableFields = []field[Table]{
	must(stringField("id", "", idKind(), "short name in addresses and on reports; in quotes", func(t *Table) *string { return &t.ID })),
	stringField("name", "", textKind(), "name for people; empty for the id", func(t *Table) *string { return &t.Name }),
	countField("seats", 9, 2, 10, "number of seats", func(t *Table) *int { return &t.Seats }),
	stringField("mode", "one_deck", choiceKind("one_deck", modeRotation), "one_deck: one deck plays, the other rests; rotation: two decks take turns", func(t *Table) *string { return &t.Mode }),
	stringField("shuffler.port", "", pathKind("/dev/serial/by-path/…"), "serial port of the shuffler", func(t *Table) *string { return &t.ShufflerPort }),
	stringField("scanner.port", "", pathKind("/dev/serial/by-path/…"), "serial port of the scanner", func(t *Table) *string { return &t.ScannerPort }),
}

// defaultLevels is a structure for a demonstration, 20 minutes a level.
var defaultLevels = []Level{
	{1, 100, 100, 100, 20}, {2, 100, 200, 200, 20}, {3, 200, 300, 300, 20}, {4, 200, 400, 400, 20},
	{5, 300, 600, 600, 20}, {6, 400, 800, 800, 20}, {7, 500, 1000, 1000, 20}, {8, 600, 1200, 1200, 20},
}

func defaultTable() Table {
	t := Table{ID: "1"}
	for _, f := range tableFields {
		if !f.required {
			f.set(&t, f.def)
		}
	}
	return t
}

// textList is a list of words. needed refuses an empty one.
func textList(key, note string, needed bool, def []string, at func(*Config) *[]string) list {
	word := kind{wants: "text", tags: []string{tagText}, check: func(s string) *fault {
		if s == "" {
			return &fault{"is empty", "remove it"}
		}
		return hostile(s, maxText)
	}}
	return list{key: key, note: note,
		def: func(c *Config) { *at(c) = slices.Clone(def) },
		read: func(r *reading, n *yaml.Node, c *Config) {
			if words, ok := r.words(n, key, word, needed); ok {
				*at(c) = words
			}
		},
		show: func(c Config) []string {
			var out []string
			for _, s := range *at(&c) {
				out = append(out, strconv.Quote(s))
			}
			return out
		},
	}
}

// structList is a list of values with named fields. It is never empty.
func structList[T any](key, note string, fields []field[T], def []T, at func(*Config) *[]T) list {
	return list{key: key, note: note,
		def: func(c *Config) { *at(c) = slices.Clone(def) },
		read: func(r *reading, n *yaml.Node, c *Config) {
			elements, ok := r.elements(n, key, true)
			if !ok {
				return
			}
			out, before := make([]T, len(elements)), len(r.rep.problems)
			for i, e := range elements {
				readStruct(r, e, fmt.Sprintf("%s[%d]", key, i), fields, &out[i])
			}
			if len(r.rep.problems) == before { // half a list would only bring more complaints
				*at(c) = out
			}
		},
		show: func(c Config) []string {
			var out []string
			for _, t := range *at(&c) {
				out = append(out, flow(t, fields))
			}
			return out
		},
	}
}

// flow writes a value on one line: {id: "1", shuffler: {port: "/dev/x"}}.
func flow[T any](t T, fields []field[T]) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		section, name, nested := cutLast(f.key)
		parts[i] = name + ": " + f.yaml(t)
		if nested { // each section of a list's element has one field
			parts[i] = section + ": {" + parts[i] + "}"
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
