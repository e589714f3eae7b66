package emit

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// mutated returns the arguments that the last statement changed, if they were observed completely.
func (s *script) mutated() []int {
	o := s.Case.Observed
	last := s.Seq.Last()
	if k := last.Op.Kind; k == testcase.OpDeref || k == testcase.OpField {
		return nil // the call only reads
	}
	if len(last.Args) == 1 && load.IsBuffer(s.TypeOf(last.Args[0])) {
		return nil // so does the reading of a buffer
	}
	if obs, _, ok := observations(s.Case, s.Case.TargetStmt()); ok && len(obs) > 0 {
		return nil // observers show the effect of the call
	}
	if s.ReadsOnly != nil && (last.Op.Kind == testcase.OpFunc || last.Op.Kind == testcase.OpMethod) && s.ReadsOnly(last.Op) {
		return nil
	}
	if o == nil || o.At != s.Seq.Len()-1 || o.Status != testcase.Returned {
		return nil
	}
	var out []int
	for k, a := range last.Args {
		if k >= len(o.Final) {
			break
		}
		before, after := s.Observed(a), o.Final[k]
		switch after.Kind {
		case testcase.Slice, testcase.Map, testcase.Pointer:
		case testcase.Array: // the call has a copy, and what the elements point to
		case testcase.Struct: // likewise
			if !load.IsRecord(s.TypeOf(a)) {
				continue
			}
		case testcase.Bool, testcase.Int, testcase.Uint, testcase.Float, testcase.String:
			if k > 0 || !s.IsAddressed(a.Stmt, s.Seq.Len()-1) { // a variable that holds the value, as in n.UnmarshalText(text)
				continue
			}
		default:
			continue
		}
		if after.Again || testcase.ReadsText(s.Seq.At(a.Stmt).Op) || slices.Index(last.Args, a) != k {
			continue
		}
		if s.receiverOfVoid(k) && after.Kind == testcase.Pointer {
			out = append(out, k)
			continue
		}
		receiver := last.Op.Kind == testcase.OpMethod && k == 0
		if before.Kind == testcase.Invalid || before.Equal(after) && !s.Case.ShowsAgain(k) {
			continue
		}
		if !receiver && s.calledBefore(a) && !s.Case.ShowsAgain(k) {
			continue // the object was observed when it was made, and calls of its methods have changed it since
		}
		if receiver && last.Op.HasCopy() {
			continue // the method has a copy
		}
		if before.Kind != after.Kind || len(before.Elems) != len(after.Elems) && after.Kind != testcase.Map {
			continue
		}
		out = append(out, k)
	}
	return out
}

// returnsData reports whether a call returns anything but an error.
func returnsData(op *testcase.Operation) bool {
	results := op.Signature().Results()
	return results.Len() > 1 || results.Len() == 1 && !gosyntax.IsError(results.At(0).Type())
}

// calledBefore reports whether a method was called on the result before the last
// statement.
func (s *script) calledBefore(r testcase.Ref) bool {
	for i := r.Stmt + 1; i < s.Seq.Len()-1; i++ {
		if st := s.Seq.At(i); st.Op.Kind == testcase.OpMethod && st.Args[0] == r {
			return true
		}
	}
	return false
}

// receiverOfVoid reports whether arg k of the last statement is the receiver of a method that returns
// nothing. The effect of such a call shows in its receiver only.
func (s *script) receiverOfVoid(k int) bool {
	i := s.Seq.Len() - 1
	return k == 0 && s.Seq.At(i).Op.Kind == testcase.OpMethod && len(s.Types[i]) == 0
}

// changedParts counts the fields in which two structs differ.
func changedParts(was, is testcase.Value) int {
	n := 0
	for i, v := range is.Elems {
		if i >= len(was.Elems) || !was.Elems[i].Equal(v) {
			n++
		}
	}
	return n
}

// setBefore reports whether the test itself has set a field of an object to this value. That the call leaves a setting alone is
// not what the call is for.
func (s *script) setBefore(object testcase.Ref, field *types.Var, to testcase.Value) bool {
	for i := range s.Seq.Len() - 1 {
		st := s.Seq.At(i)
		if st.Op.Kind == testcase.OpSetField && st.Args[0] == object && st.Op.Var.Name() == field.Name() && s.Observed(st.Args[1]).Equal(to) {
			return true
		}
	}
	return false
}

// leaves reports whether the last call, if it is one of a method, cannot change a field of its object.
func (s *script) leaves(field *types.Var) bool {
	op := s.Seq.Last().Op
	return s.w.leaves != nil && op.Kind == testcase.OpMethod && s.w.leaves(op, field)
}

// keepMutated gives variables to the args that the last statement changes.
func (s *script) keepMutated() {
	for _, k := range s.mutated() {
		s.Keep[s.Seq.Last().Args[k]] = true
	}
}

