package plain

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/testcase"
)

// Foreign is a way that makes structs of other packages by functions of these, where a case passes a zero value of which some
// fields only its package sets: a date by date.New(2024, time.February, 3), a message by message.NewMessage("id1", []byte("hello")).
func Foreign(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	foreign := foreignArguments(pkg, c.Seq)
	ty := &typical{pkg: pkg, given: make(map[string]int)}
	made := 0
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if foreign[i] || !isEmptyOrPointsToEmpty(c.Seq, st) {
			return st, false
		}
		f := foreignMaker(pkg, st.Op.Type)
		if f == nil {
			if made, ok := ty.parsed(out, st.Op.Type); ok {
				return made, true
			}
			return st, false
		}
		made++
		return callOfMaker(pkg, out, f, made-1), true
	})
}

// isEmptyOrPointsToEmpty reports whether a statement makes an empty literal, or a pointer to one.
func isEmptyOrPointsToEmpty(s *testcase.Sequence, st testcase.Statement) bool {
	return isEmpty(st) || st.Op.Kind == testcase.OpAddr && isEmpty(s.At(st.Args[0].Stmt))
}

// Unnested is a way that passes what a function of another package was called with in place of what it made of it, where the same
// function is called with that again: rand.New(source) for rand.New(rand.New(source)).
func Unnested(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	isForeign := func(op *testcase.Operation) bool {
		return op.Kind == testcase.OpFunc && op.Via == nil && op.Func.Pkg() != nil && op.Func.Pkg().Path() != pkg.Path
	}
	behind := func(i int) int { // what a conversion to an interface converts
		for c.Seq.At(i).Op.Kind == testcase.OpConvert {
			i = c.Seq.At(i).Args[0].Stmt
		}
		return i
	}
	stmts, keep, changed := c.Seq.AppendTo(nil), make([]bool, c.Seq.Len()), false
	same := make(map[int]int) // calls that are left out, and those whose results take the place of theirs
	for i, st := range stmts {
		stmts[i].Args = slices.Clone(st.Args)
		for k, a := range st.Args {
			if inner, ok := same[a.Stmt]; ok {
				stmts[i].Args[k].Stmt = inner
			}
		}
		keep[i] = true
		if !isForeign(st.Op) || len(st.Args) != 1 || i >= c.TargetStmt() {
			continue
		}
		if k := behind(stmts[i].Args[0].Stmt); isForeign(c.Seq.At(k).Op) && c.Seq.At(k).Op.Func == st.Op.Func {
			same[i], keep[i], changed = k, false, true
		}
	}
	if !changed {
		return nil, false
	}
	left, ok := testcase.NewSequence(stmts...).Keep(keep)
	if !ok {
		return nil, false
	}
	return trimmed(left.AppendTo(nil))
}

// Readers is a way that passes strings.NewReader(s) in place of other readers of a text that the package bytes makes, where a call takes
// anything that is read from, and nothing else uses the reader.
func Readers(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	newReader := pkg.NewReader()
	if newReader == nil {
		return nil, false
	}
	reader := newReader.Signature().Results().At(0).Type()
	uses, fits := make(map[int]int), make(map[int]bool)
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		for k, a := range st.Args {
			uses[a.Stmt]++
			if st.Op.Kind == testcase.OpConvert {
				fits[a.Stmt] = isReaderLike(st.Op.Type, reader)
			}
			if sig := st.Op.Signature(); sig != nil && st.Op.Via == nil && (st.Op.Kind == testcase.OpFunc || st.Op.Kind == testcase.OpMethod) && k >= st.Op.FirstParam() && k-st.Op.FirstParam() < sig.Params().Len() {
				fits[a.Stmt] = isReaderLike(sig.Params().At(k-st.Op.FirstParam()).Type(), reader)
			}
		}
	}
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpFunc || st.Op.Func.Pkg() == nil || st.Op.Func.Pkg().Path() != "bytes" || len(st.Args) != 1 || uses[i] != 1 || !fits[i] {
			return st, false
		}
		text, ok := TextOf(pkg, c.Seq, st.Args[0].Stmt)
		if !ok || !slices.Contains([]string{"NewBufferString", "NewBuffer", "NewReader"}, st.Op.Func.Name()) || !utf8.ValidString(text) {
			return st, false
		}
		of := testcase.Ref{Stmt: len(*out)}
		*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}})
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: newReader}, Args: []testcase.Ref{of}}, true
	})
}

