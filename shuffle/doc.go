// Package shuffle holds the room's shuffle procedure as data, and enforces it.
//
// A procedure is a list of steps (gather, wash, riffle, riffle, strip, riffle,
// square, cut, cut card under), each done by the machine or by the dealer (S1,
// S4). It has a version and an approval mark, because rooms change it and every
// report must tell what it ran under. [Procedure.Validate] refuses lists that are
// no shuffle.
//
// A [Progress] is one pass of one pack through a procedure. The machine, a sensor
// or the dealer's screen reports that a step started or is done, and
// [Progress.Apply] takes the report or not: only the next step counts. A step out
// of order, twice, done before started, or by the wrong hands is a sequence
// [Break]; the pass is void, and the next one starts from the first step (S3).
// Nobody can skip a step; there is no call for it. The same goes for a face that
// was exposed, a jam or an opened cover ([Progress.Stop], S5).
//
// Why a wash that is required may not be left out (S2): three riffles and a strip
// of a new pack leave at most 20 rising sequences with probability 0.965; a
// random pack has so few with 0.002.
//
// A machine's report that comes twice because a frame was repeated, or late
// because one was lost, never reaches this package: the link filters repeats by
// operation number and recovers lost ones from the device's status. What arrives
// here twice did happen twice.
//
// Rule ids as S1 or H8 are those of controller/table/RULES.md.
//
// The package is pure: no clock, no files, no goroutines. All types are plain
// comparable values: a copy is a snapshot, methods return what changed, and values
// may be shared between goroutines.
package shuffle
