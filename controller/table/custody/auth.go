package custody

// Auth is how an identity was proven: in every action, and in the record and
// report that come of it. The zero value says nothing and counts as AuthNone.
type Auth string

// How an identity can have been proven. The last two are never of an action
// that was done: they are what the edge found and the room refuses.
const (
	AuthNone     Auth = "none"      // asserted
	AuthPIN      Auth = "pin"       // by a PIN, in the same action
	AuthSignedIn Auth = "signed_in" // by a PIN when the dealer took the table; only said until the table agrees

	AuthWrong     Auth = "wrong_pin"
	AuthUnchecked Auth = "unchecked" // a PIN was given and not looked at: the person is locked out
)
