package choose

import (
	"context"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// unknownChange stands for what a call changed in an object that could not be read before and after the call.
const unknownChange = "?"

// changedFields returns, for each of the cases that call a method, the numbers of the fields of its object that the
// call changed, as text; "" if the object is the same as before. Objects are read to the end, unexported fields as well,
// because a field that no observer shows may decide what a later call does.
func (m *mutantChooser) changedFields(ctx context.Context, pool []*testcase.Case) (map[*testcase.Case]string, error) {
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range pool {
		at := c.TargetStmt()
		object, ok := m.observers.table.Subject(c)
		if ok && object.Stmt < at && !c.Whole && !m.bench.Changes(c.Seq) {
			cases = append(cases, c)
			seqs = append(seqs, c.Seq.Prefix(at), c.Seq.Prefix(at+1))
		}
	}
	outcomes, err := m.bench.Proposals(false).Run(ctx, seqs)
	if err := m.UnlessCut(err); err != nil {
		return nil, err
	}
	out := make(map[*testcase.Case]string)
	for i, c := range cases {
		out[c] = unknownChange
		if 2*i+1 >= len(outcomes) {
			continue
		}
		object, _ := m.observers.table.Subject(c)
		before, ok := m.leftOf(seqs[2*i], outcomes[2*i], object)
		after, okAfter := m.leftOf(seqs[2*i+1], outcomes[2*i+1], object)
		if ok && okAfter {
			out[c] = differentFields(before, after)
		}
	}
	return out, nil
}

// leftOf returns the state of an object behind the last call of a sequence, if this call made the object or was a
// method of it.
func (m *mutantChooser) leftOf(s *testcase.Sequence, o *testcase.Outcome, object testcase.Ref) (testcase.Value, bool) {
	last := s.Len() - 1
	if op := s.At(last).Op; last != object.Stmt && (op.Kind != testcase.OpMethod || s.At(last).Args[0] != object) {
		return testcase.Value{}, false
	}
	return m.observers.left(s, o)
}

// differentFields returns the numbers of the fields in which two objects differ.
func differentFields(a, b testcase.Value) string {
	for a.Kind == testcase.Pointer && b.Kind == testcase.Pointer && len(a.Elems) == 1 && len(b.Elems) == 1 {
		a, b = a.Elems[0], b.Elems[0]
	}
	if a.Kind != testcase.Struct || b.Kind != testcase.Struct || len(a.Elems) != len(b.Elems) {
		if sameObject(a, b) {
			return ""
		}
		return "all"
	}
	var out []string
	for i := range a.Elems {
		if !sameObject(a.Elems[i], b.Elems[i]) {
			out = append(out, fmt.Sprint(i))
		}
	}
	return strings.Join(out, ",")
}
