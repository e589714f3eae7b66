package difference

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// Difference is a difference between two versions at a statement of a sequence.
type Difference struct {
	Kind Kind
	At   int // index of the statement
	// Before and After describe the results of the statement in the old and in the new version, as far
	// as they differ.
	Before, After string
}

// Compare returns the first difference between the outcomes of a sequence in the old and in the new
// version. It returns nil if users can see no difference, or if one of the outcomes shows nothing
// because the sequence was not run, refused, or discarded by an assumption. Only calls show
// differences; isCall says which statements are calls. The function known reports whether both versions compare their
// errors with a variable; that an error is one that only one version knows says nothing.
func Compare(old, new *testcase.Outcome, isCall func(stmt int) bool, known func(*types.Var) bool) *Difference {
	if silent(old) || silent(new) {
		return nil
	}
	for i := range min(len(old.Results), len(new.Results)) {
		if i >= old.At && old.Status != testcase.Returned || i >= new.At && new.Status != testcase.Returned {
			break
		}
		if !isCall(i) {
			continue
		}
		if d := compareResults(old.Results[i], new.Results[i], known); d != nil {
			d.At = i
			return d
		}
	}
	if d := compareEnds(old, new); d != nil {
		return d
	}
	if old.Status == testcase.Returned {
		return compareFinal(old, new, known)
	}
	return nil
}

// silent reports whether an outcome shows nothing about the code.
func silent(o *testcase.Outcome) bool {
	if o == nil {
		return true
	}
	switch o.Status {
	case testcase.NotRun, testcase.Discarded, testcase.Refused:
		return true
	}
	return false
}

// compareResults compares the results of one statement.
func compareResults(old, new []testcase.Value, known func(*types.Var) bool) *Difference {
	if len(old) != len(new) {
		return nil // they were not observed
	}
	var found *part
	for i := range old {
		p := compareValues(old[i], new[i], known)
		if p == nil {
			continue
		}
		p.result, p.results = i, len(old)
		if found == nil || p.kind.Rank() < found.kind.Rank() {
			found = p
		}
	}
	if found == nil {
		return nil
	}
	before, after := found.texts(old, new)
	return &Difference{Kind: found.kind, Before: before, After: after}
}

// compareFinal compares the arguments of the last call as they are after the call.
func compareFinal(old, new *testcase.Outcome, known func(*types.Var) bool) *Difference {
	if len(old.Final) != len(new.Final) {
		return nil
	}
	for i := range old.Final {
		if p := compareValues(old.Final[i], new.Final[i], known); p != nil {
			before, after := p.texts(old.Final[i:i+1], new.Final[i:i+1])
			where := fmt.Sprintf("argument %d afterwards ", i+1)
			return &Difference{Kind: State, At: old.At, Before: where + before, After: where + after}
		}
	}
	return nil
}

// ends classifies how an execution ended.
type ends int

const (
	returned ends = iota
	failed        // it panicked, exited or died
	exhausted
)

func endOf(o *testcase.Outcome) ends {
	switch o.Status {
	case testcase.Hung, testcase.Deadlock:
		return exhausted
	case testcase.Panicked, testcase.Exited, testcase.Died, testcase.Goexit:
		if o.Exhausted() {
			return exhausted
		}
		return failed
	}
	return returned
}

// compareEnds compares how executions ended.
func compareEnds(old, new *testcase.Outcome) *Difference {
	a, b := endOf(old), endOf(new)
	switch {
	case b != returned && new.At < old.At:
		a = returned // at this statement the execution still continued
	case a != returned && old.At < new.At:
		b = returned
	}
	at := min(old.At, new.At)
	d := &Difference{At: at, Before: endText(old, at), After: endText(new, at)}
	switch {
	case a == b && a == failed:
		if !anotherFailure(old, new) {
			return nil
		}
		d.Kind = OtherPanic
	case a == b && a == exhausted:
		return nil
	case a == b:
		if old.Violated == new.Violated {
			return nil
		}
		d.Before, d.After = orKeeps(old.Violated), orKeeps(new.Violated)
		if d.Kind = Breaks; new.Violated == "" {
			d.Kind = Keeps
		}
	case b == failed:
		d.Kind = Panics
	case b == exhausted:
		d.Kind = Hangs
	case a == failed:
		d.Kind = Mended
	default:
		d.Kind = Ends
	}
	return d
}

func orKeeps(violated string) string {
	if violated == "" {
		return "keeps its contract"
	}
	return "breaks " + violated
}

// anotherFailure reports whether two executions failed in ways that a user would distinguish. Which
// index was out of range does not matter.
func anotherFailure(old, new *testcase.Outcome) bool {
	if old.Status != new.Status || old.At != new.At {
		return true
	}
	if old.Panic == nil || new.Panic == nil {
		return old.Message != new.Message && old.Status == testcase.Exited
	}
	if old.Unstable || new.Unstable {
		return old.Panic.Kind != new.Panic.Kind
	}
	if old.Panic.Runtime || new.Panic.Runtime {
		return old.Panic.Kind != new.Panic.Kind
	}
	return plainText(old.Panic.Message) != plainText(new.Panic.Message)
}

// Text says how an execution ended, in the way in which a difference shows it.
func Text(o *testcase.Outcome) string { return endText(o, o.At) }

// endText says how an execution ended at a statement and, if it returned, with which results.
func endText(o *testcase.Outcome, at int) string {
	switch {
	case o.Status == testcase.Returned || at < o.At:
		if at < len(o.Results) && len(o.Results[at]) > 0 {
			return "returns " + list(o.Results[at])
		}
		return "returns"
	case o.Status == testcase.Hung:
		return "does not return"
	case o.Status == testcase.Deadlock:
		return "waits for ever"
	case o.Panic != nil:
		return "panics: " + short(o.Panic.Message)
	case o.Message != "":
		return o.Status.String() + ": " + short(o.Message)
	}
	return o.Status.String()
}

// list shows values, separated by commas.
func list(values []testcase.Value) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.String()
	}
	return short(strings.Join(out, ", "))
}

// longest is how many bytes of a text are shown.
const longest = 160

// short cuts a long text in its middle, and puts it on one line.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= longest {
		return s
	}
	head, tail := s[:longest*2/3], s[len(s)-longest/3:]
	return strings.ToValidUTF8(head, "") + " … " + strings.ToValidUTF8(tail, "")
}
