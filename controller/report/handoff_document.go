package report

import (
	"strconv"
	"strings"

	"shuffler/deckcheck"
)

// Document is described at Report.
func (r HandoffReport) Document(o Options) Document {
	w := o.words()
	c := w.clockFrom(r.Session.OpenedMS)
	d := w.document(header{
		kind: "handoff", number: r.Number, title: w.say("handoff.title", "number", r.Number), table: r.Table, controller: r.Controller, sessions: []Session{r.Session},
		procedures: []Procedure{r.Settings.Procedure}, triggers: r.Settings.Triggers, devices: r.Devices, asserted: r.Asserted, place: r.Journal,
	})
	c.outcome(d.Body.section(w.say("handoff.from_to", "from", r.From, "to", r.To)), r)
	c.open(d.Body.section(w.say("handoff.open")), r)
	decks := d.Body.section(w.say("handoff.decks"))
	for _, e := range r.Decks {
		c.deckEntry(decks, e)
	}
	c.next(d.Body.section(w.say("handoff.play")), r)
	c.down(d.Body.section(c.say("handoff.down", "dealer", r.Down.Dealer, "since", c.time(r.Down.SinceMS))), r.Down)
	w.blanks(&d.Body, r.NotRecorded)
	d.sign(w.say("handoff.sign_out"), w.say("handoff.sign_in"))
	return d
}

func (c clock) outcome(s *Section, r HandoffReport) {
	s.line(NoMark, c.say("handoff.proposed", "at", c.time(r.Proposed.AtMS), "by", c.two(r.Proposed.By, r.Proposed.ApprovedBy)))
	if r.MidHand {
		s.strong(c.say("handoff.mid_hand"))
	}
	if r.Refused != nil {
		s.line(NoMark, c.say("handoff.refused", "at", c.time(r.Refused.AtMS), "by", r.Refused.By, "reason", r.Refused.Reason))
	}
	if r.Decided == nil {
		s.strong(c.say("handoff." + r.Outcome + "_open"))
		return
	}
	s.line(NoMark, c.say("handoff."+r.Outcome, "at", c.time(r.Decided.AtMS), "by", r.Decided.By, "reason", r.Decided.Reason, "from", r.From, "to", r.To))
	if r.Decided.Head == "" {
		return
	}
	pos, _, _ := strings.Cut(r.Decided.Head, ":")
	if r.Decided.HeadKnown {
		s.line(NoMark, c.say("handoff.head_known", "pos", pos))
	} else {
		s.strong(c.say("handoff.head_unknown", "pos", pos))
	}
}

// open is what must not be overlooked.
func (c clock) open(s *Section, r HandoffReport) {
	if r.Hold == nil && len(r.Faults) == 0 && !r.OutService && !r.LevelDue {
		s.line(NoMark, c.say("handoff.nothing_open"))
		return
	}
	if r.Hold != nil {
		s.strong(c.holdLine(*r.Hold))
	}
	for _, f := range r.Faults {
		s.strong(c.faultLine(f))
	}
	if r.OutService {
		s.strong(c.say("handoff.out_of_service"))
	}
	if r.LevelDue {
		s.strong(c.say("handoff.level_due"))
	}
}

func (c clock) deckEntry(in *Section, d DeckEntry) {
	if !d.Present {
		in.line(NoMark, c.say("handoff.no_deck", "slot", d.Slot))
		return
	}
	play := ""
	if d.InPlay {
		play = c.say("handoff.in_play")
	}
	s := in.section(c.say("handoff.deck", "slot", d.Slot, "deck", d.Deck, "back", d.Back, "play", play))
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
	s.pairs(
		pair(c.say("handoff.state"), state),
		pair(c.say("handoff.last_check"), c.checkLine(d.Check)),
		pair(c.say("label.shuffles"), since),
		pair(c.say("handoff.in_use"), use),
		pair(c.say("handoff.wash_due"), c.terms("wash", d.WashDue)),
	)
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
func (c clock) next(s *Section, r HandoffReport) {
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
	counted := c.say("handoff.stub_counted")
	if r.StubDue {
		counted = c.say("handoff.stub_due")
	}
	s.pairs(
		pair(c.say("handoff.stub_count"), counted),
		pair(c.say("label.level"), c.level(r.Level)), Pair{c.say("label.button"), seats, Attested}, pair(c.say("handoff.last_hand"), last),
		pair(c.say("handoff.last_shuffle"), c.passLine(r.Hand.Shuffle)),
		pair(c.say("handoff.steps"), c.steps(r.Settings.Procedure.Steps)), pair(c.say("handoff.min_cut"), strconv.Itoa(int(r.Settings.MinCut))),
	)
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
func (c clock) down(s *Section, d DownEntry) {
	s.pairs(
		pair(c.say("label.hands"), c.say("handoff.down_hands", "n", d.Hands, "abandoned", d.Abandoned)),
		pair(c.say("label.shuffles"), c.say("handoff.down_shuffles", "n", d.Shuffles, "void", len(d.Voids))),
		pair(c.say("label.breaks"), strconv.Itoa(len(d.Breaks))),
		pair(c.say("label.cuts_refused"), strconv.Itoa(d.CutsRefused)),
		pair(c.say("label.holds"), strconv.Itoa(len(d.Holds))),
		pair(c.say("label.faults"), strconv.Itoa(len(d.Faults))),
	)
	for _, v := range d.Voids {
		s.line(NoMark, c.voidLine(v))
	}
	for _, b := range d.Breaks {
		s.line(NoMark, c.breakLine(b))
	}
	for _, h := range d.Holds {
		s.line(NoMark, c.holdLine(h))
	}
	for _, f := range d.Faults {
		s.line(NoMark, c.faultLine(f))
	}
}

// blanks leaves room for what this version does not record.
func (w words) blanks(in *Section, names []string) {
	if len(names) == 0 {
		return
	}
	var list Blanks
	for _, n := range names {
		list = append(list, w.term("unknown", n))
	}
	in.section(w.say("handoff.by_hand")).add(list)
}
