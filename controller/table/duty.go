package table

import "shuffler/controller/table/custody"

// ChangeFloor names another floor or deputy on duty during a session (D11). What
// is left empty stays.
type ChangeFloor struct {
	Act
	Floor, Deputy custody.Person
	Reason        string
}

// FloorChanged tells who is on duty from now on (D11).
type FloorChanged struct {
	Act
	Floor  custody.Person `json:"floor"`
	Deputy custody.Person `json:"deputy"`
	Reason string         `json:"reason,omitempty"`
}

func (ChangeFloor) Name() string  { return "change_floor" }
func (FloorChanged) Type() string { return "floor_changed" }

func (r FloorChanged) fold(f Facts) Facts {
	f.Floor, f.Deputy = r.Floor, r.Deputy
	return f
}

func (e ChangeFloor) apply(t *turn) {
	floor, deputy := t.s.Floor, t.s.Deputy
	if e.Floor.Known() {
		floor = e.Floor
	}
	if e.Deputy.Known() {
		deputy = e.Deputy
	}
	switch {
	case !t.may(custody.Floor):
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case floor == t.s.Floor && deputy == t.s.Deputy:
		t.refuse(AlreadySo, "")
	case floor.Role != custody.Floor:
		t.refuse(BadInput, "floor")
	case deputy.Role != custody.Floor || deputy == floor:
		t.refuse(BadInput, "deputy")
	case t.note("reason", e.Reason):
		t.emit(FloorChanged{Act: e.Act, Floor: floor, Deputy: deputy, Reason: e.Reason})
	}
}

// onDutyAsFloor tells whether somebody is named as floor or deputy on duty (D11).
func (f Facts) onDutyAsFloor(p custody.Person) bool {
	return f.Open && (p == f.Floor || p == f.Deputy)
}

// noteDuty notes a floor who acted at an open table and is named neither before
// nor by it (D11): a table must not stand still because both are away, and the
// journal says so.
func (t *turn) noteDuty(before Facts) {
	if !before.Open && !t.s.Open || t.out.Refusal.Refused() || t.name == "" {
		return
	}
	for _, p := range [...]custody.Person{t.act.By, t.act.ApprovedBy} {
		if p.Role == custody.Floor && !before.onDutyAsFloor(p) && !t.s.onDutyAsFloor(p) {
			t.emit(Notice{Code: FloorNotNamed, Arg: p.String()})
		}
	}
}
