package plain

import (
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Fields returns the sequence of a case with fields that are set one by one written in the literal of their
// struct: &Segment{A: v} instead of s := &Segment{}; s.A = v, and the same without a pointer. It returns false if no fields
// are set in this way.
func Fields(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	for i := range c.TargetStmt() {
		if seq, ok := fold(c.Seq, i); ok {
			d := *c
			d.Seq = seq
			if more, again := Fields(nil, &d); again {
				return more, true
			}
			return seq, true
		}
	}
	return nil, false
}

// fold moves fields of the struct made by statement i, which later statements set, into its literal.
// Nothing else may use the struct, or the pointer to it, before the last of these statements.
func fold(s *testcase.Sequence, i int) (*testcase.Sequence, bool) {
	made, at := s.At(i), i
	if made.Op.Kind == testcase.OpAddr {
		if at = made.Args[0].Stmt; users(s, at) != 1 {
			return nil, false
		}
	}
	lit := s.At(at)
	if lit.Op.Kind != testcase.OpZero && lit.Op.Kind != testcase.OpComposite {
		return nil, false // the pointer leads to a copy of a call's result
	}
	st, ok := lit.Op.Type.Underlying().(*types.Struct)
	if !ok {
		return nil, false
	}
	fields := map[int]testcase.Ref{}
	for k, a := range lit.Args {
		f := k
		if lit.Op.Elems != nil {
			f = lit.Op.Elems[k]
		}
		fields[f] = a
	}
	last := -1
	set := map[int]bool{}
	for j := i + 1; j < s.Len(); j++ {
		u := s.At(j)
		if !slices.ContainsFunc(u.Args, func(a testcase.Ref) bool { return a.Stmt == i }) {
			continue
		}
		if u.Op.Kind != testcase.OpSetField || u.Args[0].Stmt != i || u.Args[1].Stmt == i {
			break
		}
		f := fieldNumber(st, u.Op.Var)
		if f < 0 {
			break
		}
		fields[f] = u.Args[1]
		set[j] = true
		last = j
	}
	if last < 0 {
		return nil, false
	}
	index := make([]int, s.Len())
	var out []testcase.Statement
	ref := func(a testcase.Ref) testcase.Ref { return testcase.Ref{Stmt: index[a.Stmt], Result: a.Result} }
	for j := range s.Len() {
		switch u := s.At(j); {
		case j == i || j == at:
		case set[j]:
			if j != last {
				continue
			}
			op := &testcase.Operation{Kind: testcase.OpComposite, Type: lit.Op.Type, Elems: []int{}}
			var args []testcase.Ref
			for f := range st.NumFields() {
				if a, ok := fields[f]; ok {
					op.Elems, args = append(op.Elems, f), append(args, ref(a))
				}
			}
			index[i] = len(out)
			out = append(out, testcase.Statement{Op: op, Args: args})
			if at != i {
				index[i] = len(out)
				out = append(out, testcase.Statement{Op: made.Op, Args: []testcase.Ref{{Stmt: len(out) - 1}}})
			}
		default:
			args := make([]testcase.Ref, len(u.Args))
			for k, a := range u.Args {
				args[k] = ref(a)
			}
			index[j] = len(out)
			out = append(out, testcase.Statement{Op: u.Op, Args: args})
		}
	}
	return testcase.NewSequence(out...), true
}

// users returns how many statements use a statement's results.
func users(s *testcase.Sequence, i int) int {
	n := 0
	for j := i + 1; j < s.Len(); j++ {
		if slices.ContainsFunc(s.At(j).Args, func(a testcase.Ref) bool { return a.Stmt == i }) {
			n++
		}
	}
	return n
}

func fieldNumber(st *types.Struct, v *types.Var) int {
	for i := range st.NumFields() {
		if st.Field(i) == v || st.Field(i).Name() == v.Name() && st.Field(i).Pos() == v.Pos() {
			return i
		}
	}
	return -1
}

// MostBare is how many fields of a case's structs can be left out, one by one.
const MostBare = 12

// Bare returns a way that leaves out the n-th field which the structs of a case set, counted from the first statement. A
// reader takes each field of an argument for a reason of the test, so those without which the calls return the same and
// the same mutants are noticed are only in the way. Tried from the last field to the first, one field that is left out
// does not change the numbers of those still to be tried.
func Bare(n int) Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		at, field := setField(c, n)
		if at < 0 {
			return nil, false
		}
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		stmts[at] = withoutField(stmts[at], field)
		return trimmed(stmts)
	}
}

