package finding

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Judge knows what it takes to say what a case is.
type Judge struct {
	Rules *usage.Rules
	// Machine has the blocks that ask for something of the machine or the user: of what a
	// case that reaches them returns, nothing can be asserted.
	Machine testcase.Cover
}

// Case says why a case is no test, "" if it is one, and what it found. Every stage and verb
// asks here, so that a case is the same to all of them.
func (j Judge) Case(c *testcase.Case) (verdict string, f *testcase.Finding) {
	o := c.Observed
	if o == nil || o.Status == testcase.NotRun {
		return "there was no time to run it", nil
	}
	if n := c.Seq.Len(); n > maxStatements {
		return fmt.Sprintf("its input would take %d statements to write", n), nil
	}
	if repeatsKey(c.Seq) {
		return "a map in it has a key twice, which cannot be written", nil
	}
	if denied(o) {
		return "it is refused access to the system, and need not be elsewhere", nil
	}
	if o.Status == testcase.Returned && j.asksMachine(o) {
		return "what it comes to depends on the machine", nil
	}
	switch o.Status {
	case testcase.Discarded:
		return "no input satisfies what the code assumes", nil
	case testcase.Refused:
		return o.Message, nil
	case testcase.Exited:
		return "it ends the process", nil
	case testcase.Goexit:
		return "it ends its goroutine", nil
	}
	f = Of(j.Rules, c)
	switch {
	case f != nil && f.Kind == "explicit" && f.Severity == testcase.Misuse && !o.Held && o.Status == testcase.Panicked && !o.Unstable:
		// The code refuses misuse in so many words: that is behaviour to be tested.
		return "", f
	case f != nil:
		return f.Message, f
	case o.Held:
		return "it leaves a lock of the package held", nil
	case o.Unstable && o.Status != testcase.Returned:
		return "it behaves differently each time", nil
	}
	return "", nil
}

// maxStatements is how long a test may be that is given to the reducer: beyond it
// nobody would read what comes out.
const maxStatements = 600

// denied reports whether the execution met an error that says that the kernel refused
// something, as it does under confinement: a test that expects it would fail where tests
// run freely.
func denied(o *testcase.Outcome) bool {
	says := func(text string) bool {
		return strings.HasSuffix(text, ": permission denied") || strings.HasSuffix(text, ": operation not permitted")
	}
	var met func(v testcase.Value) bool
	met = func(v testcase.Value) bool {
		return v.Err != nil && says(v.Err.Message) || v.Kind == testcase.String && says(v.Str) || slices.ContainsFunc(v.Elems, met)
	}
	for _, vs := range o.Results {
		if slices.ContainsFunc(vs, met) {
			return true
		}
	}
	return slices.ContainsFunc(o.Final, met) || o.Panic != nil && (met(o.Panic.Value) || says(o.Panic.Message))
}

// repeatsKey reports whether a map is made with the same constant key twice, be it one of
// those that are there for the map's size: a run takes that, a compiler does not.
func repeatsKey(s *testcase.Sequence) bool {
	for i := range s.Len() {
		st := s.At(i)
		m, ok := st.Op.Type, st.Op.Kind == testcase.OpComposite
		if !ok {
			continue
		}
		t, ok := m.Underlying().(*types.Map)
		if !ok {
			continue
		}
		seen := make(map[testcase.Literal]bool)
		for j := 0; j+1 < len(st.Args); j += 2 {
			op := s.At(st.Args[j].Stmt).Op
			key := op.Lit
			if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
				continue
			}
			if op.Kind == testcase.OpZero {
				first, ok := testcase.FillKey(t.Key(), 0)
				if !ok {
					continue
				}
				key = testcase.Literal{Kind: first.Kind}
			}
			if seen[key] {
				return true
			}
			seen[key] = true
		}
		for n := st.Op.From; n < st.Op.From+st.Op.N && len(seen) > 0; n++ {
			if key, ok := testcase.FillKey(t.Key(), n); ok && seen[key] {
				return true
			}
		}
	}
	return false
}

// asksMachine reports whether an execution reached such a block.
func (j Judge) asksMachine(o *testcase.Outcome) bool {
	for i, w := range j.Machine {
		if i < len(o.Cover) && o.Cover[i]&w != 0 {
			return true
		}
	}
	return false
}
