package journal

import (
	"bytes"
	"iter"
	"slices"
	"sync"
)

// memoryChain is the chain id of NewMemory: fixed, so that the same entries give
// the same head.
const memoryChain = "memory"

// Memory is a journal that ends with the process, for tests and for simulations in
// lockstep. It behaves as SQLite does, and may be shared between goroutines.
type Memory struct {
	mu      sync.RWMutex
	closed  bool
	head    Head
	rows    []row // rows[i] has position i+1
	streams map[string]uint64
	keys    map[string]uint64
}

var _ Journal = (*Memory)(nil)

// NewMemory gives an empty journal with the chain id "memory".
func NewMemory() *Memory {
	return &Memory{
		head:    Head{Chain: memoryChain, Hash: Genesis(memoryChain)},
		streams: make(map[string]uint64),
		keys:    make(map[string]uint64),
	}
}

// Restart gives the journal as a new process would find it: the same records, open.
func (m *Memory) Restart() *Memory {
	m.mu.RLock()
	defer m.mu.RUnlock()
	next := &Memory{head: m.head, rows: slices.Clone(m.rows),
		streams: make(map[string]uint64), keys: make(map[string]uint64)}
	for _, r := range next.rows {
		next.note(r)
	}
	return next
}

func (m *Memory) note(r row) {
	m.streams[r.Stream] = r.N
	if r.Key != "" {
		m.keys[r.Key] = r.Pos
	}
}

func (m *Memory) streamHead(stream string) (uint64, error) { return m.streams[stream], nil }

func (m *Memory) keyPos(key string) (uint64, bool, error) {
	pos, used := m.keys[key]
	return pos, used, nil
}

// Append is described at Writer.
func (m *Memory) Append(entries []Entry) (Head, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return Head{}, closed("append", "")
	}
	rows, err := link("", m.head, entries, m)
	if err != nil {
		return Head{}, err
	}
	for _, r := range rows {
		r.Payload = bytes.Clone(r.Payload)
		m.rows = append(m.rows, r)
		m.note(r)
		m.head.Pos, m.head.Hash = r.Pos, r.Hash
	}
	return m.head, nil
}

// Head is described at Reader.
func (m *Memory) Head() (Head, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return Head{}, closed("read head", "")
	}
	return m.head, nil
}

// Records is described at Reader.
func (m *Memory) Records(after uint64, f Filter) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for pos := after; ; pos++ {
			r, ok, err := m.at(pos)
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !ok || f.match(&r.Record, &r.Columns) && !yield(r.give(), nil) {
				return
			}
		}
	}
}

// at gives the row behind position pos.
func (m *Memory) at(pos uint64) (row, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return row{}, false, closed("read records", "")
	}
	if pos >= uint64(len(m.rows)) {
		return row{}, false, nil
	}
	return m.rows[pos], true, nil
}

// give hands the record out with a payload of its own.
func (r row) give() Record {
	r.Payload = bytes.Clone(r.Payload)
	return r.Record
}

// Last is described at Reader.
func (m *Memory) Last(f Filter) (Record, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return Record{}, false, closed("read last record", "")
	}
	for i := len(m.rows) - 1; i >= 0; i-- {
		if r := &m.rows[i]; f.match(&r.Record, &r.Columns) {
			return r.give(), true, nil
		}
	}
	return Record{}, false, nil
}

// ByKey is described at Reader.
func (m *Memory) ByKey(key string) (Record, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return Record{}, false, closed("read by key", "")
	}
	pos, ok := m.keys[key]
	if !ok {
		return Record{}, false, nil
	}
	return m.rows[pos-1].give(), true, nil
}

// StreamHead is described at Reader.
func (m *Memory) StreamHead(stream string) (uint64, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return 0, closed("read stream head", "")
	}
	return m.streams[stream], nil
}

// Reopen is described at Journal.
func (m *Memory) Reopen() (Head, error) { return m.Head() }

// Close is described at Journal.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// Extent is described at Source.
func (m *Memory) Extent() (string, uint64, error) {
	h, err := m.Head()
	return h.Chain, h.Pos, err
}

// Stored is described at Source.
func (m *Memory) Stored() iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		for pos := uint64(0); ; pos++ {
			r, ok, err := m.at(pos)
			if err != nil {
				yield(Stored{}, err)
				return
			}
			if !ok || !yield(Stored{Pos: int64(r.Pos), Record: r.Record, Columns: r.Columns}, nil) {
				return
			}
		}
	}
}

// StorageProblems is described at Source: memory has none.
func (m *Memory) StorageProblems() ([]Problem, error) { return nil, nil }
