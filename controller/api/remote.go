package api

import (
	"context"
	"errors"
)

// Remote is a Room at the other end of a Client, so that a crew, a bot or a test
// plays by public calls only.
type Remote struct {
	Client *Client
	// Context bounds every call. Nil means context.Background.
	Context context.Context
	// Post hands a reply to the goroutine that is to run it: then Ask returns at
	// once. Where it is nil, Ask waits for the answer and calls reply itself.
	Post func(reply func())
}

var _ Room = Remote{}

// Snapshot is described at Room.
func (r Remote) Snapshot(table string) (Snapshot, error) { return r.Client.Table(r.context(), table) }

// Ask is described at Room. A controller that was not heard answers with the
// problem "unreachable": what became of the request is unknown.
func (r Remote) Ask(table string, req Request, reply func(Answer)) {
	if r.Post == nil {
		reply(r.do(table, req))
		return
	}
	go func() {
		a := r.do(table, req)
		r.Post(func() { reply(a) })
	}()
}

func (r Remote) do(table string, req Request) Answer {
	a, err := r.Client.Do(r.context(), table, req)
	if _, refused := errors.AsType[*Problem](err); err != nil && !refused {
		return Answer{Problem: "unreachable", Detail: err.Error()}
	}
	return a
}

func (r Remote) context() context.Context {
	if r.Context != nil {
		return r.Context
	}
	return context.Background()
}
