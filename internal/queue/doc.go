// Package queue hands jobs to workers on any number of machines, by way of a NATS server with
// JetStream, which may be part of this process.
//
//  1. Start (server.go) is such a server; Open (queue.go) connects to one.
//  2. Submit (queue.go) puts a job into the queue, and Wait waits for what it comes to.
//  3. Work (work.go) has a worker do jobs, one at a time.
//  4. List, Retry and Drop (manage.go) are for whoever looks after the queue.
//
// A job is named by its content, so that a job that is submitted twice is one, and what it came to is
// there for the next who asks. Contents travel as blobs, named by their digests.
//
// Invariants: what a job came to is stored before the job is acknowledged, so that none is lost and
// some may be done twice. A worker that dies with a job loses it to another one after Config.AckWait; a
// job with which Config.Tries workers were lost or failed is dead: it stays where List shows it,
// with the reason, until somebody retries or drops it. A blob that does not have its digest is
// refused. Programs of another version are refused, since they may come to something else.
//
// Not supported: priorities, and fairness between those who submit: jobs are done in the order in
// which they came. The order in which workers get them is the server's.
package queue
