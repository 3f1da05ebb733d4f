package room

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"shuffler/controller/table/custody"
)

func who(s string) custody.Person {
	p, err := custody.ParsePerson(s)
	if err != nil {
		panic(err)
	}
	return p
}

// house is a staff of two floors, a dealer who is a floor as well, a technician,
// one who has left, one who has not begun and one for table T2 only.
func house() Staff {
	d, f := custody.Dealer, custody.Floor
	return Staff{InForce: true, WrongMax: 3, LockFor: 10 * time.Minute, People: []Member{
		{ID: "12", Roles: []custody.Role{d}}, {ID: "15", Roles: []custody.Role{d, f}}, {ID: "7", Roles: []custody.Role{f}}, {ID: "8", Roles: []custody.Role{f}},
		{ID: "gone", Roles: []custody.Role{d}, Until: 1000}, {ID: "new", Roles: []custody.Role{d}, From: 5000}, {ID: "t2", Roles: []custody.Role{d}, Tables: []string{"T2"}},
		{ID: "tech", Roles: []custody.Role{custody.Technician}},
	}}
}

func staffed(t *testing.T) *world {
	w := &world{t: t}
	s, rs := w.s.ApplyStaff(house())
	w.take(s, rs, OK)
	return w
}

// at 2000 the one who has left has, and the one to come has not.
func (w *world) admit(c Claim) Refusal { return w.admitAt(2000, c) }

func (w *world) admitAt(at int64, c Claim) Refusal {
	w.t.Helper()
	s, rs, why := w.s.Admit(at, c)
	w.take(s, rs, OK)
	if c.Action != "" && why.Code != OK {
		last := ""
		for _, typ := range w.types {
			if typ != "room_checkpoint" {
				last = typ
			}
		}
		if last != "proof_refused" {
			w.t.Fatalf("refused with %+v, recorded as %v", why, w.types)
		}
	}
	return why
}