// isReaderLike reports whether a type is an interface with methods that readers of a text have.
func isReaderLike(t, reader types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	return ok && u.NumMethods() > 0 && types.Implements(reader, u)
}

// Calm is a way that passes the background's context in place of others: that one is cancelled matters only if something looks.
func Calm(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	background := backgroundOf(pkg)
	if background == nil {
		return nil, false
	}
	results := c.Seq.ResultTypes()
	return rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if i >= c.TargetStmt() || len(results[i]) != 1 || len(st.Args) > 0 || st.Op.Kind == testcase.OpZero || st.Op.Via == nil && st.Op.Func != nil && st.Op.Func.FullName() == background.FullName() || !load.IsNamed(results[i][0], "context", "Context") {
			return st, false
		}
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: background}}, true
	})
}

// backgroundOf returns context.Background as a package knows it, nil if the package does not import context.
func backgroundOf(pkg *load.Package) *types.Func {
	if pkg.Types == nil {
		return nil
	}
	for _, p := range pkg.Types.Imports() {
		if p.Path() == "context" {
			f, _ := p.Scope().Lookup("Background").(*types.Func)
			return f
		}
	}
	return nil
}

// foreignMaker returns the function of another package that makes structs of one of its types, or pointers to them, from a few
// numbers and texts, or nil if there is none. Users can set the fields of a struct if all are exported, and of a struct that is
// no pointer if some are; nobody needs a function then. Of several functions it is the one whose name begins with New, and of
// these the one with most parameters.
func foreignMaker(pkg *load.Package, t types.Type) *types.Func {
	const mostParams = 4
	n := load.NamedOf(t)
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() == pkg.Path || !slices.Contains(pkg.Types.Imports(), n.Obj().Pkg()) {
		return nil
	}
	_, isPointer := t.Underlying().(*types.Pointer)
	if isPointer && gosyntax.IsStandard(n.Obj().Pkg().Path(), pkg.Module) {
		return nil // there are values ready for these, and an empty buffer is what one writes to
	}
	if st, ok := n.Underlying().(*types.Struct); !ok || isWrittenByUsers(st, isPointer) {
		return nil
	}
	var found []*types.Func
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().TypeParams().Len() > 0 || f.Signature().Variadic() {
			continue
		}
		params, results := f.Signature().Params(), f.Signature().Results()
		if results.Len() != 1 || !types.Identical(results.At(0).Type(), t) || params.Len() == 0 || params.Len() > mostParams {
			continue
		}
		if !slices.ContainsFunc(slices.Collect(params.Variables()), func(p *types.Var) bool { return !isForMaker(p.Type(), isPointer) }) {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, func(a, b *types.Func) int {
		isNew := func(f *types.Func) int {
			if strings.HasPrefix(f.Name(), "New") {
				return 0
			}
			return 1
		}
		// Several parts say more than a number of seconds or days.
		return cmp.Or(isNew(a)-isNew(b), b.Signature().Params().Len()-a.Signature().Params().Len())
	})
}

// parserOf returns the function of another module's package that makes values of a type from a text, and panics if the text is none:
// uuid.MustParse, semver.MustParse. It is nil for types of which users write literals, and where there is no such function.
func parserOf(pkg *load.Package, t types.Type) *types.Func {
	n, ok := types.Unalias(t).(*types.Named)
	if p, isPointer := t.Underlying().(*types.Pointer); isPointer && !ok {
		n, ok = types.Unalias(p.Elem()).(*types.Named)
	}
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg() == pkg.Types || !slices.Contains(pkg.Types.Imports(), n.Obj().Pkg()) || gosyntax.IsStandard(n.Obj().Pkg().Path(), pkg.Module) {
		return nil
	}
	if st, ok := n.Underlying().(*types.Struct); ok && isWrittenByUsers(st, false) {
		return nil
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() { // MustParse comes before MustParseRange
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !strings.HasPrefix(name, "Must") {
			continue
		}
		params, results := f.Signature().Params(), f.Signature().Results()
		if params.Len() == 1 && !f.Signature().Variadic() && results.Len() == 1 && types.Identical(params.At(0).Type(), types.Typ[types.String]) && types.Identical(results.At(0).Type(), t) {
			return f
		}
	}
	return nil
}

// parsed makes a value of another module's type from a text in the notation that the type is called after. The texts of several values
// differ in their last digit.
func (ty *typical) parsed(out *[]testcase.Statement, t types.Type) (testcase.Statement, bool) {
	f := parserOf(ty.pkg, t)
	if f == nil {
		return testcase.Statement{}, false
	}
	words := gosyntax.Words(load.NamedOf(t).Obj().Name())
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	n := notation.For(notation.Place{Param: words, Package: f.Pkg().Name()})
	if n == nil || len(n.Accepted) == 0 {
		return testcase.Statement{}, false
	}
	text := n.Accepted[0].Value
	if k := ty.n + ty.next("parsed "+t.String()); k > 0 && k < 10 && text[len(text)-1] >= '0' && text[len(text)-1] <= '9' {
		text = text[:len(text)-1] + strconv.Itoa((int(text[len(text)-1]-'0')+k)%10)
	}
	*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}})
	return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}, true
}

