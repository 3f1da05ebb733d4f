package report

import (
	"strconv"
	"strings"

	"shuffler/deckcheck"
)

// Text is the report that the incoming dealer reads and signs.
func (r HandoffReport) Text(o Options) string {
	w, p := o.words(), newPage(o)
	c := w.clockFrom(r.Session.OpenedMS)
	p.header(w, header{w.say("handoff.title", "number", r.Number), r.Table, r.Controller, []Session{r.Session}, []Procedure{r.Settings.Procedure}, r.Settings.Triggers, r.Devices, r.Asserted})
	p.blank()
	p.line(0, w.say("handoff.from_to", "from", r.From, "to", r.To))
	p.outcome(c, r)
	p.open(c, r)
	p.blank()
	p.line(0, w.say("handoff.decks"))
	for _, d := range r.Decks {
		p.deckEntry(c, d)
	}
	p.blank()
	p.next(c, r)
	p.blank()
	p.down(c, r.Down)
	p.blank()
	p.blanks(w, r.NotRecorded)
	p.anchor(w, r.Journal)
	p.signatures(w.say("handoff.sign_out"), w.say("handoff.sign_in"))
	return p.String()
}

func (p *page) outcome(c clock, r HandoffReport) {
	p.line(2, c.say("handoff.proposed", "at", c.time(r.Proposed.AtMS), "by", c.two(r.Proposed.By, r.Proposed.ApprovedBy)))
	if r.MidHand {
		p.line(2, c.say("handoff.mid_hand"))
	}
	if r.Refused != nil {
		p.hang(2, 4, c.say("handoff.refused", "at", c.time(r.Refused.AtMS), "by", r.Refused.By, "reason", r.Refused.Reason))
	}
	if r.Decided == nil {
		p.line(2, c.say("handoff."+r.Outcome+"_open"))
		return
	}
	p.hang(2, 4, c.say("handoff."+r.Outcome, "at", c.time(r.Decided.AtMS), "by", r.Decided.By, "reason", r.Decided.Reason, "from", r.From, "to", r.To))
	if r.Decided.Head == "" {
		return
	}
	key := "handoff.head_unknown"
	if r.Decided.HeadKnown {
		key = "handoff.head_known"
	}
	pos, _, _ := strings.Cut(r.Decided.Head, ":")
	p.hang(2, 4, c.say(key, "pos", pos))
}

// open is what must not be overlooked.
func (p *page) open(c clock, r HandoffReport) {
	p.blank()
	p.line(0, c.say("handoff.open"))
	if r.Hold == nil && len(r.Faults) == 0 && !r.OutService && !r.LevelDue {
		p.line(2, c.say("handoff.nothing_open"))
		return
	}
	if r.Hold != nil {
		p.hang(2, 4, c.holdLine(*r.Hold))
	}
	for _, f := range r.Faults {
		p.hang(2, 4, c.faultLine(f))
	}
	if r.OutService {
		p.line(2, c.say("handoff.out_of_service"))
	}
	if r.LevelDue {
		p.line(2, c.say("handoff.level_due"))
	}
}

func (p *page) deckEntry(c clock, d DeckEntry) {
	if !d.Present {
		p.line(2, c.say("handoff.no_deck", "slot", d.Slot))
		return
	}
	play := ""
	if d.InPlay {
		play = c.say("handoff.in_play")
	}
	p.line(2, c.say("handoff.deck", "slot", d.Slot, "deck", d.Deck, "back", d.Back, "play", play))
	state := c.say("handoff.usable")
	if lock := d.Lock.String(); lock != "" {
		state = c.say("handoff.locked", "why", c.term("lock", lock))
	}
	since := c.say("handoff.since_unknown", "shuffles", d.Shuffles)
	if d.Since != nil {
		since = c.say("handoff.since_check", "n", *d.Since, "hands", d.Hands)
	}
	use := ""
	if d.PlacedMS != 0 {
		use = c.took(d.InUseMS)
		if d.Over24h {
			use = c.say("handoff.over_24h", "use", use)
		}
	}
	p.pairs(4, []pair{
		{c.say("handoff.state"), state},
		{c.say("handoff.last_check"), c.checkLine(d.Check)},
		{c.say("label.shuffles"), since},
		{c.say("handoff.in_use"), use},
		{c.say("handoff.wash_due"), c.terms("wash", d.WashDue)},
	})
}

