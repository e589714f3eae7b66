// Package emit writes the Go source of tests: cases become passing tests, findings become failing ones.
//
//  1. [Files] sorts cases and findings by the source file of the function under test (emit.go) and
//     divides tests that are too long for one file (splitfiles.go).
//  2. For each function it decides which cases fit into a table, and their order (target.go).
//  3. Cases of a function that can be rows of one table become its rows (row.go, table.go); all others become
//     straight-line tests that arrange, act and assert (straight.go). Both print a sequence of
//     statements as Go, by package statement.
//  4. Findings become failing tests behind the build tag assay_bugs (bug.go).
//  5. The file is put together from the tests, and from the imports and helpers that they use.
//  6. Straight-line tests of a function that are alike but for some expressions become a table (rendering.go).
//
// Package gofile below writes types, values and comparisons; statement writes sequences; fold makes tables of subtests; phrase describes a case in words, for
// names and comments; testfile knows generated files as text. The measure is whether a maintainer would
// merge the tests (docs/review.md). Sequences are Randoop's (Pacheco
// et al., ICSE 2007): a test is a printed sequence with assertions on values that were observed
// natively. Nothing here decides which values are right.
//
// Invariants:
//   - The text compiles in the module's language version. A case that cannot be
//     expressed is returned as [Unwritten] with its reason.
//   - The same input gives the same bytes: order is that of the cases, or explicit.
//   - Only completely observed values are asserted: parts that are Opaque, Cut,
//     Again or unstable get no assertion, or a weaker one.
//   - A test whose outcome would differ where int has 32 bits is skipped there.
//
// Not supported: values of types that the test cannot name (unexported types of other packages, local
// types), objects that occur in one observation more than once, and contents of channels. A case that
// needs one of them as input is Unwritten; as a result such a value is not asserted.
//
// Where to start: a new operation needs its text in package statement and, if its results are asserted in another way, in straight.go;
// a new way to compare needs gofile/compare.go, and testify.go for packages whose own tests use
// testify; a helper that expressions call goes into gofile/helper.go.
package emit
