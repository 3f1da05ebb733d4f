package report

import (
	"strconv"

	"shuffler/deckcheck"
)

// Document is described at Report.
func (r ReceiptReport) Document(o Options) Document {
	w := o.words()
	c := r.Receipt
	h := header{
		kind: "receipt", number: r.Check, title: w.say("receipt.title", "check", r.Check), table: c.Table, controller: c.Controller, asserted: r.Asserted, place: r.Journal,
		procedures: []Procedure{{Version: c.Procedure.Version, Approved: c.Procedure.Approved, ApprovedBy: c.Procedure.ApprovedBy, ApprovedAt: c.Procedure.ApprovedAt}},
	}
	for _, d := range c.Devices {
		h.devices = append(h.devices, Device{Part: d.Role, Maker: d.Maker, Model: d.Model, Serial: d.Serial, Firmware: d.Firmware, Authenticated: d.Authenticated})
	}
	d := Document{Kind: h.kind, Number: h.number, Table: h.table, Title: h.title, Place: h.place, words: w}
	d.Body.pairs(
		pair(w.say("label.table"), c.Table),
		pair(w.say("label.deck"), w.say("common.deck", "deck", c.Deck, "back", c.Back, "slot", c.Slot)),
		pair(w.say("receipt.kind"), w.newDeck(c.NewDeck)),
		pair(w.say("receipt.began"), w.day(c.StartMS)),
		pair(w.say("receipt.ended"), w.day(c.EndMS)),
		pair(w.say("label.dealer"), w.personText(c.Dealer)),
		pair(w.say("label.floor"), w.personText(c.Floor)),
		pair(w.say("label.session"), c.Session),
		pair(w.say("receipt.card"), c.ActivityCard),
		pair(w.say("receipt.manual"), c.Manual),
	)
	result := d.Body.section(w.say("receipt.result", "outcome", w.term("outcome", c.Measured.Verdict.Outcome.String())))
	w.verdict(result, r)
	w.measured(d.Body.section(w.say("receipt.measured")), c.Measured.Verdict)
	w.attested(d.Body.section(w.say("receipt.attested")), c)
	d.Body.section(w.say("receipt.under")).pairs(w.under(h)...)
	d.sign(w.say("label.dealer"), w.say("label.floor"))
	return d
}

func (w words) newDeck(isNew bool) string {
	if isNew {
		return w.say("receipt.new")
	}
	return w.say("receipt.used")
}

// verdict is what follows from the result.
func (w words) verdict(s *Section, r ReceiptReport) {
	v := r.Receipt.Measured.Verdict
	if v.Outcome == deckcheck.Unread {
		s.line(NoMark, w.say("receipt.unread", "reason", w.term("unread", v.Reason.String())))
	}
	s.line(NoMark, w.term("hint", r.Hint))
	if r.Due {
		s.strong(w.say("sentence.quarantine_due"))
	}
}

// measured is what the devices found; a count without a counter is a dealer's
// word (D1).
func (w words) measured(s *Section, v deckcheck.Verdict) {
	fed := Pair{w.say("receipt.fed"), strconv.Itoa(int(v.Fed)), Measured}
	if v.CountAttested {
		fed = Pair{w.say("receipt.fed_attested"), strconv.Itoa(int(v.Fed)), Attested}
	}
	s.pairs(fed, Pair{w.say("receipt.read"), strconv.Itoa(int(v.Read)), Measured})
	switch v.Outcome {
	case deckcheck.Good:
		s.pairs(Pair{w.say("receipt.different"), strconv.Itoa(deckcheck.DeckSize), Measured}, Pair{w.say("receipt.findings"), w.say("receipt.none"), Measured})
	case deckcheck.Bad:
		s.pairs(Pair{w.say("receipt.findings"), w.findings(v), Measured})
	}
}

// attested is what people stated, apart from what was measured (D4).
func (w words) attested(s *Section, c deckcheck.Receipt) {
	if c.Measured.Verdict.Outcome != deckcheck.Good {
		s.line(NoMark, w.say("receipt.not_asked"))
		return
	}
	a := c.Attested.Dealer
	for _, one := range []struct {
		name   string
		stated bool
	}{{"condition", a.Condition}, {"backs", a.Backs}, {"cut_card", a.CutCard}, {"button", a.Button}, {"timer", a.Timer}} {
		s.pairs(w.stated(w.term("attest", one.name), one.stated))
	}
	if a.StatedCount > 0 {
		s.pairs(Pair{w.term("attest", "stated_count"), strconv.Itoa(int(a.StatedCount)), Attested})
	}
	switch {
	case c.Attested.CountersignedBy != "":
		s.line(Attested, w.say("receipt.countersigned", "by", w.personText(c.Attested.CountersignedBy)))
	case c.Attested.Countersign:
		s.strong(w.say("receipt.countersign_missing"))
	}
}

func (w words) stated(label string, yes bool) Pair {
	if yes {
		return Pair{label, w.say("receipt.yes"), Attested}
	}
	return Pair{label, w.say("receipt.not_stated"), NoMark}
}
