package cache

import "sync"

// Memory keeps entries while the process runs, for users who want no directory.
type Memory struct {
	mu      sync.Mutex
	entries map[Key][]byte
}

// NewMemory returns a Memory without entries.
func NewMemory() *Memory { return &Memory{entries: make(map[Key][]byte)} }

// Get returns the entry of that key, and whether there is one.
func (m *Memory) Get(k Key) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.entries[k]
	return data, ok
}

// Put stores an entry. It never fails.
func (m *Memory) Put(k Key, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[k] = data
	return nil
}
