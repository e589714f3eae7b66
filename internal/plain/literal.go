package plain

import (
	"go/types"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Literals returns the sequence of a case with values written as literals instead of computed by calls:
// Segment{A: Vec{-2, 0}} instead of three calls that compute the segment. It returns false if no value was
// computed, or if users of the package cannot write a computed value.
func Literals(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	target := c.TargetStmt()
	results := c.Seq.ResultTypes()
	index := make([]int, c.Seq.Len())
	var out []testcase.Statement
	first := make([]bool, c.Seq.Len()) // whether a literal was written instead of a call's result
	changed := false
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		computes := st.Op.Kind == testcase.OpFunc || st.Op.Kind == testcase.OpMethod || st.Op.Kind == testcase.OpCallValue || st.Op.Kind == testcase.OpField || st.Op.Kind == testcase.OpDeref || st.Op.Kind == testcase.OpIndex || makesText(st.Op)
		if k := len(results[i]) - 1; k >= 0 && i < target && computes && !makesMoment(st.Op) && i < len(c.Observed.Results) && len(c.Observed.Results[i]) == k+1 && !isConstructed(c.Seq, i) {
			for r := range k + 1 {
				if !onlyData(c.Seq, i, r) {
					continue
				}
				if at, ok := write(pkg, &out, results[i][r], c.Observed.Results[i][r]); ok {
					index[i], first[i], changed = at, true, true
					break
				}
			}
			if first[i] {
				continue
			}
		}
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
			if first[a.Stmt] {
				args[k].Result = 0
			}
		}
		index[i] = len(out)
		out = append(out, testcase.Statement{Op: st.Op, Args: args})
	}
	if !changed {
		return nil, false
	}
	d := *c
	var ok bool
	if d.Seq, ok = used(testcase.NewSequence(out...), index[target]); !ok {
		return nil, false
	}
	if folded, any := Fields(pkg, &d); any {
		d.Seq = folded
	}
	return d.Seq, !setsLiteral(d.Seq)
}

// makesText reports whether an operation converts something to a text, as in string([]byte("[0]")).
func makesText(op *testcase.Operation) bool {
	if op.Kind != testcase.OpConvert {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// setsLiteral reports whether a sequence sets a field of a struct that no variable holds.
func setsLiteral(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if st := s.At(i); st.Op.Kind == testcase.OpSetField {
			if k := s.At(st.Args[0].Stmt).Op.Kind; k == testcase.OpComposite || k == testcase.OpZero {
				return true
			}
		}
	}
	return false
}

// isConstructed reports whether a statement is a call of errors.New with a constant. No other way to make an
// error is plainer.
func isConstructed(s *testcase.Sequence, i int) bool {
	op := s.At(i).Op
	return op.Kind == testcase.OpFunc && op.Func.FullName() == "errors.New"
}

// importedFunc returns a function of a package that the given package imports, or nil if it does not import
// it.
func importedFunc(pkg *load.Package, path, name string) *types.Func {
	for _, p := range pkg.Types.Imports() {
		if p.Path() == path {
			f, _ := p.Scope().Lookup(name).(*types.Func)
			return f
		}
	}
	return nil
}

// onlyData reports whether result k is the only result of the statement that later statements use.
func onlyData(s *testcase.Sequence, i, k int) bool {
	uses := false
	for j := i + 1; j < s.Len(); j++ {
		for _, a := range s.At(j).Args {
			if a.Stmt != i {
				continue
			}
			if a.Result != k {
				return false
			}
			uses = true
		}
	}
	return uses
}

// write appends statements that make a value of a type, and returns the number of the last one. It
// returns false for a value that is not plain data, or that has fields users cannot set.
func write(pkg *load.Package, out *[]testcase.Statement, t types.Type, v testcase.Value) (int, bool) {
	mark := len(*out)
	at, ok := appendValue(pkg, out, t, v)
	if !ok {
		*out = (*out)[:mark]
	}
	return at, ok
}

func appendValue(pkg *load.Package, out *[]testcase.Statement, t types.Type, v testcase.Value) (int, bool) {
	add := func(op *testcase.Operation, args ...testcase.Ref) (int, bool) {
		*out = append(*out, testcase.Statement{Op: op, Args: args})
		return len(*out) - 1, true
	}
	if v.Cut || v.Again {
		return 0, false
	}
	if gosyntax.IsError(t) {
		if v.Err != nil && v.Err.Identical && v.Err.Sentinels[0].Exported() {
			return add(&testcase.Operation{Kind: testcase.OpGlobal, Type: t, Var: v.Err.Sentinels[0]})
		}
		// An error that no variable of the package holds is replaced by a new one.
		f := importedFunc(pkg, "errors", "New")
		if v.Err == nil || len(v.Err.Sentinels) > 0 || f == nil {
			return 0, false
		}
		at, _ := add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "failed"}})
		return add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, testcase.Ref{Stmt: at})
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		lit := testcase.Literal{Bits: v.Bits, Imag: v.Imag, Str: v.Str}
		switch v.Kind {
		case testcase.Bool:
			lit.Kind = testcase.LitBool
		case testcase.Int:
			lit.Kind = testcase.LitInt
		case testcase.Uint:
			lit.Kind = testcase.LitUint
		case testcase.Float:
			lit.Kind = testcase.LitFloat
		case testcase.String:
			lit.Kind = testcase.LitString
		default:
			return 0, false
		}
		return add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit})
	case *types.Struct:
		if load.IsNamed(t, "time", "Time") {
			return appendMoment(pkg, out, v)
		}
		if v.Kind != testcase.Struct || len(v.Elems) != u.NumFields() || load.NamedOf(t) == nil || load.NamedOf(t).Obj().Pkg() == nil || load.NamedOf(t).Obj().Pkg().Path() != pkg.Path {
			return 0, false
		}
		var args []testcase.Ref
		for i := range u.NumFields() {
			if !u.Field(i).Exported() {
				return 0, false
			}
			at, ok := appendValue(pkg, out, u.Field(i).Type(), v.Elems[i])
			if !ok {
				return 0, false
			}
			args = append(args, testcase.Ref{Stmt: at})
		}
		return add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}, args...)
	case *types.Array:
		return appendArray(pkg, out, t, v)
	case *types.Interface, *types.Map:
		return appendBoxed(pkg, out, t, v)
	case *types.Slice:
		return appendList(pkg, out, t, v)
	}
	return 0, false
}

