package assayrt

// The protocol: both directions carry frames. A frame is a length in four bytes (little endian) and
// that many bytes, the first of which is the kind of message.

// Messages to the harness.
const (
	// MsgBatch has flags, the definitions of new types and operations, and sequences. The answer is one
	// MsgOutcome for each sequence, in order.
	MsgBatch = 'B'
	// MsgSearch has the number of the search, the size, the text of the specification ("" for the user's
	// finitization), the registry's numbers of its types, how many candidates may be explored, the part, the
	// number of parts, and what to report. The answers are MsgSpec, MsgCounts and MsgFound, followed by
	// MsgSearched, or MsgSearchError.
	MsgSearch = 'S'
)

// Messages from the harness.
const (
	MsgHello   = 'H' // sent once, when the harness is ready: the identity of the build
	MsgOutcome = 'O' // the outcome of a case
	MsgDone    = 'D' // the batch is finished
	MsgRestart = 'R' // the harness ends itself: earlier cases left goroutines running

	MsgSpec        = 'P' // text of the specification, and the types that its numbers mean
	MsgCounts      = 'C' // the numbers of explored and valid candidates so far
	MsgFound       = 'F' // a valid structure: vector, number of objects, whether it covers more, what failed
	MsgSearched    = 'T' // the numbers of explored and valid candidates, whether the search is complete, problems
	MsgSearchError = 'E' // a mistake in the finitization
)

// What a search is to report.
const (
	WantAll     = 1 << iota // every valid structure
	WantOp                  // apply the operation to each structure, and report structures for which it fails or covers more
	WantNothing             // only the specification
	WantReads               // the reads of each candidate
)

// Env is the environment variable that tells the harness its descriptors and, behind them, in which order
// loops go through maps.
const Env = "ASSAY_HARNESS"

// What is captured of a case.
const (
	CaptureNone   = iota // status, coverage and panic
	CaptureHash          // in addition, a hash of each statement's results
	CaptureLast          // in addition, the results of the last statement and its arguments after it
	CaptureAll           // in addition, the results of every statement
	CaptureCheck         // as CaptureHash, and the contracts that the objects break
	CaptureCost          // as CaptureNone, and how much memory and time the last statement takes
	CaptureInside        // as CaptureNone, and calls inside the package go by contracts
)

// Statuses, with the numbers of testcase.Status.
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

// Kinds of values, with the numbers of testcase.ValueKind.
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

// KErr is set in a value's kind if the value's description as an error stands before it.
const KErr = 0x80

// Operations, with the numbers of testcase.OpKind.
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
	_ // a check is encoded as a call
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
	ProgressCase  = 0  // how many cases were begun, over the process's life
	ProgressStmt  = 8  // the statement that executes
	ProgressPhase = 16 // a Phase constant
	ProgressSlots = 24 // for a search: the candidate's vector, 16 bits for each slot
	ProgressSize  = 4096
)

// The phases of the harness.
const (
	PhaseStart = iota // before the first message
	PhaseIdle         // waiting for a message
	PhaseRun          // executing a case
	PhaseSend         // sending outcomes, for which the process may have to wait until its parent has read others
)

// ExitLost is the exit status of a harness that has lost its connection.
const ExitLost = 97
