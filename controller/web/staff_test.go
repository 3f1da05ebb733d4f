package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/web"
)

// pins is a staff file in memory. The PINs are such that no hash or time of day
// has one in it by chance.
type pins struct {
	all  map[string]string
	busy atomic.Bool
}

func (p *pins) InForce() bool { return true }

func (p *pins) Prove(who custody.Person, pin string) (custody.Auth, error) {
	switch {
	case p.busy.Load():
		return "", web.ErrBusy
	case p.all[who.ID] != "" && p.all[who.ID] == pin:
		return custody.AuthPIN, nil
	}
	return custody.AuthWrong, nil
}

var housePINs = map[string]string{"3": "PIN-of-3-", "5": "PIN-of-5-", "7": "PIN-of-7-", "8": "PIN-of-8-"}

func houseStaff() room.Staff {
	s := room.Staff{InForce: true, WrongMax: 3, LockFor: 10 * time.Minute}
	for _, id := range []string{"3", "5", "7", "8"} {
		role := custody.Dealer
		if id > "6" {
			role = custody.Floor
		}
		s.People = append(s.People, room.Member{ID: id, Roles: []custody.Role{role}})
	}
	return s
}

// proving runs a test in a house with a staff file.
func proving(t *testing.T, test func(*testing.T, *house, *pins)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pins{all: housePINs}
		h := newStaffedHouse(t, journal.NewMemory(), p, houseStaff())
		test(t, h, p)
	})
}

// by is a request of somebody with the right PIN.
func by(who, action string, args any) api.Request {
	_, id, _ := strings.Cut(who, ":")
	return api.Request{Action: action, By: who, PIN: api.PIN(housePINs[id]), Args: api.Args(args)}
}

// wants asks and wants that problem; "" is none.
func (h *house) wants(code, arg string, r api.Request) {
	h.t.Helper()
	a, err := h.client.Do(h.t.Context(), "1", r)
	if a.Problem != code || a.Arg != arg || (err == nil) != (code == "") {
		h.t.Fatalf("%s by %s: %q %q, %v; want %q %q", r.Action, r.By, a.Problem, a.Arg, err, code, arg)
	}
}

var openArgs = api.OpenTable{ActivityCard: "AC-1", Manual: "V0.2", Floor: "floor:7", Deputy: "floor:8"}

func TestP6_APINProvesWhoActs(t *testing.T) {
	proving(t, func(t *testing.T, h *house, _ *pins) {
		open := by("floor:7", "open_table", openArgs)
		without, wrong, stranger := open, open, by("floor:99", "open_table", openArgs)
		without.PIN, wrong.PIN, stranger.PIN = "", "PIN-of-8-", "PIN-of-7-"
		h.wants("pin_needed", "pin", without)
		h.wants("pin_wrong", "pin", wrong)
		h.wants("unknown_staff", "floor:99", stranger)
		h.wants("role_not_held", "dealer:7", by("dealer:7", "sign_in", struct{}{}))
		h.wants("unknown_staff", "floor:99", by("floor:7", "open_table", api.OpenTable{ActivityCard: "AC-1", Manual: "V0.2", Floor: "floor:7", Deputy: "floor:99"}))
		h.wants("role_not_held", "floor:3", by("floor:7", "open_table", api.OpenTable{ActivityCard: "AC-1", Manual: "V0.2", Floor: "floor:3", Deputy: "floor:8"}))
		if s, err := h.client.Table(t.Context(), "1"); err != nil || s.Open || !s.Proof {
			t.Fatalf("%+v, %v", s, err)
		}
		h.wants("", "", open)
		h.wants("pin_needed", "pin", api.Request{Action: "announce_level", By: "floor:7", Args: api.Args(api.AnnounceLevel{Number: 1, SmallBlind: 100, BigBlind: 200})})
		h.wants("", "", by("floor:7", "announce_level", api.AnnounceLevel{Number: 1, SmallBlind: 100, BigBlind: 200}))

		// A dealer signs in with the PIN, and from then on not any more for routine.
		call := api.Request{Action: "call_floor", By: "dealer:3", Args: api.Args(api.Reason{Reason: "dispute"})}
		h.wants("pin_needed", "pin", call)
		h.wants("", "", by("dealer:3", "sign_in", struct{}{}))
		h.wants("", "", call)
		call.By = "dealer:5" // has signed in nowhere
		h.wants("pin_needed", "pin", call)
		h.wants("pin_needed", "pin", api.Request{Action: "propose_handoff", By: "dealer:3", Args: api.Args(api.ProposeHandoff{To: "dealer:5"})})
		h.wants("unknown_staff", "dealer:99", by("dealer:3", "propose_handoff", api.ProposeHandoff{To: "dealer:99"}))
		if s, err := h.client.Table(t.Context(), "1"); err != nil || s.Dealer != "dealer:3" || !s.SignedIn || s.Floor != "floor:7" || s.Deputy != "floor:8" {
			t.Fatalf("%+v, %v", s, err)
		}
		auths := map[string][]string{}
		for _, rec := range all(t, h.journal) {
			var act struct{ Auth string }
			if err := json.Unmarshal(rec.Payload, &act); err != nil {
				t.Fatal(err)
			}
			auths[rec.Type] = append(auths[rec.Type], act.Auth)
		}
		for typ, want := range map[string]string{"table_opened": "pin", "level_announced": "pin", "signed_in": "pin", "hold": "signed_in"} {
			if got := auths[typ]; len(got) != 1 || got[0] != want {
				t.Errorf("%s says %v of identity, want %s", typ, got, want)
			}
		}
	})
}