// appendList is appendValue for lists.
func appendList(pkg *load.Package, out *[]testcase.Statement, t types.Type, v testcase.Value) (int, bool) {
	const longest = 8 // elements
	add := func(st testcase.Statement) (int, bool) {
		*out = append(*out, st)
		return len(*out) - 1, true
	}
	if v.Kind == testcase.Nil {
		return add(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}})
	}
	elem := t.Underlying().(*types.Slice).Elem()
	if text, ok := bytesAsText(elem, v); ok {
		return add(bytesLiteral(t, text, out))
	}
	if v.Kind != testcase.Slice || len(v.Elems) > longest {
		return 0, false
	}
	var args []testcase.Ref
	for _, e := range v.Elems {
		at, ok := appendValue(pkg, out, elem, e)
		if !ok {
			return 0, false
		}
		args = append(args, testcase.Ref{Stmt: at})
	}
	return add(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t}, Args: args})
}

// appendArray is appendValue for arrays, which are often identifiers and digests.
func appendArray(pkg *load.Package, out *[]testcase.Statement, t types.Type, v testcase.Value) (int, bool) {
	const longest = 64 // elements
	a := t.Underlying().(*types.Array)
	if v.Kind != testcase.Array || int64(len(v.Elems)) != a.Len() || len(v.Elems) > longest {
		return 0, false
	}
	var args []testcase.Ref
	for _, e := range v.Elems {
		at, ok := appendValue(pkg, out, a.Elem(), e)
		if !ok {
			return 0, false
		}
		args = append(args, testcase.Ref{Stmt: at})
	}
	*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: t}, Args: args})
	return len(*out) - 1, true
}

// bytesAsText returns the text that a list of bytes is, if people can read it.
func bytesAsText(elem types.Type, v testcase.Value) (string, bool) {
	const longest = 64
	b, ok := types.Unalias(elem).(*types.Basic)
	if !ok || b.Kind() != types.Uint8 || v.Kind != testcase.Slice || len(v.Elems) == 0 || len(v.Elems) > longest || v.Len > len(v.Elems) {
		return "", false
	}
	text, _ := v.Bytes()
	return string(text), utf8.Valid(text) && !slices.ContainsFunc([]rune(string(text)), func(r rune) bool { return !unicode.IsPrint(r) })
}

