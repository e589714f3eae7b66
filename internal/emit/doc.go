// Package emit writes Go source: the tests that cases and findings become.
//
// The measure is whether a maintainer would merge what it writes ("What good
// output looks like" in ARCHITECTURE.md). Cases of a pure-looking function become
// the rows of one table (table.go); everything else becomes a straight-line test
// that arranges, acts and asserts (straight.go). Findings become failing tests
// behind the build tag assay_bugs (bug.go). Sequences are Randoop's (Pacheco et
// al., ICSE 2007), so a test is a sequence printed, with assertions on what was
// observed natively; nothing here decides what is right.
//
// Invariants:
//   - What is written compiles in the module's language version; a case that cannot
//     be expressed is returned as [Unwritten] with its reason, never written wrong.
//   - The same input gives the same bytes: order is that of the cases, or explicit.
//   - An assertion is made only on what the observation says fully: Opaque, Cut,
//     Again and unstable parts get none, or a weaker one.
//   - Names never collide with those of the package, of its tests, of imports or of
//     the language: see names.go.
//   - Values of type int, uint and uintptr that need more than 32 bits compile
//     everywhere: the extremes are math.MaxInt and the like, others go through a
//     helper, and a test whose outcome would differ is skipped where int is narrow
//     (see wide.go).
//   - Floats are compared exactly unless the function's own code may be fused or
//     computed differently by platforms (see float.go).
//
// Not supported: values of types that the test cannot name (unexported types of
// other packages, local types), objects that occur in one observation more than
// once, and contents of channels. A case that needs one of
// them as input is Unwritten; as a result it goes without assertion.
//
// Where to start: a new operation needs its text in expr.go and, if it is a
// statement, in straight.go; a new way to compare needs compare.go, and testify.go where
// the package's own tests use testify; a helper that
// tests share goes into helper.go. [Files] in emit.go is the whole way.
package emit