func TestP6_TheSecondPersonNeedsAProofOfTheirOwn(t *testing.T) {
	proving(t, func(t *testing.T, h *house, _ *pins) {
		h.wants("", "", by("floor:7", "open_table", openArgs))
		h.wants("", "", by("floor:7", "place_deck", api.PlaceDeck{Slot: "A", Deck: "D-1", Back: "red"}))
		r := by("floor:7", "quarantine_deck", api.QuarantineDeck{Slot: "A", Envelope: "E-1", Reason: "second jack"})
		second := func(who, pin string) api.Request {
			r := r
			r.ApprovedBy, r.ApprovedPIN = who, api.PIN(pin)
			return r
		}
		h.wants("needs_second", "dealer,floor", r)
		h.wants("pin_needed", "approved_pin", second("dealer:3", ""))
		h.wants("pin_wrong", "approved_pin", second("dealer:3", "PIN-of-7-"))
		h.wants("same_person", "", second("floor:7", "PIN-of-7-"))
		h.wants("role_not_held", "dealer:7", second("dealer:7", "PIN-of-7-"))
		h.wants("", "", second("dealer:3", "PIN-of-3-"))
		rec, found, err := h.journal.Last(journal.Filter{Types: []string{"deck_quarantined"}})
		if err != nil || !found || !strings.Contains(string(rec.Payload), `"auth":"pin","approved_auth":"pin"`) {
			t.Errorf("%s %v", rec.Payload, err)
		}
	})
}

func TestP6_LockOutAndLift(t *testing.T) {
	proving(t, func(t *testing.T, h *house, p *pins) {
		open := by("floor:7", "open_table", openArgs)
		guess := open
		guess.PIN = "0000"
		h.wants("pin_wrong", "pin", guess)
		h.wants("pin_wrong", "pin", guess)
		h.wants("locked_out", "floor:7", guess)
		h.wants("locked_out", "floor:7", open)
		staff, err := h.client.Staff(t.Context())
		if err != nil || !staff.Proof || len(staff.People) != 4 || staff.People[2].ID != "7" || staff.People[2].LockedUntil == 0 {
			t.Fatalf("%+v, %v", staff, err)
		}
		h.wants("locked_out", "floor:7", by("floor:7", "lift_lock", api.LiftLock{Staff: "7"})) // nobody lifts their own
		h.wants("needs_role", "floor", by("dealer:3", "lift_lock", api.LiftLock{Staff: "7"}))
		h.wants("not_locked", "", by("floor:8", "lift_lock", api.LiftLock{Staff: "3"}))
		h.wants("unknown_staff", "", by("floor:8", "lift_lock", api.LiftLock{Staff: "99"}))
		lift := by("floor:8", "lift_lock", api.LiftLock{Staff: "7"})
		lift.Key = "lift-1"
		h.wants("", "", lift)
		h.wants("", "", lift) // the recorded answer
		h.wants("", "", open)
		h.wants("pin_wrong", "pin", api.Request{Action: "close_table", By: "floor:7", PIN: "0000"})
		h.wants("", "", by("floor:7", "close_table", struct{}{}))
		// A lock ends by itself.
		for range 3 {
			_, _ = h.client.Do(t.Context(), "1", guess)
		}
		h.wants("locked_out", "floor:7", open)
		time.Sleep(10 * time.Minute)
		h.wants("", "", open)
		var types []string
		for _, rec := range all(t, h.journal) {
			if rec.Stream == room.Stream {
				types = append(types, rec.Type)
			}
		}
		for _, typ := range []string{"staff", "pin_wrong", "locked_out", "proof_refused", "lock_lifted", "pin_accepted"} {
			if !slices.Contains(types, typ) {
				t.Errorf("no record of type %s in %v", typ, types)
			}
		}
		p.busy.Store(true)
		h.wants("busy", "", by("floor:7", "close_table", struct{}{}))
	})
}

