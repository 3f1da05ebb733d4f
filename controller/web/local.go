package web

import (
	"errors"
	"fmt"

	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// Local serves requests within one process. It may be shared between
// goroutines once the controller is started.
type Local struct {
	C     *controller.Controller
	Staff Prover // nil: the room has no staff file
}

var _ api.Room = Local{}

// Snapshot is described at api.Room.
func (l Local) Snapshot(id string) (api.Snapshot, error) {
	s, err := l.C.Snapshot(id)
	if err != nil {
		return api.Snapshot{}, err
	}
	return snapshot(s), nil
}

// Ask is described at api.Room. The room's actions are its own, whatever table
// is named. PINs are compared and the request's key is looked up in the caller's
// goroutine, which may take a while.
func (l Local) Ask(id string, r api.Request, reply func(api.Answer)) {
	act, err := l.acting(r)
	if err != nil {
		reply(notProven(err))
		return
	}
	switch r.Action {
	case api.AnnounceLevelAction:
		l.announce(act, r, reply)
		return
	case api.LiftLockAction:
		l.liftLock(act, r, reply)
		return
	}
	a, err := read(r, act)
	if err != nil {
		reply(badRequest(err))
		return
	}
	l.C.Ask(id, a, func(a controller.Answer) {
		switch {
		case a.Err != nil:
			reply(failed(a.Err, a.N))
		case a.Refusal.Refused():
			reply(api.Answer{Problem: string(a.Refusal.Code), Arg: a.Refusal.Arg, N: a.N, Head: a.Head.String()})
		default:
			reply(api.Answer{Done: true, N: a.N, Head: a.Head.String()})
		}
	})
}

func badRequest(err error) api.Answer {
	a := api.Answer{Problem: api.CodeBadRequest, Detail: err.Error()}
	if arg, ok := errors.AsType[*argError](err); ok {
		a.Arg = arg.arg
	}
	return a
}

func (l Local) announce(act table.Act, r api.Request, reply func(api.Answer)) {
	var a api.AnnounceLevel
	if err := strict(r.Args, &a); err != nil {
		reply(badRequest(fmt.Errorf("action %s: %w", r.Action, err)))
		return
	}
	level := hand.Level{Number: a.Number, SmallBlind: a.SmallBlind, BigBlind: a.BigBlind, BigBlindAnte: a.BigBlindAnte}
	l.C.Announce(inRoom(act), level, "floor", roomReply(reply))
}

// inRoom is the act of a request to the room: it needs no second person.
func inRoom(act table.Act) room.Act { return room.Act{By: act.By, Auth: act.Auth, Key: act.Key} }

// roomReply words the room's answer.
func roomReply(reply func(api.Answer)) func(controller.RoomAnswer) {
	return func(a controller.RoomAnswer) {
		switch {
		case a.Err != nil:
			reply(failed(a.Err, 0))
		case a.Code == room.OK:
			reply(api.Answer{Done: true, Head: a.Head.String()})
		default:
			out := api.Answer{Problem: string(a.Code), Arg: a.Arg}
			if a.Code == room.NeedsFloor {
				out.Arg = custody.Floor.String()
			}
			if a.Head.Pos != 0 {
				out.Head = a.Head.String()
			}
			reply(out)
		}
	}
}

// failed is the answer for what the controller did not take.
func failed(err error, n uint64) api.Answer {
	a := api.Answer{Problem: codeOf(err), Detail: err.Error(), N: n}
	if errors.Is(err, controller.ErrBadKey) {
		a.Arg = "key"
	}
	return a
}

// codeOf names what kept the controller from taking a request.
func codeOf(err error) string {
	for _, k := range []struct {
		err  error
		code string
	}{
		{controller.ErrNoTable, api.CodeNoTable},
		{controller.ErrKeyReused, api.CodeKeyReused},
		{controller.ErrBadKey, api.CodeBadRequest},
		{controller.ErrUnrecordable, api.CodeBadRequest},
		{controller.ErrNotRecorded, api.CodeNotRecorded},
		{controller.ErrStalled, api.CodeStalled},
		{controller.ErrStopped, api.CodeStopping},
	} {
		if errors.Is(err, k.err) {
			return k.code
		}
	}
	return api.CodeDefect
}