func TestP6_WhoMayActAsWhom(t *testing.T) {
	w := staffed(t)
	pin, said, none := custody.AuthPIN, custody.AuthSignedIn, custody.AuthNone
	for name, c := range map[string]struct {
		claim Claim
		want  string
	}{
		"a floor with a PIN":            {Claim{Table: "T1", By: who("floor:7"), Auth: pin}, ""},
		"a dealer with a PIN":           {Claim{Table: "T1", By: who("dealer:12"), Auth: pin}, ""},
		"two roles, as dealer":          {Claim{Table: "T1", By: who("dealer:15"), Auth: pin}, ""},
		"two roles, as floor":           {Claim{Table: "T1", By: who("floor:15"), Auth: pin}, ""},
		"the table knows the rest":      {Claim{Table: "T1", By: who("dealer:12"), Auth: said}, ""},
		"two people with PINs":          {Claim{Table: "T1", By: who("dealer:12"), Auth: pin, ApprovedBy: who("floor:7"), ApprovedAuth: pin}, ""},
		"signed in, and a floor's PIN":  {Claim{Table: "T1", By: who("dealer:12"), Auth: said, ApprovedBy: who("floor:7"), ApprovedAuth: pin}, ""},
		"at the right table":            {Claim{Table: "T2", By: who("dealer:t2"), Auth: pin}, ""},
		"named floors":                  {Claim{Table: "T1", By: who("floor:7"), Auth: pin, Named: []custody.Person{who("floor:8"), who("floor:15")}}, ""},
		"nobody is named":               {Claim{Table: "T1", By: who("floor:7"), Auth: pin, Named: []custody.Person{{}}}, ""},
		"nobody":                        {Claim{Table: "T1", Auth: pin}, "pin_needed pin"},
		"a stranger":                    {Claim{Table: "T1", By: who("floor:99"), Auth: pin}, "unknown_staff floor:99"},
		"a dealer as floor":             {Claim{Table: "T1", By: who("floor:12"), Auth: pin}, "role_not_held floor:12"},
		"a technician as floor":         {Claim{Table: "T1", By: who("floor:tech"), Auth: pin}, "role_not_held floor:tech"},
		"who has left":                  {Claim{Table: "T1", By: who("dealer:gone"), Auth: pin}, "not_active dealer:gone"},
		"who has left, signed in":       {Claim{Table: "T1", By: who("dealer:gone"), Auth: said}, "not_active dealer:gone"},
		"who has not begun":             {Claim{Table: "T1", By: who("dealer:new"), Auth: pin}, "not_active dealer:new"},
		"at another table":              {Claim{Table: "T1", By: who("dealer:t2"), Auth: pin}, "other_table dealer:t2"},
		"asserted":                      {Claim{Table: "T1", By: who("floor:7"), Auth: none}, "pin_needed pin"},
		"asserted by leaving it out":    {Claim{Table: "T1", By: who("floor:7")}, "pin_needed pin"},
		"in the room nobody signs in":   {Claim{By: who("floor:7"), Auth: said}, "pin_needed pin"},
		"an approval is not signed in":  {Claim{Table: "T1", By: who("dealer:12"), Auth: pin, ApprovedBy: who("floor:7"), ApprovedAuth: said}, "pin_needed approved_pin"},
		"an approval without PIN":       {Claim{Table: "T1", By: who("dealer:12"), Auth: pin, ApprovedBy: who("floor:7")}, "pin_needed approved_pin"},
		"an approval in the wrong role": {Claim{Table: "T1", By: who("dealer:15"), Auth: pin, ApprovedBy: who("floor:12"), ApprovedAuth: pin}, "role_not_held floor:12"},
		"a stranger is named":           {Claim{Table: "T1", By: who("floor:7"), Auth: pin, Named: []custody.Person{who("floor:99")}}, "unknown_staff floor:99"},
		"a dealer is named floor":       {Claim{Table: "T1", By: who("floor:7"), Auth: pin, Named: []custody.Person{who("floor:7"), who("floor:12")}}, "role_not_held floor:12"},
	} {
		c.claim.Action = "x"
		why := w.admit(c.claim)
		if got := strings.TrimSpace(string(why.Code) + " " + why.Arg); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if why.Code == OK && len(w.types) != 0 {
			t.Errorf("%s: recorded as %v", name, w.types)
		}
	}
	if w.s.Tries != nil {
		t.Errorf("nobody gave a wrong PIN, and there are tries: %v", w.s.Tries)
	}
}

// Without a staff file everybody is believed, and nothing is recorded.
func TestP6_WithoutAStaffFileIdentityIsAsserted(t *testing.T) {
	w := &world{t: t}
	if why := w.admit(Claim{Action: "x", By: who("floor:99"), Auth: custody.AuthNone}); why.Code != OK || len(w.types) != 0 {
		t.Errorf("%+v, %v", why, w.types)
	}
	w = staffed(t)
	s, rs := w.s.ApplyStaff(Staff{}) // taken out of the configuration
	w.take(s, rs, OK)
	if why := w.admit(Claim{Action: "x", By: who("floor:99"), Auth: custody.AuthNone}); why.Code != OK || strings.Join(w.types, "") != "" {
		t.Errorf("%+v, %v", why, w.types)
	}
	if s, rs := w.s.ApplyStaff(Staff{}); len(rs) != 0 || !reflect.DeepEqual(s, w.s) {
		t.Error("the same staff is recorded twice")
	}
}

