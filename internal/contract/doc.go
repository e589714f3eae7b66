// Package contract reads what user code tells assay, for the engines and for all verbs.
//
//  1. Reader.Of (annotation.go) tells what a call means: a call of a function of the module's root
//     package (assay.Assume and the others), or of a function that a module declares itself with a
//     directive above it. Such declarations are for modules that must not import assay (UTBot's
//     assume and assumeOrExecuteConcretely).
//  2. Read (source.go) finds directives with expressions, and clause.go parses them.
//  3. wrap.go writes Go source for them, which is laid over the package. The machine, the native
//     harness and the analyser execute a contract as code, so it means the same for all three.
//
// Directives with expressions are
//
//	//assay:requires n > 0
//	//assay:ensures result == nil || b.len == old(b.len)+n
//	func (b *Buffer) Grow(n int) error
//
//	//assay:invariant b.len <= cap(b.data)
//	type Buffer struct { ... }
//
// An expression of requires or ensures is a Go expression over the receiver, the parameters and the names
// that the file knows. In ensures, old(e) is the value of e before the call (a pointer or slice is copied,
// but not the memory that it leads to), and result, result0, result1, ... denote results, beside the results'
// own names. In an invariant the object has the name of the receiver of the type's first method, or self if
// there is none. Invariants are assumed of the inputs of exported functions, and checked of the objects that
// these change or make. Objects returned beside a non-nil error are not checked.
//
// Contracts are checked where the engines call; calls inside the package call the functions themselves.
//
// A directive with a mistake is left out and reported with its place. The rest of the package is not
// affected.
//
// If a condition of requires panics it is not satisfied. If a condition of ensures panics or does not return, it says
// nothing about these values, and its place is reported (finding.Judge.FailingClause). The function is called all the same,
// also where an old value cannot be had.
//
// Not supported: a method whose receiver names a type parameter otherwise than the type does, if a constraint
// mentions the parameter; invariants of aliases; invariants of the elements of a variadic parameter, a slice
// or a map.
//
// Start at Reader.Of for annotations, at Read for clauses.
package contract
