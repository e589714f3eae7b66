package queue

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/goassay/assay/internal/bundle"
)

// Config names the server and the client. Only URL and Version have to be given.
type Config struct {
	URL     string
	Creds   string // a file with NATS credentials; "" means those in the URL, if there are any
	Version string // version of the program; a queue serves one version only
	// Urgent makes workers take the jobs that are submitted here before those of other runs.
	Urgent bool

	AckWait time.Duration // after which time a worker that reports nothing has lost its job
	Pause   time.Duration // the pause before a failed job is tried again, for each try so far
	Tries   int           // how often a job is tried

	// Notice, if not nil, is called once if jobs wait and there are no workers, once if the server's clock is another one
	// than this machine's, and by Tell.
	Notice func(text string)

	now func() time.Time // this machine's clock; nil is time.Now
}

const (
	jobsStream   = "ASSAY_JOBS"
	subjects     = "assay.jobs."
	doneWord     = "assay.done."
	outcomesKept = 5 * 24 * time.Hour // how long results are kept
	jobsKept     = 8 * 24 * time.Hour // how long a job may wait
	// A question takes at most askPatience. Then it is tried again.
	askPatience = 5 * time.Second
	// small is how many bytes of work or of a result travel with the job and its outcome. To store and fetch
	// a blob takes ten times as long as a message.
	small = 32 << 10
)

// Job is a job as workers get it.
type Job struct {
	Key  string `json:"key"`  // identifies the job by its content: a digest
	What string `json:"what"` // a description for people
	Body string `json:"body"` // the digest of the content that describes the work
	// Small is the content that describes the work, if it is small. Otherwise the content is a blob.
	Small []byte `json:"small,omitempty"`
}

// outcome describes a job that has left the waiting state.
type outcome struct {
	State  string    `json:"state"`
	Job    Job       `json:"job"`
	Worker string    `json:"worker,omitempty"`
	Lane   string    `json:"lane,omitempty"`   // the lane of the message by which the worker has the job
	Tries  int       `json:"tries,omitempty"`  // how many workers have begun with the job
	Since  time.Time `json:"-"`                // when it was stored, by the server's clock
	Blob   string    `json:"blob,omitempty"`   // for a finished job: the digest of the result, unless the result is small
	Result []byte    `json:"result,omitempty"` // for a finished job: the result, if it is small
	Reason string    `json:"reason,omitempty"` // for a dead job: the reason
}

// The states of a job.
const (
	Waiting = "waiting"
	Running = "running"
	Done    = "done"
	Dead    = "dead"
)

// DeadError says why a job is not tried again.
type DeadError struct {
	Key, Reason string
}

func (e *DeadError) Error() string {
	return fmt.Sprintf("the job is dead: %s (assay jobs retry %.12s)", e.Reason, e.Key)
}

// Queue is a connection to a server.
type Queue struct {
	cfg      Config
	nc       *nats.Conn
	js       jetstream.JetStream
	jobs     jetstream.Stream
	letters  jetstream.Stream // of dead jobs
	outcomes jetstream.KeyValue
	blobs    store        // contents that jobs and results refer to
	shelf    shelf        // entries of caches
	ahead    atomic.Int64 // how far the server's clock is ahead of this machine's, a time.Duration
	noticed  atomic.Bool  // Notice was called

	lane     string // the lane for jobs that are submitted here
	mu       sync.Mutex
	laneSeen map[string]time.Time // when lanes were made, or were there
}

