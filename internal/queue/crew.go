package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Worker describes a worker that is connected to the server, by its own word.
type Worker struct {
	Name         string
	What         string    // the job that it is at, or "" while it waits
	Since        time.Time // since when it has been at it, or has waited, by the clock of this machine
	Done, Failed int       // how many jobs it has done, and has failed at
}

// crewSubject is where workers are asked who they are.
const crewSubject = "assay.who"

// Crew asks the workers who they are, and returns those that answer, by name. If none does it waits for a while.
func (q *Queue) Crew(ctx context.Context) ([]Worker, error) {
	const first, further = 2 * time.Second, 150 * time.Millisecond
	answers := make(chan *nats.Msg, 1<<12)
	inbox := q.nc.NewInbox()
	sub, err := q.nc.ChanSubscribe(inbox, answers)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	defer sub.Unsubscribe() // this fails only if the connection is lost
	if err := q.nc.PublishRequest(crewSubject, inbox, nil); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	var out []Worker
	patience := time.NewTimer(first)
	defer patience.Stop()
	for {
		select {
		case msg := <-answers:
			var w Worker
			if msg.Header.Get("Status") != "" { // the server says that nobody listens
				return out, nil
			}
			if json.Unmarshal(msg.Data, &w) == nil {
				w.Since = q.here(w.Since)
				out = append(out, w)
			}
			patience.Reset(further)
		case <-patience.C:
			slices.SortFunc(out, func(a, b Worker) int { return cmp.Compare(a.Name, b.Name) })
			return out, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Workers returns how many workers answer.
func (q *Queue) Workers(ctx context.Context) int {
	crew, err := q.Crew(ctx)
	if err != nil {
		return 0 // the server is away
	}
	return len(crew)
}

// Length says how many jobs there are at the server.
type Length struct {
	Waiting, Running int
	Urgent           int // those of urgent runs among the waiting ones
	Dead             int // those that are not tried any more
}

// Length returns how many jobs there are. A job that two runs want counts twice.
func (q *Queue) Length(ctx context.Context) (n Length, err error) {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	all := q.jobs.ListConsumers(ctx)
	for info := range all.Info() {
		n.Waiting += int(info.NumPending)
		n.Running += info.NumAckPending
		if strings.HasPrefix(info.Name, urgentLane) {
			n.Urgent += int(info.NumPending)
		}
	}
	if err := all.Err(); err != nil {
		return n, fmt.Errorf("queue: %w", err)
	}
	dead, err := q.letters.Info(ctx)
	if err != nil {
		return n, fmt.Errorf("queue: %w", err)
	}
	n.Dead = int(dead.State.Msgs)
	return n, nil
}

// answerRollCall makes a worker answer Crew until the returned function is called.
func (w *hand) answerRollCall() (stop func(), err error) {
	sub, err := w.q.nc.Subscribe(crewSubject, func(msg *nats.Msg) {
		w.mu.Lock()
		data, err := json.Marshal(w.at)
		w.mu.Unlock()
		if err == nil {
			_ = msg.Respond(data) // who asks counts those that answer
		}
	})
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil // this fails only if the connection is lost
}

// begins notes that the worker is at a job, and ends that it is not any more.
func (w *hand) begins(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at.What, w.at.Since = what, w.q.serverTime()
}

func (w *hand) ends(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at.What, w.at.Since = "", w.q.serverTime()
	if err != nil {
		w.at.Failed++
	} else {
		w.at.Done++
	}
}
