package plain

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// MostTypical is how many sets of values [Typical] knows.
const MostTypical = 4

// The values of each set, for the first, second and third argument of a kind. The arguments of one call share
// something and differ in something, because functions of two texts or lists compare them, search one in the
// other, or join them.
var (
	typicalTexts = [MostTypical][]string{
		{"kitten", "sitting", "mitten"},
		{"hello world", "hello", "world"},
		{"a,b,c", ",", "b"},
		{"The quick brown fox", "quick", "fox"},
	}
	typicalWords = [MostTypical][][]string{
		{{"cherry", "apple", "banana"}, {"apple", "cherry", "date"}},
		{{"a", "b", "c"}, {"b", "c"}},
		{{"one", "two", "two", "three"}, {"two"}},
		{{"ann", "bob"}, {"bob", "carl"}},
	}
	typicalNumbers = [MostTypical][]int64{{7, 3, 2}, {3, 5, 10}, {12, 4, 30}, {100, 25, 8}}
	typicalLists   = [MostTypical][][]int64{{{3, 1, 2}, {2, 3, 5}}, {{5, 3, 8, 1}, {3, 5}}, {{2, 3, 5, 7}, {3, 5, 8}}, {{1, 2, 2, 3}, {2}}}
)

// Typical returns a way that gives all functions of the package that a case calls the n-th set of the values
// that people write into tests: words that resemble each other, lists of a few elements out of order,
// variables that the package declares for its users, structs with all fields set. Engines look for inputs
// that take new paths, and reducers make such inputs as small as they can. Typical values show what a
// function is for. Moments of 1970 become dates.
func Typical(n int) Way {
	values := typicalValues(n)
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		d := *c
		seq, changed := values(pkg, c)
		if changed {
			d.Seq = seq
			if ascending, ok := Bounds(pkg, &d); ok {
				seq, d.Seq = ascending, ascending
			}
		}
		if dated, ok := moments(n)(pkg, &d); ok {
			return dated, true
		}
		return seq, changed
	}
}

// typicalValues is Typical, but for moments.
func typicalValues(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		ty := &typical{pkg: pkg, of: c.Seq.At(c.TargetStmt()).Op.Func, n: n, given: make(map[string]int), numbers: readsNumbers(pkg, c)}
		names, fields := namesOf(c.Seq)
		meant, idle := foreignArguments(pkg, c.Seq), unread(pkg, c.Seq)
		own := ownInputs(pkg, c.Seq)
		notations := notationsOf(pkg, c.Seq)
		flags := flagArguments(pkg, c.Seq)
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			t := st.Op.Type
			ty.notation, ty.field = notations[i], fields[i]
			if st.Op.Kind == testcase.OpGlobal {
				t = st.Op.Var.Type()
			}
			if _, ok := idle[i]; ok || meant[i] || !own[i] {
				return st, false
			}
			if of := flags[i]; len(of) > 0 { // none at first, then one after the other
				set := uint64(0)
				if n > 0 {
					set = bitOf(of[(n-1)%len(of)])
				}
				lit, ok := testcase.IntLiteral(t.Underlying().(*types.Basic), int64(set))
				return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}}, ok
			}
			if !isConstant(c.Seq, st) { // the package may have a real value for a type that has a stand-in inside
				declared := declaredOf(pkg, t)
				if len(declared) == 0 || st.Op.Kind != testcase.OpComposite && st.Op.Kind != testcase.OpGlobal {
					return st, false
				}
				return global(declared[min(n, len(declared)-1)]), true
			}
			mark := len(*out)
			made, ok := ty.value(out, t, names[i], 0)
			if !ok {
				*out = (*out)[:mark]
				return st, false
			}
			return made, true
		})
	}
}

// basicOf returns the basic type of which an operation makes a constant.
func basicOf(op *testcase.Operation) (*types.Basic, bool) {
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
		return nil, false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	return b, ok
}