// isWrittenByUsers reports whether users write literals of a struct: all its fields are exported, or some are and it is no
// pointer's.
func isWrittenByUsers(st *types.Struct, isPointer bool) bool {
	exported := 0
	for f := range st.Fields() {
		if f.Exported() {
			exported++
		}
	}
	return exported == st.NumFields() || exported > 0 && !isPointer
}

// isForMaker reports whether callOfMaker knows values for a parameter of a type: whole numbers that are no bytes, and where
// pointers are made, which are objects and no numbers, texts and lists of bytes as well.
func isForMaker(t types.Type, isPointer bool) bool {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&types.IsInteger != 0 && b.Kind() != types.Uint8 || isPointer && b.Info()&types.IsString != 0
	}
	return isPointer && gosyntax.IsBytes(t)
}

// callOfMaker appends the arguments of the n-th call of a maker in a case to out, and returns the call.
func callOfMaker(pkg *load.Package, out *[]testcase.Statement, f *types.Func, n int) testcase.Statement {
	call := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}}
	for k := range f.Signature().Params().Len() {
		p := f.Signature().Params().At(k)
		var st testcase.Statement
		switch b, isBasic := p.Type().Underlying().(*types.Basic); {
		case !isBasic:
			st = bytesLiteral(p.Type(), byteWords[(n+k)%len(byteWords)], out)
		case b.Info()&types.IsString != 0:
			texts := TextsFor(pkg, p.Name())
			if len(texts) == 0 {
				texts = typicalTexts[0]
			}
			st.Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: p.Type(), Lit: testcase.Literal{Kind: testcase.LitString, Str: texts[n%len(texts)]}}
		default:
			st.Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: p.Type(), Lit: numberForMaker(pkg, p, b, n+k)}
		}
		call.Args = append(call.Args, testcase.Ref{Stmt: len(*out)})
		*out = append(*out, st)
	}
	return call
}

// numberForMaker returns the n-th number for a parameter of a maker.
func numberForMaker(pkg *load.Package, p *types.Var, b *types.Basic, n int) testcase.Literal {
	value := primes[n%len(primes)]
	if named := numbersFor(pkg, p.Name()); len(named) > 0 {
		value = named[n%len(named)]
	}
	if declared := constantsOf(p.Type()); len(declared) >= fewestConstants {
		value = declared[(n+1)%len(declared)]
	}
	lit, _ := testcase.IntLiteral(b, value)
	return lit
}

// Makers returns calls of the functions of other packages that make what the package's functions take, and what functions take
// and return that they take, as [Foreign] passes it.
func Makers(pkg *load.Package) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[*types.Func]bool)
	var add func(t types.Type, depth int)
	add = func(t types.Type, depth int) {
		switch u := t.Underlying().(type) {
		case *types.Signature:
			const deepest = 2 // a middleware takes and returns functions
			for _, of := range []*types.Tuple{u.Params(), u.Results()} {
				for v := range of.Variables() {
					if depth < deepest {
						add(v.Type(), depth+1)
					}
				}
			}
			return
		case *types.Slice:
			t = u.Elem()
		}
		if f := foreignMaker(pkg, t); f != nil && !seen[f] {
			seen[f] = true
			out = append(out, &testcase.Operation{Kind: testcase.OpFunc, Func: f})
		}
	}
	for _, t := range pkg.Targets {
		if t.Func != nil {
			add(t.Func.Signature, 0)
		}
	}
	return out
}