// Open connects to a server, and creates there what the queue needs. An error is one line and says what
// to do.
func Open(ctx context.Context, cfg Config) (*Queue, error) {
	cfg.AckWait = cmp.Or(cfg.AckWait, 30*time.Second)
	cfg.Pause = cmp.Or(cfg.Pause, 2*time.Second)
	cfg.Tries = cmp.Or(cfg.Tries, 3)
	nc, err := connect(cfg)
	if err != nil {
		return nil, err
	}
	q := &Queue{cfg: cfg, nc: nc, lane: newLane(cfg), blobs: newBlobs(), shelf: newShelf(), laneSeen: make(map[string]time.Time)}
	if err := q.setUp(ctx); err != nil {
		nc.Close()
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, nats.ErrNoResponders) {
			return nil, fmt.Errorf("the server at %s has no JetStream: start it with -js", withoutSecret(cfg.URL))
		}
		if isFull(err) {
			return nil, fmt.Errorf("the server at %s does not take anything at present: %s", withoutSecret(cfg.URL), advice(err))
		}
		return nil, fmt.Errorf("the server at %s: %w", withoutSecret(cfg.URL), err)
	}
	q.compareClocks()
	return q, nil
}

// connect connects to the server.
func connect(cfg Config) (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name("assay"), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.Timeout(10 * time.Second),
		nats.PingInterval(15 * time.Second),                               // a connection through which nothing comes is given up within a minute
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // errors are returned by calls
	}
	if cfg.Creds != "" {
		opts = append(opts, nats.UserCredentials(cfg.Creds))
	}
	nc, err := nats.Connect(cfg.URL, opts...)
	if err == nil {
		return nc, nil
	}
	var file *os.PathError
	var stranger x509.UnknownAuthorityError
	var misnamed x509.HostnameError
	what := "is a server running there? (nats-server -js)"
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		what = "are the user and password, or the token, in the URL, or the file of -creds right?"
	case errors.As(err, &file):
		what = "-creds has to name a file with NATS credentials"
	case errors.As(err, &stranger):
		what = "name the file with the CA of its certificate in SSL_CERT_FILE (on macOS and Windows, have the system trust the CA)"
	case errors.As(err, &misnamed):
		what = "the URL has to have the host by a name that is in the server's certificate"
	}
	return nil, fmt.Errorf("cannot reach the server at %s: %w: %s", withoutSecret(cfg.URL), err, what)
}

// withoutSecret returns a URL in a form that may be shown.
func withoutSecret(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "the URL that was given"
	}
	u.User = nil
	return u.String()
}

// setUp creates the stream and the stores, unless they exist, and compares versions.
func (q *Queue) setUp(ctx context.Context) error {
	var err error
	if q.js, err = jetstream.New(q.nc); err != nil {
		return err
	}
	// There is one message for each key in a lane, so a job that is submitted while it waits or runs is the same job. If two
	// runs submit one job, one message is done, and the other is acknowledged when its turn comes.
	q.jobs, err = q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: jobsStream, Subjects: []string{subject("*", "*")}, Retention: jetstream.WorkQueuePolicy, MaxAge: jobsKept,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	if err != nil {
		return err
	}
	q.ahead.Store(int64(q.jobs.CachedInfo().TimeStamp.Sub(q.now())))
	if err := q.makeLetters(ctx); err != nil {
		return err
	}
	if q.outcomes, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "assay_outcomes", TTL: outcomesKept}); err != nil {
		return err
	}
	if err := q.blobs.make(ctx, q.js); err != nil {
		return err
	}
	if err := q.shelf.make(ctx, q.js); err != nil {
		return err
	}
	state, err := q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "assay_state"})
	if err != nil {
		return err
	}
	if _, err := state.Create(ctx, "version", []byte(q.cfg.Version)); err == nil || !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	entry, err := state.Get(ctx, "version")
	if err != nil {
		return err
	}
	if theirs := string(entry.Value()); theirs != q.cfg.Version {
		return fmt.Errorf("it is used by assay %s, and this is %s; use the same program everywhere, or start over with it (assay jobs reset)", theirs, q.cfg.Version)
	}
	return nil
}

// Close ends the connection.
func (q *Queue) Close() {
	q.leaveLane()
	q.nc.Close()
}

// Submit puts a job into the queue, unless it is there already, or is done or dead. The same key must
// have the same body.
func (q *Queue) Submit(ctx context.Context, key, what string, body []byte) error {
	if o, _, err := q.outcome(ctx, key); err == nil && (o.State == Done || o.State == Dead) {
		return nil
	}
	return q.submit(ctx, key, what, body)
}

