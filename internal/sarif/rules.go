package sarif

import (
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// rule describes a kind of finding.
type rule struct {
	kind, name, short, help string
}

// rules are the kinds of findings, in the order in which the file lists them.
func rules() []rule {
	return []rule{
		{"nil-dereference", "NilDereference", "A nil pointer is dereferenced.", "A user's call leads to the use of a nil pointer, which panics. Check for nil, or see to it that the pointer is set."},
		{"index-out-of-range", "IndexOutOfRange", "An index is out of range.", "A user's call leads to an index beyond the length, which panics. Check the length first."},
		{"slice-out-of-range", "SliceOutOfRange", "The bounds of a slice expression are out of range.", "A user's call leads to bounds beyond the capacity or in the wrong order, which panics. Check them first."},
		{"division-by-zero", "DivisionByZero", "An integer is divided by zero.", "A user's call leads to a division by zero, which panics. Check the divisor first."},
		{"type-assertion", "TypeAssertion", "A type assertion fails.", "A user's call leads to a value of another type, which panics. Use the form with two results."},
		{"nil-map-write", "NilMapWrite", "An entry is written to a nil map.", "A user's call leads to a write to a map that was not made, which panics."},
		{"negative-length", "NegativeLength", "Something is made with a negative length.", "A user's call leads to make with a negative length, which panics."},
		{"negative-shift", "NegativeShift", "A shift count is negative.", "A user's call leads to a negative shift count, which panics."},
		{"closed-channel", "ClosedChannel", "A closed channel is sent to or closed.", "A user's call leads to a send to, or a close of, a channel that is closed, which panics."},
		{"conversion", "Conversion", "A slice is too short for the array that it is converted to.", "A user's call leads to the conversion of a slice to a longer array, which panics."},
		{"explicit", "ExplicitPanic", "The code panics by its own word.", "A user's call leads to a panic that the code raises, although nothing says that it may."},
		{"other", "OtherPanic", "The code panics.", "A user's call leads to a panic."},
		{"contract", "Contract", "A contract is broken.", "A call that keeps what the contract requires does not ensure what it states."},
		{"invariant", "Invariant", "An invariant is broken.", "Calls that a user may make lead to an object of which the invariant does not hold."},
		{"assertion", "Assertion", "An assertion is false.", "A user's call leads to an assertion that does not hold."},
		{"deadlock", "Deadlock", "All goroutines are asleep.", "A user's call leads to a deadlock."},
		{"hang", "Hang", "A call does not return.", "A user's call did not return within its time."},
		{"stack-overflow", "StackOverflow", "The stack overflows.", "A user's call leads to a recursion without an end."},
		{"fatal", "Fatal", "The process dies.", "A user's call leads to an error that ends the process and cannot be recovered from."},
		{"questionable", "Questionable", "A test states something strange as right.", "The code does this, and a reader would ask whether it should. See whether the test states what is meant."},
	}
}

// ruleOf returns the rule of a kind. If the table lacks the kind, the rule has only its name.
func ruleOf(kind string) rule {
	for _, r := range rules() {
		if r.kind == kind {
			return r
		}
	}
	return rule{kind: kind, name: "Finding", short: "A finding of kind " + kind + ".", help: "A user's call shows a defect of kind " + kind + "."}
}

// id returns the name of the rule in results.
func (r rule) id() string { return "assay/" + r.kind }

// descriptor returns the rule in the form of the file.
func (r rule) descriptor() *sarif.ReportingDescriptor {
	return sarif.NewRule(r.id()).WithName(r.name).WithDescription(r.short).
		WithFullDescription(sarif.NewMultiformatMessageString().WithText(r.help)).
		WithHelp(sarif.NewMultiformatMessageString().WithText(r.help)).
		WithHelpURI("https://github.com/goassay/assay/blob/main/docs/findings.md#" + r.kind).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel("error"))
}