// appendBoxed is appendValue for values in an interface without methods, and for maps of a few entries.
func appendBoxed(pkg *load.Package, out *[]testcase.Statement, t types.Type, v testcase.Value) (int, bool) {
	op, args := &testcase.Operation{Kind: testcase.OpComposite, Type: t}, []testcase.Ref(nil)
	switch u := t.Underlying().(type) {
	case *types.Map:
		const most = 4 // entries
		if v.Kind != testcase.Map || len(v.Elems) > 2*most {
			return 0, false
		}
		for i, e := range v.Elems {
			of := u.Key()
			if i%2 == 1 {
				of = u.Elem()
			}
			at, ok := appendValue(pkg, out, of, e)
			if !ok {
				return 0, false
			}
			args = append(args, testcase.Ref{Stmt: at})
		}
	case *types.Interface:
		if v.Kind == testcase.Nil {
			*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}})
			return len(*out) - 1, true
		}
		if u.NumMethods() > 0 || v.Kind != testcase.Interface || len(v.Elems) != 1 || v.Elems[0].Type == nil {
			return 0, false
		}
		at, ok := appendValue(pkg, out, v.Elems[0].Type, v.Elems[0])
		if !ok {
			return 0, false
		}
		op, args = &testcase.Operation{Kind: testcase.OpConvert, Type: t}, []testcase.Ref{{Stmt: at}}
	}
	*out = append(*out, testcase.Statement{Op: op, Args: args})
	return len(*out) - 1, true
}

// used returns a sequence without the statements before target that nothing uses any more, because
// their results were written as literals.
func used(s *testcase.Sequence, target int) (*testcase.Sequence, bool) {
	keep := make([]bool, s.Len())
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		keep[i] = keep[i] || i >= target
		// A call on an object that the sequence keeps may change the object, so the call is kept as well.
		if !keep[i] && (st.Op.Kind == testcase.OpMethod || st.Op.Kind.Assigns()) && len(st.Args) > 0 {
			keep[i] = slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return keep[a.Stmt] })
		}
		if keep[i] {
			for _, a := range st.Args {
				keep[a.Stmt] = true
			}
		}
	}
	return s.Keep(keep)
}

// Constructors returns the sequence of a case in which a function of the package without parameters
// replaces an empty literal: New() instead of &Tree{}. It returns false if the package has no such
// function for the type.
func Constructors(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	var out []testcase.Statement
	changed := false
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if st.Op.Kind == testcase.OpAddr && isEmpty(c.Seq.At(st.Args[0].Stmt)) {
			if f := constructor(pkg, st.Op.Type); f != nil {
				st = testcase.Statement{Op: f}
				changed = true
			}
		}
		out = append(out, st)
	}
	if !changed {
		return nil, false
	}
	return used(testcase.NewSequence(out...), c.TargetStmt())
}

func isEmpty(st testcase.Statement) bool {
	return st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpComposite && len(st.Args) == 0
}

// constructor returns a call of the package's exported function that takes nothing and returns just a
// value of the type, nil unless there is exactly one such function.
func constructor(pkg *load.Package, t types.Type) *testcase.Operation {
	var found *testcase.Operation
	for _, target := range pkg.Targets {
		sig := target.Obj.Signature()
		if target.Recv != nil || !target.Exported || target.Skip != "" || len(target.TypeArgs) > 0 || sig.Params().Len() > 0 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), t) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &testcase.Operation{Kind: testcase.OpFunc, Func: target.Obj}
	}
	return found
}

// Values returns the sequence of a case with structs in place of pointers to structs, if the methods
// called have value receivers, and with a literal for each use: Segment{A: Vec{1, 2}}.Meets(Vec{1, 2})
// instead of v := Vec{1, 2}; s := &Segment{A: v}; s.Meets(v).
func Values(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	seq, changed := apart(c.Seq)
	stmts := slices.Clone(seq.AppendTo(nil))
	if changed {
		d := *c
		d.Seq = seq
		c = &d
	}
	for i, st := range stmts {
		if st.Op.Kind != testcase.OpMethod || len(st.Args) == 0 {
			continue
		}
		made := stmts[st.Args[0].Stmt]
		recv := st.Op.Func.Signature().Recv()
		if made.Op.Kind != testcase.OpAddr || recv == nil || users(c.Seq, st.Args[0].Stmt) != 1 {
			continue
		}
		if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); pointer || types.IsInterface(recv.Type()) {
			continue
		}
		st.Args = slices.Clone(st.Args)
		st.Args[0] = made.Args[0]
		stmts[i] = st
		changed = true
	}
	if !changed {
		return nil, false
	}
	return used(testcase.NewSequence(stmts...), len(stmts)-(c.Seq.Len()-c.TargetStmt()))
}

