package journal

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
)

// Kind sorts the findings of Verify.
type Kind string

const (
	KindHash      Kind = "hash"      // the record is not what was chained, or not in its place
	KindPosition  Kind = "position"  // records removed, inserted or moved
	KindStream    Kind = "stream"    // a stream's numbers skip or repeat
	KindPayload   Kind = "payload"   // not one JSON object
	KindColumns   Kind = "columns"   // the copies for queries differ from the payload
	KindRow       Kind = "row"       // a value that the format does not allow
	KindTruncated Kind = "truncated" // ends before a published head
	KindFork      Kind = "fork"      // another history than a published head
	KindChain     Kind = "chain"     // another journal than the published head's
	KindStorage   Kind = "storage"   // the database file or its schema
)

// Problem is one finding: what, where and what to do.
type Problem struct {
	Kind   Kind
	Pos    int64 // record, 0 when none is meant
	Detail string
	Hint   string
}

func (p Problem) String() string {
	s := string(p.Kind)
	if p.Pos != 0 {
		s += fmt.Sprintf(" at record %d", p.Pos)
	}
	return s + ": " + p.Detail + "; " + p.Hint
}

// Report is what Verify found.
type Report struct {
	Head     Head   // where the journal ends, as stored
	Records  uint64 // rows read
	Problems []Problem
	Omitted  int // problems beyond Check.MaxProblems
}

// OK tells that nothing was found.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// Check tells Verify what to do. The zero value checks the chain with no published
// head.
type Check struct {
	Published   []Head // from reports, each must be in the chain
	MaxProblems int    // kept in the report, 0 means 1000
	Progress    func(done, total uint64)
}

// Stored is a row as it was found, before any judgement.
type Stored struct {
	Pos     int64
	Record  Record
	Columns Columns
	Defect  string // what in the row the format does not allow, else empty
	Blank   string // a query column that holds an empty text instead of NULL, else empty
}

// Source is what Verify reads: *SQLite and *Memory.
type Source interface {
	// Extent tells the chain id and the highest position, for the progress.
	Extent() (chain string, last uint64, err error)
	// Stored gives all rows by position, whatever that is.
	Stored() iter.Seq2[Stored, error]
	// StorageProblems looks at what carries the rows.
	StorageProblems() ([]Problem, error)
}

const (
	defaultMaxProblems = 1000
	progressEvery      = 4096 // records
)

// Verify walks the whole chain as FORMAT.md section 8 tells, and finds records
// edited, removed, inserted, swapped or moved, changed columns, and truncation and
// fork against published heads (X3). It goes on after a finding. The error is for a
// source that cannot be read at all; what was found until then is in the report.
//
// Without a published head nobody can tell a journal that was cut, or rewritten with
// all its hashes, from a good one.
func Verify(s Source, c Check) (Report, error) {
	chain, last, err := s.Extent()
	if err != nil {
		return Report{}, err
	}
	v := newAudit(chain, last, c)
	storage, err := s.StorageProblems()
	for _, p := range storage {
		v.add(p)
	}
	if err != nil {
		return v.report, err
	}
	for st, err := range s.Stored() {
		if err != nil {
			v.add(Problem{KindStorage, 0, fmt.Sprintf("reading stopped behind record %d: %v", v.last, err),
				"copy the folder, then restore the newest backup"})
			return v.report, err
		}
		v.row(&st)
	}
	v.finish()
	return v.report, nil
}

// audit is the walk's memory.
type audit struct {
	check    Check
	report   Report
	total    uint64
	previous Hash
	last     int64
	streams  map[string]uint64
	pending  map[uint64][]Head // published heads not yet passed
	buf      []byte
}

func newAudit(chain string, last uint64, c Check) *audit {
	if c.MaxProblems == 0 {
		c.MaxProblems = defaultMaxProblems
	}
	genesis := Genesis(chain)
	v := &audit{check: c, total: last, previous: genesis, streams: make(map[string]uint64),
		pending: make(map[uint64][]Head), report: Report{Head: Head{Chain: chain, Hash: genesis}}}
	for _, h := range c.Published {
		if h.Chain != "" && h.Chain != chain {
			v.add(Problem{KindChain, 0, fmt.Sprintf("published head %v is of journal %s, this one is %s", h, h.Chain, chain),
				"find the journal that the report belongs to"})
			continue
		}
		v.pending[h.Pos] = append(v.pending[h.Pos], h)
	}
	v.published(0, genesis)
	return v
}

func (v *audit) add(p Problem) {
	if len(v.report.Problems) >= v.check.MaxProblems {
		v.report.Omitted++
		return
	}
	v.report.Problems = append(v.report.Problems, p)
}

func (v *audit) addAt(k Kind, pos int64, hint, format string, args ...any) {
	v.add(Problem{k, pos, fmt.Sprintf(format, args...), hint})
}

