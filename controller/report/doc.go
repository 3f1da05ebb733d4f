// Package report tells what the journal holds, in words: a sentence for a
// record, a line for the next action, the text of a refusal or a fault, and
// three reports that people read and sign.
//
//   - [HandLog]: hand by hand, the level tag, what began it, the shuffle step by
//     step, and what went wrong.
//   - [Receipt]: one deck check with all that D8 wants, measured apart from
//     attested.
//   - [Handoff]: what the next dealer takes over (P2).
//
// Reports come from the journal alone, through [journal.Reader], and depend on
// nothing else: the same journal gives the same bytes. Each is a struct with
// stable JSON names ([JSON]) and a Text in a language. Times are Unix
// milliseconds, people "floor:7", codes the names that the journal has; only
// Text translates. Each report names the journal's position and hash on which it
// rests, so that paper anchors the journal (X3), says whether the shuffle
// procedure was a draft or approved, and names devices that proved nothing about
// themselves (X4).
//
// No report knows an order of cards (X1). Cards are named from a completed check
// that found a deck bad, and nowhere else (D10).
//
// The texts stand in catalog/*.json, one file a language, in sections of codes.
// A text has placeholders: {name}; {n|card|cards} picks by number; and a part in
// [square brackets] is left out when a placeholder in it is empty. Texts that
// people wrote and the journal kept are stripped of control characters before
// they reach a terminal or a printer.
//
// Nothing here has state. All functions may be called from many goroutines.
package report
