package assayrt

// The protocol: both directions carry frames. A frame is a length in four bytes (little endian) and
// that many bytes, the first of which is the kind of message.

// Messages to the harness.
const (
	// MsgBatch: flags, definitions of types and operations that are new, then
	// sequences. Answered by one MsgOutcome for each, in order.
	MsgBatch = 'B'
	// MsgSearch: number of the search, size, text of the specification ("" for the user's
	// finitization), the registry's numbers of its types, how many candidates may be explored, part,
	// parts, what is wanted. The answers are MsgSpec, MsgCounts and MsgFound, and at the end
	// MsgSearched; or MsgSearchError.
	MsgSearch = 'S'
)

// Messages from the harness.
const (
	MsgHello   = 'H' // once, when it is ready: the identity of the build
	MsgOutcome = 'O' // the outcome of a case
	MsgDone    = 'D' // the batch is finished
	MsgRestart = 'R' // the harness ends itself: earlier cases left goroutines running

	MsgSpec        = 'P' // text of the specification, and the types that its numbers mean
	MsgCounts      = 'C' // explored and valid so far
	MsgFound       = 'F' // a valid structure: vector, number of objects, whether it covers more, what failed
	MsgSearched    = 'T' // explored, valid, whether complete, problems
	MsgSearchError = 'E' // a mistake in the finitization
)

// What a search is to report.
const (
	WantAll     = 1 << iota // every valid structure
	WantOp                  // the operation is done to each structure, and those that fail or cover more are reported
	WantNothing             // only the specification
	WantReads               // the reads of each candidate
)

// Env is the environment variable by which the harness learns its descriptors and, behind them, in which
// order loops go through maps.
const Env = "ASSAY_HARNESS"

// What is captured of a case.
const (
	CaptureNone  = iota // status, coverage, panic
	CaptureHash         // and a hash of each statement's results
	CaptureLast         // and the results of the last statement and its args after it
	CaptureAll          // and the results of every statement
	CaptureCheck        // as CaptureHash, and which contracts the objects break
	CaptureCost         // as CaptureNone, and how much memory the last statement allocates
)

// Statuses, numbered as testcase.Status.
const (
	StatusNotRun = iota
	StatusReturned
	StatusPanicked
	StatusExited
	StatusDied
	StatusHung
	StatusDeadlock
	StatusDiscarded
	StatusRefused
	StatusGoexit
)

// Kinds of values, numbered as testcase.ValueKind.
const (
	KInvalid = iota
	KBool
	KInt
	KUint
	KFloat
	KComplex
	KString
	KNil
	KSlice
	KArray
	KMap
	KStruct
	KPointer
	KInterface
	KOpaque
)

// KErr is set in a value's kind where a description as an error goes before it.
const KErr = 0x80

// Operations, numbered as testcase.OpKind.
const (
	OpInvalid = iota
	OpLiteral
	OpZero
	OpComposite
	OpAddr
	OpFunc
	OpMethod
	OpCallValue
	OpGlobal
	OpSetGlobal
	OpField
	OpSetField
	OpDeref
	OpStore
	OpIndex
	OpConvert
	OpAssert
	OpStubFunc
	OpStubIface
	OpMakeChan
	OpFuncValue
	OpClosure
	_ // a check is a call
	OpSetIndex
	OpSend
	OpClose
)

// Forms of a type in a definition.
const (
	TLeaf   = iota // number in the registry
	TSlice         // element
	TArray         // length, element
	TPtr           // element
	TMap           // key, element
	TChan          // direction (reflect's), element
	TFunc          // variadic, parameters, results
	TNamed         // only from the harness: package path, name
	TStruct        // only from the harness: reflect's string
	TIface         // only from the harness: reflect's string
	TKnown         // only from the harness: number of a type that was defined to it
	TBasic         // only from the harness: reflect.Kind
)

// Offsets in the progress page, which the harness writes and its parent reads, each
// a 64-bit word.
const (
	ProgressCase  = 0  // number of cases that were begun, over the process's life
	ProgressStmt  = 8  // statement that executes
	ProgressPhase = 16 // see Phase constants
	ProgressSlots = 24 // of a search: the candidate's vector, 16 bits a slot
	ProgressSize  = 4096
)

// What the harness is doing.
const (
	PhaseStart = iota // before the first message
	PhaseIdle         // waiting for a message
	PhaseRun          // executing a case
)

// ExitLost is the exit status of a harness whose connection is gone.
const ExitLost = 97
