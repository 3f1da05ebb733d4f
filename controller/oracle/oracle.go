// Package oracle judges a table's evening by its journal alone. It shares no code
// with the core: records are JSON objects to it, and the rules stand here a
// second time, written from the rule book (controller/table/RULES.md). So a
// mistake in the core does not excuse itself. Simulations are judged by it; an
// auditor may be, too.
package oracle

import (
	"encoding/json"
	"fmt"

	"shuffler/controller/journal"
)

// Finding is a promise that the journal shows broken.
type Finding struct {
	Pos  uint64 // record in the journal
	What string // with the rule's id
}

func (f Finding) String() string { return fmt.Sprintf("position %d: %s", f.Pos, f.What) }

// Evening is what an oracle saw.
type Evening struct {
	Findings []Finding
	Records  map[string]int    // by type; also "fault CODE" and "verdict OUTCOME"
	Tags     map[uint64]uint64 // level number by hand
	Ended    int               // hands
}

// Judge reads one table's records from the first to the last. The error is for
// a journal that cannot be read.
func Judge(j journal.Reader, table string) (Evening, error) {
	o := &oracle{out: Evening{Records: map[string]int{}, Tags: map[uint64]uint64{}}, good: map[string]bool{}, faults: map[string]bool{}}
	for r, err := range j.Records(0, journal.Filter{Stream: table}) {
		if err != nil {
			return o.out, err
		}
		var f fields
		if err := json.Unmarshal(r.Payload, &f); err != nil {
			return o.out, fmt.Errorf("position %d: %w", r.Pos, err)
		}
		o.pos = r.Pos
		o.out.Records[r.Type]++
		switch r.Type {
		case "fault":
			o.out.Records["fault "+f.text("code")]++
		case "check_ended":
			o.out.Records["verdict "+f.sub("verdict").text("outcome")]++
		}
		o.record(r.Type, f)
	}
	return o.out, nil
}

// oracle is where an evening stands.
type oracle struct {
	out Evening
	pos uint64

	level    float64 // number in force
	hand     float64 // in play, 0 = none
	last     float64
	stage    string
	pass     float64 // shuffle under way, 0 = none
	steps    []string
	running  string
	counted  bool // out of the machine since it last moved
	complete bool
	byHand   bool
	good     map[string]bool // decks that may be played
	faults   map[string]bool
	hold     bool
	dealer   string
	handoff  bool
}

type fields map[string]any

func (f fields) text(k string) string { s, _ := f[k].(string); return s }
func (f fields) num(k string) float64 { n, _ := f[k].(float64); return n }
func (f fields) sub(k string) fields  { m, _ := f[k].(map[string]any); return m }
func (f fields) is(k string) bool     { b, _ := f[k].(bool); return b }

func (o *oracle) wrong(format string, args ...any) {
	o.out.Findings = append(o.out.Findings, Finding{o.pos, fmt.Sprintf(format, args...)})
}

// procedure is S1's default, wash left out.
var procedure = []string{"gather", "riffle", "riffle", "strip", "riffle", "square", "cut", "cut_card"}

func (o *oracle) record(typ string, f fields) {
	deck := f.text("deck")
	switch typ {
	case "level_in_force":
		o.level = f.sub("level").num("number")
	case "signed_in":
		o.dealer = f.text("by")
	case "check_started":
		o.good[deck] = false
	case "check_ended":
		if f.sub("verdict").text("outcome") != "good" {
			o.good[deck] = false
		}
	case "deck_attested":
		o.good[deck] = true
	case "shuffle_started":
		if !o.good[deck] || o.pass != 0 || o.hold || o.stage == "dealt" {
			o.wrong("D5, S8, H12: shuffle of %s started: good %v, pass %v, hold %v, stage %s", deck, o.good[deck], o.pass, o.hold, o.stage)
		}
		o.pass, o.steps, o.running, o.counted, o.complete, o.byHand = f.num("shuffle"), nil, "", false, false, f.is("by_hand")
	case "shuffle_step":
		o.step(f)
	case "pack_verified":
		o.counted = true
		if f.num("cards") != 52 {
			o.wrong("S6: verified with %v cards", f.num("cards"))
		}
	case "shuffle_void":
		o.pass, o.complete = 0, false
		if o.stage == "ready" || o.stage == "unsure" {
			o.stage = "begun"
		}
	case "boot": // what was under way is void, and says so in records that follow
		o.running = ""
		if f.is("unsure") {
			o.stage, o.complete = "unsure", false
		}
	case "shuffle_complete":
		o.finished()
	case "fault":
		o.faults[f.text("part")+"/"+f.text("code")] = true
	case "fault_cleared":
		delete(o.faults, f.text("part")+"/"+f.text("code"))
		if by := f.text("by"); len(by) < 6 || by[:6] != "floor:" {
			o.wrong("M1, P6: fault cleared by %q", by)
		}
	case "hold":
		o.hold = true
	case "hold_lifted":
		o.hold = false
	case "handoff_proposed":
		o.handoff = true
	case "handoff_accepted":
		o.handoff, o.dealer = false, f.text("to")
	case "count_wrong":
		if f.is("locks") {
			o.good[deck] = false
		}
	default:
		o.life(typ, f)
	}
}

