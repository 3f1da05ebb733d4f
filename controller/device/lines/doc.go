// Package lines is the contacts and lamps at a table: cover, emergency stop and
// the green button come in, the run-enable line, lamps and buzzer go out. It
// stands behind the pin interfaces of periph (gpio.PinIn, gpio.PinOut).
//
// Low is what is safe, on every line: cover Low is open, emergency stop Low is
// pressed, button Low is not pressed, enable Low is no motion. periph's Read
// says Low for any error, and a broken wire is Low with the pull-down that is
// asked for; so an error cannot let anything run. Wire normally closed contacts
// for cover and stop, and a button that closes towards the supply.
//
// A level counts when it has been stable for its time; what was shorter is a
// glitch, and counted. When a stop counts, first enable goes Low, then the
// devices are halted, then the event is posted: the reflex waits for nobody.
//
// contact is the logic of one line, without time or pins of its own; a Panel
// runs it on real ones.
package lines
