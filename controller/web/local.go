package web

import (
	"errors"
	"fmt"

	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/room"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// Local serves requests within one process. It may be shared between
// goroutines once the controller is started.
type Local struct{ C *controller.Controller }

var _ api.Room = Local{}

// Snapshot is described at api.Room.
func (l Local) Snapshot(id string) (api.Snapshot, error) {
	s, err := l.C.Snapshot(id)
	if err != nil {
		return api.Snapshot{}, err
	}
	return snapshot(s), nil
}

// Ask is described at api.Room. "announce_level" is the room's, whatever table
// is named. Looking up the request's key may read the journal in the caller's
// goroutine.
func (l Local) Ask(id string, r api.Request, reply func(api.Answer)) {
	if r.Action == api.AnnounceLevelAction {
		l.announce(r, reply)
		return
	}
	a, err := read(r)
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

func (l Local) announce(r api.Request, reply func(api.Answer)) {
	var a api.AnnounceLevel
	by, err := person("by", r.By)
	if err == nil {
		err = strict(r.Args, &a)
	}
	if err != nil {
		reply(badRequest(fmt.Errorf("action %s: %w", api.AnnounceLevelAction, err)))
		return
	}
	level := hand.Level{Number: a.Number, SmallBlind: a.SmallBlind, BigBlind: a.BigBlind, BigBlindAnte: a.BigBlindAnte}
	l.C.Announce(room.Act{By: by, Auth: authNone, Key: r.Key}, level, "floor", func(a controller.RoomAnswer) {
		switch {
		case a.Err != nil:
			reply(failed(a.Err, 0))
		case a.Code == room.NeedsFloor:
			reply(api.Answer{Problem: string(a.Code), Arg: custody.Floor.String()})
		case a.Code != room.OK:
			reply(api.Answer{Problem: string(a.Code)})
		default:
			reply(api.Answer{Done: true, Head: a.Head.String()})
		}
	})
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