func TestP6_WrongPINsLockOut(t *testing.T) {
	w := staffed(t)
	wrong := Claim{Action: "x", Table: "T1", By: who("dealer:15"), Auth: custody.AuthWrong}
	right := wrong
	right.Auth = custody.AuthPIN
	asFloor := Claim{Action: "x", By: who("floor:15"), Auth: custody.AuthWrong} // the same person in another role, in the room
	step := func(at int64, c Claim, want Code, types string) {
		t.Helper()
		if why := w.admitAt(at, c); why.Code != want || strings.Join(w.types, " ") != types {
			t.Fatalf("at %d: %+v, want %s; recorded as %v, want %s", at, why, want, w.types, types)
		}
	}
	step(0, wrong, PINWrong, "pin_wrong proof_refused")
	step(1, asFloor, PINWrong, "pin_wrong proof_refused")
	step(2, right, OK, "pin_accepted") // a right one ends the row
	step(3, right, OK, "")
	step(4, wrong, PINWrong, "pin_wrong proof_refused")
	step(5, asFloor, PINWrong, "pin_wrong proof_refused")
	step(6, wrong, LockedOut, "pin_wrong locked_out proof_refused")
	end := int64(6) + (10 * time.Minute).Milliseconds()
	unchecked, signed := right, right
	unchecked.Auth, signed.Auth = custody.AuthUnchecked, custody.AuthSignedIn
	step(7, right, LockedOut, "proof_refused") // a right PIN does not help, and a wrong one costs no more
	step(8, wrong, LockedOut, "proof_refused")
	step(9, unchecked, LockedOut, "proof_refused")
	step(10, signed, OK, "") // the game goes on: whoever guesses at somebody's PIN must not stop it
	if w.s.Locked(end-1, "15") != end || w.s.Locked(end, "15") != 0 || w.s.Locked(0, "7") != 0 {
		t.Errorf("locked until %d, want %d", w.s.Locked(end-1, "15"), end)
	}
	step(end-1, right, LockedOut, "proof_refused")
	step(end, unchecked, PINNeeded, "proof_refused") // not looked at, and the lock is over: once more
	step(end, wrong, PINWrong, "pin_wrong proof_refused")
	step(end, wrong, PINWrong, "pin_wrong proof_refused")
	step(end, right, OK, "pin_accepted")
	if w.s.Tries != nil {
		t.Errorf("tries %v", w.s.Tries)
	}
	// A second person's wrong PIN counts for that person.
	step(end, Claim{Action: "x", Table: "T1", By: who("dealer:12"), Auth: custody.AuthPIN, ApprovedBy: who("floor:8"), ApprovedAuth: custody.AuthWrong}, PINWrong, "pin_wrong proof_refused")
	if w.s.Tries["8"].Wrong != 1 || w.s.Tries["12"].Wrong != 0 {
		t.Errorf("tries %v", w.s.Tries)
	}
}

func TestP6_TheFloorLiftsALock(t *testing.T) {
	w := staffed(t)
	lift := func(by, id string) Code {
		w.t.Helper()
		return w.take(w.s.LiftLock(Act{By: who(by), Auth: custody.AuthPIN}, id))
	}
	if c := lift("floor:7", "12"); c != NotLocked {
		t.Errorf("%q", c)
	}
	for range 3 {
		w.admit(Claim{Action: "x", Table: "T1", By: who("dealer:12"), Auth: custody.AuthWrong})
	}
	if c := lift("dealer:15", "12"); c != NeedsFloor {
		t.Errorf("%q", c)
	}
	if c := lift("floor:7", "99"); c != UnknownStaff {
		t.Errorf("%q", c)
	}
	if c := lift("floor:7", "12"); c != OK || strings.Join(w.types, " ") != "lock_lifted" {
		t.Errorf("%q, %v", c, w.types)
	}
	if why := w.admit(Claim{Action: "x", Table: "T1", By: who("dealer:12"), Auth: custody.AuthPIN}); why.Code != OK {
		t.Errorf("%+v", why)
	}
}

