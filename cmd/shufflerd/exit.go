package main

// How the program ends. Scripts and supervisors act on these: 75 and 78 are
// sysexits' "try again" and "configuration", with which a supervisor need not
// start it again.
const (
	exitOK            = 0
	exitFailed        = 1
	exitUsage         = 2
	exitRefused       = 3 // by a rule of the room
	exitUnreachable   = 4 // the daemon does not answer
	exitVerifyFailed  = 5 // the journal is not what it was
	exitLockHeld      = 75
	exitConfiguration = 78
)

// exitError is an error with the code that the program ends with.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }
