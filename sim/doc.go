// Package sim is the other end of the wire: a card shuffler, a deck scanner, a
// panel of sensors and the line between, as bytes and virtual time. It is
// built to protocol/SPEC.md and to nothing else, so that a controller that
// works with it works with a device of another maker.
//
// What is physically true lives here and only here: a [Pack] has an order, a
// [Machine] keeps packs in its tray, chamber and exit, really mixes them, and
// never tells the order to anybody (X1). People's deeds are methods (PutIn,
// TakeOut, SetCover, Fix, …) and happen at the machine's present time, the
// latest that Advance or Receive was given. Trouble is a [Fault], injected at
// once or for a coming motion; trouble of the cable is in [Line].
//
// Nothing here has a clock, starts anything or does I/O. Time is a duration
// since an origin that the driver chooses, the same for all parts. One seed
// gives the same bytes. Nothing may be shared between goroutines.
package sim
