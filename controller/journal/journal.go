package journal

import (
	"iter"
	"slices"
)

// Writer appends.
type Writer interface {
	// Append adds the entries in their order, all or none. When it returns nil they
	// are durable, and the head is the last of them. N must go on where its stream
	// ended (ErrOrder), a key may be used once in a journal (ErrKeyUsed), and a
	// malformed entry is refused (ErrEntry); after these nothing has changed and
	// the next Append may follow.
	//
	// After ErrWrite the commit may have landed or not: only Reopen tells, and until
	// it succeeded Append answers ErrWrite. The payloads may be used again after
	// the return.
	Append(entries []Entry) (Head, error)
}

// Reader reads what is durable. Its methods may be called while another goroutine
// appends, and by many at once.
type Reader interface {
	// Head is the newest place of the chain.
	Head() (Head, error)
	// Records gives the records behind position after that f lets through, in order,
	// up to the newest at the time it gets there. An error ends it. The loop may
	// take its time: no lock is held between two records.
	Records(after uint64, f Filter) iter.Seq2[Record, error]
	// Last gives the newest record that f lets through.
	Last(f Filter) (Record, bool, error)
	// ByKey gives the record with this idempotency key, for a repeated request gets
	// the recorded answer.
	ByKey(key string) (Record, bool, error)
	// StreamHead gives the number of the stream's newest record, 0 if it has none.
	StreamHead(stream string) (uint64, error)
}

// Journal is a chain that one process writes. It may be shared between goroutines.
type Journal interface {
	Writer
	Reader
	// Reopen makes the journal usable again after ErrWrite, and tells the real,
	// durable head: it shows whether the last commit landed. It may be tried
	// until it works; on a healthy journal it only reads the head.
	Reopen() (Head, error)
	// Close ends the journal; a running Append is waited for. Afterwards every
	// method answers ErrClosed, another Close nil.
	Close() error
}

// Filter picks records. A zero field lets everything through, so the zero Filter
// is all records.
type Filter struct {
	Stream  string
	Types   []string // any of these
	Hand    uint64   // numbers of hands are counted by table: give Stream too
	Deck    string
	Actor   string
	Session string
}

// match is the filter's meaning; SQL only repeats it.
func (f *Filter) match(r *Record, c *Columns) bool {
	if f.Stream != "" && f.Stream != r.Stream {
		return false
	}
	if len(f.Types) > 0 && !slices.Contains(f.Types, r.Type) {
		return false
	}
	if f.Hand != 0 && (!c.Hand.Valid || uint64(c.Hand.V) != f.Hand) {
		return false
	}
	return (f.Deck == "" || f.Deck == c.Deck) &&
		(f.Actor == "" || f.Actor == c.Actor) &&
		(f.Session == "" || f.Session == c.Session)
}
