package report

import (
	"strconv"

	"shuffler/deckcheck"
)

// Document is described at Report.
func (r SummaryReport) Document(o Options) Document {
	w := o.words()
	title := w.say("summary.title", "session", r.Session.Number)
	if r.Floor {
		title = w.say("summary.title_floor", "session", r.Session.Number)
	}
	d := w.document(header{
		kind: "summary", number: r.Session.Number, title: title, table: r.Table, controller: r.Controller, sessions: []Session{r.Session}, procedures: r.Procedures,
		triggers: r.Triggers, devices: r.Devices, asserted: r.Asserted, place: r.Journal,
	})
	c := w.clockFrom(r.Session.OpenedMS)
	s := d.Body.section(w.say("summary.figures"))
	c.pace(s, r)
	c.sums(s, r.Totals)
	c.durations(d.Body.section(w.say("summary.times")), r)
	c.levels(&d.Body, r.Levels)
	c.checks(d.Body.section(w.say("summary.checks")), r.Checks)
	c.incidents(&d.Body, r)
	c.handoffs(&d.Body, r.Handoffs)
	c.figures(&d.Body, r.Dealers)
	d.sign(w.say("summary.sign_floor"), w.say("summary.sign_deputy"))
	return d
}

func (c clock) pace(s *Section, r SummaryReport) {
	if r.Pace.PerHour > 0 {
		s.pairs(pair(c.say("summary.per_hour"), c.say("summary.pace", "rate", rate(r.Pace.PerHour), "n", r.Pace.Ended, "from", c.time(r.Pace.FirstMS), "to", c.time(r.Pace.LastMS))))
	}
}

func rate(perHour float64) string { return strconv.FormatFloat(perHour, 'f', 1, 64) }

// durations are the times of shuffles: of the machine by its own clock, of a
// shuffle by hand from what the dealer reported.
func (c clock) durations(s *Section, r SummaryReport) {
	var rows []Row
	for _, one := range []struct {
		name string
		Durations
		mark Mark
	}{{"summary.machine", r.Machine, Measured}, {"summary.by_hand", r.ByHand, Attested}} {
		if one.N > 0 {
			rows = append(rows, Row{[]string{c.say(one.name), strconv.Itoa(one.N), c.took(one.MedianMS), c.took(one.NinthDecileMS), c.took(one.MaxMS)}, one.mark})
		}
	}
	if len(rows) == 0 {
		s.line(NoMark, c.say("summary.no_shuffle"))
	}
	s.grid([]Column{
		{Title: c.say("summary.how")}, {Title: c.say("summary.complete"), Right: true}, {Title: c.say("summary.median"), Right: true},
		{Title: c.say("summary.p90"), Right: true}, {Title: c.say("summary.longest"), Right: true},
	}, rows)
}

func (c clock) levels(in *Section, list []LevelPlayed) {
	var rows []Row
	for _, l := range list {
		hands := strconv.FormatUint(l.First, 10)
		if l.Last != l.First {
			hands += "–" + strconv.FormatUint(l.Last, 10)
		}
		rows = append(rows, Row{Cells: []string{c.level(l.Level), c.time(l.BeganMS), hands, strconv.Itoa(l.Hands)}})
	}
	if len(rows) > 0 {
		in.section(c.say("summary.levels")).grid([]Column{
			{Title: c.say("label.level")}, {Title: c.say("summary.first_trigger")}, {Title: c.say("summary.from_to")}, {Title: c.say("label.hands"), Right: true},
		}, rows)
	}
}

func (c clock) checks(s *Section, list []CheckLine) {
	n := outcomes(list)
	s.line(NoMark, c.say("summary.outcomes", "n", len(list), "good", n[deckcheck.Good], "bad", n[deckcheck.Bad], "unread", n[deckcheck.Unread]))
	var rows []Row
	for _, k := range list {
		result := c.term("outcome", k.Verdict.Outcome.String())
		detail := c.findings(k.Verdict)
		if k.Verdict.Outcome == deckcheck.Unread {
			detail = c.term("unread", k.Verdict.Reason.String())
		}
		rows = append(rows, Row{Cells: []string{
			strconv.FormatUint(k.Number, 10), c.time(k.EndedMS), k.Deck, c.person(k.AttestedBy), c.person(k.CountersignedBy), c.say("summary.verdict", "outcome", result, "detail", detail),
		}})
	}
	s.grid([]Column{
		{Title: c.say("summary.check"), Right: true}, {Title: c.say("log.ended")}, {Title: c.say("label.deck")}, {Title: c.say("summary.attested"), Mark: Attested},
		{Title: c.say("summary.countersigned"), Mark: Attested}, {Title: c.say("summary.result"), Mark: Measured},
	}, rows)
}

