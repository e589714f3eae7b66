// Package fold writes subtests that are copies of one another but for some expressions as the rows of one table,
// because a reader of copies has to compare them line by line to see what differs.
//
//  1. [Tables] reads the subtests of a test function from its type-checked source (subtest.go).
//  2. Subtests form a group if their statements are the same but for expressions that can stand in a row:
//     constants, literals, variables of packages (unify.go, calls.go). Each place where they differ becomes a
//     hole (hole.go). Checks that say the same in two ways are first brought into one form (check.go): got and
//     !got, nil and empty slices, an expected value with a variable of its own and without one. A variable that
//     would hold nothing but a column goes (inline.go), and calls that fill an object with other elements in each
//     subtest become a loop over a column (runs.go).
//  3. The messages of the checks are read beside one another (message.go). Wherever they differ they must spell
//     the values of a hole, in whose place a verb is written.
//  4. Holes become columns with names and types (column.go). A table is written if it reads better than the
//     copies (table.go).
//
// Invariants:
//   - A table asserts exactly what its subtests asserted, after the same calls: nil and empty slices stay apart, and
//     only expressions without effects move into rows.
//   - Each row has the name of its subtest.
//   - Whatever is not understood stays as it is.
//
// Not supported: subtests with different statements but for such calls and one call that prepares the object, which
// becomes a column of functions (calls.go); other columns of functions.
//
// Where to start: another form of check is read in check.go, another text in which messages spell a value is added to
// spellings in message.go.
package fold
