package report

import (
	"strconv"

	"shuffler/deckcheck"
)

// Text is the receipt for a printer of 42 to 48 columns or a terminal.
func (r ReceiptReport) Text(o Options) string {
	w, p := o.words(), newPage(o)
	c := r.Receipt
	proc := Procedure{Version: c.Procedure.Version, Approved: c.Procedure.Approved, ApprovedBy: c.Procedure.ApprovedBy, ApprovedAt: c.Procedure.ApprovedAt}
	p.line(0, w.say("receipt.title", "check", r.Check))
	p.rule()
	p.pairs(0, []pair{
		{w.say("label.table"), c.Table},
		{w.say("label.deck"), w.say("common.deck", "deck", c.Deck, "back", c.Back, "slot", c.Slot)},
		{w.say("receipt.kind"), w.newDeck(c.NewDeck)},
		{w.say("receipt.began"), w.day(c.StartMS)},
		{w.say("receipt.ended"), w.day(c.EndMS)},
		{w.say("label.dealer"), w.personText(c.Dealer)},
		{w.say("label.floor"), w.personText(c.Floor)},
		{w.say("label.session"), c.Session},
		{w.say("receipt.card"), c.ActivityCard},
		{w.say("receipt.manual"), c.Manual},
	})
	p.rule()
	p.line(0, w.say("receipt.result", "outcome", w.term("outcome", c.Measured.Verdict.Outcome.String())))
	p.verdict(w, r)
	p.attested(w, c)
	p.line(0, w.say("receipt.under"))
	under := append(w.procedures([]Procedure{proc}), pair{w.say("label.controller"), c.Controller})
	for _, d := range c.Devices {
		under = append(under, pair{w.term("label", d.Role), w.device(d.Maker, d.Model, d.Serial, d.Firmware, d.Authenticated)})
	}
	if r.Asserted {
		under = append(under, pair{w.say("label.identities"), w.say("common.asserted")})
	}
	p.pairs(2, under)
	p.anchor(w, r.Journal)
	p.signatures(w.say("label.dealer"), w.say("label.floor"))
	return p.String()
}

func (w words) newDeck(isNew bool) string {
	if isNew {
		return w.say("receipt.new")
	}
	return w.say("receipt.used")
}

// verdict is what the devices found.
func (p *page) verdict(w words, r ReceiptReport) {
	v := r.Receipt.Measured.Verdict
	if v.Outcome == deckcheck.Unread {
		p.line(0, w.say("receipt.unread", "reason", w.term("unread", v.Reason.String())))
	}
	if r.Hint != "" {
		p.line(0, w.term("hint", r.Hint))
	}
	if r.Due {
		p.line(0, w.say("sentence.quarantine_due"))
	}
	p.line(0, w.say("receipt.measured"))
	fed := w.say("receipt.fed")
	if v.CountAttested {
		fed = w.say("receipt.fed_attested")
	}
	list := []pair{{fed, strconv.Itoa(int(v.Fed))}, {w.say("receipt.read"), strconv.Itoa(int(v.Read))}}
	switch v.Outcome {
	case deckcheck.Good:
		list = append(list, pair{w.say("receipt.different"), strconv.Itoa(deckcheck.DeckSize)}, pair{w.say("receipt.findings"), w.say("receipt.none")})
	case deckcheck.Bad:
		list = append(list, pair{w.say("receipt.findings"), w.findings(v)})
	}
	p.pairs(2, list)
}

// attested is what people stated, apart from what was measured (D4).
func (p *page) attested(w words, c deckcheck.Receipt) {
	p.line(0, w.say("receipt.attested"))
	if c.Measured.Verdict.Outcome != deckcheck.Good {
		p.line(2, w.say("receipt.not_asked"))
		return
	}
	a := c.Attested.Dealer
	var list []pair
	for _, s := range []struct {
		name   string
		stated bool
	}{{"condition", a.Condition}, {"backs", a.Backs}, {"cut_card", a.CutCard}, {"button", a.Button}, {"timer", a.Timer}} {
		list = append(list, pair{w.term("attest", s.name), w.stated(s.stated)})
	}
	if a.StatedCount > 0 {
		list = append(list, pair{w.term("attest", "stated_count"), strconv.Itoa(int(a.StatedCount))})
	}
	p.pairs(2, list)
	switch {
	case c.Attested.CountersignedBy != "":
		p.line(2, w.say("receipt.countersigned", "by", w.personText(c.Attested.CountersignedBy)))
	case c.Attested.Countersign:
		p.line(2, w.say("receipt.countersign_missing"))
	}
}

func (w words) stated(yes bool) string {
	if yes {
		return w.say("receipt.yes")
	}
	return w.say("receipt.not_stated")
}
