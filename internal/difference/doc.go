// Package difference says how what one version of some code does differs from what another one
// does on the same calls, as its users see it.
//
//  1. Compare takes two outcomes of a sequence and finds the first statement that shows a
//     difference, and of which kind it is (compare.go, kind.go).
//  2. Values are compared part by part, as far as code outside of the package can look:
//     unexported fields do not count, and errors are what they say and what they are (value.go).
//  3. Group puts differences together that lead back to one changed place, judged by which
//     executed places go with differences and which do not (group.go).
//
// Both outcomes are in terms of the same version; see pair.Translator.Outcome. What a repeated
// run made opaque is not compared.
//
// To add a kind, give it a line in the table in kind.go.
package difference
