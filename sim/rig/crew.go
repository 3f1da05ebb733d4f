package rig

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shuffler/controller/api"
	"shuffler/sim"
)

// Pace is how long people take.
type Pace struct {
	Deed time.Duration // a button, a word
	Move time.Duration // a pack from here to there
	Wash time.Duration
	Play time.Duration // from the deal to the pots pushed
}

// DefaultPace is a calm table.
var DefaultPace = Pace{Deed: 2 * time.Second, Move: 3 * time.Second, Wash: 12 * time.Second, Play: 60 * time.Second}

// Level is a blind level that the floor announces.
type Level = api.AnnounceLevel

// Plan is what an evening is to be.
type Plan struct {
	Hands     int             // to be played, 0 = until stopped
	Levels    []Level         // the first is announced at opening
	LevelAt   map[uint64]bool // hands in whose shuffle, after the first riffle, the next level is announced
	HandoffAt map[uint64]bool // hands after whose end the dealers swap
	Close     bool            // close the table at the end
	Pace      Pace
	Scenario  Scenario
	Dealers   []string // at least two, who take turns; nil: two of the house
}

// Crew plays dealer and floor at one table.
type Crew struct {
	Table   string
	Floor   string
	Dealers []string // who take turns

	room  api.Room
	world *World
	plan  Plan
	tell  func(string) // what a bystander would see; may be nil

	next    api.Next // the action that was last seen
	n       uint64
	due     time.Duration // when the crew gets to it
	asking  bool
	done    bool
	level   int    // announced so far
	told    uint64 // hand in which the last planned level was announced
	swapped uint64 // hand after which the dealers were last swapped
	button  int
	asks    int
	before  uint64 // hands played before this evening
	since   uint64 // state number at its beginning, for keys that are new
	begun   bool
	placed  map[string]bool // slots that have had a deck
	Refused map[string]int  // refusals that the crew met, by code
}

// NewCrew makes the people of a table. tell may be nil.
func NewCrew(table string, room api.Room, w *World, plan Plan, tell func(string)) *Crew {
	if plan.Pace == (Pace{}) {
		plan.Pace = DefaultPace
	}
	if plan.Dealers == nil {
		plan.Dealers = []string{"dealer:3", "dealer:5"}
	}
	if tell == nil {
		tell = func(string) {}
	}
	plan.Scenario.strikes = slices.Clone(plan.Scenario.strikes) // which remember that they are done
	return &Crew{Table: table, Floor: "floor:7", Dealers: plan.Dealers, room: room, world: w, plan: plan, tell: tell, button: 1, placed: map[string]bool{}, Refused: map[string]int{}}
}

// Done tells whether the evening is over.
func (c *Crew) Done() bool { return c.done }

// Stuck describes what the crew waits for, for a report of an evening that came
// to a standstill.
func (c *Crew) Stuck() string {
	s, err := c.room.Snapshot(c.Table)
	return fmt.Sprintf("hand %d, next %+v, faults %v, asking %v, refused %v, err %v", s.LastHand, s.Next, s.Faults, c.asking, c.Refused, err)
}

// Next is when the crew wants to be advanced.
func (c *Crew) Next() time.Duration {
	if c.done || c.asking {
		return sim.Never
	}
	s, err := c.room.Snapshot(c.Table)
	if err != nil {
		return sim.Never
	}
	if s.Next != c.next || s.N != c.n {
		return 0 // something has changed: look at once
	}
	if s.Next.Who == "machine" || s.Next.Do == "connect" {
		return sim.Never
	}
	return c.due
}