// submit does the same as Submit for a job that is known to be neither done nor dead.
func (q *Queue) submit(ctx context.Context, key, what string, body []byte) error {
	job := Job{Key: key, What: what, Body: bundle.Digest(body)}
	if len(body) <= small {
		job.Small = body
	} else if _, err := q.PutBlob(ctx, body); err != nil {
		return err
	}
	return q.publish(ctx, q.lane, job)
}

// body returns the content that describes the work of a job.
func (q *Queue) body(ctx context.Context, job Job) ([]byte, error) {
	if bundle.Digest(job.Small) == job.Body {
		return job.Small, nil
	}
	return q.Blob(ctx, job.Body)
}

// publish puts a job into a lane, unless the job is there.
func (q *Queue) publish(ctx context.Context, lane string, job Job) error {
	data, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if err := q.makeLane(ctx, lane); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	_, err = q.js.Publish(ctx, subject(lane, job.Key), data)
	var refused *jetstream.APIError
	if errors.As(err, &refused) && refused.Description == perSubject {
		return nil // the job is waiting or running
	}
	if err == nil {
		err = q.nc.Publish(wakeSubject, []byte(lane))
	}
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// perSubject is what the server says of a message beyond MaxMsgsPerSubject. The error's code does not tell it
// from a full disk.
const perSubject = "maximum messages per subject exceeded"

// outcome returns the outcome of a job, and its revision.
func (q *Queue) outcome(ctx context.Context, key string) (o outcome, revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	entry, err := q.outcomes.Get(ctx, key)
	if err != nil {
		return o, 0, err
	}
	err = json.Unmarshal(entry.Value(), &o)
	o.Since = entry.Created()
	return o, entry.Revision(), err
}

// bytes returns an outcome in the form in which it is stored: without the content that describes the work. While a job
// waits, that is in its message, and when it is dead, in its letter.
func (o outcome) bytes() ([]byte, error) {
	o.Job.Small = nil
	return json.Marshal(o)
}

// put stores the outcome of a job.
func (q *Queue) put(ctx context.Context, key string, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	_, err := q.outcomes.Put(ctx, key, text)
	return err
}

// errNewer says that an outcome was stored after the one that was to be replaced.
var errNewer = errors.New("queue: there is a newer outcome of the job")

// replace stores the outcome of a job in the place of the one with the given revision, which is 0 if there is
// none. It returns the new revision, or errNewer.
func (q *Queue) replace(ctx context.Context, key string, text []byte, old uint64) (revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	if old == 0 {
		revision, err = q.outcomes.Create(ctx, key, text)
	} else {
		revision, err = q.outcomes.Update(ctx, key, text, old)
	}
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		err = errNewer
	}
	return revision, err
}

