package report

import (
	"strconv"
	"strings"

	"shuffler/controller/table/hand"
)

// header is what stands at the top of every report.
type header struct {
	title      string
	table      string
	controller string
	sessions   []Session
	procedures []Procedure
	triggers   []hand.Trigger
	devices    []Device
	asserted   bool
}

func (p *page) header(w words, h header) {
	p.line(0, h.title)
	p.rule()
	list := []pair{{w.say("label.table"), h.table}}
	for _, s := range h.sessions {
		list = append(list, pair{w.say("label.session"), w.session(s)})
	}
	list = append(list, w.procedures(h.procedures)...)
	list = append(list, pair{w.say("label.triggers"), w.triggers(h.triggers)})
	for _, d := range h.devices {
		list = append(list, pair{w.term("label", d.Part), w.device(d.Maker, d.Model, d.Serial, d.Firmware, d.Authenticated)})
	}
	list = append(list, pair{w.say("label.controller"), h.controller})
	if h.asserted {
		list = append(list, pair{w.say("label.identities"), w.say("common.asserted")})
	}
	p.pairs(0, list)
}

func (w words) session(s Session) string {
	return w.say("common.session", "session", s.Number, "card", s.ActivityCard, "manual", s.Manual, "opened", w.day(s.OpenedMS), "closed", w.day(s.ClosedMS),
		"floor", s.Floor, "deputy", s.Deputy)
}

func (w words) procedures(list []Procedure) (pairs []pair) {
	for _, p := range list {
		pairs = append(pairs, pair{w.say("label.procedure"), w.procedure(p)})
	}
	return pairs
}

// anchor prints the journal's place so that paper anchors the journal (X3). On
// wide paper the head can be copied as it is; on narrow paper it is in groups.
func (p *page) anchor(w words, at Place) {
	p.rule()
	p.line(0, w.say("common.journal", "pos", at.Pos, "chain", at.Chain))
	head := strconv.FormatUint(at.Pos, 10) + ":" + at.Hash
	if len(head) <= p.width {
		p.line(0, head)
		return
	}
	var groups []string
	for rest := at.Hash; rest != ""; {
		n := min(len(rest), 16)
		groups, rest = append(groups, rest[:n]), rest[n:]
	}
	p.line(0, strings.Join(groups, " "))
}

// signatures leaves lines for people to sign on.
func (p *page) signatures(labels ...string) {
	for _, l := range labels {
		p.blank()
		p.raw(pad(clean(l), min(24, p.width/2)) + " " + strings.Repeat("_", max(8, min(30, p.width-min(24, p.width/2)-1))))
	}
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
