package controller

import "sync"

// mailbox is an unbounded queue of work for one owner. Posting never blocks: a
// loop that waited for another could not halt.
type mailbox struct {
	mu   sync.Mutex
	work []func()
	wake chan struct{} // holds one token while there may be work
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

func (m *mailbox) post(f func()) {
	m.mu.Lock()
	m.work = append(m.work, f)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// drain does all the work that is there, and what that work posts, and tells
// whether there was any. Only the owner calls it.
func (m *mailbox) drain() bool {
	did := false
	for {
		m.mu.Lock()
		work := m.work
		m.work = nil
		m.mu.Unlock()
		if len(work) == 0 {
			return did
		}
		did = true
		for _, f := range work {
			f()
		}
	}
}
