package report

import (
	"strconv"

	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

// Document is described at Report.
func (r HandLogReport) Document(o Options) Document {
	w := o.words()
	d := w.document(header{
		kind: "hands", title: w.say("log.title"), table: r.Table, controller: r.Controller, sessions: r.Sessions, procedures: r.Procedures,
		triggers: r.Triggers, devices: r.Devices, asserted: r.Asserted, place: r.Journal,
	})
	c := w.clockFrom(r.firstMS())
	for _, g := range r.Groups {
		part := d.Body.section(c.heading(g))
		c.overview(part, g.entries)
		if g.Totals != nil {
			c.sums(part, *g.Totals)
		}
	}
	if r.By == "" {
		c.overview(d.Body.section(w.say("log.overview")), r.Hands)
		for _, h := range r.Hands {
			part := d.Body.section(c.say("log.hand", "hand", h.Hand, "level", h.Tag, "state", c.term("state", h.State)))
			part.Detail = true
			c.hand(part, h)
		}
	}
	if len(r.Loose) > 0 {
		loose := d.Body.section(w.say("log.loose"))
		for _, s := range r.Loose {
			c.shuffle(loose, s)
		}
	}
	if len(r.Also) > 0 {
		part := d.Body.section(w.say("log.after"))
		for _, e := range r.Also {
			part.line(NoMark, c.alsoLine(e))
		}
	}
	c.totals(d.Body.section(w.say("log.totals")), r)
	return d
}

// firstMS is the day whose date need not be repeated.
func (r HandLogReport) firstMS() int64 {
	if len(r.Sessions) > 0 {
		return r.Sessions[0].OpenedMS
	}
	return 0
}

func (c clock) hand(s *Section, h *HandEntry) {
	s.pairs(
		Pair{c.say("log.began"), c.say("log.began_at", "at", c.exact(h.Trigger.AtMS), "trigger", c.term("trigger", h.Trigger.Trigger.String()), "tick", tick(h.Trigger.Tick)), triggerMark(h.Trigger)},
		pair(c.say("label.dealer"), c.person(h.Dealer)),
		pair(c.say("label.deck"), c.say("common.deck", "deck", h.Deck, "back", h.Back, "slot", h.Slot)),
		Pair{c.say("label.button"), c.say("common.button", "button", h.Button, "seats", c.seats(h.Seats)), Attested},
	)
	for _, e := range h.Shuffles {
		c.shuffle(s, e)
	}
	for _, t := range h.Others {
		if worthTelling(false, t.Why) {
			s.line(triggerMark(t), c.say("log.trigger", "at", c.exact(t.AtMS), "trigger", c.term("trigger", t.Trigger.String()), "why", c.term("gate", t.Why), "tick", tick(t.Tick)))
		}
	}
	c.life(s, h)
	c.during(s, h)
}

// triggerMark: the machine and the button are seen by a device; the riffle of a
// shuffle by hand and the handoff are told by the dealer.
func triggerMark(t TriggerEntry) Mark {
	if t.Tick != 0 || t.Trigger == hand.ShufflerButton {
		return Measured
	}
	return Attested
}

// tick is a device's clock, empty where it has none.
func tick(ms uint32) string {
	if ms == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(ms), 10)
}

// life is one line from ready to the end.
func (c clock) life(s *Section, h *HandEntry) {
	s.line(Attested, c.say("log.life", "ready", c.time(h.ReadyMS), "deal", c.time(h.DealMS), "sa", c.time(h.ActionMS), "end", c.endOf(h)))
	if h.State == HandAbandoned {
		s.line(NoMark, c.say("log.abandoned", "at", c.time(h.EndMS), "by", h.EndedBy, "reason", h.Abandoned))
	}
}

func (c clock) endOf(h *HandEntry) string {
	if h.State != HandEnded {
		return ""
	}
	return c.time(h.EndMS)
}

// during is what happened in a hand beside its own course.
func (c clock) during(s *Section, h *HandEntry) {
	for _, l := range h.Levels {
		s.line(NoMark, c.say("log.level", "at", c.time(l.AtMS), "level", l.Level))
	}
	for _, d := range h.Dealers {
		s.line(NoMark, c.say("log.dealer", "at", c.time(d.AtMS), "from", d.From, "to", d.To))
	}
	for _, r := range h.Restarts {
		s.line(NoMark, c.say("log.restart", "at", c.time(r.AtMS), "said", c.term("said", string(r.Said)), "by", r.SaidBy))
	}
	for _, e := range h.Holds {
		s.line(NoMark, c.holdLine(e))
	}
	for _, f := range h.Faults {
		s.line(NoMark, c.faultLine(f))
	}
	for _, e := range h.Also {
		s.line(NoMark, c.alsoLine(e))
	}
}

