// Package workers spreads gen over machines: a coordinator sends packages, workers test them.
//
//  1. NewCoordinator (coordinator.go) sends the module's files, once, as blobs; Do sends a task about
//     one package and waits for its result. The coordinator is campaign's Remote.
//  2. Work (worker.go) brings a directory to the files of each task's module, lets campaign do the task
//     there, within a bound of memory (memory.go), and sends the result.
//  3. Check and Enum (verdicts.go) and Diff (differences.go) do the same for verbs that write nothing.
//  4. Shared (shared.go) has what the caches of a team keep of results of gen.
//  5. StartLocal (local.go) starts a server and some workers as processes on this machine. Tasks take
//     the same way, and nothing needs to be installed.
//
// Invariants: a worker knows nothing but a task and its files, so the files that gen writes are the
// same for any number of workers, and without any. A worker checks digests and names, and runs code as
// confined as gen runs it anywhere. A coordinator takes nothing from a worker but generated test files
// for the package that it asked about.
//
// Not supported: modules that need directories outside (go.work, replace directives), and verbs other
// than gen, check, enum and diff. The worker has to get required modules itself: from its module cache, its GOPROXY, or the
// vendor directory that came with the files.
package workers
