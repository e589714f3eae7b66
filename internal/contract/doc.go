// Package contract knows what user code tells assay: the functions of the module's root
// package (assay.Assume and the rest), functions that a module declares itself with a
// directive above them, for modules that must not import assay (seed 000, UTBot's assume
// and assumeOrExecuteConcretely), and directives over expressions:
//
//	//assay:requires n > 0
//	//assay:ensures result == nil || b.len == old(b.len)+n
//	func (b *Buffer) Grow(n int) error
//
//	//assay:invariant b.len <= cap(b.data)
//	type Buffer struct { ... }
//
// An expression of requires or ensures is one of Go over the receiver, the parameters
// and what the file knows; ensures may also say old(e), which is e before the call (a
// pointer or slice is copied, not what it leads to), and result, result0, result1, ...
// beside results' own names. In an invariant the object has the name that the type's
// first method gives its receiver, or self where there is none. Invariants are assumed of
// what exported functions are given and checked of what they leave behind and make;
// nobody checks what comes with a non-nil error.
//
// Read writes all this as Go source that is laid over the package: the machine, the
// native harness and the analyser execute a contract as code, and none of them has a
// meaning of its own for it. Contracts are checked where the engines call; calls inside
// the package are the functions themselves.
//
// A directive in which something is wrong is left out, and said so with its place; the rest of
// the package is as it would be without it.
//
// A condition of requires that panics is not satisfied. One of ensures that panics is the
// function's panic.
//
// Not supported: a method whose receiver calls a type parameter by another name than the
// type does where a constraint mentions it; invariants of aliases; invariants of the
// elements of a variadic parameter, a slice or a map.
//
// Start at Reader.Of for annotations, at Read for clauses.
package contract