// notationsOf returns the notations of the texts that calls of the package's functions take, by the statement that makes
// the text.
func notationsOf(pkg *load.Package, s *testcase.Sequence) map[int]*notation.Notation {
	out := make(map[int]*notation.Notation)
	eachArgument(pkg, s, func(fn *types.Func, param int, a testcase.Ref) {
		if at, ok := TextBehind(pkg, s, a); ok && out[at] == nil {
			out[at] = pkg.Notated(fn, param)
		}
	})
	return out
}

// ownInputs returns the statements whose results are arguments of functions of the package. Of receivers, and of
// what pointers lead to, only what users write out is among them: structs with the fields that they want to set, lists and maps.
func ownInputs(pkg *load.Package, s *testcase.Sequence) map[int]bool {
	out := make(map[int]bool)
	for i := range s.Len() {
		st := s.At(i)
		if !ownCall(pkg, st.Op) {
			continue
		}
		for k, a := range st.Args {
			made := a.Stmt
			if k > 0 || st.Op.Kind != testcase.OpMethod {
				out[made] = true
			}
			for k := s.At(made).Op.Kind; k == testcase.OpAddr || k == testcase.OpConvert; k = s.At(made).Op.Kind {
				made = s.At(made).Args[0].Stmt
			}
			if op := s.At(made).Op; op.Kind == testcase.OpComposite || op.Kind == testcase.OpZero {
				out[made] = out[made] || isWrittenOut(pkg, op.Type)
			}
		}
	}
	return out
}

// isWrittenOut reports whether users write out values of a type: structs without a name, plain ones of other packages, and of the types of the package lists
// and maps, errors that hold data, structs whose fields are all exported, and structs with some exported fields if no function of
// the package makes such structs.
func isWrittenOut(pkg *load.Package, t types.Type) bool {
	named := load.NamedOf(t)
	if u, ok := types.Unalias(t).(*types.Struct); ok && named == nil {
		return u.NumFields() > 0
	}
	if isForeignRecord(pkg, named) || isForeignSetting(pkg, named) {
		return true
	}
	if named == nil || pkg.Types == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	switch named.Underlying().(type) {
	case *types.Slice, *types.Map:
		return named.Obj().Exported()
	}
	if pkg.IsErrorData(named) {
		return true
	}
	u, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	fields := slices.Collect(u.Fields())
	if len(fields) > 0 && named.Obj().Exported() && !slices.ContainsFunc(fields, func(f *types.Var) bool { return !f.Exported() }) {
		return true
	}
	return slices.ContainsFunc(fields, (*types.Var).Exported) && len(pkg.Constructors(types.NewPointer(named))) == 0 && len(pkg.Constructors(named)) == 0
}

// isForeignRecord reports whether a type is a struct of another package with nothing but a few numbers, texts and truths that
// everybody sees, or such structs: a point, a rectangle, a colour.
func isForeignRecord(pkg *load.Package, named *types.Named) bool {
	const mostFields = 6
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg() == pkg.Types || !named.Obj().Exported() {
		return false
	}
	u, ok := named.Underlying().(*types.Struct)
	if !ok || u.NumFields() == 0 || u.NumFields() > mostFields {
		return false
	}
	for f := range u.Fields() {
		if !f.Exported() || !isPlainField(pkg, f) {
			return false
		}
	}
	return true
}

// isPlainField reports whether a field holds a number, a text or a truth, or is a record of such (isForeignRecord).
func isPlainField(pkg *load.Package, f *types.Var) bool {
	if b, ok := f.Type().Underlying().(*types.Basic); ok {
		return b.Info()&types.IsConstType != 0
	}
	named, ok := types.Unalias(f.Type()).(*types.Named)
	return ok && isForeignRecord(pkg, named)
}

// isForeignSetting reports whether a type is a struct of another module's package of which users set fields, and the code of the
// package looks at some of these that hold plain values: the constraints of a layout's context, the names of a pod's containers. Of the
// others nothing is known, and they stay as they are.
func isForeignSetting(pkg *load.Package, named *types.Named) bool { return isSetting(pkg, named, 0) }

