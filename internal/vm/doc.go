// Package vm is the symbolic virtual machine for Go's SSA form. It executes a driver, a sequence of
// calls with symbolic arguments, along all its paths (King, CACM 1976; Cadar, Dunbar, Engler, OSDI
// 2008).
//
//  1. Explore (driver.go) pops a state from the searcher and lets it run.
//  2. Functions are compiled when they are first called, to a register code that one switch runs
//     (compile.go, run.go). Other operations are functions of the instruction (exec.go and the
//     files by subject).
//  3. At a decision on a symbol the machine asks the solver which sides are possible and forks
//     (branch in exec.go). An instruction changes nothing before its last decision: the other
//     state executes it again from its beginning.
//  4. Each path ends in a named [Stop]. Its condition can be solved (case_solution.go), and it becomes a
//     case: inputs (case_concrete.go), the predicted outcome (case_predict.go), and the decisions in the
//     words of the source (path_conditions.go).
//
// A value is 16 bytes without Go pointers (value.go); aggregates are flattened into cells. A state's
// objects are in pages that are copied when written (heap.go), so that forking costs little.
//
// Inputs are made lazily (inputs.go). A dependency's function is interpreted from its source. A
// function without Go code, or that goes below the language, is an intrinsic (intrinsics.go, host.go)
// or a model in Go source (_models). Package initialisers run once, concretely, when a variable of the
// package is first used; all states share their effects.
//
// Invariants: the machine decides nothing by the order of a Go map or by time, so the same driver,
// searcher and budget give the same paths. Nothing is dropped silently: an operation that the machine
// does not support ends the path as StopUnsupported with a reason, and the inputs so far are executed
// natively.
//
// Package reflect runs from its own source, over type descriptors that the machine writes in cells
// (reflect_type.go); its functions that add offsets to addresses or call functions are replaced (reflect*.go,
// _models/reflect). Package fmt formats known arguments from its source, too; text made of symbols is a
// phantom, until a branch depends on it (phantom.go). Functions of package math beyond the arithmetic
// yield symbols, and their arguments are searched for when the path ends (host_math.go).
//
// Not supported, ending in such a stop: cgo and assembly without a Go twin; unsafe casts between
// different layouts, and code that depends on the order or alignment of addresses; the clock, random
// numbers, the environment (but see Config), system calls and files other than the standard ones,
// effects of finalizers, the amount of memory in use; complex products of symbols; iter.Pull; names of
// types declared in generic functions. The call stack that the runtime reports is right except for
// inlining, which the machine does not do. Goroutines run one at a time and switch only where they
// block, so no data race is found, and time.Sleep orders nothing. A slice that make or append gives a
// symbolic length is followed for each length, the smallest first. Objects are never freed while a path
// runs, except for whole programs (gc.go); a path with too many ends in StopMemory. Inputs have no
// cycles beyond one alias for each pointer.
//
// To add something: a function without a Go body goes into intrinsics or, better, as Go source into
// _models; an SSA instruction into compile_instr.go with its slow way in the file of its subject; a
// kind of input into inputs.go, case_concrete.go (how it is written) and case_predict.go (how it is observed).
package vm
