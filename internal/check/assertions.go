package check

// Kind is a kind of assertion.
type Kind string

// The kinds of assertions. Those that a run-time panic has a name for are called as
// testcase.Panic.Kind calls them.
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
	LossyConvert   Kind = "lossy-conversion" // a conversion that changes a number; on request only
	ExplicitPanic  Kind = "explicit"
	Assert         Kind = "assertion"
	Requires       Kind = "requires"
	Ensures        Kind = "ensures"
	Invariant      Kind = "invariant"
	// Anonymous stands for the assertions of a function literal, which belongs to the
	// function that makes it: executing the literal's expression meets it.
	Anonymous Kind = "anonymous"
	// InsideCall stands for what a call of an unexported function meets; see Inside.
	InsideCall Kind = "inside"
)

// StandsForOthers reports whether assertions of a kind stand for those of another function,
// which is where they get their verdicts.
func (k Kind) StandsForOthers() bool { return k == Anonymous || k == InsideCall }
