// Package report tells what the journal holds, in words: a sentence for a
// record, a line for the next action, the text of a refusal or a fault, and
// reports that people read and sign.
//
//   - [HandLog]: hand by hand, the level tag, what began it, the shuffle step by
//     step, and what went wrong.
//   - [Receipt]: one deck check with all that D8 wants, measured apart from
//     attested.
//   - [Handoff]: what the next dealer takes over (P2).
//
// Reports come from the journal alone, through [journal.Reader], and depend on
// nothing else: the same journal gives the same bytes. Each is a struct with
// stable JSON names ([JSON]). Times are Unix milliseconds, people "floor:7",
// codes the names that the journal has; only words translate. Each report names
// the journal's position and hash on which it rests, so that paper anchors the
// journal (X3), says whether the shuffle procedure was a draft or approved, and
// names devices that proved nothing about themselves (X4).
//
// No report knows an order of cards (X1). Cards are named from a completed check
// that found a deck bad, and nowhere else (D10).
//
// # One report, several forms
//
// A report is made in two steps, and nothing is written twice:
//
//	facts (a struct, JSON) ── Document(Options) ──► Document ──┬─► Text(width)  terminal, receipt printer
//	                          words in a language              ├─► HTML(css)    A4
//	                                                           └─► CSV()        Excel
//
// A new report has its facts in name.go, and in name_document.go one method
//
//	func (r NameReport) Document(o Options) Document {
//		w := o.words()
//		c := w.clockFrom(r.OpenedMS)        // times of day; the date only where it is another day
//		d := w.document(header{kind: "name", title: w.say("name.title"), …, place: r.Journal})
//		s := d.Body.section(w.say("name.facts"))
//		s.pairs(pair(w.say("label.floor"), w.person(r.Floor)), Pair{w.say("name.count"), "52", Measured})
//		s.line(Attested, c.say("name.said", "at", c.time(r.AtMS), "by", r.By))
//		s.grid([]Column{{Title: w.say("name.hand"), Right: true}, {Title: w.say("name.what")}}, rows)
//		s.strong(w.say("name.alarm"))       // must not be overlooked
//		s.section(w.say("name.course"))     // sections stand in one another
//		d.sign(w.say("label.dealer"), w.say("label.floor"))
//		return d
//	}
//
// and that is all: marks with their legend, the anchor with its QR code, wrapping,
// page breaks and the protection of each form come by themselves. Empty texts and
// empty values are left out, so optional facts need no if. [Render] gives any
// [Report] in any [Form].
//
// # What the QR code says
//
// The QR code on every paper holds one line of printable ASCII:
//
//	SHUFFLER:1:<table>:<position>:<hash>:<report>
//
// 1 is the version of this form. Table is the table's id, bytes other than
// capitals, digits and "./-" written as %XX. Position is the decimal position of
// the record on which the report rests, hash the 64 hexadecimal digits of its
// hash. Report is the kind of the paper, with its number behind a dot where it has
// one: RECEIPT.12. Letters are capitals, because QR codes pack those tightly; a
// reader takes either, and skips further fields. [ParseAnchor] reads it, and
// "shufflectl journal verify --anchor" holds it against a journal.
//
// # Texts
//
// The texts stand in catalog/*.json, one file a language, in sections of codes.
// A text has placeholders: {name}; {n|card|cards} picks by number; and a part in
// [square brackets] is left out when a placeholder in it is empty. Texts that
// people wrote and the journal kept are stripped of control characters before
// they reach a terminal or a printer.
//
// Nothing here has state. All functions may be called from many goroutines.
package report
