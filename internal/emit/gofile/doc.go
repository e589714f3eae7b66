// Package gofile writes the parts of one Go file for packages that generate code. It writes types, literals,
// observed values and comparisons as expressions that compile in the language version and the package of the
// file.
//
//  1. [NewWriter] begins a file. It knows the file's package and the names and imports that exist.
//  2. [Writer.Type], [Writer.Literal], [Writer.Value] and [Writer.Equals] return expressions. Each
//     imports the packages that its text names, and notes the helper functions that the text calls.
//     If something cannot be written the text has no meaning, and [Writer.Attempt] around the call
//     returns the reason.
//  3. [Writer.HelperTexts] declares the helper functions, and [Imports.Text] the imports. The
//     caller keeps only those that the finished text uses, because pieces that were dropped have
//     noted helpers and imports, too.
//
// Invariants:
//   - Names never collide with those of the package, of imports or of the language (names.go).
//   - Values of type int, uint and uintptr that need more than 32 bits compile everywhere: the
//     extremes are written as math.MaxInt and the like, others go through a helper (wide.go).
//     Writer.Wide is then set: the outcome may differ where int is narrow, so the test is skipped
//     there.
//   - Floats are compared exactly, unless the function that computes them may be fused or
//     computed differently by platforms (tolerance.go).
//
// Where to start: a new kind of value needs its text in value.go, a new way to compare in compare.go, and a
// function that expressions call in helper.go.
package gofile
