package report

import (
	"strconv"

	"shuffler/controller/table/hand"
)

// header is what stands at the top of every report.
type header struct {
	kind       string
	number     uint64
	title      string
	table      string
	controller string
	sessions   []Session
	procedures []Procedure
	triggers   []hand.Trigger
	devices    []Device
	asserted   bool
	place      Place
}

// document begins a document with what every report says of itself.
func (w words) document(h header) Document {
	d := Document{Kind: h.kind, Number: h.number, Table: h.table, Title: h.title, Place: h.place, words: w}
	list := []Pair{{Label: w.say("label.table"), Value: h.table}}
	for _, s := range h.sessions {
		list = append(list, pair(w.say("label.session"), w.session(s)))
	}
	list = append(list, w.under(h)...)
	d.Body.pairs(list...)
	return d
}

// under is what a report was made under: the procedure with its approval, the
// devices, the controller, and whether people proved who they are.
func (w words) under(h header) (list []Pair) {
	for _, p := range h.procedures {
		list = append(list, pair(w.say("label.procedure"), w.procedure(p)))
	}
	if len(h.triggers) > 0 {
		list = append(list, pair(w.say("label.triggers"), w.triggers(h.triggers)))
	}
	for _, d := range h.devices {
		list = append(list, pair(w.term("label", d.Part), w.device(d.Maker, d.Model, d.Serial, d.Firmware, d.Authenticated)))
	}
	list = append(list, pair(w.say("label.controller"), h.controller))
	if h.asserted {
		list = append(list, pair(w.say("label.identities"), w.say("common.asserted")))
	}
	return list
}

func (w words) session(s Session) string {
	return w.say("common.session", "session", s.Number, "card", s.ActivityCard, "manual", s.Manual, "opened", w.day(s.OpenedMS), "closed", w.day(s.ClosedMS),
		"floor", s.Floor, "deputy", s.Deputy)
}

// Faults, holds and breaks are told alike in all reports.

func (c clock) faultLine(f FaultEntry) string {
	hand := ""
	if f.Hand != 0 {
		hand = strconv.FormatUint(f.Hand, 10)
	}
	s := c.say("common.fault_entry", "at", c.time(f.AtMS), "fault", c.fault(f.Part, f.Code), "hand", hand)
	if f.Cleared == 0 {
		return c.together(s, c.say("common.fault_stands"))
	}
	return c.together(s, c.say("common.fault_cleared", "at", c.time(f.Cleared), "by", f.By, "note", f.Note))
}

func (c clock) holdLine(h HoldEntry) string {
	s := c.say("common.hold_entry", "at", c.time(h.AtMS), "by", h.By, "reason", c.holdText(h.Reason, h.By.Known()))
	if h.LiftedMS == 0 {
		return c.together(s, c.say("common.hold_stands"))
	}
	return c.together(s, c.say("common.hold_lifted", "at", c.time(h.LiftedMS), "by", h.LiftedBy, "ruling", h.Ruling, "basis", h.Basis))
}

func (c clock) breakLine(b BreakEntry) string {
	return c.say("common.break_entry", "at", c.time(b.AtMS), "break", c.breakText(b.Break), "by", b.By)
}

func (c clock) voidLine(v DownVoid) string {
	hand := ""
	if v.Hand != 0 {
		hand = strconv.FormatUint(v.Hand, 10)
	}
	return c.say("handoff.void", "at", c.time(v.AtMS), "shuffle", v.Shuffle, "hand", hand, "reason", c.term("stop", v.Reason), "by", v.By)
}