const (
	hintCompare = "compare with a backup or an export, and keep this copy as evidence"
	hintMissing = "look for the missing records in a backup or an export"
	hintRebuild = "if the hash is right, build the columns anew; reports by hand or deck were wrong meanwhile"
)

// row applies rules 1 to 5 to one row.
func (v *audit) row(st *Stored) {
	r := &st.Record
	v.report.Records++
	v.defect(st)
	v.position(st.Pos)
	v.hash(st)
	v.stream(st)
	v.columns(st)
	if st.Pos > 0 { // a row before the first is no link of the chain
		v.published(uint64(st.Pos), r.Hash)
		v.previous, v.last = r.Hash, st.Pos
		v.report.Head.Pos, v.report.Head.Hash = uint64(st.Pos), r.Hash
	}
	if v.check.Progress != nil && v.report.Records%progressEvery == 0 {
		v.check.Progress(v.report.Records, max(v.total, v.report.Records))
	}
}

func (v *audit) defect(st *Stored) {
	if st.Defect == "" {
		if err := st.Record.check(); err != nil {
			st.Defect = err.Error()
		}
	}
	if st.Defect != "" {
		v.addAt(KindRow, st.Pos, hintCompare, "%s", st.Defect)
	}
}

func (v *audit) position(pos int64) {
	switch want := v.last + 1; {
	case pos < 1:
		v.addAt(KindPosition, pos, hintCompare, "positions begin with 1: this record was inserted or moved")
	case pos == want+1:
		v.addAt(KindPosition, pos, hintMissing, "record %d was removed or moved", want)
	case pos > want:
		v.addAt(KindPosition, pos, hintMissing, "records %d to %d were removed or moved", want, pos-1)
	}
}

func (v *audit) hash(st *Stored) {
	var want Hash
	want, v.buf = st.Record.chain(v.previous, v.buf)
	if want != st.Record.Hash {
		v.addAt(KindHash, st.Pos, hintCompare,
			"stored hash %.16s… is not that of this record behind record %d (%.16s…): a field of it, its hash or its place was changed",
			st.Record.Hash, v.last, want)
	}
}

func (v *audit) stream(st *Stored) {
	r := &st.Record
	last := v.streams[r.Stream]
	switch {
	case r.N == last+1:
	case r.N > last:
		v.addAt(KindStream, st.Pos, hintMissing, "stream %q goes from %d to %d: records are missing or moved", r.Stream, last, r.N)
	default:
		v.addAt(KindStream, st.Pos, hintCompare, "stream %q has %d after %d: the record is repeated, inserted or moved", r.Stream, r.N, last)
	}
	v.streams[r.Stream] = max(last, r.N)
}

func (v *audit) columns(st *Stored) {
	want, err := Derive(st.Record.Payload)
	if err != nil {
		v.addAt(KindPayload, st.Pos, hintCompare, "%v", err)
		return
	}
	if st.Blank != "" {
		v.addAt(KindColumns, st.Pos, hintRebuild, "column %s is empty instead of NULL", st.Blank)
	}
	got := st.Columns
	if got == want {
		return
	}
	if got.Hand != want.Hand {
		v.addAt(KindColumns, st.Pos, hintRebuild, "column hand is %s, the payload says %s", handText(got), handText(want))
	}
	for _, t := range []struct{ name, got, want string }{
		{"deck", got.Deck, want.Deck}, {"actor", got.Actor, want.Actor},
		{"key", got.Key, want.Key}, {"session", got.Session, want.Session},
	} {
		if t.got != t.want {
			v.addAt(KindColumns, st.Pos, hintRebuild, "column %s is %q, the payload says %q", t.name, t.got, t.want)
		}
	}
}

func handText(c Columns) string {
	if !c.Hand.Valid {
		return "none"
	}
	return fmt.Sprint(c.Hand.V)
}

// published compares the published heads of this position.
func (v *audit) published(pos uint64, stored Hash) {
	for _, h := range v.pending[pos] {
		if h.Hash != stored {
			v.addAt(KindFork, int64(pos), "compare the records before it with that report and with a backup",
				"a report published %v, here is %.16s…: the records up to here were rewritten, or this is another branch", h, stored)
		}
	}
	delete(v.pending, pos)
}

// finish finds what no row can show.
func (v *audit) finish() {
	end := uint64(v.last)
	for _, pos := range slices.Sorted(maps.Keys(v.pending)) {
		for _, h := range v.pending[pos] {
			kind, what := KindTruncated, "the journal ends at %[2]d, but a report published %[1]v: records were cut off"
			if pos < end {
				kind, what = KindFork, "a report published %[1]v, and that record is missing here"
			}
			v.addAt(kind, int64(min(pos, math.MaxInt64)), hintMissing, what, h, end)
		}
	}
	if v.check.Progress != nil {
		v.check.Progress(v.report.Records, max(v.total, v.report.Records))
	}
}
