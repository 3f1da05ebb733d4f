// Package journaltest serves the tests of what stands on a journal: [Faulty] fails on
// command, [Conformance] holds an implementation to the interface.
package journaltest

import (
	"iter"
	"sync"

	"shuffler/controller/journal"
)

// Faulty is a journal whose writing goes wrong on command; reading always works, as
// it does on a full disk. It may be shared between goroutines. Waiting happens on
// channels only, so it works inside testing/synctest.
//
// As with a real journal, an Append that failed must be followed by a Reopen that
// worked; until then Append answers ErrWrite.
type Faulty struct {
	inner journal.Journal

	mu       sync.Mutex
	mode     mode
	left     int           // failures still to come, negative for ever
	broken   bool          // a Reopen is due
	released chan struct{} // closed when a block ends
	waiting  int
	changed  chan struct{} // closed and renewed when waiting changes
	appends  int
}

type mode int

const (
	works mode = iota
	blocks
	failsBefore
	failsAfter
	full
)

var _ journal.Journal = (*Faulty)(nil)

// Forever makes a failure last until Repair.
const Forever = -1

// NewFaulty wraps a journal and lets everything through until told else.
func NewFaulty(inner journal.Journal) *Faulty {
	return &Faulty{inner: inner, released: make(chan struct{}), changed: make(chan struct{})}
}

// Block makes each Append and Reopen from now on wait until Repair, as on a disk that
// hangs. What waited then goes through.
func (f *Faulty) Block() { f.set(blocks, Forever) }

// FailBefore makes the next n Appends fail without a trace in the journal.
func (f *Faulty) FailBefore(n int) { f.set(failsBefore, n) }

// FailAfter makes the next n Appends fail although their commit landed.
func (f *Faulty) FailAfter(n int) { f.set(failsAfter, n) }

// Fill makes each Append and Reopen fail with ErrFull until Repair.
func (f *Faulty) Fill() { f.set(full, Forever) }

// Repair ends any trouble and lets go what was blocked. A failed Append still asks for
// a Reopen.
func (f *Faulty) Repair() { f.set(works, 0) }

func (f *Faulty) set(m mode, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.mode == blocks && m != blocks {
		close(f.released)
		f.released = make(chan struct{})
	}
	f.mode, f.left = m, n
}

// WaitBlocked returns when n calls are blocked at once.
func (f *Faulty) WaitBlocked(n int) {
	for {
		f.mu.Lock()
		waiting, changed := f.waiting, f.changed
		f.mu.Unlock()
		if waiting >= n {
			return
		}
		<-changed
	}
}

// Appends counts the calls of Append, whatever became of them.
func (f *Faulty) Appends() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.appends
}

// enter waits while the journal blocks, then tells what is to happen.
func (f *Faulty) enter() mode {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.mode == blocks {
		released := f.released
		f.count(1)
		f.mu.Unlock()
		<-released
		f.mu.Lock()
		f.count(-1)
	}
	return f.mode
}

func (f *Faulty) count(d int) {
	f.waiting += d
	close(f.changed)
	f.changed = make(chan struct{})
}

// Append fails, blocks or goes through.
func (f *Faulty) Append(entries []journal.Entry) (journal.Head, error) {
	f.mu.Lock()
	f.appends++
	f.mu.Unlock()
	f.enter()
	switch f.take() {
	case failsBefore:
		return journal.Head{}, failure("append", nil, "disk error (commanded by a test)")
	case full:
		return journal.Head{}, failure("append", journal.ErrFull, "disk is full (commanded by a test)")
	case failsAfter:
		if _, err := f.inner.Append(entries); err != nil {
			return journal.Head{}, err
		}
		return journal.Head{}, failure("append", nil, "disk error after the commit (commanded by a test)")
	}
	return f.inner.Append(entries)
}

// take decides about one Append and counts it.
func (f *Faulty) take() mode {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken {
		return failsBefore
	}
	m := f.mode
	if m == works || m == blocks {
		return works
	}
	f.broken = true
	if f.left > 0 {
		if f.left--; f.left == 0 {
			f.mode = works
		}
	}
	return m
}

func failure(op string, kind error, what string) error {
	kinds := []error{journal.ErrWrite}
	if kind != nil {
		kinds = []error{kind, journal.ErrWrite}
	}
	return &journal.Error{Op: op, Kinds: kinds, What: what, Hint: "reopen the journal to learn where it ends"}
}

// Reopen works unless the journal is full or blocks.
func (f *Faulty) Reopen() (journal.Head, error) {
	if f.enter() == full {
		return journal.Head{}, failure("reopen", journal.ErrFull, "disk is full (commanded by a test)")
	}
	h, err := f.inner.Reopen()
	if err == nil {
		f.mu.Lock()
		f.broken = false
		f.mu.Unlock()
	}
	return h, err
}

// Close lets go what is blocked and closes the journal inside.
func (f *Faulty) Close() error {
	f.Repair()
	return f.inner.Close()
}

// Head reads the journal inside.
func (f *Faulty) Head() (journal.Head, error) { return f.inner.Head() }

// Records reads the journal inside.
func (f *Faulty) Records(after uint64, filter journal.Filter) iter.Seq2[journal.Record, error] {
	return f.inner.Records(after, filter)
}

// Last reads the journal inside.
func (f *Faulty) Last(filter journal.Filter) (journal.Record, bool, error) {
	return f.inner.Last(filter)
}

// ByKey reads the journal inside.
func (f *Faulty) ByKey(key string) (journal.Record, bool, error) { return f.inner.ByKey(key) }

// StreamHead reads the journal inside.
func (f *Faulty) StreamHead(stream string) (uint64, error) { return f.inner.StreamHead(stream) }