// setField returns the statement and the argument that set the n-th field, or -1 if the case sets fewer.
func setField(c *testcase.Case, n int) (stmt, arg int) {
	for i := range c.TargetStmt() {
		st := c.Seq.At(i)
		if _, ok := structOf(st.Op); !ok || st.Op.IsNameless() {
			continue
		}
		for k := range st.Args {
			if c.Seq.At(st.Args[k].Stmt).Op.Kind == testcase.OpZero {
				continue // nothing is written for a zero field
			}
			if n == 0 {
				return i, k
			}
			n--
		}
	}
	return -1, 0
}

// structOf returns the type of a struct literal.
func structOf(op *testcase.Operation) (*types.Struct, bool) {
	if op.Kind != testcase.OpComposite {
		return nil, false
	}
	st, ok := op.Type.Underlying().(*types.Struct)
	return st, ok
}

// withoutField returns a struct literal without one of its arguments.
func withoutField(st testcase.Statement, arg int) testcase.Statement {
	if len(st.Args) == 1 {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: st.Op.Type}}
	}
	op := *st.Op
	if op.Elems == nil {
		op.Elems = make([]int, len(st.Args))
		for k := range op.Elems {
			op.Elems[k] = k
		}
	}
	op.Elems = slices.Delete(slices.Clone(op.Elems), arg, arg+1)
	return testcase.Statement{Op: &op, Args: slices.Delete(slices.Clone(st.Args), arg, arg+1)}
}

// Filled is a way that sets the fields of structs that a case passes as they are made, to values as [Typical] has them, and passes
// such texts in place of empty ones. Of a record without values a test sees names at most, and of an empty key not even that.
func Filled(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	return withFields(pkg, c, nil)
}

// FilledArguments is Filled, but for the receiver of the case's own call: what the call puts into it shows by itself then.
func FilledArguments(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	st := c.Seq.At(c.TargetStmt())
	if st.Op.Kind != testcase.OpMethod {
		return nil, false
	}
	receiver := map[int]bool{st.Args[0].Stmt: true}
	for i := c.TargetStmt() - 1; i >= 0; i-- {
		if receiver[i] {
			for _, a := range c.Seq.At(i).Args {
				receiver[a.Stmt] = true
			}
		}
	}
	return withFields(pkg, c, receiver)
}

// withFields does what Filled says, but for some statements.
func withFields(pkg *load.Package, c *testcase.Case, but map[int]bool) (*testcase.Sequence, bool) {
	ty := &typical{pkg: pkg, of: c.Seq.At(c.TargetStmt()).Op.Func, given: make(map[string]int), inStruct: true}
	own, foreign, idle := withParts(c.Seq, ownInputs(pkg, c.Seq)), foreignArguments(pkg, c.Seq), unread(pkg, c.Seq)
	names, fields := namesOf(c.Seq)
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if _, ok := idle[i]; ok || but[i] {
			return st, false
		}
		ty.field = fields[i]
		if b, basic := basicOf(st.Op); basic && own[i] && !foreign[i] && b.Info()&types.IsString != 0 && st.Op.Lit.Str == "" && st.Op.Choice == nil && !IsEnumeration(pkg, st.Op.Type) {
			return ty.basic(st.Op.Type, b, names[i])
		}
		if !own[i] || foreign[i] || !isEmpty(st) || !isWrittenOut(pkg, st.Op.Type) {
			return st, false
		}
		u, ok := st.Op.Type.Underlying().(*types.Struct)
		if !ok {
			return st, false
		}
		mark := len(*out)
		made, ok := ty.structure(out, st.Op.Type, u, 0)
		if !ok {
			*out = (*out)[:mark]
			return st, false
		}
		return made, true
	})
}

// Completed returns a way that gives values to everything that a case leaves at zero where users write values: to the fields that
// structs do not set, to empty texts and to numbers. Of what is not set nobody sees whether the code forgets it. The parameter truths
// says whether fields of type bool are set, too, which mostly lead another way through the code. The function objects returns a sequence
// whose last statement makes the n-th object of a type that nobody can write out, nil if there is none; it may be nil.
func Completed(truths bool, objects func(t types.Type, n int) *testcase.Sequence) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		ty := &typical{pkg: pkg, of: c.Seq.At(c.TargetStmt()).Op.Func, given: make(map[string]int), inStruct: true, hooks: true, objects: objects}
		own, foreign, idle := withParts(c.Seq, ownInputs(pkg, c.Seq)), foreignArguments(pkg, c.Seq), unread(pkg, c.Seq)
		names, fields := namesOf(c.Seq)
		index := make([]int, c.Seq.Len())
		var out []testcase.Statement
		changed := false
		for i := range c.Seq.Len() {
			st := testcase.Statement{Op: c.Seq.At(i).Op}
			for _, a := range c.Seq.At(i).Args {
				st.Args = append(st.Args, testcase.Ref{Stmt: index[a.Stmt], Result: a.Result})
			}
			// A struct that users cannot write out is no input of theirs, but a test within the package writes it.
			within := st.Op.Type != nil && isStructOf(pkg, st.Op.Type) && ty.isInside(st.Op.Type)
			ty.field = fields[i]
			if _, unused := idle[i]; (own[i] || within) && !foreign[i] && !unused && st.Op.Choice == nil {
				if made, ok := ty.completed(&out, st, names[i], truths); ok {
					st, changed = made, true
				}
			}
			index[i] = len(out)
			out = append(out, st)
		}
		if !changed {
			return nil, false
		}
		return trimmed(out)
	}
}

