package shuffle

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Parse makes a draft from a version and a list of steps such as "riffle" or
// "riffle@dealer". Without "@", the usual actor does the step (S4). Upper case,
// blanks around, and "cut card" or "cut-card" are understood. MinCut is
// [DefaultMinCut].
//
// It fails, with the step's place, for a step or actor that does not exist, for
// more than MaxSteps steps, and for what [Procedure.Validate] refuses. Validate
// again after setting more fields.
func Parse(version string, steps []string) (Procedure, error) {
	p := Procedure{Version: version, MinCut: DefaultMinCut}
	if err := p.setSteps(steps); err != nil {
		return Procedure{}, fmt.Errorf("shuffle: procedure %s: %w", quote(version), err)
	}
	if err := p.Validate(); err != nil {
		return Procedure{}, err
	}
	return p, nil
}

func (p *Procedure) setSteps(steps []string) error {
	if len(steps) > MaxSteps {
		return fmt.Errorf("%d steps: at most %d", len(steps), MaxSteps)
	}
	p.Steps, p.N = [MaxSteps]Planned{}, uint8(len(steps))
	for i, text := range steps {
		s, err := parseStep(text)
		if err != nil {
			return fmt.Errorf("step %d %s: %w", i+1, quote(text), err)
		}
		p.Steps[i] = s
	}
	return nil
}

func parseStep(text string) (Planned, error) {
	stepText, actorText, named := strings.Cut(text, "@")
	i, err := stepNames.match("step", stepText)
	if err != nil {
		return Planned{}, err
	}
	s := Planned{Step(i), usualActor(Step(i))}
	if named {
		a, err := actorNames.match("actor", actorText)
		if err != nil {
			return Planned{}, err
		}
		s.Actor = Actor(a)
	}
	return s, nil
}

// match finds the name that a person wrote; never the first one, "none".
func (n names) match(kind, text string) (uint8, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.NewReplacer("-", "_", " ", "_").Replace(text)
	for i, name := range n[1:] {
		if text == name {
			return uint8(i + 1), nil
		}
	}
	if near := nearest(text, n[1:]); near != "" {
		return 0, fmt.Errorf("unknown %s, did you mean %s?", kind, near)
	}
	return 0, fmt.Errorf("unknown %s: want one of %s", kind, strings.Join(n[1:], ", "))
}

// nearest is the name that the fewest changes of a letter lead to; empty if half
// of the text would have to change.
func nearest(text string, known []string) string {
	const longest = 16 // no name is longer, and a foreign text may be
	if len(text) > longest {
		return ""
	}
	best, fewest := "", len(text)/2+1
	for _, name := range known {
		if d := distance(text, name); d < fewest {
			best, fewest = name, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// procedureJSON is how a procedure is written.
type procedureJSON struct {
	Version    string   `json:"version"`
	Approved   bool     `json:"approved"`
	ApprovedBy string   `json:"approved_by,omitempty"`
	ApprovedAt string   `json:"approved_at,omitempty"`
	Steps      []string `json:"steps"`
	WashAlways bool     `json:"wash_always,omitempty"`
	MinCut     uint8    `json:"min_cut"`
}

// MarshalJSON writes the procedure with its steps as List gives them.
func (p Procedure) MarshalJSON() ([]byte, error) {
	for i, s := range p.plan() {
		if !s.Step.known() || s.Actor == NoActor || int(s.Actor) >= len(actorNames) {
			return nil, fmt.Errorf("shuffle: procedure %s: step %d (%v) is no step", quote(p.Version), i+1, s)
		}
	}
	return json.Marshal(procedureJSON{p.Version, p.Approved, p.ApprovedBy, p.ApprovedAt, p.List(), p.WashAlways, p.MinCut})
}

// UnmarshalJSON reads what MarshalJSON writes. It does not validate: a record
// tells what a room once used, also when the rules have become stricter since.
func (p *Procedure) UnmarshalJSON(data []byte) error {
	var w procedureJSON
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("shuffle: procedure: %w", err)
	}
	read := Procedure{
		Version: w.Version, Approved: w.Approved, ApprovedBy: w.ApprovedBy, ApprovedAt: w.ApprovedAt, WashAlways: w.WashAlways, MinCut: w.MinCut,
	}
	if err := read.setSteps(w.Steps); err != nil {
		return fmt.Errorf("shuffle: procedure %s: %w", quote(w.Version), err)
	}
	*p = read
	return nil
}
