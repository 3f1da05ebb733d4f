package lines

import (
	"time"

	"shuffler/controller/table"
)

// Tuning constants of contacts.
const (
	StopStable   = 10 * time.Millisecond // default for cover and emergency stop
	ButtonStable = 25 * time.Millisecond // default for the button
	ButtonStuck  = 10 * time.Second      // a button held for so long is stuck

	unrestMost  = 10 // times its stable time: a stop that finds no rest for longer is given
	chatterSpan = 10 * time.Second
	chatterMost = 20 // glitches in a span; more is a bad contact
)

// contact is the logic of one line. It has no clock and no pin. The line is not
// known until a level has been stable for the first time; until then, and
// whenever it cannot be read, a stop counts as given and a button as not pressed.
type contact struct {
	line   table.Line
	stable time.Duration

	known  bool // a level has counted since the line could be read
	active bool // as it counts: pressed, open
	failed bool

	moving bool          // the level differs from what counts
	cand   bool          // the level, while moving
	since  time.Duration // that it has been so
	unrest time.Duration // when the line began to move without rest
	moved  time.Duration // when it moved last

	told  telling
	armed bool          // a button has been seen released: a press is an edge
	held  time.Duration // since when the level counts
	stuck bool

	counts Counts
	span   time.Duration
	atSpan uint64
	bad    bool // chatters
}

// telling is what has been told of a line.
type telling struct{ any, active bool }

// Counts are figures of a line.
type Counts struct {
	Edges    uint64 // levels that counted
	Glitches uint64 // changes that were too short
	Failures uint64 // times the line could not be read any more
}

// finding is what a look at a line has shown.
type finding struct {
	event bool // what counts is to be told
	stuck bool // named once a press
}

func newContact(line table.Line, stable time.Duration) *contact {
	c := &contact{line: line, stable: stable}
	c.active = c.stops()
	c.told.any = !c.stops() // nobody waits to hear of a button that is not pressed
	return c
}

// stops tells whether the line is one that stops the machine.
func (c *contact) stops() bool { return c.line != table.ButtonLine }

// stopping tells whether the line forbids motion now. A stop is active until a
// level says otherwise.
func (c *contact) stopping() bool { return c.stops() && c.active }

// look takes a level that was read at now. edge says that the pin has seen an
// edge since the last look: a level that is back already is a glitch.
func (c *contact) look(now time.Duration, high, edge bool) finding {
	c.chatter(now)
	active := high != c.stops()
	if c.failed { // a line that is back proves itself like a new one
		c.failed, c.known, c.moving = false, false, false
	}
	if c.known && active == c.active {
		if c.moving {
			c.move(now)
		}
		if c.moving || edge {
			c.counts.Glitches++
		}
		c.moving = false
		return c.restless(now)
	}
	switch {
	case !c.moving:
		c.move(now)
		c.moving, c.cand, c.since = true, active, now
	case c.cand != active || edge: // it bounces: the time begins anew
		c.counts.Glitches++
		c.move(now)
		c.cand, c.since = active, now
	}
	if now-c.since < c.stable {
		return c.restless(now)
	}
	return c.settle(now, active)
}

// move notes that the line is not at rest.
func (c *contact) move(now time.Duration) {
	if now-c.moved >= c.stable {
		c.unrest = now
	}
	c.moved = now
}

// restless gives a stop that finds no rest: it might be pressed. Otherwise it
// looks for a button that is held too long.
func (c *contact) restless(now time.Duration) finding {
	switch {
	case c.stops() && !c.active && c.moved == now && now-c.unrest >= unrestMost*c.stable:
		return c.settle(now, true)
	case !c.stops() && c.active && !c.stuck && now-c.held >= ButtonStuck:
		c.stuck = true
		return finding{stuck: c.armed}
	}
	return finding{}
}

// settle lets a level count.
func (c *contact) settle(now time.Duration, active bool) finding {
	c.known, c.active, c.moving = true, active, false
	c.held, c.stuck = now, false
	c.counts.Edges++
	if !c.stops() && !c.armed {
		c.armed = !active
		return finding{}
	}
	return finding{event: c.tell()}
}

// tell notes that what counts is told, and whether it is news.
func (c *contact) tell() bool {
	is := telling{true, c.active}
	news := is != c.told
	c.told = is
	return news
}

// fail says that the line cannot be read. A stop counts as given at once; a
// button is released, and must be seen released before it counts again.
func (c *contact) fail() finding {
	if c.failed {
		return finding{}
	}
	c.counts.Failures++
	c.failed, c.armed, c.stuck = true, false, false
	c.active = c.stops()
	return finding{event: c.tell()}
}

// chatter judges the rate of glitches over spans of time.
func (c *contact) chatter(now time.Duration) {
	if now-c.span < chatterSpan {
		return
	}
	c.bad = c.counts.Glitches-c.atSpan > chatterMost
	c.span, c.atSpan = now, c.counts.Glitches
}

// due is how long the pin may be waited for before the next look.
func (c *contact) due(now time.Duration) time.Duration {
	if c.moving && !c.failed {
		return min(max(c.since+c.stable-now, time.Millisecond), Recheck)
	}
	return Recheck
}
