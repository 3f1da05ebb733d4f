package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"shuffler/controller/api"
	"shuffler/controller/table"
)

// problem is api.Problem as huma sends it.
type problem struct{ api.Problem }

// GetStatus is described at huma.StatusError.
func (p *problem) GetStatus() int { return p.Status }

// ContentType is described at huma.ContentTypeFilter.
func (p *problem) ContentType(string) string { return "application/problem+json" }

// retryAfter is the pause in seconds that a client is asked for while the
// controller cannot take requests.
const retryAfter = "1"

// huma knows its error type by a package variable; nothing else in a program of
// ours uses huma.
func init() { huma.NewError = fromHuma }

// newProblem makes a problem of a code; detail may be empty where the code's own
// text says it all.
func newProblem(code, arg, detail string) *problem {
	t := textOf(code)
	if detail == "" {
		detail = t.what
	}
	status := statusOf(code)
	return &problem{api.Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Arg: arg, Detail: clip(detail), Hint: t.hint}}
}

// sent is the error that a handler returns for p, with its headers.
func (p *problem) sent() error {
	if p.Status == http.StatusServiceUnavailable {
		return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {retryAfter}})
	}
	return p
}

func problemOf(code, arg, detail string) error { return newProblem(code, arg, detail).sent() }

// refused is the problem of an answer that says no.
func refused(a api.Answer) error {
	p := newProblem(a.Problem, a.Arg, a.Detail)
	p.N, p.Head = a.N, a.Head
	return p.sent()
}

// statusOf is the HTTP status of a code. A rule that says no is a conflict with
// the state of the table.
func statusOf(code string) int {
	switch code {
	case api.CodeBadRequest, string(table.BadInput), string(table.ReasonMissing):
		return http.StatusBadRequest
	case api.CodeForbidden, string(table.NeedsRole), string(table.NeedsSecond), string(table.SamePerson), string(table.NotOnDuty),
		string(table.NotIncoming), string(table.MidHandFloor),
		string(table.PINNeeded), string(table.PINWrong), string(table.LockedOut), string(table.UnknownStaff), string(table.RoleNotHeld), string(table.NotActive), string(table.OtherTable):
		return http.StatusForbidden
	case api.CodeNoTable, api.CodeNoAction, api.CodeNoRoute:
		return http.StatusNotFound
	case api.CodeWrongMethod:
		return http.StatusMethodNotAllowed
	case api.CodeSlowRequest:
		return http.StatusRequestTimeout
	case api.CodeStale:
		return http.StatusPreconditionFailed
	case api.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case api.CodeNotJSON:
		return http.StatusUnsupportedMediaType
	case api.CodeKeyReused:
		return http.StatusUnprocessableEntity
	case api.CodeNotRecorded, api.CodeStalled, api.CodeNoAnswerYet, api.CodeUnreadable, api.CodeTooMany, api.CodeStopping, api.CodeBusy:
		return http.StatusServiceUnavailable
	case api.CodeDefect:
		return http.StatusInternalServerError
	}
	return http.StatusConflict
}

// fromHuma words what huma found wrong with a request. Values are not repeated:
// whoever sent them knows them.
func fromHuma(status int, msg string, errs ...error) huma.StatusError {
	code := api.CodeBadRequest
	switch status {
	case http.StatusRequestEntityTooLarge:
		code = api.CodeTooLarge
	case http.StatusUnsupportedMediaType:
		code = api.CodeNotJSON
	case http.StatusRequestTimeout:
		code = api.CodeSlowRequest
	case http.StatusInternalServerError:
		code = api.CodeDefect
	}
	arg, details := "", []string{msg}
	for i, err := range errs {
		d, ok := errors.AsType[*huma.ErrorDetail](err)
		if !ok {
			continue
		}
		if i == 0 {
			arg = d.Location[strings.IndexByte(d.Location, '.')+1:]
		}
		details = append(details, d.Location+" "+d.Message)
	}
	if len(details) > 1 {
		details = details[1:] // "validation failed" adds nothing
	}
	return newProblem(code, clip(arg), strings.Join(details, "; "))
}

// maxDetail bounds the text of a problem in bytes: what a client sent is in it.
const maxDetail = 500

func clip(s string) string {
	if len(s) > maxDetail {
		s = s[:maxDetail] + "…" // may cut a rune: see the next line
	}
	return strings.ToValidUTF8(s, "?")
}

// quote shows a name that a client sent.
func quote(s string) string { return strconv.Quote(clip(s)) }
