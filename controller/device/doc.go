// Package device is the only code that knows wires. Link is the host's side of
// SPEC.md for one device, as bytes and time without I/O: whoever owns the port
// feeds it what arrives, asks it what to write and tells it the time. So the
// same code runs over a serial port and over the memory link of a simulation.
//
// A Link turns the device's statuses into table events that each come once: it
// finds what has changed since the last status, so that a lost report is made
// up by the next one and a repeated one does nothing (DESIGN rule 3).
package device
