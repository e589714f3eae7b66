package check

// AssumptionKind is a kind of assumption: a fact that the analysis takes for granted without checking
// it.
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

// AssumptionKinds lists the kinds with one line about each, for the command line and its documentation.
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