// TestP6_NoPINAnywhere: not in the journal, not in an answer, a problem, a
// snapshot, the OpenAPI document or a warning, and no way of printing a request
// shows one.
func TestP6_NoPINAnywhere(t *testing.T) {
	proving(t, func(t *testing.T, h *house, _ *pins) {
		var seen strings.Builder
		note := func(a api.Answer, err error) { fmt.Fprintf(&seen, "%+v %v\n", a, err) }
		do := func(r api.Request) {
			fmt.Fprintf(&seen, "%v %+v %#v %s\n", r, r, r, api.Args(r))
			note(h.client.Do(t.Context(), "1", r))
		}
		open := by("floor:7", "open_table", openArgs)
		open.Key = "o1"
		wrong := by("floor:8", "close_table", struct{}{})
		wrong.PIN = "PIN-of-7-"
		both := by("dealer:3", "propose_handoff", api.ProposeHandoff{To: "dealer:5"})
		both.ApprovedBy, both.ApprovedPIN = "floor:7", "PIN-of-7-"
		long := open
		long.PIN = api.PIN(strings.Repeat("PIN-of-7-", 20))
		for _, r := range []api.Request{wrong, open, open, wrong, by("dealer:3", "sign_in", struct{}{}), both, wrong, wrong, long} {
			do(r)
		}
		for _, path := range []string{"/v1/tables/1", "/v1/staff", "/v1/records", "/openapi.json"} {
			seen.Write(h.get(path).body)
		}
		r := h.post("/v1/tables/1/actions/open_table", "{", "Shuffler-As: floor:7", "Shuffler-Pin: PIN-of-7-", "Shuffler-Pin: PIN-of-8-")
		seen.Write(r.body)
		for _, rec := range all(t, h.journal) {
			seen.Write(rec.Payload)
		}
		for _, w := range h.warned {
			seen.WriteString(w)
		}
		if n := strings.Count(seen.String(), "PIN-of-"); n != 0 {
			at := strings.Index(seen.String(), "PIN-of-")
			t.Errorf("%d times, the first: %s", n, seen.String()[max(0, at-200):at+40])
		}
	})
}

// Without a staff file everything is as it was: asserted, and said so.
func TestP6_WithoutStaffEverybodyIsBelieved(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.do("1", by("floor:99", "open_table", openArgs))
		s, err := h.client.Staff(t.Context())
		if err != nil || s.Proof || len(s.People) != 0 {
			t.Errorf("%+v, %v", s, err)
		}
		rec, _, err := h.journal.Last(journal.Filter{Types: []string{"table_opened"}})
		if err != nil || !strings.Contains(string(rec.Payload), `"auth":"none"`) {
			t.Errorf("%s, %v", rec.Payload, err)
		}
		if r := h.post("/v1/staff/lift_lock", `{"staff":"3"}`, "Shuffler-As: floor:7"); r.status != http.StatusConflict && r.status != http.StatusForbidden {
			t.Errorf("%d %s", r.status, r.body)
		}
	})
}

// A reload puts another staff in force, for people and tables at once.
func TestP6_AnotherStaffFileTakesEffectAtOnce(t *testing.T) {
	proving(t, func(t *testing.T, h *house, _ *pins) {
		h.wants("", "", by("floor:7", "open_table", openArgs))
		h.wants("", "", by("dealer:3", "sign_in", struct{}{}))
		fewer := houseStaff()
		fewer.People = fewer.People[1:] // dealer 3 has been let go
		h.c.Configure(table.DefaultSettings(), fewer)
		synctest.Wait()
		h.wants("unknown_staff", "dealer:3", api.Request{Action: "call_floor", By: "dealer:3", Args: api.Args(api.Reason{Reason: "x"})})
		if _, err := h.c.Do(context.Background(), "1", table.CloseTable{Act: table.Act{By: custody.Person{Role: custody.Floor, ID: "7"}, Auth: custody.AuthPIN}}); err != nil {
			t.Error(err)
		}
	})
}
