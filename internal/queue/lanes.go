package queue

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Each Queue that submits jobs has a lane of its own at the server: a consumer that gets the jobs of this lane alone.
// Workers take jobs from one lane after the other, so a run with a thousand jobs does not keep one with three waiting.
// Lanes of urgent runs come first.

const (
	urgentLane = "urgent-"
	usualLane  = "usual-"
	// retriedLane is the lane of jobs that an administrator has put into the queue again.
	retriedLane = usualLane + "retried"
	// laneKept is after which time without a worker the server forgets a lane. Its jobs stay; whoever waits for one
	// makes the lane anew.
	laneKept = 24 * time.Hour
	// laneSure is how long a lane that was there is taken to be there.
	laneSure = 5 * time.Second
	// wakeSubject is where a worker that has found no job hears that there is one.
	wakeSubject = "assay.wake"
	// usualShare is how often a worker takes a job of a usual run first although there are urgent ones: one time in so
	// many. Otherwise a team that always has a pull request would never see its long runs end.
	usualShare = 8
)

// newLane returns a name for the lane of this connection.
func newLane(cfg Config) string {
	const length = 12
	name := usualLane
	if cfg.Urgent {
		name = urgentLane
	}
	return name + rand.Text()[:length]
}

// subject returns the subject of a job in a lane.
func subject(lane, key string) string { return subjects + lane + "." + key }

// splitSubject returns the lane and the key of a subject.
func splitSubject(s string) (lane, key string, ok bool) {
	rest, ok := strings.CutPrefix(s, subjects)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, ".")
}

// makeLane makes a lane, unless it was there a moment ago.
func (q *Queue) makeLane(ctx context.Context, lane string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if time.Since(q.laneSeen[lane]) < laneSure {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	_, err := q.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: lane, FilterSubject: subject(lane, "*"), AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.cfg.AckWait,
		MaxDeliver: -1, MaxAckPending: 1 << 16, InactiveThreshold: laneKept,
	})
	if err != nil {
		return err
	}
	q.laneSeen[lane] = time.Now()
	return nil
}

// leaveLane removes the lane of this connection if no job is left in it.
func (q *Queue) leaveLane() {
	q.mu.Lock()
	used := !q.laneSeen[q.lane].IsZero()
	q.mu.Unlock()
	if !used || !q.nc.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// The stream knows at once of a job that was put into it, a consumer a moment later.
	info, err := q.jobs.Info(ctx, jetstream.WithSubjectFilter(subject(q.lane, "*")))
	if err == nil && len(info.State.Subjects) == 0 {
		_ = q.jobs.DeleteConsumer(ctx, q.lane) // the server forgets a lane that is left
	}
}

// lane is a lane as a worker sees it.
type lane struct {
	name string
	from jetstream.Consumer
	// hopeful says that there may be jobs in the lane.
	hopeful bool
}

// lanes are the lanes of a server, from which a worker takes its jobs.
type lanes struct {
	q      *Queue
	known  map[string]*lane
	listed time.Time         // when the server was asked for its lanes
	last   map[string]string // the lane that was served last, by the prefix of its kind
	taken  int
}

func newLanes(q *Queue) *lanes {
	return &lanes{q: q, known: make(map[string]*lane), last: make(map[string]string)}
}

