package port

// Code names a trouble of a port.
type Code string

// Troubles. The first block is a port that cannot be opened or kept, the second
// a port that is open.
const (
	NoTrouble    Code = ""
	Missing      Code = "port_missing"
	NotSerial    Code = "port_not_serial"
	Forbidden    Code = "port_forbidden"
	Held         Code = "port_held"  // by a lock: another controller
	Busy         Code = "port_busy"  // exclusive use by another program
	TooManyFiles Code = "port_files" // no descriptor left
	Broken       Code = "port_broken"
	Unplugged    Code = "port_unplugged"
	WriteBlocked Code = "port_write_blocked"

	NoAnswer    Code = "no_answer"
	NotFrames   Code = "not_frames" // bytes come, but nothing of ours
	WrongDevice Code = "wrong_device"
	Noisy       Code = "noisy_line"
)

// Trouble is what a technician is told. The zero value is none. Comparable.
type Trouble struct {
	Code  Code
	What  string // with the path, and whatever was found there
	Cause string // the likely one
	Next  string // what to do
}

// String is the trouble in one line.
func (t Trouble) String() string {
	if t.Code == NoTrouble {
		return ""
	}
	return t.What + "; likely: " + t.Cause + "; " + t.Next
}
