// Package workers spreads gen over machines: a coordinator sends packages, workers do them.
//
//  1. NewCoordinator (coordinator.go) sends the module's files, once, as blobs; Do sends a task about
//     one package and waits for what it came to. It is campaign's Remote.
//  2. Work (worker.go) unpacks the module of each task into a directory of its own, has campaign do the task
//     there, and sends what came of it.
//  3. StartLocal (local.go) starts a server and some workers as processes on this machine: the same
//     way for the same tasks, with nothing to install.
//
// Invariants: a task and its files are all that a worker knows, so that the files which gen writes
// are the same for any number of workers, and without any. A worker believes no digest and no name,
// and runs what it is sent as confined as gen runs it anywhere; a coordinator takes nothing from
// a worker but generated test files for the package that it asked about.
//
// Not supported: modules that need directories outside (go.work, replace directives), and verbs other
// than gen. Modules that a module requires are the worker's to get: from its module cache,
// its GOPROXY, or the vendor directory that came with the files.
package workers
