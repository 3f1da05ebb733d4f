package report

import (
	"strconv"

	"shuffler/shuffle"
)

// Text is the log for people.
func (r HandLogReport) Text(o Options) string {
	w, p := o.words(), newPage(o)
	p.header(w, header{w.say("log.title"), r.Table, r.Controller, r.Sessions, r.Procedures, r.Triggers, r.Devices, r.Asserted})
	c := w.clockFrom(r.firstMS())
	for _, h := range r.Hands {
		p.blank()
		p.hand(c, h)
	}
	if len(r.Loose) > 0 {
		p.blank()
		p.line(0, w.say("log.loose"))
		for _, s := range r.Loose {
			p.shuffle(c, s)
		}
	}
	p.blank()
	p.totals(c, r)
	p.anchor(w, r.Journal)
	return p.String()
}

// firstMS is the day whose date need not be repeated.
func (r HandLogReport) firstMS() int64 {
	if len(r.Sessions) > 0 {
		return r.Sessions[0].OpenedMS
	}
	return 0
}

func (p *page) hand(c clock, h *HandEntry) {
	p.line(0, c.say("log.hand", "hand", h.Hand, "level", h.Tag, "state", c.term("state", h.State)))
	p.pairs(2, []pair{
		{c.say("log.began"), c.say("log.began_at", "at", c.exact(h.Trigger.AtMS), "trigger", c.term("trigger", h.Trigger.Trigger.String()), "tick", tick(h.Trigger.Tick))},
		{c.say("label.dealer"), c.person(h.Dealer)},
		{c.say("label.deck"), c.say("common.deck", "deck", h.Deck, "back", h.Back, "slot", h.Slot)},
		{c.say("label.button"), c.say("common.button", "button", h.Button, "seats", c.seats(h.Seats))},
	})
	for _, s := range h.Shuffles {
		p.shuffle(c, s)
	}
	for _, t := range h.Others {
		if worthTelling(false, t.Why) {
			p.hang(2, 4, c.say("log.trigger", "at", c.exact(t.AtMS), "trigger", c.term("trigger", t.Trigger.String()), "why", c.term("gate", t.Why), "tick", tick(t.Tick)))
		}
	}
	p.life(c, h)
	p.during(c, h)
}

// tick is a device's clock, empty where it has none.
func tick(ms uint32) string {
	if ms == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(ms), 10)
}

// life is one line from ready to the end.
func (p *page) life(c clock, h *HandEntry) {
	p.hang(2, 4, c.say("log.life", "ready", c.time(h.ReadyMS), "deal", c.time(h.DealMS), "sa", c.time(h.ActionMS), "end", c.endOf(h)))
	if h.State == HandAbandoned {
		p.hang(2, 4, c.say("log.abandoned", "at", c.time(h.EndMS), "by", h.EndedBy, "reason", h.Abandoned))
	}
}

func (c clock) endOf(h *HandEntry) string {
	if h.State != HandEnded {
		return ""
	}
	return c.time(h.EndMS)
}

// during is what happened in a hand beside its own course.
func (p *page) during(c clock, h *HandEntry) {
	for _, l := range h.Levels {
		p.hang(2, 4, c.say("log.level", "at", c.time(l.AtMS), "level", l.Level))
	}
	for _, d := range h.Dealers {
		p.hang(2, 4, c.say("log.dealer", "at", c.time(d.AtMS), "from", d.From, "to", d.To))
	}
	for _, r := range h.Restarts {
		p.hang(2, 4, c.say("log.restart", "at", c.time(r.AtMS), "said", c.term("said", string(r.Said)), "by", r.SaidBy))
	}
	for _, e := range h.Holds {
		p.hang(2, 4, c.holdLine(e))
	}
	for _, f := range h.Faults {
		p.hang(2, 4, c.faultLine(f))
	}
}

// shuffle is one pass: a heading, its steps in columns, what went wrong.
func (p *page) shuffle(c clock, s *ShuffleEntry) {
	wash := ""
	if s.Wash {
		wash = c.terms("wash", s.WashFor)
	}
	p.hang(2, 4, c.say("log.shuffle", "shuffle", s.Shuffle, "deck", s.Deck, "procedure", c.procedure(s.Procedure), "wash", wash, "by", s.By))
	p.rows(4, c.course(s))
	for _, n := range s.Counts {
		p.hang(4, 6, c.say("log.count", "at", c.time(n.AtMS), "step", c.step(n.Step), "want", n.Want, "got", n.Got))
	}
	for _, b := range s.Breaks {
		p.hang(4, 6, c.breakLine(b))
	}
	if s.CutsRefused > 0 {
		p.line(4, c.say("log.cuts_refused", "n", s.CutsRefused))
	}
	if s.CompleteMS != 0 {
		p.hang(4, 6, c.say("log.complete", "at", c.time(s.CompleteMS), "took", c.took(s.TookMS)))
	}
	if v := s.Void; v != nil {
		p.hang(4, 6, c.say("log.void", "at", c.time(v.AtMS), "reason", c.term("stop", v.Reason), "by", v.By))
	}
}

// course is the steps and the counts out of the machine, in order of time.
func (c clock) course(s *ShuffleEntry) (rows [][]string) {
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

func (c clock) countedRow(e PackEntry) []string {
	return []string{c.time(e.AtMS), c.say("log.verified"), c.term("actor", shuffle.Machine.String()), "", c.say("log.cards", "n", e.Cards)}
}

func (c clock) stepRow(e StepEntry) []string {
	took, cards := c.say("log.not_done"), ""
	switch {
	case e.DoneMS == 0:
	case e.TookMS == 0 && e.Actor == shuffle.Dealer.String(): // said in one
		took = ""
	default:
		took = "\t" + c.took(e.TookMS)
	}
	if e.Cards != 0 {
		key := "log.cards"
		if e.Stated {
			key = "log.cards_stated"
		}
		cards = c.say(key, "n", e.Cards)
	}
	return []string{c.time(e.StartedMS), c.step(e.Step), c.stepActor(e.Actor, e.By.String()), took, cards}
}

func (p *page) totals(c clock, r HandLogReport) {
	t := r.Totals
	p.line(0, c.say("log.totals"))
	average := ""
	if t.Shuffles > 0 {
		average = c.took(t.AverageMS)
	}
	p.pairs(2, []pair{
		{c.say("label.hands"), c.say("log.hands", "n", t.Hands, "ended", t.Ended, "abandoned", t.Abandoned)},
		{c.say("label.shuffles"), c.say("log.shuffles", "n", t.Shuffles, "average", average, "hand", t.ByHandPasses, "void", t.Voids)},
		{c.say("label.breaks"), strconv.Itoa(t.Breaks)},
		{c.say("label.cuts_refused"), strconv.Itoa(t.CutsRefused)},
		{c.say("label.counts_wrong"), strconv.Itoa(t.CountsWrong)},
		{c.say("label.holds"), strconv.Itoa(t.Holds)},
		{c.say("label.faults"), c.say("log.faults", "n", t.Faults, "open", t.FaultsOpen)},
	})
	for _, f := range r.Faults {
		p.hang(4, 6, c.faultLine(f))
	}
}