// A reload keeps the locks of those who stay; who comes back begins anew.
func TestP6_LocksOutliveReloadAndRestart(t *testing.T) {
	w := staffed(t)
	for range 3 {
		w.admit(Claim{Action: "x", Table: "T1", By: who("dealer:12"), Auth: custody.AuthWrong})
		w.admit(Claim{Action: "x", Table: "T2", By: who("dealer:t2"), Auth: custody.AuthWrong})
	}
	fewer := house()
	fewer.People = fewer.People[:4]
	for _, staff := range []Staff{fewer, house()} {
		s, rs := w.s.ApplyStaff(staff)
		w.take(s, rs, OK)
	}
	if w.s.Locked(2000, "12") == 0 || w.s.Locked(2000, "t2") != 0 {
		t.Errorf("tries %v", w.s.Tries)
	}
	// A start reads from the newest checkpoint.
	cp := Checkpoint{Level: w.s.Level, Announcements: w.s.Announcements, Decks: w.s.Decks, Staff: w.s.Staff, Tries: w.s.Tries}
	payload, err := json.Marshal(cp)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(cp.Type(), RecordVersion, payload)
	if err != nil {
		t.Fatal(err)
	}
	if s := (State{}).Fold(back); !reflect.DeepEqual(s.Staff, w.s.Staff) || !reflect.DeepEqual(s.Tries, w.s.Tries) {
		t.Errorf("a checkpoint keeps %+v %+v", s.Staff, s.Tries)
	}
}

// Whatever people try in whatever order: nobody passes while locked, no lock
// comes before its time, and each refusal is recorded (each step is judged by
// take as well).
func TestP6_Locks_Always(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	w := staffed(t)
	at := int64(2000)
	row := map[string]int{}
	ids := []string{"dealer:12", "dealer:15", "floor:15", "floor:7"}
	auths := []custody.Auth{custody.AuthPIN, custody.AuthWrong, custody.AuthWrong, custody.AuthUnchecked, custody.AuthSignedIn}
	for range 5000 {
		at += r.Int64N(60_000)
		p := who(ids[r.IntN(len(ids))])
		how := auths[r.IntN(len(auths))]
		locked := w.s.Locked(at, p.ID) != 0
		why := w.admitAt(at, Claim{Action: "x", Table: "T1", By: p, Auth: how})
		switch {
		case how == custody.AuthSignedIn:
			if why.Code != OK {
				t.Fatalf("signed in: %+v", why)
			}
		case locked && why.Code != LockedOut:
			t.Fatalf("%s passes while locked: %s gets %+v", p, how, why)
		case locked:
		case how == custody.AuthPIN:
			row[p.ID] = 0
			if why.Code != OK {
				t.Fatalf("%s: %+v", p, why)
			}
		case how == custody.AuthWrong:
			row[p.ID]++
			if (why.Code == LockedOut) != (row[p.ID] == 3) {
				t.Fatalf("%s after %d wrong: %+v", p, row[p.ID], why)
			}
			row[p.ID] %= 3
		}
	}
}

// TestP5_StaffAppearByIdAndRoleOnly: no record of the room has a place for a
// name, nor for a PIN or anything made of one.
func TestP5_StaffAppearByIdAndRoleOnly(t *testing.T) {
	allowed := map[string]bool{"in_force": true, "people": true, "wrong_pins": true, "lock_for_ns": true, "id": true, "roles": true, "from": true, "until": true, "tables": true,
		"staff": true, "by": true, "approved_by": true, "auth": true, "key": true, "table": true, "action": true, "code": true, "arg": true, "wrong": true}
	var look func(where string, typ reflect.Type)
	look = func(where string, typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Slice:
			look(where, typ.Elem())
		case reflect.Struct:
			if typ == reflect.TypeFor[custody.Person]() {
				return
			}
			for f := range typ.Fields() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if !f.Anonymous && !allowed[name] {
					t.Errorf("%s has the field %q: is it a name, or made of a PIN?", where, name)
				}
				look(where, f.Type)
			}
		}
	}
	for _, r := range []Record{StaffApplied{}, ProofRefused{}, PINFailed{}, PINAccepted{}, LockBegan{}, LockLifted{}} {
		look(r.Type(), reflect.TypeOf(r))
	}
	if got := fmt.Sprint(who("floor:7")); got != "floor:7" {
		t.Error(got)
	}
}
