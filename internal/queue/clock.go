package queue

import (
	"fmt"
	"time"
)

// The clocks of the server, of workers and of whoever asks may differ. What is sent or stored has the server's time, and each
// machine converts it to its own, so that no age is wrong by the difference. What a machine waits for it measures itself.

// clocksAlike is how far two clocks may be apart without a word to the user.
const clocksAlike = 3 * time.Minute

// now returns the time by this machine's clock.
func (q *Queue) now() time.Time {
	if q.cfg.now != nil {
		return q.cfg.now()
	}
	return time.Now()
}

// serverTime returns the time by the server's clock.
func (q *Queue) serverTime() time.Time { return q.now().Add(time.Duration(q.ahead.Load())) }

// here converts a time by the server's clock to one by this machine's.
func (q *Queue) here(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(-time.Duration(q.ahead.Load()))
}

// compareClocks tells the user if the server's clock is another one than this machine's. Jobs are done all the same. But
// certificates and credentials end by the clock of whoever looks at them, and logs do not fit together.
func (q *Queue) compareClocks() {
	ahead, how := time.Duration(q.ahead.Load()), "ahead of"
	if ahead < 0 {
		ahead, how = -ahead, "behind"
	}
	if ahead > clocksAlike && q.cfg.Notice != nil {
		q.cfg.Notice(fmt.Sprintf("the clock of the server at %s is %s %s this machine's: set the one that is wrong, because certificates and credentials end by it",
			withoutSecret(q.cfg.URL), ahead.Round(time.Second), how))
	}
}