// mostImplemented is how many values of interfaces become constants one by one (see [Implemented]).
const mostImplemented = 3

// Implemented returns a way that passes texts or numbers where a case passes nil or a stand-in for an interface, if the
// package of the interface has a type of texts or numbers that implements it: starlark.String("abc") for a starlark.Value. A reader
// sees which value came out. The way changes the n-th of them, or all if n is negative.
func Implemented(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		foreign, choose := foreignArguments(pkg, c.Seq), distinct(whole)(pkg, c)
		seen := 0
		return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
			st := c.Seq.At(i)
			if foreign[i] || st.Op.Kind != testcase.OpZero && st.Op.Kind != testcase.OpStubIface {
				return st, false
			}
			t := constantBehind(pkg, st.Op.Type)
			if t == nil {
				return st, false
			}
			if seen++; n >= 0 && seen != n+1 {
				return st, false
			}
			lit := choose(&testcase.Operation{Kind: testcase.OpZero, Type: t}, "")
			*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}})
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpConvert, Type: st.Op.Type}, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}, true
		})
	}
}

// constantBehind returns the type of texts, or else of numbers, in the package of an interface with methods that implements it, nil if there is
// none that users of the package can write. Of several types of texts it is the one that is called so.
func constantBehind(pkg *load.Package, t types.Type) types.Type {
	named := load.NamedOf(t)
	if named == nil || !types.IsInterface(t) || named.Obj().Pkg() == nil {
		return nil
	}
	iface := named.Underlying().(*types.Interface)
	if iface.NumMethods() == 0 || gosyntax.IsError(t) {
		return nil
	}
	var text, number types.Type
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || !tn.Exported() && named.Obj().Pkg() != pkg.Types {
			continue
		}
		b, ok := tn.Type().Underlying().(*types.Basic)
		if !ok || !types.Implements(tn.Type(), iface) || IsEnumeration(pkg, tn.Type()) {
			continue
		}
		switch {
		case b.Info()&types.IsString != 0:
			if text == nil || strings.Contains(name, "String") || strings.Contains(name, "Text") {
				text = tn.Type()
			}
		case b.Info()&types.IsInteger != 0 && number == nil && changeable(pkg, &testcase.Operation{Kind: testcase.OpZero, Type: tn.Type()}):
			number = tn.Type()
		}
	}
	if text != nil {
		return text
	}
	return number
}

// Addressed is a way that gives clients of other packages of the module the address of a service, where a case makes them without
// one: the reducer leaves the address out, and a reader wonders where a request for "users/ann" goes.
func Addressed(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	if !pkg.Requests().Any() {
		return nil, false
	}
	changed := false
	index := make([]int, c.Seq.Len())
	var b testcase.Builder
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
		}
		if st.Op.Kind == testcase.OpComposite || st.Op.Kind == testcase.OpZero {
			for _, f := range missingAddresses(pkg, st.Op) {
				op := *st.Op
				op.Kind, op.Elems = testcase.OpComposite, append(slices.Clone(op.Elems), f)
				st.Op, changed = &op, true
				args = append(args, b.Add(addressOf(op.Type.Underlying().(*types.Struct).Field(f).Type())))
			}
		}
		index[i] = b.Add(st.Op, args...).Stmt
	}
	return b.Sequence(), changed
}

// missingAddresses returns the fields of a client that name an address and are not set by the operation that makes it.
func missingAddresses(pkg *load.Package, op *testcase.Operation) []int {
	if !giver.IsClient(pkg, op.Type) {
		return nil
	}
	var out []int
	st := op.Type.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if f := st.Field(i); f.Exported() && types.Identical(f.Type(), types.Typ[types.String]) && giver.NamesAddress(f.Name()) && !slices.Contains(op.Elems, i) {
			out = append(out, i)
		}
	}
	return out
}

// addressOf returns the constant for the address of a service.
func addressOf(t types.Type) *testcase.Operation {
	return &testcase.Operation{
		Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitString, Str: giver.ServiceURL},
		Choice: []string{giver.ServiceURL}, Closed: true,
	}
}
