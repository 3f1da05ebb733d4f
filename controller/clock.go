package controller

import "time"

// Clock tells the time to a loop: Mono decides deadlines, Wall is for people.
// The two are read together, once an event.
type Clock interface {
	Mono() time.Duration // since the machine's boot
	Wall() time.Time
}
