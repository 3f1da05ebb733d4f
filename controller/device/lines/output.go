package lines

import (
	"errors"

	"periph.io/x/conn/v3/gpio"
)

// Output names a line that goes out.
type Output string

// The outputs of a panel. Enable belongs to the Panel; see Panel.Arm.
const (
	Enable    Output = "enable" // High: the machine may run
	ReadyLamp Output = "ready_lamp"
	FaultLamp Output = "fault_lamp"
	Buzzer    Output = "buzzer"
)

var errNoPin = errors.New("there is no such pin")

// output is one pin that goes out. A pin that could not be set is set again at
// the next occasion.
type output struct {
	name Output
	pin  gpio.PinOut // nil: configured, but not there
	want bool
	is   bool
	sure bool // is is what the pin has
	err  error
}

// set makes the pin want, and tells whether it is so.
func (o *output) set(want bool) bool {
	o.want = want
	if o.sure && o.is == want {
		return true
	}
	if o.pin == nil {
		o.err = errNoPin
		return false
	}
	o.err = o.pin.Out(gpio.Level(want))
	o.is, o.sure = want, o.err == nil
	return o.sure
}