// assertMutated asserts the changes that the last statement made in its arguments. Of a receiver with
// methods only the changed fields are asserted, and only if no result of the call says as much.
func (s *script) assertMutated() {
	last := s.Seq.Last()
	for _, k := range s.mutated() {
		ref := last.Args[k]
		name, ok := s.Vars[ref]
		if !ok {
			continue
		}
		t := s.TypeOf(ref)
		before, after := s.Observed(ref), s.Case.Observed.Final[k]
		subject := name + " after " + s.Display(s.Seq.Len()-1)
		p, isPointer := t.Underlying().(*types.Pointer)
		if !isPointer {
			as, _ := s.assertWhole(name, t, after)
			s.writeAsserts(subject, as, 1)
			s.changed = append(s.changed, name)
			continue
		}
		if len(after.Elems) != 1 {
			continue
		}
		elem, was := after.Elems[0], testcase.Value{}
		if len(before.Elems) == 1 {
			was = before.Elems[0]
		}
		st, isStruct := p.Elem().Underlying().(*types.Struct)
		if !isStruct {
			as, _ := s.assertWhole("*"+name, p.Elem(), elem)
			s.writeAsserts("*"+subject, as, 1)
			s.changed = append(s.changed, "*"+name)
			continue
		}
		isReceiver := last.Op.Kind == testcase.OpMethod && k == 0
		if !isReceiver && load.IsRecord(p.Elem()) && changedParts(was, elem) > 1 { // what was decoded or copied into it is what the call is for
			if as, ok := s.assertWhole("*"+name, p.Elem(), elem); ok {
				s.writeAsserts("*"+subject, as, 1)
				s.changed = append(s.changed, "*"+name)
				continue
			}
		}
		shows := func(*types.Var) bool { return true }
		if last.Op.Kind == testcase.OpMethod && k == 0 {
			shows = testcase.ShowsReceiver(last.Op)
		}
		s.changing = true
		s.within = &testcase.FieldRef{Stmt: -1, Result: k}
		if receiver := last.Op.Kind == testcase.OpMethod && k == 0; receiver && returnsData(last.Op) {
			s.within = nil // users of the package see these fields beside the results, whatever mutants say
		}
		fields := s.assertFields(name, p.Elem(), elem, func(i int) bool {
			changed := len(was.Elems) == len(elem.Elems) && !was.Elems[i].Equal(elem.Elems[i])
			chosen := s.Case.Fields[testcase.FieldRef{Stmt: -1, Result: k, Field: i}]
			if receiver := last.Op.Kind == testcase.OpMethod && k == 0; receiver && s.Case.Fields != nil && !chosen && testcase.TellsApart(last.Op, st.Field(i)) {
				return false
			}
			return shows(st.Field(i)) && (changed || chosen && s.Case.ShowsAgain(k)) && (chosen || !s.setBefore(ref, st.Field(i), elem.Elems[i]) && !s.leaves(st.Field(i)))
		})
		s.within = nil
		fields = append(fields, s.changedBehind(name, st, was, elem, shows)...)
		s.changing = false
		if len(fields) == 0 && len(was.Elems) == 0 && len(s.Types[s.Seq.Len()-1]) == 0 {
			// The object's state before the call is not known.
			fields = s.assertFields(name, p.Elem(), elem, nil)
			fields = fields[:min(len(fields), 3)]
		}
		for _, a := range fields {
			field := a.what
			s.changed = append(s.changed, field)
			a.what = ""
			s.writeAsserts(name+"."+field+" after "+s.Display(s.Seq.Len()-1), []assertion{a}, 1)
		}
	}
}

// changedBehind asserts what a call has changed in structs of other packages to which fields of an object point: the header of in.Request. Of
// such a struct only the fields that have changed are compared.
func (s *script) changedBehind(name string, st *types.Struct, was, is testcase.Value, shows func(*types.Var) bool) []assertion {
	if !token.IsIdentifier(name) || len(was.Elems) != st.NumFields() || len(is.Elems) != st.NumFields() {
		return nil
	}
	var out []assertion
	for i := range st.NumFields() {
		f := st.Field(i)
		p, ok := f.Type().Underlying().(*types.Pointer)
		before, after := was.Elems[i], is.Elems[i]
		if !ok || !f.Exported() || !shows(f) || before.Equal(after) || len(before.Elems) != 1 || len(after.Elems) != 1 {
			continue
		}
		inner, ok := p.Elem().Underlying().(*types.Struct)
		if n := load.NamedOf(p.Elem()); !ok || n == nil || n.Obj().Pkg() == s.Pkg.Types {
			continue
		}
		b, a := before.Elems[0], after.Elems[0]
		if len(b.Elems) != inner.NumFields() || len(a.Elems) != inner.NumFields() {
			continue
		}
		for _, as := range s.assertFields(name+"."+f.Name(), p.Elem(), a, func(k int) bool { return inner.Field(k).Exported() && !b.Elems[k].Equal(a.Elems[k]) }) {
			as.what = f.Name() + "." + as.what
			out = append(out, as)
		}
	}
	return out
}
