package vm

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// op is an operation of the register code.
type op uint16

// The operations. Operands A, B, C and the destination D are registers of the frame; W is the width in
// bits, Imm a mask, offset or count, Aux an index into the function's side table. Operations without a
// comment do what their name says.
const (
	opMov  op = iota // D = A, one cell
	opMovN           // D.. = A.., Imm cells
	opZero           // D.. = 0, Imm cells

	// integers
	opAdd
	opSub
	opMul
	opQuoS
	opQuoU
	opRemS
	opRemU
	opAnd
	opOr
	opXor
	opAndNot
	opShl // Imm: 1 if the count is signed; C: the count's width
	opShrS
	opShrU
	opLen // D = A, unless A is poison; for the length or capacity of a string or slice
	opNeg
	opCom
	opNot
	opEq // of cells: integers, bool, pointers without symbolic parts
	opNe
	opLtS
	opLeS
	opLtU
	opLeU
	opTrunc // D = A & Imm: to a narrower or equally wide unsigned type
	opSext  // from C bits to W bits

	// control
	opJump // to Imm
	opIf   // A: to Imm, else to B; C: the site
	opIfEq // compare and branch; W as in opEq; Aux: jump data
	opIfNe
	opIfLtS
	opIfLeS
	opIfLtU
	opIfLeU
	opReturn // A.., Imm cells

	// memory
	opAlloc     // D = new object of Imm cells; Aux: type
	opLoad      // D.. = *A, Imm cells; C: offset to add
	opLoad1     // one cell
	opStore     // *A = B.., Imm cells
	opStore1    //
	opFieldAddr // D = A + Imm with a nil check
	opIndexAddrSlice
	opIndexAddrArray // A: pointer to array; C: its length
	opGlobalPoison   // a global that could not be initialised

	// The switch leaves these to exec. Aux is the index of the SSA instruction's data.
	opSlow
	opCall
)

// Instr is an instruction.
type Instr struct {
	Op   op
	W    uint8
	D    int32
	A    int32
	B    int32
	C    int32
	Aux  int32
	Imm  uint64
	slow func(m *Machine, st *State, fr *Frame, ins *Instr) signal
	data any // for slow instructions: the data that exec needs
}

// Func is a compiled function.
type Func struct {
	ID        int
	Name      string // full name, as ssa prints it
	ssa       *ssa.Function
	code      []Instr
	pos       []token.Pos // of each instruction
	nregs     int
	consts    []Value   // copied to the first registers of a frame
	nargs     int       // cells
	args      int       // first register of the parameters (free variables before them)
	nfree     int       // cells of free variables
	result    *Type     // tuple of results
	recover   int32     // pc of the recover block, or -1 if there is none
	intrinsic intrinsic // instead of code
	sites     []int32   // by pc of the conditional branches: number in Machine.sites
	entry     ObjID     // the object behind a *runtime.Func; see vmFunc
	own       bool      // belongs to the package under test
	entered   bool      // a path, not only an initialiser, has come here
	guide     *guided   // nil if no verifier knows it
	stop      string    // why it can't be run, if it can't
	free      []*Frame  // finished frames, for reuse
}

// site is a branch or an implicit check in the code. Coverage and trails refer to sites.
type site struct {
	fn  *Func
	pos token.Pos
	ins ssa.Instruction
	own bool
	// asks says that the path is to show which way the branch went, even if its condition is no symbol: see asksInput.
	asks bool
}

// signal says how the interpreter continues after a slow instruction.
type signal uint8

const (
	sigNext   signal = iota // with the next instruction
	sigFrame                // with the top frame, at its pc
	sigStop                 // the path has ended
	sigSwitch               // the goroutine is blocked or done: run another
)

// callee is the function that a call enters.
type callee struct {
	fn         *Func
	free       []Value // bindings of a closure
	builtin    string
	stub       uint32 // number of an input function that is scripted, if not 0
	stubMethod string
	stubSig    *Type // its result tuple
}

// unsupported is the panic value for operations that the machine does not support. It ends the path
// with StopUnsupported and its text as the reason.
type unsupported string

// Stop says why the exploration of a path ended.
type Stop string

// The ways a path ends. All ways but those marked "no case" yield a case; paths that end with StopUnsupported
// or a later one are handed over to native execution without a prediction.
const (
	StopNone        Stop = ""
	StopReturn      Stop = "return"
	StopPanic       Stop = "panic"
	StopExit        Stop = "exit"
	StopFatal       Stop = "fatal" // an error that the runtime does not recover from
	StopDeadlock    Stop = "deadlock"
	StopGoexit      Stop = "goexit"
	StopSetup       Stop = "setup"       // a preparing call failed: no case
	StopAssume      Stop = "assume"      // an assay.Assume does not hold: no test
	StopAssert      Stop = "assert"      // an assay.Assert is violated
	StopPruned      Stop = "pruned"      // everything that follows is verified
	StopVerified    Stop = "verified"    // a verifier excludes this path: no case
	StopInfeasible  Stop = "infeasible"  // no input takes this path
	StopReplaced    Stop = "replaced"    // goes on as another state, see exactText: no case
	StopUnsupported Stop = "unsupported" // the reason names what the machine does not support
	StopConcrete    Stop = "concrete"    // AssumeOrExecuteConcretely was given up
	StopSolver      Stop = "solver"      // the solver did not answer within its limit
	StopBudget      Stop = "budget"      // the path's or the exploration's effort is used up
	StopStack       Stop = "stack"       // deeper recursion than the machine follows
	StopMemory      Stop = "memory"      // more objects than the machine keeps
)
