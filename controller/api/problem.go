package api

import (
	"errors"
	"strings"
	"time"
)

// Problem is why something was not done, in the form of RFC 9457
// (application/problem+json). Code is stable and may be switched on: a refusal
// of the table, or one of the codes below. The others are for people.
type Problem struct {
	Type   string `json:"type"`   // about:blank: Code says what Type would
	Title  string `json:"title"`  // the status in words
	Status int    `json:"status"` // HTTP status
	Code   string `json:"code"`
	Arg    string `json:"arg,omitempty"`    // what the code is about: a slot, a stage, a wanted role, a field
	Detail string `json:"detail,omitempty"` // what happened
	Hint   string `json:"hint,omitempty"`   // what to do
	N      uint64 `json:"n,omitempty"`      // state number of the table
	Head   string `json:"head,omitempty"`   // journal place that holds the refusal, where it is recorded

	RetryAfter time.Duration `json:"-"` // from the header Retry-After, 0 for none
}

// Codes of problems that are not a table's refusals.
const (
	CodeBadRequest   = "bad_request"      // 400; arg: the field
	CodeNoTable      = "no_table"         // 404
	CodeNoAction     = "no_action"        // 404
	CodeNoRoute      = "no_route"         // 404
	CodeWrongMethod  = "wrong_method"     // 405
	CodeForbidden    = "forbidden_origin" // 403: asked for by a page of another site
	CodeAhead        = "ahead_of_journal" // 409: a position that the journal has not reached
	CodeStale        = "stale_state"      // 412: the table has moved on since the screen was drawn
	CodeTooLarge     = "too_large"        // 413
	CodeNotJSON      = "not_json"         // 415
	CodeKeyReused    = "key_reused"       // 422: the key belongs to another request
	CodeTooMany      = "too_many_streams" // 503
	CodeNotRecorded  = "not_recorded"     // 503: the journal failed, nothing was done
	CodeStalled      = "stalled"          // 503: the journal does not answer, nothing was done
	CodeNoAnswerYet  = "no_answer_yet"    // 503: it may still happen; the same key tells
	CodeUnreadable   = "journal_unread"   // 503: the journal cannot be read
	CodeDefect       = "defect"           // 500
	CodeSlowRequest  = "slow_request"     // 408
	CodeStopping     = "stopping"         // 503: the controller is being stopped
	CodeBusy         = "busy"             // 503: too many PINs are being looked at
	CodeUnexpected   = "unexpected"       // an answer that this client cannot read
	contentTypeError = "application/problem+json"
)

// Error tells what happened and what to do.
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.Code)
	if p.Arg != "" {
		b.WriteString(" (" + p.Arg + ")")
	}
	if p.Detail != "" {
		b.WriteString(": " + p.Detail)
	}
	if p.Hint != "" {
		b.WriteString("; " + p.Hint)
	}
	return b.String()
}

// ErrUnreachable: no connection to the controller, or it broke and could not be
// made again in time. A request that changes something may have been carried
// out; the same key tells.
var ErrUnreachable = errors.New("controller is not reachable")

// answer is the problem as an Answer.
func (p *Problem) answer() Answer {
	return Answer{Problem: p.Code, Arg: p.Arg, Detail: p.Detail, N: p.N, Head: p.Head}
}
