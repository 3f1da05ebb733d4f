package controller

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
)

// Errors of an idempotency key.
var (
	// ErrKeyReused: the key was used for something else.
	ErrKeyReused = errors.New("idempotency key was used for another request: give every request a key of its own")
	// ErrBadKey: the key cannot be recorded as it is.
	ErrBadKey = errors.New("idempotency key is not usable")
)

// maxKey bounds an idempotency key, in bytes.
const maxKey = 128

// request is what a key stands for.
type request struct {
	key, stream, action string
	by                  custody.Person
}

// desk sees to it that a request acts once, however often it comes (DESIGN rule
// 9). A key is looked up in the journal where the request comes in, not in a
// loop: reading may hang with the disk, and a loop must be free to halt. While
// a request is on its way the desk holds its key for all tables and the room,
// since a key that came to the journal twice would fail the commit of all.
type desk struct {
	j    journal.Reader
	mu   sync.Mutex
	open map[string]*slip
}

// slip is a request on its way and who waits for its answer.
type slip struct {
	request request
	waiting []func(any)
}

func newDesk(j journal.Reader) *desk { return &desk{j: j, open: map[string]*slip{}} }

// service is what the desk needs to know of a kind of answer.
type service[A any] struct {
	ask    func(reply func(A))    // carries the request out
	recall func(journal.Record) A // the answer that a record stands for
	refuse func(error) A          // the answer for what is not carried out
}

// once carries a request out unless the journal says that it was. Two at once
// get the same answer. reply is called in this goroutine or in that of ask's.
func once[A any](d *desk, r request, s service[A], reply func(A)) {
	if r.key == "" {
		s.ask(reply)
		return
	}
	if err := checkKey(r.key); err != nil {
		reply(s.refuse(err))
		return
	}
	first, err := d.enter(r, func(a any) { reply(a.(A)) })
	if err != nil {
		reply(s.refuse(err))
		return
	}
	if !first {
		return
	}
	leave := func(a A) {
		for _, w := range d.leave(r.key) {
			w(a)
		}
	}
	rec, found, err := d.j.ByKey(r.key)
	switch {
	case err != nil: // taken twice would be worse than not now
		leave(s.refuse(fmt.Errorf("%w: look up the idempotency key: %w", ErrStalled, err)))
	case !found:
		s.ask(leave)
	case !r.made(rec):
		leave(s.refuse(ErrKeyReused))
	default:
		leave(s.recall(rec))
	}
}

// enter takes a slip for a request, or joins those who wait for its answer.
func (d *desk) enter(r request, reply func(any)) (first bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.open[r.key]
	switch {
	case s == nil:
		d.open[r.key] = &slip{r, []func(any){reply}}
		return true, nil
	case s.request != r:
		return false, ErrKeyReused
	}
	s.waiting = append(s.waiting, reply)
	return false, nil
}

// leave gives those who wait. From then on the journal knows the answer, or
// nothing was done.
func (d *desk) leave(key string) []func(any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.open[key]
	delete(d.open, key)
	return s.waiting
}

// checkKey refuses a key that would be stored as another: the journal's text is
// UTF-8.
func checkKey(k string) error {
	if len(k) > maxKey {
		return fmt.Errorf("%w: it has %d bytes, at most %d", ErrBadKey, len(k), maxKey)
	}
	if !utf8.ValidString(k) {
		return fmt.Errorf("%w: it is not UTF-8", ErrBadKey)
	}
	for _, r := range k {
		if r < 0x20 || r == 0x7f {
			return fmt.Errorf("%w: it holds a control character", ErrBadKey)
		}
	}
	return nil
}

// made tells whether a record is that of this request.
func (r request) made(rec journal.Record) bool {
	var p struct {
		By     custody.Person `json:"by"`
		Action string         `json:"action"`
	}
	if rec.Stream != r.stream || json.Unmarshal(rec.Payload, &p) != nil || p.By != r.by {
		return false
	}
	if rec.Type != (table.RequestRefused{}).Type() {
		p.Action = actionOf[rec.Type]
	}
	return p.Action == r.action
}

// actionOf tells which action makes a record with a key. A test holds it
// against the record types of package table.
var actionOf = map[string]string{
	table.TableOpened{}.Type(): "open_table", table.TableClosed{}.Type(): "close_table", table.SignedIn{}.Type(): "sign_in",
	table.DeckPlaced{}.Type(): "place_deck", table.DeckRemoved{}.Type(): "remove_deck", table.DeckInPlay{}.Type(): "use_deck",
	table.DeckQuarantined{}.Type(): "quarantine_deck", table.CheckStarted{}.Type(): "start_check", table.DeckAttested{}.Type(): "attest_deck",
	table.DeckUsedForDraw{}.Type():   "use_for_draw",
	table.ExceptionRecorded{}.Type(): "record_exception",
	table.StreetDealt{}.Type():       "street_dealt", table.CardsMoved{}.Type(): "odd_move",
	table.StubRuled{}.Type(): "reshuffle_stub", table.StubStep{}.Type(): "dealer_step", table.StubVoid{}.Type(): "void_shuffle", table.StubCounted{}.Type(): "count_stub",
	table.WashAsked{}.Type(): "request_wash", table.ShuffleStarted{}.Type(): "begin_shuffle", table.ShuffleStep{}.Type(): "dealer_step",
	table.ShuffleVoid{}.Type(): "void_shuffle", table.LevelConfirmed{}.Type(): "confirm_level", table.SeatsConfirmed{}.Type(): "confirm_seats",
	table.HandResumed{}.Type(): "resume_hand", table.DealStarted{}.Type(): "deal_begun", table.ActionFormed{}.Type(): "substantial_action",
	table.HandEnded{}.Type(): "end_hand", table.HandAbandoned{}.Type(): "abandon_hand", table.HoldBegan{}.Type(): "call_floor",
	table.HoldLifted{}.Type(): "lift_hold", table.HandoffProposed{}.Type(): "propose_handoff", table.HandoffAccepted{}.Type(): "accept_handoff",
	table.HandoffRefused{}.Type(): "refuse_handoff", table.HandoffSettled{}.Type(): "settle_handoff", table.FaultCleared{}.Type(): "clear_fault",
	table.ServiceSet{}.Type(): "set_service", table.RotationSet{}.Type(): "set_rotation", table.BreakSet{}.Type(): "set_break",
	table.FloorChanged{}.Type():  "change_floor",
	room.LevelAnnounced{}.Type(): announceLevel, room.LockLifted{}.Type(): liftLock,
}

// announceLevel is the room's action that puts a level in force.
const announceLevel = "announce_level"

// tableService carries actions out at a table.
func tableService(ask func(func(Answer))) service[Answer] {
	return service[Answer]{
		ask:    ask,
		refuse: func(err error) Answer { return Answer{Err: err} },
		recall: func(rec journal.Record) Answer {
			a := Answer{N: rec.N, Head: journal.Head{Pos: rec.Pos, Hash: rec.Hash}}
			if rec.Type != (table.RequestRefused{}).Type() {
				return a
			}
			r, err := table.Decode(rec.Type, rec.Version, rec.Payload)
			if err != nil {
				return Answer{Err: fmt.Errorf("journal position %d: %w", rec.Pos, err)}
			}
			a.Refusal = r.(table.RequestRefused).Refusal
			return a
		},
	}
}

// roomService carries requests to the room out.
func roomService(ask func(func(RoomAnswer))) service[RoomAnswer] {
	return service[RoomAnswer]{ask: ask, refuse: func(err error) RoomAnswer { return RoomAnswer{Err: err} }, recall: recalled}
}
