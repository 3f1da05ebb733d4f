package room

import (
	"maps"
	"slices"
	"time"

	"shuffler/controller/table/custody"
)

// Staff are the people who may act, as the staff file has them, without their
// PINs: those stay in the file. The zero value is a room without such a file,
// where everybody is believed. It is replaced as a whole and may be shared.
type Staff struct {
	InForce  bool          `json:"in_force,omitempty"`
	People   []Member      `json:"people,omitempty"` // in order of id
	WrongMax int           `json:"wrong_pins,omitempty"`
	LockFor  time.Duration `json:"lock_for_ns,omitempty"`
}

// Member is one person of the staff. Times are Unix milliseconds, 0 is no bound;
// no tables means all of them.
type Member struct {
	ID     string         `json:"id"`
	Roles  []custody.Role `json:"roles"`
	From   int64          `json:"from,omitempty"`
	Until  int64          `json:"until,omitempty"` // not any more from then on
	Tables []string       `json:"tables,omitempty"`
}

// Tries are a person's wrong PINs in a row, and the lock that came of them.
type Tries struct {
	Wrong int   `json:"wrong,omitempty"`
	Until int64 `json:"locked_until,omitempty"` // Unix ms, 0 where there is no lock
}

// Claim is who a request says is acting, and what the edge found of their PINs.
type Claim struct {
	Table        string // "" for the room
	Action       string
	By           custody.Person
	Auth         custody.Auth
	ApprovedBy   custody.Person
	ApprovedAuth custody.Auth
	Named        []custody.Person // whom the request puts on duty: they must be staff as well
}

// Refusal is why the room does not let a claim pass. The zero value lets it.
type Refusal struct {
	Code Code
	Arg  string // pin, approved_pin, or the person
}

// The refusals of claims (P6).
const (
	PINNeeded    Code = "pin_needed"
	PINWrong     Code = "pin_wrong"
	LockedOut    Code = "locked_out"
	UnknownStaff Code = "unknown_staff"
	RoleNotHeld  Code = "role_not_held"
	NotActive    Code = "not_active"
	OtherTable   Code = "other_table"
	NotLocked    Code = "not_locked"
)

// The records of people. None has a PIN, nor anything made of one.
type (
	// StaffApplied tells who may act from now on, as the staff file said at the
	// start or at a reload.
	StaffApplied struct {
		Staff Staff `json:"staff"`
	}
	// ProofRefused is a request that came to no table: whoever asked had not shown
	// to be the person they named.
	ProofRefused struct {
		By         custody.Person `json:"by,omitzero"`
		ApprovedBy custody.Person `json:"approved_by,omitzero"`
		Table      string         `json:"table,omitempty"`
		Action     string         `json:"action"`
		Code       Code           `json:"code"`
		Arg        string         `json:"arg,omitempty"`
	}
	// PINFailed counts a wrong PIN.
	PINFailed struct {
		By     custody.Person `json:"by"`
		Table  string         `json:"table,omitempty"`
		Action string         `json:"action"`
		Wrong  int            `json:"wrong"` // in a row
	}
	// PINAccepted ends a row of wrong ones.
	PINAccepted struct {
		By custody.Person `json:"by"`
	}
	// LockBegan: after so many wrong PINs none is looked at for a while.
	LockBegan struct {
		Staff string `json:"staff"`
		Until int64  `json:"until"`
	}
	// LockLifted: the floor lets a person try again.
	LockLifted struct {
		Act
		Staff string `json:"staff"`
	}
)

// Type names of the records of people.
func (StaffApplied) Type() string { return "staff" }
func (ProofRefused) Type() string { return "proof_refused" }
func (PINFailed) Type() string    { return "pin_wrong" }
func (PINAccepted) Type() string  { return "pin_accepted" }
func (LockBegan) Type() string    { return "locked_out" }
func (LockLifted) Type() string   { return "lock_lifted" }

// Who has left the file is forgotten with the tries that were wrong.
func (r StaffApplied) fold(s State) State {
	s.Staff = r.Staff
	var kept map[string]Tries
	for id, t := range s.Tries {
		if _, there := r.Staff.member(id); there {
			if kept == nil {
				kept = map[string]Tries{}
			}
			kept[id] = t
		}
	}
	s.Tries = kept
	return s
}

func (ProofRefused) fold(s State) State { return s }

func (r PINFailed) fold(s State) State {
	return s.tried(r.By.ID, Tries{Wrong: r.Wrong})
}

func (r PINAccepted) fold(s State) State { return s.tried(r.By.ID, Tries{}) }

func (r LockBegan) fold(s State) State {
	return s.tried(r.Staff, Tries{Until: r.Until}) // after it counting begins anew
}

func (r LockLifted) fold(s State) State { return s.tried(r.Staff, Tries{}) }

// tried copies the tries, so that an older State stays what it was.
func (s State) tried(id string, t Tries) State {
	m := maps.Clone(s.Tries)
	if m == nil {
		m = map[string]Tries{}
	}
	m[id] = t
	if t == (Tries{}) {
		delete(m, id)
	}
	if len(m) == 0 {
		m = nil
	}
	s.Tries = m
	return s
}

func (s Staff) member(id string) (Member, bool) {
	i, found := slices.BinarySearchFunc(s.People, id, func(m Member, id string) int {
		switch {
		case m.ID < id:
			return -1
		case m.ID > id:
			return 1
		}
		return 0
	})
	if !found {
		return Member{}, false
	}
	return s.People[i], true
}

