// Package session has what every verb needs of a package under test: who listens, how much
// time there is, and a harness in which cases run and are judged.
//
//  1. Each (each.go) loads the packages and gives the verb a Session for each, one after the
//     other; Open loads them for a caller that has an order of its own. It reports what does not compile, and sums up. confine.go finds out whether this
//     system can confine what is run, and which packages must not be run where it cannot.
//  2. Session (session.go) selects the targets, sends events, and knows the deadline. It
//     collects the Result and the Summary that the verb fills in.
//  3. Session.Build (bench.go) makes a Bench: the package's native harness, which functions
//     change package-level variables (state.go), and the finding.Judge of its cases.
//  4. Bench.Runner (runner.go) runs sequences so that none sees what another one left in
//     variables. Bench.Observe (observer.go) does so while engines still look for more.
//     Session.RunSuite runs tests that are there already.
//  5. RunOrLeave (bound.go) bounds work that may not end, and ReportBug turns a panic of ours
//     into an error that costs one target.
//
// Only this package and the engines run sequences in a native.Harness; verbs do it by way of a
// Bench.
//
// Invariants: results do not depend on what else runs at the same time. An outcome that
// depends on the machine or the user (machinebound.go lists the functions that tell) is
// asserted by no test.
package session