// Advance lets the crew look at the screen and act.
func (c *Crew) Advance(now time.Duration) {
	if c.done || c.asking {
		return
	}
	s, err := c.room.Snapshot(c.Table)
	if err != nil {
		return
	}
	if !c.begun { // the table may have a past
		c.begun, c.before, c.since = true, s.LastHand, s.N
	}
	c.world.Advance(now)
	c.plan.Scenario.strike(now, c, s)
	if c.planned(s) {
		return
	}
	if s.Next != c.next {
		c.due = now + c.delay(s.Next)
	}
	c.next, c.n = s.Next, s.N
	if now < c.due || s.Next.Who == "machine" || s.Next.Do == "connect" {
		return
	}
	c.act(now, s)
}

// planned does what the plan wants at this point, before what the screen says.
func (c *Crew) planned(s api.Snapshot) bool {
	played := s.LastHand - c.before
	if s.Hand != nil && played > 0 {
		played--
	}
	switch {
	case s.Hand != nil && c.plan.LevelAt[s.Hand.Number-c.before] && c.told != s.Hand.Number && c.level < len(c.plan.Levels) && riffled(s):
		c.told = s.Hand.Number
		c.announce()
	case s.Hand == nil && c.plan.HandoffAt[played] && c.swapped != played && s.Handoff == nil && s.Dealer != "" && s.Shuffle == nil && !troubled(s):
		c.swapped = played
		c.ask(s.Dealer, "", "propose_handoff", api.ProposeHandoff{To: c.other(s.Dealer)})
	case c.plan.Hands > 0 && played >= uint64(c.plan.Hands) && s.Hand == nil && s.Handoff == nil && s.Shuffle == nil && !troubled(s) && s.Check == nil:
		if !c.plan.Close || !s.Open {
			c.done = true
			return true
		}
		c.ask(c.Floor, "", "close_table", struct{}{})
	default:
		return false
	}
	return true
}

// troubled tells whether the floor has to see to something first. What is wrong
// with a shuffler that is out of service can wait.
func troubled(s api.Snapshot) bool {
	for _, f := range s.Faults {
		if f.Part != "shuffler" || s.Service {
			return true
		}
	}
	return s.Hold
}

// riffled tells whether the first riffle of the pass on the screen has begun.
func riffled(s api.Snapshot) bool {
	if s.Shuffle == nil {
		return false
	}
	for _, st := range s.Shuffle.Steps {
		if st.Step == "riffle" {
			return st.State == "running" || st.State == "done"
		}
	}
	return false
}

func (c *Crew) other(dealer string) string {
	for i, d := range c.Dealers {
		if d == dealer {
			return c.Dealers[(i+1)%len(c.Dealers)]
		}
	}
	return c.Dealers[0]
}

func (c *Crew) delay(n api.Next) time.Duration {
	p := c.plan.Pace
	switch n.Do {
	case "put_pack_in", "check_deck", "scan_again", "fix_deck":
		return p.Move
	case "play_and_end":
		return p.Play / 2
	case "finish_step":
		if n.Step == "wash" {
			return p.Wash
		}
	}
	return p.Deed
}

// ask makes a request and waits for its answer. One that is refused is left to
// the screen: it says what to do instead.
func (c *Crew) ask(by, second, action string, args any) {
	c.asks++
	c.asking = true
	r := api.Request{Action: action, By: by, ApprovedBy: second, Key: fmt.Sprintf("crew-%s-%d-%d", c.Table, c.since, c.asks), Args: api.Args(args)}
	c.room.Ask(c.Table, r, func(a api.Answer) {
		c.asking = false
		c.next = api.Next{} // look anew
		if !a.Done {
			c.Refused[a.Problem]++
			c.tell(fmt.Sprintf("%s asked for %s: %s %s %s", by, action, a.Problem, a.Arg, a.Detail))
		}
	})
}

// announce is the next level of the plan; the last one again if the room forgot.
func (c *Crew) announce() {
	l := c.plan.Levels[min(c.level, len(c.plan.Levels)-1)]
	c.level++
	c.ask(c.Floor, "", "announce_level", l)
}

// faultOf splits the screen's "part/code".
func faultOf(arg string) (part, code string) {
	part, code, _ = strings.Cut(arg, "/")
	return part, code
}
