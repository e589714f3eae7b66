// Package structures are the data structures of Korat's evaluation, in our own words,
// with the bounds for which counts are known: the predicates read fields in the order in
// which the original's do, so that a search that follows the paper looks at the same
// candidates.
package structures