func (c clock) checkLine(k *CheckEntry) string {
	if k == nil {
		return c.say("handoff.no_check")
	}
	v := k.Verdict
	detail := c.findings(v)
	if v.Outcome == deckcheck.Unread {
		detail = c.term("unread", v.Reason.String())
	}
	return c.say("handoff.check", "number", k.Number, "outcome", c.term("outcome", v.Outcome.String()), "detail", detail, "at", c.time(k.EndedMS),
		"by", k.Started.By, "attested", k.AttestedBy, "signed", k.CountersignedBy)
}

// next is how the next hand is to be played.
func (p *page) next(c clock, r HandoffReport) {
	p.line(0, c.say("handoff.play"))
	seats := ""
	if r.Button != 0 {
		key := "handoff.seats_due"
		switch {
		case r.Hand.InPlay:
			key = "handoff.seats_hand"
		case r.SeatsOK:
			key = "handoff.seats"
		}
		seats = c.say(key, "button", r.Button, "seats", c.seats(r.Seats))
	}
	last := c.say("handoff.no_hand")
	if r.Hand.Number != 0 {
		state := c.term("state", HandEnded)
		if r.Hand.InPlay {
			state = c.term("stage", r.Hand.Stage)
		}
		last = c.say("handoff.hand", "hand", r.Hand.Number, "level", r.Hand.Tag, "state", state)
	}
	list := []pair{
		{c.say("label.level"), c.level(r.Level)}, {c.say("label.button"), seats}, {c.say("handoff.last_hand"), last},
		{c.say("handoff.last_shuffle"), c.passLine(r.Hand.Shuffle)},
		{c.say("handoff.steps"), c.steps(r.Settings.Procedure.Steps)}, {c.say("handoff.min_cut"), strconv.Itoa(int(r.Settings.MinCut))},
	}
	p.pairs(2, list)
}

// steps are the procedure's: "riffle@machine" in words.
func (c clock) steps(list []string) string {
	named := make([]string, len(list))
	for i, s := range list {
		step, actor, _ := strings.Cut(s, "@")
		named[i] = c.say("handoff.step", "step", c.step(step), "actor", c.term("actor", actor))
	}
	return c.list(named)
}

func (c clock) passLine(s *ShuffleEntry) string {
	switch {
	case s == nil:
		return ""
	case s.Void != nil:
		return c.say("handoff.pass_void", "shuffle", s.Shuffle, "deck", s.Deck, "at", c.time(s.Void.AtMS), "reason", c.term("stop", s.Void.Reason))
	case s.CompleteMS == 0:
		return c.say("handoff.pass_running", "shuffle", s.Shuffle, "deck", s.Deck)
	}
	return c.say("handoff.pass_complete", "shuffle", s.Shuffle, "deck", s.Deck, "at", c.time(s.CompleteMS), "took", c.took(s.TookMS))
}

// down is the outgoing dealer's time at the table.
func (p *page) down(c clock, d DownEntry) {
	p.line(0, c.say("handoff.down", "dealer", d.Dealer, "since", c.time(d.SinceMS)))
	p.pairs(2, []pair{
		{c.say("label.hands"), c.say("handoff.down_hands", "n", d.Hands, "abandoned", d.Abandoned)},
		{c.say("label.shuffles"), c.say("handoff.down_shuffles", "n", d.Shuffles, "void", len(d.Voids))},
		{c.say("label.breaks"), strconv.Itoa(len(d.Breaks))},
		{c.say("label.cuts_refused"), strconv.Itoa(d.CutsRefused)},
		{c.say("label.holds"), strconv.Itoa(len(d.Holds))},
		{c.say("label.faults"), strconv.Itoa(len(d.Faults))},
	})
	for _, v := range d.Voids {
		hand := ""
		if v.Hand != 0 {
			hand = strconv.FormatUint(v.Hand, 10)
		}
		p.hang(4, 6, c.say("handoff.void", "at", c.time(v.AtMS), "shuffle", v.Shuffle, "hand", hand, "reason", c.term("stop", v.Reason), "by", v.By))
	}
	for _, b := range d.Breaks {
		p.hang(4, 6, c.breakLine(b))
	}
	for _, h := range d.Holds {
		p.hang(4, 6, c.holdLine(h))
	}
	for _, f := range d.Faults {
		p.hang(4, 6, c.faultLine(f))
	}
}

// blanks leaves room for what this version does not record.
func (p *page) blanks(w words, names []string) {
	p.line(0, w.say("handoff.by_hand"))
	for _, n := range names {
		label := "  " + w.term("unknown", n) + " "
		if columns(label)+4 > p.width {
			p.raw(label)
			label = "    "
		}
		p.raw(label + strings.Repeat("_", p.width-columns(label)))
	}
}
