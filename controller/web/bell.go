package web

import (
	"sync"

	"shuffler/controller"
)

// Bell wakes streams when the journal has grown. It carries nothing: whoever
// wakes reads the journal, so a ring that is missed costs time and no record.
// It may be shared between goroutines.
type Bell struct {
	mu   sync.Mutex
	next chan struct{}
}

// NewBell makes a bell.
func NewBell() *Bell { return &Bell{next: make(chan struct{})} }

// Observe rings for a commit; it is meant for controller.Options.Observe and
// never blocks.
func (b *Bell) Observe(controller.Committed) { b.Ring() }

// Ring wakes all who wait.
func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.next)
	b.next = make(chan struct{})
}

// wait gives a channel that the next ring closes. To miss nothing, take it
// before reading.
func (b *Bell) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.next
}
