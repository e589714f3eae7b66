package event

import "sync"

// Stream passes events to one receiver. Goroutines may send at the same time; the receiver gets one
// event at a time, so it needs no lock.
type Stream struct {
	// Sink receives the events; nil drops them.
	Sink func(Event)

	mu sync.Mutex
}

// Send passes an event to the receiver. A nil stream has no receiver.
func (s *Stream) Send(e Event) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Sink != nil {
		s.Sink(e)
	}
}
