package rig

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shuffler/controller/api"
	"shuffler/sim"
)

// Tuning constants of a crew in real time.
const (
	looksLeast = 20 * time.Millisecond  // between two looks at the screen
	looksMost  = 500 * time.Millisecond // so that what the machine reports is seen in time
	asksAgain  = time.Second            // where the controller does not answer

	mostAnswers = 16 // under way; a crew asks for one thing at a time, and so do others for it
)

// Faster gives people who take so many times less for everything.
func (p Pace) Faster(times float64) Pace {
	for _, d := range []*time.Duration{&p.Deed, &p.Move, &p.Wash, &p.Play} {
		*d = time.Duration(float64(*d) / times)
	}
	return p
}

// Play lets dealer and floor play at the table, by what room shows and answers
// and by what they can do at the machines, until the plan is done (nil) or ctx
// ends (its error). A controller that does not answer is asked for ever, so that
// it may restart. One crew plays at a table at a time.
func (t *Table) Play(ctx context.Context, room api.Room, plan Plan) error {
	p := &player{t: t, ctx: ctx, room: room, answers: make(chan func(), mostAnswers)}
	t.mu.Lock()
	if t.crew != nil {
		t.mu.Unlock()
		return fmt.Errorf("table %s: a crew plays there already", t.ID)
	}
	p.crew = NewCrew(t.ID, p, t.world, plan, t.tell)
	t.crew = p.crew
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.crew = nil
		t.mu.Unlock()
	}()
	p.looks = min(max(p.crew.plan.Pace.Deed/4, looksLeast), looksMost)
	return p.play()
}

// player drives a crew by the clock. The crew is in the table's hands, under its
// lock; a room may take its time and is never waited for there.
type player struct {
	t       *Table
	ctx     context.Context
	room    api.Room
	crew    *Crew
	looks   time.Duration
	answers chan func()

	screen api.Snapshot // what the crew sees; under the table's lock
	lost   bool         // it has been told that the controller does not answer
}

// Snapshot gives the crew what was last seen.
func (p *player) Snapshot(string) (api.Snapshot, error) { return p.screen, nil }

// Ask asks without waiting; the answer comes back to the crew by play.
func (p *player) Ask(table string, r api.Request, reply func(api.Answer)) {
	go p.room.Ask(table, r, func(a api.Answer) {
		select {
		case p.answers <- func() { reply(a) }:
		case <-p.ctx.Done():
		}
	})
}

func (p *player) play() error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return p.ctx.Err()
		case hear := <-p.answers:
			p.t.mu.Lock()
			hear()
			p.t.mu.Unlock()
		case <-timer.C:
		}
		wait, done := p.look()
		if done {
			return nil
		}
		timer.Reset(wait)
	}
}

// look lets the crew see the screen and act, and tells when to look again.
func (p *player) look() (wait time.Duration, done bool) {
	s, err := p.room.Snapshot(p.t.ID)
	if err != nil {
		if !p.lost && !errors.Is(err, context.Canceled) {
			p.t.tell(fmt.Sprintf("the crew cannot see the table: %v; it is asked again and again", err))
		}
		p.lost = true
		return asksAgain, false
	}
	if p.lost {
		p.lost = false
		p.t.tell("the crew sees the table again")
	}
	p.t.Do(func(now time.Duration, _ *World) {
		p.screen = s
		p.crew.Advance(now)
		wait, done = p.looks, p.crew.Done()
		if next := p.crew.Next(); next != sim.Never {
			wait = min(wait, max(next-now, looksLeast))
		}
	})
	return wait, done
}

// interrupt lets the crew do what somebody else wants of it.
func (c *Crew) interrupt(d Deed) error {
	if c.asking || !c.begun {
		return fmt.Errorf("%s: the crew is asking for something else at this moment: say it again", d)
	}
	s, err := c.room.Snapshot(c.Table)
	if err == nil {
		d.crew(c, s)
	}
	return err
}

// Prepare does what a scenario wants at the start, at a table where nobody plays.
// The error says that it also wants something for hands or checks: only a crew
// knows when these are.
func (t *Table) Prepare(s Scenario) error {
	for _, st := range s.strikes {
		if st.when.what != "start" || st.deed.crew != nil {
			return fmt.Errorf("scenario %s: %q waits for a hand or a check, and only a crew knows when that is", s.Name, st.deed)
		}
	}
	for _, st := range s.strikes {
		if _, err := t.Perform(st.deed); err != nil {
			return fmt.Errorf("scenario %s: %w", s.Name, err)
		}
	}
	return nil
}
