package main

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"shuffler/controller/api"
	"shuffler/controller/journal"
)

// How the program ends; scripts act on these.
const (
	exitOK           = 0
	exitFailed       = 1
	exitUsage        = 2
	exitRefused      = 3 // by a rule of the room
	exitUnreachable  = 4 // the controller does not answer
	exitVerifyFailed = 5 // the journal is not what was written
	exitLockHeld     = 75
)

// exitError is an error with the code that the program ends with.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage is a mistake in how the program was called.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// usageOf is usage that says where to read how it is done.
func usageOf(cmd *cobra.Command, format string, args ...any) error {
	return usage(format+"; see %s --help", append(args, cmd.CommandPath())...)
}

// codeOf maps an error to the exit code.
func codeOf(err error) int {
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	if p, ok := errors.AsType[*api.Problem](err); ok {
		return codeOfProblem(p)
	}
	switch {
	case errors.Is(err, api.ErrUnreachable):
		return exitUnreachable
	case errors.Is(err, journal.ErrLocked):
		return exitLockHeld
	case errors.Is(err, journal.ErrDamaged):
		return exitVerifyFailed
	}
	return exitFailed
}

// codeOfProblem tells a rule that said no from a request that was none and from a
// controller that could not.
func codeOfProblem(p *api.Problem) int {
	switch p.Code {
	case api.CodeBadRequest, api.CodeNoTable, api.CodeKeyReused:
		return exitUsage
	case api.CodeNoAction, api.CodeNoRoute, api.CodeWrongMethod, api.CodeForbidden, api.CodeTooLarge, api.CodeNotJSON, api.CodeSlowRequest,
		api.CodeAhead, api.CodeUnexpected, api.CodeStopping:
		return exitFailed
	}
	if p.Status >= http.StatusBadRequest && p.Status < http.StatusInternalServerError {
		return exitRefused
	}
	return exitFailed
}
