package lines

import (
	"fmt"

	"shuffler/controller/table"
)

// Code names a trouble of a line.
type Code string

// Troubles of lines.
const (
	NoTrouble    Code = ""
	Unreadable   Code = "line_unreadable"
	Chattering   Code = "line_chatters"
	Stuck        Code = "button_stuck"
	EdgesMissing Code = "line_edges" // the pin cannot wait for edges: it is polled
	Unwritable   Code = "output_failed"
)

// Trouble is what a technician is told. The zero value is none. Comparable.
type Trouble struct {
	Code  Code
	What  string
	Cause string
	Next  string
}

// String is the trouble in one line.
func (t Trouble) String() string {
	if t.Code == NoTrouble {
		return ""
	}
	return t.What + "; likely: " + t.Cause + "; " + t.Next
}

func unreadable(l table.Line, pin string, err error) Trouble {
	meaning := map[table.Line]string{table.CoverLine: "it counts as open", table.EStopLine: "it counts as pressed", table.ButtonLine: "it counts as not pressed"}[l]
	return Trouble{Unreadable, fmt.Sprintf("the %s line (%s) cannot be read, so %s: %v", l, pin, meaning, err),
		"another program uses the pin, the chip is gone, or the name is wrong", "correct the pin's name, or stop the other program; it is tried again by itself"}
}

func chattering(l table.Line, pin string) Trouble {
	return Trouble{Chattering, fmt.Sprintf("the %s line (%s) chatters", l, pin), "a loose wire, a worn contact, or a motor's cable beside it",
		"fasten the wire, change the switch, or lengthen its debounce time"}
}

func stuckButton(pin string) Trouble {
	return Trouble{Stuck, fmt.Sprintf("the button (%s) has been held for %v", pin, ButtonStuck), "something lies on it, or it jams", "free the button"}
}

func edgesMissing(l table.Line, pin string) Trouble {
	return Trouble{EdgesMissing, fmt.Sprintf("the %s line (%s) does not wait for edges, so it is polled", l, pin), "the driver has no interrupts for this pin",
		"use a pin that has; it works meanwhile"}
}

func unwritable(o Output, err error) Trouble {
	return Trouble{Unwritable, fmt.Sprintf("the %s output cannot be set: %v", o, err), "another program uses the pin, or the chip is gone",
		"correct the pin's name, or stop the other program; it is tried again by itself"}
}
