package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
)

// validate checks what no single value shows. Each rule of a package of ours is
// asked of that package.
func validate(c Config, src Sources, rep *report) {
	v := validation{c, src, rep}
	v.procedure()
	v.triggers()
	v.confusions()
	v.levels()
	v.tables()
}

type validation struct {
	c   Config
	src Sources
	rep *report
}

// sound tells that none of the keys has a problem already: a default stands in
// for a refused value, and comparing that would only confuse.
func (v validation) sound(keys ...string) bool {
	return !slices.ContainsFunc(v.rep.problems, func(p Problem) bool { return slices.Contains(keys, p.Key) })
}

// wrong tells a problem at the place where the value of key was written.
func (v validation) wrong(key, hint, what string, args ...any) {
	at := v.at(key)
	v.rep.add(at, key, hint, what, args...)
}

// at is where key was written, or the list or element that it belongs to.
func (v validation) at(key string) place {
	for k := key; ; {
		if p, ok := v.src.at[k]; ok {
			return p
		}
		i := strings.LastIndexAny(k, ".[")
		if i < 0 {
			return place{}
		}
		k = k[:i]
	}
}

// procedure asks the package of S1 about the steps.
func (v validation) procedure() {
	p := v.c.Procedure
	if _, err := v.c.ShuffleProcedure(); err != nil && v.sound("procedure.version", "procedure.min_cut_cards", "procedure.approved_by", "procedure.approved_at") {
		for _, e := range each(err) {
			v.wrong("procedure.steps", "", "%v", e)
		}
	}
	if _, err := v.c.StubProcedure(); err != nil && v.sound("procedure.version", "procedure.min_cut_cards", "procedure.approved_by", "procedure.approved_at") {
		for _, e := range each(err) {
			v.wrong("procedure.stub_steps", "", "%v", e)
		}
	}
	if !v.sound("procedure.approved_by", "procedure.approved_at") {
		return
	}
	switch {
	case p.ApprovedBy != "" && p.ApprovedAt == "":
		v.wrong("procedure.approved_by", "add procedure.approved_at, or empty both for a draft", "the approval has a person and no day")
	case p.ApprovedBy == "" && p.ApprovedAt != "":
		v.wrong("procedure.approved_at", "add procedure.approved_by, or empty both for a draft", "the approval has a day and no person")
	}
}

// each takes a joined error apart, without what was written in front of it.
func each(err error) []error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if j, ok := e.(interface{ Unwrap() []error }); ok {
			return j.Unwrap()
		}
	}
	return []error{err}
}

// confusions asks the package of D3 about each pair, then about the whole list.
func (v validation) confusions() {
	pairs, good := v.c.Check.Confusions, true
	for i, pair := range pairs {
		if _, err := deckcheck.ParseConfusions([]string{pair}); err != nil {
			if inner := errors.Unwrap(err); inner != nil {
				err = inner // without its count of entries, which is 1 here
			}
			v.wrong(fmt.Sprintf("check.confusions[%d]", i), "", "%v", err)
			good = false
		}
	}
	if _, err := deckcheck.ParseConfusions(pairs); err != nil && good {
		v.wrong("check.confusions", "", "%v", err)
	}
}

// triggers asks the package of H1.
func (v validation) triggers() {
	v.triggerList("hand.triggers", v.c.Hand.Triggers)
	v.triggerList("hand.triggers_rotating", v.c.Hand.TriggersRotating)
	v.triggerList("hand.triggers_by_hand", v.c.Hand.TriggersByHand)
	if i := slices.Index(v.c.Hand.TriggersRotating, hand.FirstRiffle.String()); i >= 0 {
		v.wrong(fmt.Sprintf("hand.triggers_rotating[%d]", i), "use shuffler_button", "the machine riffles the next deck while a hand is played; that begins nothing")
	}
	if l := v.c.Hand.TriggersByHand; len(l) > 0 && !slices.Contains(l, hand.FirstRiffle.String()) {
		v.wrong("hand.triggers_by_hand", "add first_riffle", "without a machine there is no button to press")
	}
}

func (v validation) triggerList(list string, names []string) {
	for i, name := range names {
		key := fmt.Sprintf("%s[%d]", list, i)
		if _, err := hand.ParseTrigger(name); err != nil {
			v.wrong(key, "", "%v", err)
		}
		if slices.Contains(names[:i], name) {
			v.wrong(key, "remove it", "%s stands twice", shown(name))
		}
	}
}

func (v validation) levels() {
	for i, l := range v.c.Levels {
		key := func(name string) string { return fmt.Sprintf("levels[%d].%s", i, name) }
		if err := l.Tag().Check(); err != nil {
			v.wrong(key("small_blind"), "", "%v", err)
		}
		if i == 0 {
			continue
		}
		before := v.c.Levels[i-1]
		if l.Number <= before.Number {
			v.wrong(key("number"), "number the levels upwards in the order of the list", "%d comes after level %d", l.Number, before.Number)
		}
		if l.BigBlind < before.BigBlind {
			v.wrong(key("big_blind"), "blinds never fall", "%d is less than %d of level %d", l.BigBlind, before.BigBlind, before.Number)
		}
	}
}

func (v validation) tables() {
	ids, ports := map[string]int{}, map[string]string{}
	for i, t := range v.c.Tables {
		key := fmt.Sprintf("tables[%d]", i)
		if first, twice := ids[t.ID]; twice {
			v.wrong(key+".id", "give each table its own", "%q is the id of tables[%d] too", t.ID, first)
		}
		ids[t.ID] = i
		if t.ID == roomStream {
			v.wrong(key+".id", "name the table otherwise", "%q is reserved: the room's own records have this name", t.ID)
		}
		for _, p := range []struct{ key, port string }{{key + ".shuffler.port", t.ShufflerPort}, {key + ".scanner.port", t.ScannerPort}} {
			if p.port == "" {
				continue
			}
			if first, twice := ports[p.port]; twice {
				v.wrong(p.key, "each device has a port of its own", "%s is the port of %s too", p.port, first)
			}
			ports[p.port] = p.key
		}
	}
}

// roomStream is the name under which the journal keeps what concerns no table.
const roomStream = "room"
