package check

// Kind is a kind of assertion.
type Kind string

// The kinds of assertions. A kind that corresponds to a run-time panic has the name of
// testcase.Panic.Kind.
const (
	NilDereference Kind = "nil-dereference"
	Index          Kind = "index-out-of-range"
	Slice          Kind = "slice-out-of-range"
	Division       Kind = "division-by-zero"
	TypeAssertion  Kind = "type-assertion"
	NegativeLength Kind = "negative-length"
	NegativeShift  Kind = "negative-shift"
	NilMapWrite    Kind = "nil-map-write"
	ClosedChannel  Kind = "closed-channel"
	Conversion     Kind = "conversion"       // a slice that is shorter than the array that it is converted to
	LossyConvert   Kind = "lossy-conversion" // a conversion that changes a number; checked only with the flag -lossy
	ExplicitPanic  Kind = "explicit"
	Assert         Kind = "assertion"
	Requires       Kind = "requires"
	Ensures        Kind = "ensures"
	Invariant      Kind = "invariant"
	// Anonymous stands for the assertions of a function literal. It is an assertion of the function that
	// makes the literal, and an execution meets it at the expression of the literal.
	Anonymous Kind = "anonymous"
	// InsideCall stands for the assertions that an unexported function meets when it is called; see
	// guide.Inside.
	InsideCall Kind = "inside"
)

// StandsForOthers reports whether assertions of a kind stand for assertions of another function. The
// assertions of that function have verdicts of their own.
func (k Kind) StandsForOthers() bool { return k == Anonymous || k == InsideCall }

// Written reports whether assertions of a kind are written in the code, or in a contract. The others are implied by
// instructions, which do not go on where these fail.
func (k Kind) Written() bool { return k == Assert || k == Ensures || k == Invariant }