// equal tells whether two staffs say the same.
func (s Staff) equal(o Staff) bool {
	return s.InForce == o.InForce && s.WrongMax == o.WrongMax && s.LockFor == o.LockFor && slices.EqualFunc(s.People, o.People, func(a, b Member) bool {
		return a.ID == b.ID && a.From == b.From && a.Until == b.Until && slices.Equal(a.Roles, b.Roles) && slices.Equal(a.Tables, b.Tables)
	})
}

// Locked tells until when no PIN of a person is looked at, in Unix milliseconds;
// 0 where there is no lock.
func (s State) Locked(at int64, id string) (until int64) {
	if u := s.Tries[id].Until; u > at {
		return u
	}
	return 0
}

// ApplyStaff takes what the staff file says. People must stand in order of id.
func (s State) ApplyStaff(staff Staff) (State, []Record) {
	if staff.equal(s.Staff) {
		return s, nil
	}
	s, rs, _ := s.emit(StaffApplied{staff})
	return s, rs
}

// Admit lets a request of people pass, or tells why not; each refusal is a
// record. Whether the role may do the action is the table's to say, and so is
// whether a signed-in dealer needs a PIN: Admit asks for one only where no table
// can tell. at is Unix milliseconds.
func (s State) Admit(at int64, c Claim) (State, []Record, Refusal) {
	if !s.Staff.InForce {
		return s, nil, Refusal{}
	}
	var rs []Record
	for _, one := range [...]struct {
		arg  string
		p    custody.Person
		auth custody.Auth
	}{{"pin", c.By, c.Auth}, {"approved_pin", c.ApprovedBy, c.ApprovedAuth}} {
		if !one.p.Known() && one.arg != "pin" {
			continue
		}
		why := s.Staff.judge(at, one.p, c.Table, one.arg)
		if why.Code == OK {
			var made []Record
			s, made, why = s.proof(at, c, one.p, one.auth, one.arg)
			rs = append(rs, made...)
		}
		if why.Code != OK {
			return s.refuse(c, why, rs)
		}
	}
	for _, p := range c.Named {
		if why := s.Staff.judge(at, p, c.Table, p.String()); p.Known() && why.Code != OK {
			return s.refuse(c, why, rs)
		}
	}
	return s, rs, Refusal{}
}

func (s State) refuse(c Claim, why Refusal, rs []Record) (State, []Record, Refusal) {
	s, made, _ := s.emit(ProofRefused{By: c.By, ApprovedBy: c.ApprovedBy, Table: c.Table, Action: c.Action, Code: why.Code, Arg: why.Arg})
	return s, append(rs, made...), why
}

// judge tells whether somebody is on the staff in that role, now and here.
func (s Staff) judge(at int64, p custody.Person, table, arg string) Refusal {
	m, known := s.member(p.ID)
	switch {
	case !p.Known():
		return Refusal{PINNeeded, arg}
	case !known:
		return Refusal{UnknownStaff, p.String()}
	case !slices.Contains(m.Roles, p.Role):
		return Refusal{RoleNotHeld, p.String()}
	case at < m.From || m.Until != 0 && at >= m.Until:
		return Refusal{NotActive, p.String()}
	case table != "" && len(m.Tables) > 0 && !slices.Contains(m.Tables, table):
		return Refusal{OtherTable, p.String()}
	}
	return Refusal{}
}

// proof judges what the edge found of a PIN. A wrong one counts, and so many in a
// row lock the person out; a lock says nothing of whether a PIN was right.
func (s State) proof(at int64, c Claim, p custody.Person, how custody.Auth, arg string) (State, []Record, Refusal) {
	tried := how == custody.AuthPIN || how == custody.AuthWrong || how == custody.AuthUnchecked
	switch {
	case tried && s.Locked(at, p.ID) != 0:
		return s, nil, Refusal{LockedOut, p.String()}
	case how == custody.AuthPIN:
		if s.Tries[p.ID] == (Tries{}) {
			return s, nil, Refusal{}
		}
		s, rs, _ := s.emit(PINAccepted{By: p})
		return s, rs, Refusal{}
	case how == custody.AuthWrong:
		wrong := s.Tries[p.ID].Wrong + 1
		s, rs, _ := s.emit(PINFailed{By: p, Table: c.Table, Action: c.Action, Wrong: wrong})
		if wrong < s.Staff.WrongMax {
			return s, rs, Refusal{PINWrong, arg}
		}
		s, more, _ := s.emit(LockBegan{Staff: p.ID, Until: at + s.Staff.LockFor.Milliseconds()})
		return s, append(rs, more...), Refusal{LockedOut, p.String()}
	case how == custody.AuthSignedIn && arg == "pin" && c.Table != "":
		return s, nil, Refusal{} // the table knows who has signed in
	}
	return s, nil, Refusal{PINNeeded, arg}
}

// LiftLock lets a person try again: the floor's doing, proven as any.
func (s State) LiftLock(act Act, id string) (State, []Record, Code) {
	t, tried := s.Tries[id]
	switch _, known := s.Staff.member(id); {
	case act.By.Role != custody.Floor:
		return s, nil, NeedsFloor
	case !known:
		return s, nil, UnknownStaff
	case !tried || t == (Tries{}):
		return s, nil, NotLocked
	}
	return s.emit(LockLifted{Act: act, Staff: id})
}