// completed returns a statement with values for what it leaves at zero, and appends the statements that make them to out. It
// returns false if there is nothing to complete.
func (ty *typical) completed(out *[]testcase.Statement, st testcase.Statement, name string, truths bool) (testcase.Statement, bool) {
	if b, basic := basicOf(st.Op); basic {
		if !isZeroValue(st) || b.Info()&types.IsBoolean != 0 {
			return st, false
		}
		return ty.basic(st.Op.Type, b, name)
	}
	if isEmpty(st) {
		if made, ok := ty.parsed(out, st.Op.Type); ok {
			return made, true
		}
	}
	if st.Op.Kind != testcase.OpZero && st.Op.Kind != testcase.OpComposite || st.Op.IsNameless() {
		return st, false
	}
	u, ok := st.Op.Type.Underlying().(*types.Struct)
	if !ok {
		return st, false
	}
	if !isWrittenOut(ty.pkg, st.Op.Type) {
		if isEmpty(st) && ty.objects != nil {
			return ty.inside(out, st.Op.Type, u, 0)
		}
		return st, false
	}
	set := make(map[int]testcase.Ref)
	for k, a := range st.Args {
		field := k
		if st.Op.Elems != nil {
			field = st.Op.Elems[k]
		}
		if !isZeroValue((*out)[a.Stmt]) {
			set[field] = a
		}
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: st.Op.Type}
	made, changed := testcase.Statement{Op: op}, false
	setting := isForeignSetting(ty.pkg, load.NamedOf(st.Op.Type))
	for i := range u.NumFields() {
		f := u.Field(i)
		a, has := set[i]
		if b, basic := f.Type().Underlying().(*types.Basic); !has && f.Exported() && ty.looksAt(f) && (!setting || isSeenSetting(ty.pkg, f)) && (truths || !basic || b.Info()&types.IsBoolean == 0) {
			v, ok := ty.ofField(out, st.Op.Type, f, 0)
			if basic && b.Info()&types.IsBoolean != 0 {
				v, ok = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: f.Type(), Lit: testcase.Literal{Kind: testcase.LitBool, Bits: 1}}}, true
			}
			if ok {
				a, has, changed = testcase.Ref{Stmt: len(*out)}, true, true
				*out = append(*out, v)
			}
		}
		if !has && ty.setsInside(st.Op.Type, f) {
			if v, ok := ty.object(out, f.Type()); ok {
				a, has, changed = testcase.Ref{Stmt: len(*out)}, true, true
				*out = append(*out, v)
			}
		}
		if has {
			op.Elems, made.Args = append(op.Elems, i), append(made.Args, a)
		}
	}
	return made, changed
}

// isZeroValue reports whether a statement makes the zero value of a type, by a constant or without one.
func isZeroValue(st testcase.Statement) bool {
	return st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpLiteral && st.Op.Lit.Bits == 0 && st.Op.Lit.Imag == 0 && st.Op.Lit.Str == ""
}

// withParts returns statements and those that make the structs in what they make: elements of lists, fields, and what stand-ins return.
func withParts(s *testcase.Sequence, own map[int]bool) map[int]bool {
	out := maps.Clone(own)
	for i := s.Len() - 1; i >= 0; i-- { // a part is made before the whole
		kind := s.At(i).Op.Kind
		isStandIn := kind == testcase.OpStubIface || kind == testcase.OpStubFunc
		if !out[i] || kind != testcase.OpComposite && !isStandIn {
			continue
		}
		for _, a := range s.At(i).Args {
			if isStandIn && s.At(a.Stmt).Op.Kind == testcase.OpAddr {
				a = s.At(a.Stmt).Args[0]
			}
			switch s.At(a.Stmt).Op.Kind {
			case testcase.OpComposite, testcase.OpZero:
				if _, basic := s.At(a.Stmt).Op.Type.Underlying().(*types.Basic); !basic {
					out[a.Stmt] = true
				}
			}
		}
	}
	return out
}