// incidents are what did not go as it should, in order of time within their kind.
func (c clock) incidents(in *Section, r SummaryReport) {
	lines := func(key string, n int, line func(i int) string) {
		s := in.section(c.say(key, "n", n))
		for i := range n {
			s.line(NoMark, line(i))
		}
		if n == 0 {
			s.line(NoMark, c.say("summary.nothing"))
		}
	}
	lines("summary.voids", len(r.Voids), func(i int) string { return c.voidLine(r.Voids[i]) })
	lines("summary.breaks", len(r.Breaks), func(i int) string { return c.breakLine(r.Breaks[i]) })
	lines("summary.faults", len(r.Faults), func(i int) string {
		return c.together(c.faultLine(r.Faults[i]), c.stood(r.Faults[i].AtMS, r.Faults[i].Cleared))
	})
	lines("summary.holds", len(r.Holds), func(i int) string {
		return c.together(c.holdLine(r.Holds[i]), c.stood(r.Holds[i].AtMS, r.Holds[i].LiftedMS))
	})
	var told []string
	for _, e := range r.Also {
		if s := c.alsoLine(e); s != "" {
			told = append(told, s)
		}
	}
	if len(told) > 0 {
		lines("summary.also", len(told), func(i int) string { return told[i] })
	}
}

// stood is how long something stood, empty where that is not known or not over.
func (c clock) stood(from, to int64) string {
	if from == 0 || to == 0 {
		return ""
	}
	return c.say("summary.stood", "took", c.took(to-from))
}

func (c clock) handoffs(in *Section, list []HandoffLine) {
	var rows []Row
	for _, h := range list {
		outcome := c.term("outcome_handoff", h.Outcome)
		if h.MidHand {
			outcome = c.list([]string{outcome, c.say("summary.mid_hand")})
		}
		rows = append(rows, Row{Cells: []string{c.time(h.AtMS), c.person(h.From), c.person(h.To), c.time(h.EndMS), c.person(h.By), c.say("summary.outcome", "outcome", outcome, "reason", h.Reason)}})
	}
	if len(rows) > 0 {
		in.section(c.say("summary.handoffs", "n", len(rows))).grid([]Column{
			{Title: c.say("summary.proposed")}, {Title: c.say("summary.from")}, {Title: c.say("summary.to")}, {Title: c.say("summary.decided")}, {Title: c.say("summary.by")}, {Title: c.say("summary.result")},
		}, rows)
	}
}

// figures are those of each dealer, for the floor (P5).
func (c clock) figures(in *Section, list []DealerFigure) {
	var rows []Row
	for _, d := range list {
		pace := ""
		if d.PerHour > 0 {
			pace = rate(d.PerHour)
		}
		t := d.Totals
		rows = append(rows, Row{Cells: []string{
			c.person(d.Dealer), strconv.Itoa(d.Downs), c.took(d.TableMS), strconv.Itoa(t.Hands), pace, strconv.Itoa(t.Voids), strconv.Itoa(t.Breaks), strconv.Itoa(t.Holds),
		}})
	}
	if len(rows) > 0 {
		in.section(c.say("summary.dealers")).grid([]Column{
			{Title: c.say("label.dealer")}, {Title: c.say("summary.downs"), Right: true}, {Title: c.say("summary.at_table"), Right: true}, {Title: c.say("label.hands"), Right: true},
			{Title: c.say("summary.pace_short"), Right: true}, {Title: c.say("label.voids"), Right: true}, {Title: c.say("label.breaks"), Right: true}, {Title: c.say("label.holds"), Right: true},
		}, rows)
	}
}
