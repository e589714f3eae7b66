// Package session has what every verb needs for a package under test: where events go, how much time
// there is, and a harness in which cases run and are judged.
//
//  1. Each (each.go) loads the packages and passes the verb a Session for each, one after the
//     other. Open only loads them, for a caller with an order of its own. Both report packages
//     that do not compile, and sum up. confine.go finds out whether this system can confine
//     processes, and which packages must not be run if it cannot.
//  2. Session (session.go) selects the targets, sends events, and knows the deadline. It
//     collects the Result and the Summary that the verb fills in.
//  3. Session.Build (bench.go) makes a Bench: the package's native harness, the functions that
//     change package-level variables (state.go), and the finding.Judge of its cases.
//  4. Bench.Runner (runner.go) runs sequences so that none sees state that another left in
//     variables. Bench.RunInBackground (background.go) does the same while engines still look for more.
//     Session.RunSuite runs existing tests.
//  5. RunOrLeave (bound.go) bounds work that may not end, and ReportBug turns a panic of ours
//     into an error that costs one target.
//
// Only this package and the engines run sequences in a native.Harness; verbs use a Bench.
//
// Invariants: results do not depend on what else runs at the same time. No test asserts an outcome that
// depends on the machine or the user (machinebound.go lists the functions that reveal these).
package session
