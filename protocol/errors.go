package protocol

// Error is why a payload or a protected frame is refused. The values are
// constants, so errors.Is and == work and none is allocated.
type Error uint8

// Errors of Decode functions and of Opener.
const (
	ErrShort       Error = iota + 1 // payload ends before its last field
	ErrText                         // text too long or not printable ASCII
	ErrSession                      // hello with session 0
	ErrUnknownType                  // no such message in this version
	ErrNotType                      // the frame holds another message than was asked for
	ErrProtected                    // payload is sealed: open it first
	ErrPlain                        // frame is not protected
	ErrForged                       // tag does not fit: another key, or tampered with
	ErrReplay                       // seq not above the last one opened
	ErrSeqUsed                      // sealing with a seq not above the last one
	ErrKey                          // key is not 32 bytes, or no direction given
)

var errorTexts = [...]string{"", "payload too short", "text too long or not printable ASCII", "session 0 in hello", "unknown message type",
	"another message type", "protected payload not opened", "frame not protected", "protected frame does not authenticate: wrong key or tampered with",
	"protected frame replayed", "sequence number already used for sealing", "want a key of 32 bytes and a direction"}

func (e Error) Error() string {
	if int(e) < len(errorTexts) {
		return "protocol: " + errorTexts[e]
	}
	return "protocol: unknown error"
}
