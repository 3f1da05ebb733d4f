package controller

import (
	"sync"
	"time"

	"shuffler/controller/journal"
)

// Tuning constants of the commits.
const (
	maxGroup    = 64              // turns in one commit
	reopenEvery = time.Second     // while the journal does not work
	hungAfter   = 5 * time.Second // a commit that takes so long is told to the operator
)

// stream is who numbers its own records: a table's loop or the room. Its
// methods are called in the committer's goroutine and must post, not do.
type stream interface {
	settled(turns int, h journal.Head)
	failed()
	recovered(epoch int, j journal.Reader, h journal.Head) error
}

// submission is one turn's records, or a stream's word that it has given up and
// wants to recover. A stream that has not heard yet of a failed commit goes on
// submitting under its old epoch; such turns are dropped, since it will answer
// them as not recorded.
type submission struct {
	from    stream
	entries []journal.Entry
	gaveUp  error
}

// committer groups the turns of all streams into commits: one sync of the disk
// for as many as are waiting.
type committer struct {
	j     journal.Journal
	mu    sync.Mutex
	wait  []submission
	down  bool
	epoch int // failures so far
	all   []stream
	wake  chan struct{}
	warn  func(msg string, err error)
}

func newCommitter(j journal.Journal, warn func(string, error)) *committer {
	return &committer{j: j, wake: make(chan struct{}, 1), warn: warn}
}

// submit takes a turn without waiting. While the journal is down it is dropped.
func (c *committer) submit(epoch int, s submission) {
	c.mu.Lock()
	taken := !c.down && epoch == c.epoch
	if taken {
		c.wait = append(c.wait, s)
	}
	c.mu.Unlock()
	if !taken {
		return
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// take gives the next group, at most limit turns. A word of giving up comes
// alone, behind what the stream has submitted before it.
func (c *committer) take(limit int) []submission {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for n < min(len(c.wait), limit) && c.wait[n].gaveUp == nil {
		n++
	}
	if n == 0 {
		n = min(len(c.wait), 1)
	}
	group := c.wait[:n:n]
	c.wait = c.wait[n:]
	return group
}

// commit makes one group of at most limit turns durable and tells their
// streams. It reports whether there was a group.
func (c *committer) commit(limit int) bool {
	group := c.take(limit)
	if len(group) == 0 {
		return false
	}
	if err := group[0].gaveUp; err != nil {
		c.fail(err)
		return true
	}
	head, err := c.append(group)
	if err != nil {
		c.fail(err)
		return true
	}
	for i := 0; i < len(group); {
		n := 1 // neighbours of one stream are told together
		for i+n < len(group) && group[i+n].from == group[i].from {
			n++
		}
		group[i].from.settled(n, head)
		i += n
	}
	return true
}

func (c *committer) append(group []submission) (journal.Head, error) {
	n := 0
	for _, s := range group {
		n += len(s.entries)
	}
	entries := make([]journal.Entry, 0, n)
	for _, s := range group {
		entries = append(entries, s.entries...)
	}
	hung := time.AfterFunc(hungAfter, func() {
		c.warn("journal does not answer: nothing moves and nothing is acknowledged until it does; look at the disk", nil)
	})
	defer hung.Stop()
	return c.j.Append(entries)
}

func (c *committer) fail(err error) {
	c.mu.Lock()
	c.down, c.wait = true, nil
	c.epoch++
	c.mu.Unlock()
	for _, s := range c.all {
		s.failed()
	}
	c.warn("journal does not take records: everything halts until it works", err)
}

// reopen tries to make the journal usable again and tells every stream what it
// holds. It reports whether it works.
func (c *committer) reopen() bool {
	head, err := c.j.Reopen()
	if err != nil {
		c.warn("journal still fails", err)
		return false
	}
	c.mu.Lock()
	c.down = false // before the streams hear of it: their next turns count
	epoch := c.epoch
	c.mu.Unlock()
	for _, s := range c.all {
		if err = s.recovered(epoch, c.j, head); err != nil {
			c.fail(err)
			return false
		}
	}
	c.warn("journal works again: the floor clears its fault at each table", nil)
	return true
}

func (c *committer) isDown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.down
}

// run commits until stop is closed, then what is still waiting.
func (c *committer) run(stop <-chan struct{}) {
	retry := time.NewTicker(reopenEvery)
	defer retry.Stop()
	for {
		select {
		case <-stop:
			c.commitAll()
			return
		case <-c.wake:
			c.commitAll()
		case <-retry.C:
			if c.isDown() && c.reopen() {
				c.commitAll()
			}
		}
	}
}

func (c *committer) commitAll() {
	for !c.isDown() && c.commit(maxGroup) {
	}
}