// list asks the server for its lanes, and which of them have jobs.
func (l *lanes) list(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	there := make(map[string]bool)
	all := l.q.jobs.ListConsumers(ctx)
	for info := range all.Info() {
		there[info.Name] = true
		k := l.known[info.Name]
		if k == nil {
			from, err := l.q.jobs.Consumer(ctx, info.Name)
			if errors.Is(err, jetstream.ErrConsumerNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			k = &lane{name: info.Name, from: from}
			l.known[info.Name] = k
		}
		k.hopeful = info.NumPending > 0 || info.NumAckPending > 0 // a job that a worker has may come back
	}
	if err := all.Err(); err != nil {
		return err
	}
	for name := range l.known {
		if !there[name] {
			delete(l.known, name)
		}
	}
	l.listed = time.Now()
	return nil
}

// order returns the lanes that may have jobs in the order in which they are asked: urgent ones first, but for one time
// in usualShare, and of each kind first the one after the lane that was served last.
func (l *lanes) order() []*lane {
	kind := func(prefix string) []*lane {
		var out []*lane
		for _, k := range l.known {
			if k.hopeful && strings.HasPrefix(k.name, prefix) {
				out = append(out, k)
			}
		}
		slices.SortFunc(out, func(a, b *lane) int {
			later := func(k *lane) int {
				if k.name > l.last[prefix] {
					return 0
				}
				return 1
			}
			return cmp.Or(later(a)-later(b), cmp.Compare(a.name, b.name))
		})
		return out
	}
	if (l.taken+1)%usualShare == 0 {
		return append(kind(usualLane), kind(urgentLane)...)
	}
	return append(kind(urgentLane), kind(usualLane)...)
}

// try returns a job from the first lane that has one, or nil.
func (l *lanes) try(ctx context.Context) (jetstream.Msg, error) {
	const fresh = 250 * time.Millisecond
	if time.Since(l.listed) > fresh {
		if err := l.list(ctx); err != nil {
			return nil, err
		}
	}
	for _, k := range l.order() {
		batch, err := k.from.FetchNoWait(1)
		if err != nil {
			return nil, err
		}
		if msg, err := l.take(ctx, k, batch); msg != nil || err != nil {
			return msg, err
		}
	}
	return nil, nil
}

// take returns the job of a lane that was asked for one, or nil if the lane has none.
func (l *lanes) take(ctx context.Context, k *lane, batch jetstream.MessageBatch) (jetstream.Msg, error) {
	select {
	case msg, ok := <-batch.Messages():
		if ok {
			prefix := usualLane
			if strings.HasPrefix(k.name, urgentLane) {
				prefix = urgentLane
			}
			l.last[prefix] = k.name
			l.taken++
			return msg, nil
		}
		k.hopeful = false
		if err := batch.Error(); err != nil {
			delete(l.known, k.name) // the lane may have been removed
			if !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, jetstream.ErrConsumerDeleted) {
				return nil, err
			}
		}
		return nil, nil
	case <-ctx.Done():
		go giveBack(batch)
		return nil, ctx.Err()
	}
}

// next returns the next job, or nil if there was none for a while.
func (l *lanes) next(ctx context.Context) (jetstream.Msg, error) {
	if msg, err := l.try(ctx); msg != nil || err != nil {
		return msg, err
	}
	// One of the workers that wait is told of each job that is submitted. What comes back, since a worker was lost, nobody
	// tells, so they also look by themselves.
	woken := make(chan *nats.Msg, 1)
	sub, err := l.q.nc.ChanQueueSubscribe(wakeSubject, "workers", woken)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	defer sub.Unsubscribe() // this fails only if the connection is lost
	const atLeast, atMost, patience = 50 * time.Millisecond, 2 * time.Second, 10 * time.Second
	begin := time.Now()
	// What came before the worker listened is there by now. To look into one or two lanes takes less time than to ask for
	// all of them; a new lane is seen after the first pause.
	const few = 2
	if len(l.known) > few {
		l.listed = time.Time{}
	}
	for _, k := range l.known {
		k.hopeful = true
	}
	for pause := atLeast; time.Since(begin) < patience; pause = min(2*pause, atMost) {
		if msg, err := l.try(ctx); msg != nil || err != nil {
			return msg, err
		}
		select {
		case msg := <-woken:
			k := l.known[string(msg.Data)]
			if k == nil {
				l.listed = time.Time{} // it is a new lane
				continue
			}
			// The server has the job, and may not have put it into the lane yet.
			const soon = 50 * time.Millisecond
			batch, err := k.from.Fetch(1, jetstream.FetchMaxWait(soon))
			if err != nil {
				return nil, err
			}
			if msg, err := l.take(ctx, k, batch); msg != nil || err != nil {
				return msg, err
			}
		case <-time.After(pause):
			l.listed = time.Time{}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, nil
}

// responsible reports whether the message of a job in another lane, by which a worker has the job at present, is still
// there. If that worker is lost, the message comes back, and with it the job.
func (q *Queue) responsible(ctx context.Context, lane, key string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	_, err := q.jobs.GetLastMsgForSubject(ctx, subject(lane, key))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, err
}
