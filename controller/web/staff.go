package web

import (
	"context"
	"errors"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"shuffler/controller/api"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
)

// Prover compares PINs with the staff file's.
type Prover interface {
	// Prove tells how far a PIN, which is not empty, proves to be that person's. It
	// takes its time, and refuses with ErrBusy where too many ask at once.
	Prove(p custody.Person, pin string) (custody.Auth, error)
	// InForce tells whether people have to prove who they are.
	InForce() bool
}

// ErrBusy is a Prover's word that too many PINs are being looked at.
var ErrBusy = errors.New("too many PINs are being looked at: ask again in a moment")

// acting is who acts in a request, and how they proved it. A person without a PIN
// may have signed in: the table knows.
func (l Local) acting(r api.Request) (table.Act, error) {
	by, second, err := people(r)
	if err != nil {
		return table.Act{}, err
	}
	act := table.Act{By: by, ApprovedBy: second, Auth: custody.AuthNone, Key: r.Key}
	if l.Staff == nil || !l.Staff.InForce() {
		return act, nil
	}
	if act.Auth, err = l.prove(by, r.PIN, custody.AuthSignedIn); err != nil || !second.Known() {
		return act, err
	}
	act.ApprovedAuth, err = l.prove(second, r.ApprovedPIN, custody.AuthNone)
	return act, err
}

// prove compares a PIN, if there is one.
func (l Local) prove(p custody.Person, pin api.PIN, without custody.Auth) (custody.Auth, error) {
	if pin == "" || !p.Known() {
		return without, nil
	}
	return l.Staff.Prove(p, string(pin))
}

// notProven is the answer where nobody could be judged.
func notProven(err error) api.Answer {
	if errors.Is(err, ErrBusy) {
		return api.Answer{Problem: api.CodeBusy, Detail: err.Error()}
	}
	return badRequest(err)
}

func (l Local) liftLock(act table.Act, r api.Request, reply func(api.Answer)) {
	var a api.LiftLock
	if err := strict(r.Args, &a); err != nil {
		reply(badRequest(fmt.Errorf("action %s: %w", r.Action, err)))
		return
	}
	l.C.LiftLock(inRoom(act), a.Staff, roomReply(reply))
}

// registerStaff makes the operations of the people who may act (P5, P6).
func (s *Server) registerStaff(h huma.API) {
	type lift struct {
		Asker
		Body api.LiftLock
	}
	huma.Register(h, changing("/v1/staff/lift_lock", api.LiftLockAction, "Let a person try a PIN again who is locked out after wrong ones; the floor does (P6)"),
		func(ctx context.Context, in *lift) (*answered, error) {
			return s.do(ctx, "", in.request(api.LiftLockAction, api.Args(in.Body)), "")
		})
	type staff struct{ Body api.Staff }
	huma.Register(h, reading("/v1/staff", "list_staff", "Who may act, by id and role, and who is locked out"), func(context.Context, *struct{}) (*staff, error) {
		return &staff{s.staff()}, nil
	})
}

func (s *Server) staff() api.Staff {
	now, r := s.opt.Now().UnixMilli(), s.opt.Controller.Room()
	out := api.Staff{Proof: r.Staff.InForce, People: []api.StaffMember{}}
	for _, m := range r.Staff.People {
		p := api.StaffMember{ID: m.ID, From: m.From, Until: m.Until, Tables: m.Tables, WrongPINs: r.Tries[m.ID].Wrong, LockedUntil: r.Locked(now, m.ID)}
		for _, role := range m.Roles {
			p.Roles = append(p.Roles, role.String())
		}
		out.People = append(out.People, p)
	}
	return out
}
