// Package native runs sequences natively, for the engines and for package campaign. It builds a harness of
// the package under test once and executes cases in it, each separated from the others and from the machine
// as far as the system allows.
//
//  1. Build writes an overlay to a temporary directory: the package's sources rewritten by
//     package rewrite, and a test file with everything that sequences may name (build.go,
//     registry.go, names.go).
//  2. go test -c makes a test binary of the overlay: the harness (build.go). Registry entries
//     that do not compile are withdrawn (withdraw.go).
//  3. The binary is started confined by package guard (process.go).
//  4. Run and Probe encode sequences (encode.go) and send them in batches (run.go).
//  5. The harness executes them by reflection (directory rt) and answers with outcomes,
//     which are decoded (decode.go).
//  6. If a case ends the process, the output of the process says how (death.go), and the
//     other cases continue in a new one (run.go).
//
// The harness is a test binary of the package, built with an overlay (go test -c -overlay), so nothing is
// written to the user's tree. The overlay replaces the package's source files by ones with counters for
// blocks and for both outcomes of conditions (package rewrite), adds a _test.go file with a registry of
// everything that sequences may name (registry.go), and adds package assayrt (directory rt) to the standard
// library. That package executes sequences by reflection. If sequences need something that the registry does
// not have, the harness is rebuilt with it, once for all sequences in a call of Run. Types composed of
// registered ones need no rebuild.
//
// The binary is started through a shim. The shim is this program itself in another process, which confines
// itself and then becomes the binary (package guard). The binary runs in an empty temporary directory and
// with an environment that has nothing of the user's. A case that ends the process (an exit, a fatal error, a
// time-out) costs that case only: the process is started again and continues with the next case.
//
// The package's own test files are part of the harness only if they declare a TestMain or an init function;
// then the cases run inside TestMain, as generated tests will. If these files do not compile, or TestMain
// does not get as far as running tests, they are left out.
//
// Invariants: if the code under test keeps no state of its own, outcomes depend only on the sequences, not on
// timing, batches or earlier cases. The user's lines keep their numbers. Nothing of the machine's environment
// reaches the code.
//
// Where the module asks for Go 1.25 or newer, cases that need the clock or start goroutines run in a bubble of testing/synctest
// each (bubble.go): a wait takes no time, the clock says the same in each run, and a case that waits for ever ends at once. In
// second runs goroutines go on as early as they can, and in first runs as late as they can.
//
// State in package-level variables survives from case to case, as it does between tests (variables that a
// sequence itself assigned by OpSetGlobal are restored). Goroutines that outlive their case are given a
// moment. If some still run then, the process is replaced before the next case. Blocked goroutines stay.
// RunTwice shows which outcomes depend on such things.
//
// Not supported: reading coverage of cases that ended the process; values of types that have no name in the
// package under test, except as results that are passed on; confinement on systems other than Linux. On
// Windows the progress of a batch is not visible from outside, so outcomes are sent one by one.
//
// To add an operation, see package assayrt; then encode it in encode.go.
package native