// step: S3, in the procedure's order, each started before it is done.
func (o *oracle) step(f fields) {
	name := f.text("step")
	if f.text("phase") == "started" {
		if o.running != "" {
			o.wrong("S3: %s started while %s runs", name, o.running)
		}
		o.running = name
		if f.text("actor") == "machine" {
			o.counted = false
		}
		return
	}
	if o.running != name {
		o.wrong("S3: %s done, running is %q", name, o.running)
	}
	o.running = ""
	if name != "wash" {
		o.steps = append(o.steps, name)
	} else if len(o.steps) != 1 {
		o.wrong("S1: wash after %v", o.steps)
	}
	if n := f.num("cards"); n != 0 && n != 52 {
		o.wrong("S6: %s with %v cards is done", name, n)
	}
}

func (o *oracle) finished() {
	if fmt.Sprint(o.steps) != fmt.Sprint(procedure) || o.running != "" || !o.counted && !o.byHand {
		o.wrong("S1, S3, S6: complete after %v, running %q, counted %v", o.steps, o.running, o.counted)
	}
	o.pass, o.complete = 0, true
}

// life: H1, H2, H3, H5, H13.
func (o *oracle) life(typ string, f fields) {
	n := f.num("hand")
	switch typ {
	case "hand_started":
		if n != o.last+1 || o.hand != 0 {
			o.wrong("H3: hand %v after %v, in play %v", n, o.last, o.hand)
		}
		if t := f.sub("level_tag").num("number"); t != o.level {
			o.wrong("H2: hand %v is tagged %v, in force is %v", n, t, o.level)
		}
		if !o.good[f.text("deck")] || o.hold || o.handoff || len(o.faults) > 0 && !o.byHand || f.text("dealer") != o.dealer || o.dealer == "" {
			o.wrong("H5: hand %v began: good %v, hold %v, handoff %v, faults %v, dealer %s", n, o.good, o.hold, o.handoff, o.faults, o.dealer)
		}
		o.hand, o.last, o.stage = n, n, "begun"
		o.out.Tags[uint64(n)] = uint64(o.level)
	case "hand_ready":
		if n != o.hand || !o.complete {
			o.wrong("H5: hand %v is ready, in play %v, complete %v", n, o.hand, o.complete)
		}
		o.stage = "ready"
	case "deal_begun":
		if n != o.hand || o.stage != "ready" || o.hold || o.handoff {
			o.wrong("P3, H12: dealt at stage %s, hold %v, handoff %v", o.stage, o.hold, o.handoff)
		}
		o.stage, o.complete = "dealt", false
	case "hand_ended":
		if n != o.hand || o.stage != "dealt" {
			o.wrong("H13: hand %v ended at stage %s of %v", n, o.stage, o.hand)
		}
		o.hand, o.stage = 0, ""
		o.out.Ended++
	case "hand_resumed": // M3
		switch f.text("said") {
		case "untouched":
			o.stage, o.complete = "ready", true
		case "dealt":
			o.stage = "dealt"
		}
	case "hand_abandoned":
		o.hand, o.stage = 0, ""
	}
}
