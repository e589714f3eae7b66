// Package queue distributes jobs to workers on any number of machines, through a NATS server with
// JetStream, which may run in this process.
//
//  1. Start (server.go) starts such a server; Open (queue.go) connects to one.
//  2. Submit (queue.go) puts a job into the queue, and Wait waits for its result.
//  3. Work (work.go) makes a worker do jobs, one at a time, of each run in turn and of urgent runs first
//     (lanes.go). Crew (crew.go) says which workers there are.
//  4. PutBlob and Blob (blobs.go) store and fetch contents that jobs refer to, KeepEntry and Entry (shelf.go) entries
//     of caches that all who use the server share. Both are in object stores (store.go).
//  5. List and Drop (manage.go), and Retry (dead.go), are for administrators of the queue. A job that is not tried any more
//     has a letter with the reason in a stream of its own.
//
// A job is named by its content. A job that is submitted twice is therefore one job, and its result is
// there for anybody who submits it later. Contents are sent as blobs, named by their digests, or
// within the messages if they are small.
//
// Invariants: the result of a job is stored before the job is acknowledged, so no job is lost, and some
// may be done twice. A note that a job is being done, or has failed, names the revision of the note that it replaces, so a worker that
// was taken for lost changes nothing about a job that another one has. If a worker dies, another one gets its job after Config.AckWait. A job with which
// Config.Tries workers that have noted it were lost or failed is dead: List shows it with the reason, until somebody
// retries or drops it. A blob that does not have its digest is refused. Programs of another version are
// refused, since their results may differ.
//
// Not supported: a job that was begun is not interrupted for an urgent one, and runs count alike however many
// jobs they have under way. The server decides which worker gets which job.
package queue
