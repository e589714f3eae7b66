// Package difference compares the behaviour of two versions of some code on the same calls, as its users see
// it.
//
//  1. Compare takes two outcomes of a sequence and finds the first statement that shows a
//     difference, and its kind (compare.go, kind.go).
//  2. Values are compared part by part, as far as code outside of the package can look:
//     unexported fields do not count, and errors are compared by text and identity (value.go).
//  3. Group collects differences that are due to one changed place. It judges that by which
//     executed places occur together with differences (group.go).
//
// Both outcomes are in terms of the same version; see pair.Translator.Outcome. Values that differ between
// runs of one version are opaque and not compared.
//
// To add a kind, give it a line in the table in kind.go.
package difference