// shuffle is one pass: a heading, its steps in columns, what went wrong.
func (c clock) shuffle(in *Section, s *ShuffleEntry) {
	wash := ""
	if s.Wash {
		wash = c.terms("wash", s.WashFor)
	}
	p := in.section(c.say("log.shuffle", "shuffle", s.Shuffle, "deck", s.Deck, "procedure", c.procedure(s.Procedure), "wash", wash, "by", s.By))
	p.Detail = true
	p.grid([]Column{{}, {}, {}, {Right: true}, {}}, c.course(s))
	for _, n := range s.Counts {
		p.line(NoMark, c.say("log.count", "at", c.time(n.AtMS), "step", c.step(n.Step), "want", n.Want, "got", n.Got))
	}
	for _, b := range s.Breaks {
		p.line(NoMark, c.breakLine(b))
	}
	if s.CutsRefused > 0 {
		p.line(NoMark, c.say("log.cuts_refused", "n", s.CutsRefused))
	}
	if s.CompleteMS != 0 {
		p.line(NoMark, c.say("log.complete", "at", c.time(s.CompleteMS), "took", c.took(s.TookMS)))
	}
	if v := s.Void; v != nil {
		p.line(NoMark, c.say("log.void", "at", c.time(v.AtMS), "reason", c.term("stop", v.Reason), "by", v.By))
	}
}

// course is the steps and the counts out of the machine, in order of time.
func (c clock) course(s *ShuffleEntry) (rows []Row) {
	counted := s.Verified
	for _, e := range s.Steps {
		for len(counted) > 0 && counted[0].AtMS < e.StartedMS {
			rows, counted = append(rows, c.countedRow(counted[0])), counted[1:]
		}
		rows = append(rows, c.stepRow(e))
	}
	for _, e := range counted {
		rows = append(rows, c.countedRow(e))
	}
	return rows
}

func (c clock) countedRow(e PackEntry) Row {
	return Row{[]string{c.time(e.AtMS), c.say("log.verified"), c.term("actor", shuffle.Machine.String()), "", c.say("log.cards", "n", e.Cards)}, Measured}
}

func (c clock) stepRow(e StepEntry) Row {
	took, cards := c.say("log.not_done"), ""
	switch {
	case e.DoneMS == 0:
	case e.TookMS == 0 && e.Actor == shuffle.Dealer.String(): // said in one
		took = ""
	default:
		took = c.took(e.TookMS)
	}
	if e.Cards != 0 {
		key := "log.cards"
		if e.Stated {
			key = "log.cards_stated"
		}
		cards = c.say(key, "n", e.Cards)
	}
	return Row{[]string{c.time(e.StartedMS), c.step(e.Step), c.stepActor(e.Actor, e.By.String()), took, cards}, stepMark(e)}
}

// stepMark: a step of the machine, or one that a sensor saw, was measured; one
// that the dealer reported is the dealer's word.
func stepMark(e StepEntry) Mark {
	if e.Actor == shuffle.Machine.String() || e.Sensor {
		return Measured
	}
	return Attested
}

func (c clock) totals(s *Section, r HandLogReport) {
	c.sums(s, r.Totals)
	for _, f := range r.Faults {
		s.line(NoMark, c.faultLine(f))
	}
}

func (c clock) sums(s *Section, t Totals) {
	average := ""
	if t.Shuffles > 0 {
		average = c.took(t.AverageMS)
	}
	s.pairs(
		pair(c.say("label.hands"), c.say("log.hands", "n", t.Hands, "ended", t.Ended, "abandoned", t.Abandoned)),
		pair(c.say("label.shuffles"), c.say("log.shuffles", "n", t.Shuffles, "average", average, "hand", t.ByHandPasses, "void", t.Voids)),
		pair(c.say("label.breaks"), strconv.Itoa(t.Breaks)),
		pair(c.say("label.cuts_refused"), strconv.Itoa(t.CutsRefused)),
		pair(c.say("label.counts_wrong"), strconv.Itoa(t.CountsWrong)),
		pair(c.say("label.holds"), strconv.Itoa(t.Holds)),
		pair(c.say("label.faults"), c.say("log.faults", "n", t.Faults, "open", t.FaultsOpen)),
	)
}
