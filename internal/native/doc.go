// Package native runs sequences natively, for the engines and for package campaign: it
// builds a harness of the package under test once and executes cases in it, each cut off
// from the others and from the machine as far as the system allows.
//
//  1. Build writes an overlay to a temporary directory: the package's sources rewritten by
//     package rewrite, and a test file with everything that sequences may name (build.go,
//     registry.go, names.go).
//  2. go test -c makes a test binary of the overlay: the harness (build.go). What does not
//     compile of the registry is withdrawn (withdraw.go).
//  3. The binary is started confined by package guard (process.go).
//  4. Run and Probe encode sequences (encode.go) and send them in batches (run.go).
//  5. The harness executes them by reflection (directory rt) and answers with outcomes,
//     which are decoded (decode.go).
//  6. Where a case ends the process, what the process wrote says how (death.go), and the
//     other cases go on in a new one (run.go).
//
// The harness is a test binary of the package, built with an overlay (go test -c
// -overlay), so nothing is written to the user's tree. The overlay replaces the
// package's source files by ones with counters for blocks and for both outcomes of
// conditions (package rewrite), adds a _test.go file with a registry of everything
// that sequences may name (registry.go), and adds package assayrt (directory rt) to
// the standard library, which executes sequences sent to it by reflection. What is
// not in the registry when a sequence needs it is added by a rebuild, for all
// sequences of a call to Run together. Types composed of registered ones need none.
//
// The binary is started by way of a shim, this program itself, that confines it
// (package guard, GuardMain), in an empty temporary directory and with an environment that
// has nothing of the user's. A case that ends the process (an
// exit, a fatal error, a time-out) costs that case only: the process is started
// again and goes on with the next one.
//
// The package's own test files are part of the harness only if they declare a
// TestMain or an init function; then the cases run inside TestMain, as the tests
// that assay writes will. If they do not compile, or TestMain does not get as far
// as running tests, they are left out.
//
// Invariants: outcomes depend on the sequences only, not on timing, batches or what
// ran before, as far as the code under test keeps no state of its own; the user's
// lines keep their numbers; nothing of the machine's environment reaches the code.
//
// State that the code under test keeps in package-level variables lives on from
// case to case, as it does between tests (what a sequence itself assigned by
// OpSetGlobal is put back). Goroutines that outlive their case are given a moment;
// if they then still run, the process is replaced before the next case, and if they
// are blocked they are left alone. RunTwice tells what depends on such things.
//
// Not supported: reading coverage of cases that ended the process; values of types
// that have no name in the package under test, other than as results passed on;
// confinement on systems other than Linux. On Windows the progress of a batch is not
// visible from outside, so outcomes are sent one by one.
//
// To add an operation, see package assayrt; then encode it in encode.go.
package native