// apart returns a sequence in which each use of a plain value has a statement of its own that makes it.
func apart(s *testcase.Sequence) (*testcase.Sequence, bool) {
	results := s.ResultTypes()
	copies := func(i int) bool {
		switch s.At(i).Op.Kind {
		case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite:
			return len(results[i]) == 1 && isData(results[i][0])
		}
		return false
	}
	var out []testcase.Statement
	index := make([]int, s.Len())
	taken := make([]bool, s.Len())
	changed := false
	var again func(i int) int // appends statement i once more and returns its new number
	again = func(i int) int {
		st := s.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: again(a.Stmt), Result: a.Result}
		}
		out = append(out, testcase.Statement{Op: st.Op, Args: args})
		return len(out) - 1
	}
	for i := range s.Len() {
		st := s.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			at := index[a.Stmt]
			if copies(a.Stmt) && s.At(a.Stmt).Op.Kind == testcase.OpComposite {
				if taken[a.Stmt] {
					at, changed = again(a.Stmt), true
				}
				taken[a.Stmt] = true
			}
			args[k] = testcase.Ref{Stmt: at, Result: a.Result}
		}
		index[i] = len(out)
		out = append(out, testcase.Statement{Op: st.Op, Args: args})
	}
	if !changed {
		return s, false
	}
	return testcase.NewSequence(out...), true
}

// isData reports whether values of a type contain no references, so that a copy is as good as the value.
func isData(t types.Type) bool {
	return gosyntax.AllParts(t, func(part types.Type) bool {
		_, ok := part.Underlying().(*types.Basic)
		return ok
	})
}

// errorTexts are the messages of errors that tests make up, one for each.
var errorTexts = [...]string{"failed", "not found", "timed out", "refused", "too large"}

// Errors returns the sequence of a case in which each error that a test makes up has a text of its own.
// Without different texts a test cannot show that a message wraps another one, or which of several errors
// came back. A list of nil errors becomes a list of errors, and so does the nil that a function of another package makes something
// failing of: iotest.ErrReader(nil) returns neither data nor an error, which no reader does.
func Errors(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	errorsNew := importedFunc(pkg, "errors", "New")
	n := 0
	failure := func(out *[]testcase.Statement, f *types.Func) testcase.Statement {
		text := testcase.Literal{Kind: testcase.LitString, Str: errorTexts[n%len(errorTexts)]}
		n++
		*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: text}})
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}
	}
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		switch {
		case isConstructed(c.Seq, i) && len(st.Args) == 1:
			errorsNew = st.Op.Func
			if c.Seq.At(st.Args[0].Stmt).Op.Lit.Str == errorTexts[n%len(errorTexts)] {
				n++
				return st, false
			}
			return failure(out, st.Op.Func), true
		case errorsNew != nil && listsNilErrors(c.Seq, i):
			anew := testcase.Statement{Op: st.Op}
			for range st.Args {
				*out = append(*out, failure(out, errorsNew))
				anew.Args = append(anew.Args, testcase.Ref{Stmt: len(*out) - 1})
			}
			return anew, true
		case errorsNew != nil && failsByNil(pkg, c.Seq, st):
			*out = append(*out, failure(out, errorsNew))
			return testcase.Statement{Op: st.Op, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}, true
		}
		return st, false
	})
}

// failsByNil reports whether a function of another package, whose only parameter is an error, is passed nil.
func failsByNil(pkg *load.Package, s *testcase.Sequence, st testcase.Statement) bool {
	if st.Op.Kind != testcase.OpFunc || st.Op.Via != nil || len(st.Args) != 1 || st.Op.Func.Pkg() == nil || st.Op.Func.Pkg().Path() == pkg.Path {
		return false
	}
	params := st.Op.Func.Signature().Params()
	return params.Len() == 1 && gosyntax.IsError(params.At(0).Type()) && s.At(st.Args[0].Stmt).Op.Kind == testcase.OpZero
}

// listsNilErrors reports whether a statement makes a list of errors that are all nil.
func listsNilErrors(s *testcase.Sequence, i int) bool {
	st := s.At(i)
	if st.Op.Kind != testcase.OpComposite || len(st.Args) == 0 || len(st.Args) < st.Op.N {
		return false
	}
	list, ok := st.Op.Type.Underlying().(*types.Slice)
	return ok && gosyntax.IsError(list.Elem()) &&
		!slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return s.At(a.Stmt).Op.Kind != testcase.OpZero })
}
