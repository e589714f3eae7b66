package check

import "slices"

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

// AssumptionKind is a kind of what is assumed and not checked.
type AssumptionKind string

// The kinds of assumptions; docs/check.md explains them. Each can be turned off.
const (
	Overflow   AssumptionKind = "overflow"
	Lossless   AssumptionKind = "conversion"
	Alias      AssumptionKind = "alias"
	Callee     AssumptionKind = "callee"
	Receiver   AssumptionKind = "receiver"
	NonNilArgs AssumptionKind = "interface"
	Race       AssumptionKind = "race"
	Declared   AssumptionKind = "declared"
)

// AssumptionKinds lists the kinds with one line on each, for the command line and its
// documentation.
func AssumptionKinds() []struct {
	Kind AssumptionKind
	Text string
} {
	return []struct {
		Kind AssumptionKind
		Text string
	}{
		{Overflow, "an addition, subtraction, multiplication or negation of integers does not overflow"},
		{Lossless, "a conversion between integer types keeps the value"},
		{Alias, "two pointers by which a field of the same type is reached are not the same"},
		{Callee, "what a call whose code is not known may reach is left alone"},
		{Receiver, "a method is not called on a nil pointer"},
		{NonNilArgs, "an argument of interface or function type is not nil"},
		{Race, "no other goroutine writes what the function reads, not even while it waits"},
		{Declared, "what assay.Assumed says holds"},
	}
}

// ParseAssumptionKind finds a kind by its name.
func ParseAssumptionKind(name string) (AssumptionKind, bool) {
	for _, k := range AssumptionKinds() {
		if string(k.Kind) == name {
			return k.Kind, true
		}
	}
	return "", false
}

// ModeNames are the names of the modes, in their order.
func ModeNames() []string { return []string{"none", "annotated", "may", "must", "both"} }

// ParseMode finds a mode by its name.
func ParseMode(name string) (Mode, bool) {
	i := slices.Index(ModeNames(), name)
	return Mode(i), i >= 0
}
