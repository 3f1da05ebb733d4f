package shuffle

// MaxSteps is how many steps a procedure can have.
const MaxSteps = 16

// DefaultMinCut is the least number of cards that a cut moves, where the room
// does not say otherwise (S7; NJ 13:69F-14.5).
const DefaultMinCut = 10

// Procedure is the shuffle as the room wants it (S1): data with a version and an
// approval mark. Comparable. The zero value is no procedure: [Procedure.Validate]
// refuses it.
//
// The step cut_card puts the cut card under the pack. Where a procedure has no
// such step, the cut includes it: done means that the cut card is at the bottom
// (S7).
type Procedure struct {
	// Version names this procedure on every report. Not empty.
	Version string
	// Approved tells a procedure that the room has approved from a draft.
	// ApprovedBy and ApprovedAt are then given, as the room writes them.
	Approved               bool
	ApprovedBy, ApprovedAt string
	// Steps holds N steps; the rest stays empty.
	Steps [MaxSteps]Planned
	N     uint8
	// WashAlways makes the wash part of every shuffle (S2); else it takes place
	// when there is a reason.
	WashAlways bool
	// MinCut is the least number of cards on either side of the cut: 3 to 25 (S7).
	MinCut uint8
}

// Default is the room's procedure as a draft (S1), with the actors of S4.
func Default() Procedure {
	return draft("house-1", Gather, Wash, Riffle, Riffle, Strip, Riffle, Square, Cut, CutCard)
}

// ByHand is [Default] with every step done by the dealer: the shuffle while the
// machine is out of service (S4).
func ByHand() Procedure { return Default().AllBy(Dealer) }

// ShortForm is the short form that manuals quote (S1), taken literally: wash,
// riffle, strip, riffle, cut. It gathers nothing, so it counts nothing.
func ShortForm() Procedure { return draft("short-1", Wash, Riffle, Strip, Riffle, Cut) }

// ForStub is the draft for the stub of a hand in play (H8): washed and cut by
// hand, face down. It gathers nothing: the stub is counted before.
func ForStub() Procedure { return draft("house-1/stub", Wash, Riffle, Cut, CutCard).AllBy(Dealer) }

func draft(version string, steps ...Step) Procedure {
	p := Procedure{Version: version, MinCut: DefaultMinCut, N: uint8(len(steps))}
	for i, s := range steps {
		p.Steps[i] = Planned{s, usualActor(s)}
	}
	return p
}

// AllBy is the procedure with every step done by a.
func (p Procedure) AllBy(a Actor) Procedure {
	for i := range p.plan() {
		p.Steps[i].Actor = a
	}
	return p
}

// List gives the steps as [Parse] reads them: "riffle@machine".
func (p Procedure) List() []string {
	list := make([]string, 0, p.N)
	for _, s := range p.plan() {
		list = append(list, s.String())
	}
	return list
}

// Gathers tells whether the pack is gathered and counted at the beginning of each
// shuffle.
func (p Procedure) Gathers() bool { return p.first(Gather) >= 0 }

// plan is the steps in use.
func (p *Procedure) plan() []Planned { return p.Steps[:min(p.N, MaxSteps)] }

// first is the index of the first such step, or -1.
func (p *Procedure) first(s Step) int {
	for i, planned := range p.plan() {
		if planned.Step == s {
			return i
		}
	}
	return -1
}
