// Package table is the pure core of one poker table: every promise about it
// (one order of steps, one tag a hand, stop means stop) stands here, in one
// function without I/O, clock or lock:
//
//	State.Apply(at, Event) (State, Output)
//
// An Event is what happened: a person's action, a device's report, an edge of a
// line, a deadline. An Output is what must follow, in this order: Halt at once;
// Records durably; then Commands to the devices and the answer (DESIGN's order
// rule). Apply only routes: the rules of decks and handoffs are in custody, of
// hands and levels in hand, of faults in fault, of the procedure in shuffle, of
// reading a deck in deckcheck. These know no events and no records.
//
// A State has two halves. Facts change only by records, through Record.fold,
// so that folding the journal gives the facts back after a restart. Lanes are
// what is under way; they do not come back, because what a device did meanwhile
// is unknown (M3). After every event, drive looks at the state and gives the
// devices their next commands: nobody has to remember to continue.
//
// One card on its way through: the scanner reads it and counts it into a tally;
// ScanEnded brings the tally; deckcheck.Judge makes the verdict; CheckEnded
// carries it to the journal, and the receipt is printed from there. No step of
// that way knows in which order cards were read (X1).
//
// One press of the green button: PanelLine brings the edge; trigger asks H5's
// gate; HandStarted freezes number and level tag; the screen shows them once
// the record is durable.
//
// RULES.md beside this file is the rule book with the ids that comments cite.
package table
