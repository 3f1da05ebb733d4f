package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// words speak one language.
type words struct {
	lang  Lang
	texts catalog
	zone  *time.Location
}

func (o Options) words() words {
	texts, ok := catalogs[o.Lang]
	if !ok {
		o.Lang, texts = English, catalogs[English]
	}
	return words{o.Lang, texts, o.zone()}
}

// say fills a text with values, given as name, value, name, value.
func (w words) say(key string, args ...any) string {
	t, ok := w.texts[key]
	if !ok {
		return key
	}
	values := make(map[string]string, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		values[args[i].(string)] = w.value(args[i+1])
	}
	s, _ := t.fill(values)
	return s
}

// value writes a value of the domain. 0 of a number is written; an empty text is
// empty, and leaves out the optional part that it stands in.
func (w words) value(v any) string {
	switch v := v.(type) {
	case string:
		return clean(v)
	case custody.Person:
		return w.person(v)
	case hand.Level:
		return w.level(v)
	}
	return clean(fmt.Sprint(v))
}

// term is a code in words; a code without a text, from a newer journal, stands
// for itself.
func (w words) term(section, code string) string {
	if code == "" {
		return ""
	}
	if t, ok := w.texts[section+"."+code]; ok {
		s, _ := t.fill(nil)
		return s
	}
	return clean(code)
}

// terms are several codes of one section.
func (w words) terms(section string, codes []string) string {
	list := make([]string, len(codes))
	for i, c := range codes {
		list[i] = w.term(section, c)
	}
	return w.list(list)
}

func (w words) list(items []string) string { return strings.Join(items, w.say("common.comma")) }

// together puts sentences behind one another, the empty ones left out.
func (w words) together(sentences ...string) string {
	var s string
	for _, one := range sentences {
		if s != "" && one != "" {
			s += w.say("common.gap")
		}
		s += one
	}
	return s
}

// person is "dealer 3"; nobody is empty.
func (w words) person(p custody.Person) string {
	if !p.Known() {
		return ""
	}
	return w.say("common.person", "role", w.term("role", p.Role.String()), "id", p.ID)
}

// acting is who acted, with the second person where there was one.
func (w words) acting(a table.Act) string { return w.two(a.By, a.ApprovedBy) }

func (w words) two(by, approved custody.Person) string {
	return w.say("common.acting", "by", by, "approved", approved)
}

func (w words) level(l hand.Level) string {
	if !l.InForce() {
		return ""
	}
	ante := ""
	if l.BigBlindAnte > 0 {
		ante = strconv.FormatUint(uint64(l.BigBlindAnte), 10)
	}
	return w.say("common.level", "number", l.Number, "sb", l.SmallBlind, "bb", l.BigBlind, "bba", ante)
}

func (w words) seats(l []int) string {
	list := make([]string, len(l))
	for i, n := range l {
		list[i] = strconv.Itoa(n)
	}
	return strings.Join(list, hardBlank)
}

func (w words) triggers(l []hand.Trigger) string {
	codes := make([]string, len(l))
	for i, t := range l {
		codes[i] = t.String()
	}
	return w.terms("trigger", codes)
}

// procedure is the version with its approval mark: each report says whether it
// ran under a draft.
func (w words) procedure(p Procedure) string {
	if p.Version == "" {
		return ""
	}
	if !p.Approved {
		return w.say("common.draft", "version", p.Version)
	}
	return w.say("common.approved", "version", p.Version, "by", p.ApprovedBy, "at", p.ApprovedAt)
}

// findings name what a check found, in D2's order.
func (w words) findings(v deckcheck.Verdict) string {
	var list []string
	for _, f := range v.Findings() {
		list = append(list, w.say("finding."+f.Kind.String(), "cards", f.Cards.Symbols(), "n", f.N, "fed", f.Fed, "read", f.Read))
	}
	return w.list(list)
}

func (w words) fault(part, code string) string {
	return w.say("common.fault", "part", w.term("part", part), "what", w.faultShort(code))
}

// step of a shuffle, or an operation that counts.
func (w words) step(name string) string { return w.term("step", name) }

// doing is a step with its phase and who does it, for a sequence break.
func (w words) doing(s shuffle.Step, p shuffle.Phase, by shuffle.Actor) string {
	if s == shuffle.NoStep {
		return w.say("common.nothing")
	}
	return w.say("common.doing", "step", w.step(s.String()), "phase", w.term("phase", p.String()), "actor", w.term("actor", by.String()))
}

func (w words) breakText(b shuffle.Break) string {
	return w.say("common.break", "kind", w.term("break", b.Kind.String()),
		"want", w.doing(b.WantStep, b.WantPhase, b.WantBy), "got", w.doing(b.GotStep, b.GotPhase, b.GotBy))
}

// took is a duration in milliseconds, as people read it.
func (w words) took(ms int64) string {
	switch {
	case ms < 60_000:
		return w.say("common.seconds", "s", strconv.FormatFloat(float64(ms)/1000, 'f', 1, 64))
	case ms < 3_600_000:
		return w.say("common.minutes", "m", ms/60_000, "s", fmt.Sprintf("%02d", ms/1000%60))
	}
	return w.say("common.hours", "h", ms/3_600_000, "m", fmt.Sprintf("%02d", ms/60_000%60))
}

// device is who answers on a port; one that proved nothing is named so (X4).
func (w words) device(maker, model, serial, firmware string, authenticated bool) string {
	auth := w.say("common.unauthenticated")
	if authenticated {
		auth = w.say("common.authenticated")
	}
	return w.say("common.device", "maker", maker, "model", model, "serial", serial, "firmware", firmware, "auth", auth)
}

// Times, from Unix milliseconds. 0 is no time.
const (
	clockForm = "15:04:05"
	exactForm = "15:04:05.000"
	dayForm   = "2006-01-02 15:04:05\u00a0-07:00"
)

func (w words) at(ms int64, form string) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).In(w.zone).Format(form)
}

// day is date, time and zone.
func (w words) day(ms int64) string { return w.at(ms, dayForm) }

// clock writes times of a report: the date only where it is not the first day's.
type clock struct {
	words
	first string
}

func (w words) clockFrom(ms int64) clock { return clock{w, w.at(ms, time.DateOnly)} }

func (c clock) on(ms int64, form string) string {
	if s := c.at(ms, form); ms == 0 || c.at(ms, time.DateOnly) == c.first {
		return s
	} else {
		return c.at(ms, "01-02 ") + s
	}
}

func (c clock) time(ms int64) string  { return c.on(ms, clockForm) }
func (c clock) exact(ms int64) string { return c.on(ms, exactForm) }