// isSetting is isForeignSetting for a struct so many structs deep in another one.
func isSetting(pkg *load.Package, named *types.Named, depth int) bool {
	const deepest = 3
	if named == nil || depth > deepest || named.Obj().Pkg() == nil || named.Obj().Pkg() == pkg.Types || !named.Obj().Exported() ||
		gosyntax.IsStandard(named.Obj().Pkg().Path(), pkg.Module) {
		return false
	}
	u, ok := named.Underlying().(*types.Struct)
	return ok && isWrittenByUsers(u, false) && slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return isSeenIn(pkg, f, depth) })
}

// isSeenSetting reports whether a field is one that the code of the package names, and holds a plain value, a list or map of texts, or a
// struct or list of structs of which the same is true. An embedded struct need not be named to be looked into.
func isSeenSetting(pkg *load.Package, f *types.Var) bool { return isSeenIn(pkg, f, 0) }

// isSeenIn is isSeenSetting for a field of a struct so many structs deep in another one.
func isSeenIn(pkg *load.Package, f *types.Var, depth int) bool {
	if !f.Exported() {
		return false
	}
	t := f.Type()
	if list, ok := t.Underlying().(*types.Slice); ok && pkg.Names(f) {
		t = list.Elem()
		if isText(t) {
			return true
		}
	}
	if m, ok := t.Underlying().(*types.Map); ok {
		return pkg.Names(f) && isText(m.Key()) && isText(m.Elem())
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && (f.Embedded() || pkg.Names(f)) && isSetting(pkg, named, depth+1) {
		return true
	}
	return pkg.Names(f) && isPlainField(pkg, f)
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isConstant reports whether a statement makes a value of constants alone.
func isConstant(s *testcase.Sequence, st testcase.Statement) bool {
	switch st.Op.Kind {
	case testcase.OpLiteral, testcase.OpZero:
		return st.Op.Choice == nil
	case testcase.OpComposite:
		return !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return !isConstant(s, s.At(a.Stmt)) })
	case testcase.OpConvert:
		return gosyntax.IsAny(st.Op.Type) && isConstant(s, s.At(st.Args[0].Stmt))
	}
	return false
}

// Edges returns variants of a case's sequence. In each variant one text or list that the case's own call
// takes is empty, or is the same as the preceding argument of its type, or the call passes nothing for its variadic
// parameter. The name of a file or directory of the test's own is not passed a second time, as the name of something in it.
func Edges(_ *load.Package, c *testcase.Case) []*testcase.Sequence {
	var out []*testcase.Sequence
	at := c.TargetStmt()
	st := c.Seq.At(at)
	args := st.Args
	if st.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	if sig := st.Op.Signature(); sig != nil && sig.Variadic() && !st.Op.Spread && len(args) >= sig.Params().Len() {
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		stmts[at].Args = slices.Clone(st.Args[:len(st.Args)-len(args)+sig.Params().Len()-1])
		if s, ok := trimmed(stmts); ok {
			out = append(out, s)
		}
	}
	ts := c.Seq.ResultTypes()
	for k, a := range args {
		t := ts[a.Stmt][a.Result]
		_, isList := t.Underlying().(*types.Slice)
		b, isBasic := t.Underlying().(*types.Basic)
		if !isList && (!isBasic || b.Info()&types.IsString == 0) || !isConstant(c.Seq, c.Seq.At(a.Stmt)) {
			continue
		}
		empty := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: t}}
		if s, ok := rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
			if i == a.Stmt {
				return empty, true
			}
			return c.Seq.At(i), false
		}); ok {
			out = append(out, s)
		}
		if k == 0 || !types.Identical(ts[args[k-1].Stmt][args[k-1].Result], t) || purity.IsOwnPath(c.Seq, args[k-1].Stmt) {
			continue
		}
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		stmts[at].Args = slices.Clone(st.Args)
		stmts[at].Args[len(st.Args)-len(args)+k] = args[k-1]
		if s, ok := trimmed(stmts); ok {
			out = append(out, s)
		}
	}
	return out
}