// Wait submits a job and waits for its result. If the server cannot be reached Wait continues to wait. If the
// server has forgotten the job, Wait submits it again. The function ready, unless it is nil, is called each
// time before that: it makes sure that the server has the blobs that the work refers to, since a server that
// has forgotten the job may have forgotten them as well. The error is a DeadError or that of ctx.
func (q *Queue) Wait(ctx context.Context, key, what string, body []byte, ready func(context.Context) error) ([]byte, error) {
	done := make(chan *nats.Msg, 1) // one message is enough
	sub, err := q.nc.ChanSubscribe(doneWord+key, done)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	defer sub.Unsubscribe() // this fails only if the connection is lost
	const atLeast, atMost = 100 * time.Millisecond, 5 * time.Second
	begin := time.Now()
	var told []byte // the outcome as the worker has sent it, so that it need not be asked for
	for pause := atLeast; ; pause = min(2*pause, atMost) {
		data, err := q.ask(ctx, key, told)
		var dead *DeadError
		if err == nil || errors.As(err, &dead) {
			return data, err
		}
		if errors.Is(err, errPending) {
			err = nil
			if ready != nil {
				err = ready(ctx)
			}
			if err == nil {
				err = q.submit(ctx, key, what, body)
			}
		}
		select {
		case msg := <-done:
			told = msg.Data
		case <-time.After(pause):
			told = nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if time.Since(begin) > noticeAfter && ctx.Err() == nil {
			q.lookAround(ctx, key, err)
		}
	}
}

// noticeAfter is how long a job is waited for before the user is told what it may be waiting for.
const noticeAfter = 15 * time.Second

// lookAround looks why a job is not done, which may have had an error. It tells the user once that the server
// refuses jobs or does not answer, or that there are no workers. If the server has the job and gives it to
// nobody, since its disk was full when the job was taken out of the queue, the job is removed, so that it can
// be submitted again.
func (q *Queue) lookAround(ctx context.Context, key string, err error) {
	if err != nil {
		q.notice(q.takesNothing("jobs", err))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	c, err := q.jobs.Consumer(ctx, q.lane)
	if err != nil {
		return // when the job is submitted again the lane is made again
	}
	switch info := c.CachedInfo(); {
	case info.NumAckPending > 0:
	case info.NumPending == 0:
		_ = q.jobs.Purge(ctx, jetstream.WithPurgeSubject(subject(q.lane, key))) // if it fails, the next round does it again
	case q.Workers(ctx) == 0 && ctx.Err() == nil:
		q.notice("no worker has taken a job for a while: are there any? (assay worker)")
	}
}

// notice tells the user something, once.
func (q *Queue) notice(text string) {
	if q.cfg.Notice != nil && q.noticed.CompareAndSwap(false, true) {
		q.cfg.Notice(text)
	}
}

// Tell tells the user what a client of the queue has found out.
func (q *Queue) Tell(text string) {
	if q.cfg.Notice != nil {
		q.cfg.Notice(text)
	}
}

// Later reports whether an error only says that the server does not take something at present, since its store is full or it
// does not answer, and tells the user if so. To try again may help.
func (q *Queue) Later(err error) bool {
	if !isFull(err) && !isSilent(err) {
		return false
	}
	q.notice(q.takesNothing("files", err))
	return true
}

// takesNothing says that the server does not take something.
func (q *Queue) takesNothing(what string, err error) string {
	return fmt.Sprintf("the server at %s does not take %s at present, and is asked again: %s", withoutSecret(q.cfg.URL), what, advice(err))
}

// isFull reports whether an error says that the server's store is full.
func isFull(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && slices.ContainsFunc([]string{"resource", "maximum", "no space"}, func(s string) bool { return strings.Contains(refused.Description, s) })
}

// isSilent reports whether an error says that the server does not answer.
func isSilent(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse)
}

// advice adds to an error of the server's what whoever runs it can do.
func advice(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	var refused *jetstream.APIError
	switch {
	case isFull(err) && errors.As(err, &refused):
		return refused.Description + " (give its store more room, or empty it: assay jobs reset)"
	case isSilent(err):
		return text + " (is it running with -js, is there room on its disk, and is the network up?)"
	}
	return text
}

// errPending says that a job is neither done nor dead.
var errPending = errors.New("queue: the job waits or runs")

// ask returns the outcome of a job, which may be given if it is known.
func (q *Queue) ask(ctx context.Context, key string, known []byte) ([]byte, error) {
	var o outcome
	if known == nil || json.Unmarshal(known, &o) != nil {
		var err error
		o, _, err = q.outcome(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil, errPending
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case o.State == Dead:
		return nil, &DeadError{key, o.Reason}
	case o.State != Done:
		return nil, errPending
	case o.Blob == "":
		return o.Result, nil
	}
	data, err := q.Blob(ctx, o.Blob)
	if errors.Is(err, errNoBlob) { // the result was kept no longer than blobs are, so the job has to be done again
		err = errors.Join(err, q.outcomes.Delete(ctx, key))
	}
	return data, err
}
