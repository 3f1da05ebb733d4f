package web

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"shuffler/controller/api"
	"shuffler/controller/room"
)

// Asker is who asks and how, in every request that changes something.
type Asker struct {
	As  string `header:"Shuffler-As" required:"true" doc:"who acts, as role:id, such as floor:7"`
	PIN string `header:"Shuffler-Pin" maxLength:"64" doc:"proves who acts, where the room has a staff file; a dealer who has signed in at the table needs none for routine deeds"`
	Key string `header:"Idempotency-Key" maxLength:"128" doc:"repeated, it gets the recorded answer, whatever the arguments are; for another action, table or person it is refused"`
}

// Asked is an action without its arguments. Like Asker it is exported only
// because huma does not look into embedded types that are not.
type Asked struct {
	Asker
	Table       string `path:"table" doc:"id of the table"`
	ApprovedBy  string `header:"Shuffler-Approved-By" doc:"the second person, where a rule wants one"`
	ApprovedPIN string `header:"Shuffler-Approved-Pin" maxLength:"64" doc:"proves who the second person is"`
	IfMatch     string `header:"If-Match" doc:"the state number that the screen shows, in quotes, or the ETag of the table: refused with 412 when the table has moved on"`
}

type askedWith[A any] struct {
	Asked
	Body A
}

type askedBare struct {
	Asked
	Body *NoArgs
}

// answered is the answer to what was done.
type answered struct{ Body api.Answer }

// actionHandler carries out one action.
type actionHandler func(ctx context.Context, in Asked, args json.RawMessage) (*answered, error)

// registerActions makes an operation of each action.
func (s *Server) registerActions(h huma.API) {
	for _, a := range actions {
		op := changing("/v1/tables/{table}/actions/"+a.name, a.name, a.about)
		a.register(h, op, func(ctx context.Context, in Asked, args json.RawMessage) (*answered, error) {
			r := in.request(a.name, args)
			r.ApprovedBy, r.ApprovedPIN = in.ApprovedBy, api.PIN(in.ApprovedPIN)
			return s.do(ctx, in.Table, r, in.IfMatch)
		})
	}
}

// request is what an asker asks for.
func (a Asker) request(action string, args json.RawMessage) api.Request {
	return api.Request{Action: action, By: a.As, PIN: api.PIN(a.PIN), Key: a.Key, Args: args}
}

// changing is an operation that changes something.
func changing(path, id, about string) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: path, Summary: about,
		MaxBodyBytes: maxBodyBytes + 1, // huma refuses what reaches the limit
		Errors: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusConflict, http.StatusPreconditionFailed,
			http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusServiceUnavailable},
	}
}

// do asks and waits for the answer. A client that goes away leaves the request
// under way.
func (s *Server) do(ctx context.Context, id string, r api.Request, ifMatch string) (*answered, error) {
	n, conditional, err := parseMatch(ifMatch)
	if err != nil {
		return nil, err
	}
	select {
	case s.asking <- struct{}{}:
	default:
		return nil, problemOf(api.CodeStalled, "", "")
	}
	got := make(chan api.Answer, 1)
	reply := func(a api.Answer) {
		<-s.asking
		got <- a
	}
	if conditional {
		go s.askAt(id, n, r, reply)
	} else {
		go s.local.Ask(id, r, reply) // looking up a key reads the journal, which may hang
	}
	late := time.NewTimer(answerWithin)
	defer late.Stop()
	select {
	case a := <-got:
		if !a.Done {
			a.Arg = cmp.Or(headerOf[a.Arg], a.Arg)
			return nil, refused(a)
		}
		return &answered{a}, nil
	case <-late.C:
	case <-ctx.Done():
	}
	return nil, problemOf(api.CodeNoAnswerYet, "", "")
}

// headerOf tells which header a part of a request comes in.
var headerOf = map[string]string{"by": api.HeaderAs, "approved_by": api.HeaderApprovedBy, "key": api.HeaderKey}

// askAt asks if the table is at state number n. Requests with a condition are
// taken one at a time, so of two with the same one only one is done. A repeated
// request is not held against the condition: it gets its recorded answer.
func (s *Server) askAt(id string, n uint64, r api.Request, reply func(api.Answer)) {
	token := s.conditional[id]
	if token == nil {
		reply(api.Answer{Problem: api.CodeNoTable, Detail: "there is no table " + quote(id)})
		return
	}
	select {
	case token <- struct{}{}:
	case <-time.After(answerWithin):
		reply(api.Answer{Problem: api.CodeStalled})
		return
	}
	leave := func(a api.Answer) {
		<-token
		reply(a)
	}
	if r.Key != "" {
		_, known, err := s.opt.Journal.ByKey(r.Key)
		if err != nil {
			leave(api.Answer{Problem: api.CodeStalled, Detail: err.Error()})
			return
		}
		if known {
			s.local.Ask(id, r, leave)
			return
		}
	}
	now, err := s.opt.Controller.Snapshot(id)
	if err == nil && now.State.N != n {
		leave(api.Answer{Problem: api.CodeStale, Detail: "the table is at state " + strconv.FormatUint(now.State.N, 10) + ", the request was made for " + strconv.FormatUint(n, 10), N: now.State.N})
		return
	}
	s.local.Ask(id, r, leave) // tells, too, if there is no such table
}

// parseMatch reads If-Match: a state number in quotes, or the table's ETag, which
// begins with it.
func parseMatch(v string) (n uint64, conditional bool, err error) {
	if v == "" {
		return 0, false, nil
	}
	tag, ok := strings.CutPrefix(v, `"`)
	tag, ok2 := strings.CutSuffix(tag, `"`)
	number, _, _ := strings.Cut(tag, "-")
	n, err = strconv.ParseUint(number, 10, 64)
	if !ok || !ok2 || err != nil {
		return 0, false, problemOf(api.CodeBadRequest, "If-Match", `want the state number in quotes, such as "42"`)
	}
	return n, true, nil
}

// registerLevel makes the operations of the room's level (H2).
func (s *Server) registerLevel(h huma.API) {
	type announce struct {
		Asker
		Body api.AnnounceLevel
	}
	huma.Register(h, changing("/v1/level", api.AnnounceLevelAction, "Announce a level: it is in force at all tables from now on (H2)"),
		func(ctx context.Context, in *announce) (*answered, error) {
			return s.do(ctx, "", in.request(api.AnnounceLevelAction, api.Args(in.Body)), "")
		})
	type level struct{ Body api.Announcement }
	huma.Register(h, reading("/v1/level", "get_level", "The level in force for the room"), func(ctx context.Context, _ *struct{}) (*level, error) {
		var a api.Announcement
		err := s.readJournal(ctx, func() (err error) { a, err = s.announcement(); return err })
		return &level{a}, err
	})
}

func (s *Server) announcement() (a api.Announcement, err error) {
	typ := room.LevelAnnounced{}.Type()
	rec, found, err := s.last(room.Stream, typ)
	if err != nil || !found {
		return a, err
	}
	r, err := room.Decode(rec.Type, rec.Version, rec.Payload)
	if err != nil {
		return a, err
	}
	la := r.(room.LevelAnnounced)
	l := level(la.Level)
	return api.Announcement{Level: &l, Count: la.Level.Announcement, By: la.By.String(), Source: la.Source, At: rec.Wall, Head: headOf(rec).String()}, nil
}
