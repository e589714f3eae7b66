// Package emit writes Go source for the verbs: the tests that cases and findings become.
//
//  1. [Files] sorts cases and findings by the source file of the function under test (emit.go) and
//     divides what is too long for one test file (splitfiles.go).
//  2. For each function it looks which cases fit a table, and in which order (target.go).
//  3. Cases of a function that can be rows of one table become its rows (table.go); all others become
//     straight-line tests that arrange, act and assert (straight.go). Both print a sequence of
//     statements as Go: script.go decides what gets a variable, expr.go writes the expressions.
//  4. Findings become failing tests behind the build tag assay_bugs (bug.go).
//  5. The file is put together from the tests, and from those imports and helpers that they use.
//
// Package gofile below writes types, values and comparisons; phrase says what a case is about, for
// names and comments; testfile knows generated files as text. The measure is whether a maintainer
// would merge what is written ("What good output looks like" in ARCHITECTURE.md). Sequences are
// Randoop's (Pacheco et al., ICSE 2007), so a test is a sequence printed, with assertions on what
// was observed natively; nothing here decides what is right.
//
// Invariants:
//   - What is written compiles in the module's language version; a case that cannot
//     be expressed is returned as [Unwritten] with its reason, never written wrong.
//   - The same input gives the same bytes: order is that of the cases, or explicit.
//   - An assertion is made only on what the observation says fully: Opaque, Cut,
//     Again and unstable parts get none, or a weaker one.
//   - A test whose outcome would differ where int has 32 bits is skipped there.
//
// Not supported: values of types that the test cannot name (unexported types of
// other packages, local types), objects that occur in one observation more than
// once, and contents of channels. A case that needs one of
// them as input is Unwritten; as a result it goes without assertion.
//
// Where to start: a new operation needs its text in expr.go and, if it is a
// statement, in straight.go; a new way to compare needs gofile/compare.go, and testify.go where
// the package's own tests use testify; a helper that expressions call goes into gofile/helper.go.
package emit
