// Package gofile writes the parts of one Go file for packages that generate code. It says
// types, literals, observed values and comparisons as expressions that compile in the language
// version and the package of the file.
//
//  1. [NewWriter] begins a file: which package it is in, which names and imports are there.
//  2. [Writer.Type], [Writer.Literal], [Writer.Value] and [Writer.Equals] return expressions.
//     Each imports the packages that its text names, and notes the helper functions that the text
//     calls. Where nothing can be written the text is worth nothing, and [Writer.Attempt] around it
//     returns the reason.
//  3. [Writer.HelperTexts] declares the helper functions, and [Imports.Text] the imports. The
//     caller keeps those that the finished text uses: a piece that was dropped leaves its own behind.
//
// Invariants:
//   - Names never collide with those of the package, of imports or of the language (names.go).
//   - Values of type int, uint and uintptr that need more than 32 bits compile everywhere: the
//     extremes are math.MaxInt and the like, others go through a helper (wide.go). Where Writer.Wide
//     is set the outcome may differ where int is narrow, so a test is skipped there.
//   - Floats are compared exactly, unless the function that computes them may be fused or
//     computed differently by platforms (float.go).
//
// Where to start: a new kind of value needs its text in value.go, a new way to compare in
// compare.go, and a function that expressions call in helper.go.
package gofile
