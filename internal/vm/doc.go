// Package vm is the symbolic virtual machine for Go's SSA form. It executes a driver, a
// sequence of calls with symbolic arguments, along all its paths: at a decision on a
// symbol it asks the solver which sides are possible and forks (King, CACM 1976; Cadar,
// Dunbar, Engler, OSDI 2008). Each path ends in a named [Stop] and can be turned into a
// case: inputs, what the machine predicts, and the decisions in the words of the source.
//
// Functions are compiled when they are first called, to a register code that one switch
// runs (compile.go, run.go); what the switch does not do itself is a function of the
// instruction (exec.go and the files by subject). A value is 16 bytes without Go
// pointers; aggregates are flattened into cells; a state's objects are in pages that are
// copied when written (heap.go), so that forking costs little. An instruction that must
// decide something changes nothing before its last decision: the other side simply
// executes it again.
//
// Inputs are made lazily (inputs.go). A dependency's function is interpreted from its
// source; what has no Go body, or goes below the language, is an intrinsic
// (intrinsics.go, host.go) or a model in Go source (_models). Package initialisers run
// once, concretely, when a variable of the package is first referred to; their effects
// are shared by all states.
//
// Invariants: the machine decides nothing by the order of a Go map or by time, so the
// same driver, searcher and budget give the same paths. Nothing is dropped silently: what
// it cannot do ends the path as StopUnsupported with a reason, and the inputs so far are
// executed natively.
//
// Package reflect runs from its own source, over type descriptors that the machine
// writes in cells (rtype.go); what adds offsets to addresses or calls functions is
// replaced (reflect*.go, _models/reflect). Package fmt formats known arguments from its
// source too; text of symbols is a phantom, until a branch depends on it (phantom.go).
// Functions of package math beyond the arithmetic yield symbols whose arguments are
// searched for when the path ends (mathcall.go).
//
// Not supported, ending in such a stop: cgo and assembly without a Go twin; unsafe casts
// between different layouts, and what depends on the order or alignment of addresses;
// the clock, random numbers, the environment (but see Config), system calls and files
// other than the standard ones, what finalizers do, how much memory is in use; complex
// products of symbols; iter.Pull; names of types declared in generic functions. What the
// runtime tells of the call stack is true but for inlining, which the machine does not
// do. Goroutines run one at a time and switch only where they block, so no data race is
// found, and time.Sleep orders nothing. A slice that make or append gives a symbolic
// length is followed for each length, the smallest first. Objects are never freed while
// a path runs, but for whole programs (collect.go); a path with too many ends in
// StopMemory. Inputs have no cycles beyond one alias for each pointer.
//
// To add something: a function without a Go body goes into intrinsics or, better, as Go
// source into _models; an SSA instruction into compile_instr.go with its slow way in the
// file of its subject; a kind of input into inputs.go, concrete.go (how it is written)
// and predict.go (how it is observed).
package vm
