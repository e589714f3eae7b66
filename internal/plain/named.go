package plain

import (
	"cmp"
	"go/ast"
	"go/types"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// anyText are names of parameters that take any text. The text that a case has is as good as any other there.
var anyText = []string{"s", "str", "text", "k", "v", "val", "key", "value", "msg", "message", "body", "content", "word", "line"}

// numbersByName are numbers for parameters with these names, or with names that end in these words.
var numbersByName = map[string][]int64{
	"port": {8080, 9090}, "year": {2024, 2025}, "month": {5, 7}, "day": {6, 8}, "hour": {7, 9}, "minute": {8, 20}, "age": {42, 36}, "percent": {25, 75},
}

// webNumbers are numbersByName for packages about HTTP.
var webNumbers = map[string][]int64{"status": statuses, "statuscode": statuses, "code": statuses}

var statuses = []int64{404, 201, 500, 200}

// isAboutHTTP reports whether a package imports net/http.
func isAboutHTTP(pkg *load.Package) bool {
	return pkg.Types != nil && slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "net/http" })
}

// TextsFor returns texts as people pass them for a parameter of the given name, or nil if the name does not
// say what texts the parameter takes. What the package's own module gives to what is called so comes first.
func TextsFor(pkg *load.Package, name string) []string {
	texts, said := everyday.TextsFor(name, isAboutHTTP(pkg)), pkg.Lexicon().Texts(name)
	switch len(said) {
	case 0:
		return texts
	case 1: // a second one has to differ
		return append(slices.Clone(said), slices.DeleteFunc(slices.Clone(texts[min(1, len(texts)):]), func(t string) bool { return t == said[0] })...)
	}
	return said
}

// textsOfField returns texts as people write them into a field of the given name, or pass them for a parameter, nil if any text could be
// called so. What the package's own module gives to what is called so comes first.
func textsOfField(pkg *load.Package, name string, field bool) []string {
	of := everyday.OfParameter
	if field {
		of = everyday.OfField
	}
	texts, said := of(name, isAboutHTTP(pkg)), pkg.Lexicon().Texts(name)
	return append(slices.Clone(said), slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return slices.Contains(said, t) })...)
}

// textsFor is textsOfField, but for parameters of which no table knows the name: a text of a kind that the function reads says more.
func textsFor(pkg *load.Package, name string, field bool) []string {
	if field || len(TextsFor(pkg, name)) > 0 {
		return textsOfField(pkg, name, field)
	}
	return nil
}

// qualified returns what a field of a struct type asks for texts by.
func qualified(of types.Type, f *types.Var) string {
	if named := load.NamedOf(of); named != nil && load.IsText(f.Type()) {
		return everyday.NameOfField(named, f.Name())
	}
	return f.Name()
}

// TakesAnyText reports whether a parameter's name says that any text will do.
func TakesAnyText(name string) bool { return slices.Contains(anyText, name) }

// NamesTexts reports whether all texts that the case's own call takes have parameters whose names say what
// texts they take.
func NamesTexts(pkg *load.Package, c *testcase.Case) bool {
	f := c.Seq.At(c.TargetStmt()).Op.Func
	if f == nil {
		return false
	}
	found := false
	for p := range f.Signature().Params().Variables() {
		b, ok := p.Type().Underlying().(*types.Basic)
		if !ok || b.Info()&types.IsString == 0 {
			continue
		}
		if found = !slices.Contains(anyText, p.Name()) && len(TextsFor(pkg, p.Name())) > 0; !found {
			return false
		}
	}
	return found
}

// numbersFor is TextsFor for whole numbers. Names of numbers of days are left out, because the numbers for
// "day" are days of a month.
func numbersFor(pkg *load.Package, name string) []int64 {
	if isAboutHTTP(pkg) {
		return everyday.Named(name, nil, webNumbers, numbersByName)
	}
	return everyday.Named(name, nil, numbersByName)
}

// NumbersFor returns numbers of a basic type as people pass them for a parameter or a field of the given name, or nil if the name does not say
// what it takes.
func NumbersFor(pkg *load.Package, name string, b *types.Basic) []int64 {
	if numbers := numbersFor(pkg, name); len(numbers) > 0 && fits(b, numbers) {
		return numbers
	}
	return nil
}

// Named is a way that replaces texts of the case's own call by texts that the names of its parameters ask
// for, like an address for a parameter called email. Texts that the package or its documents spell out stay,
// and so do empty ones.
func Named(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	v := vocabulary{all: pkg.Literals}
	names, fields := namesOf(c.Seq)
	used, foreign := feeds(c), foreignArguments(pkg, c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	taken := make(map[string]bool)
	changed := false
	for _, st := range stmts {
		if _, value, ok := setsVariable(c.Seq, st); ok {
			used[value.Stmt], foreign[value.Stmt] = true, false // the call reads it
		}
	}
	for i, st := range stmts {
		op := st.Op
		if !used[i] || foreign[i] || op.Kind != testcase.OpLiteral || op.Choice != nil || op.Lit.Kind != testcase.LitString || op.Lit.Str == "" || IsEnumeration(pkg, op.Type) || v.has(op.Lit.Str) {
			continue
		}
		if slices.Contains(anyText, names[i]) {
			continue
		}
		texts := textsFor(pkg, names[i], fields[i])
		if slices.Contains(texts, op.Lit.Str) {
			taken[op.Lit.Str] = true
			continue
		}
		for _, text := range texts {
			if !taken[text] {
				taken[text], changed = true, true
				stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}
				break
			}
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// MostNumbered is how many numbers of a name are tried.
const MostNumbered = 4

// Numbered returns a way like Named, for whole numbers that look as if nobody chose them: 404 for a status. The numbers of
// a name are taken from the n-th on.
func Numbered(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) { return numbered(pkg, c, n) }
}

func numbered(pkg *load.Package, c *testcase.Case, from int) (*testcase.Sequence, bool) {
	names, meant := parameterNames(c.Seq), meantAsTheyAre(pkg, c.Seq)
	taken := make(map[int64]bool)
	const most = 1000 // larger numbers do not come from a reducer
	fresh := func(op *testcase.Operation, name string) testcase.Literal {
		numbers := numbersFor(pkg, name)
		for _, n := range numbers[min(from, len(numbers)):] {
			if !taken[n] {
				taken[n] = true
				return numeral(op.Type, n, whole)
			}
		}
		return op.Lit
	}
	only := func(i int) bool {
		op := c.Seq.At(i).Op
		b, ok := op.Type.(*types.Basic)
		return !meant[i] && (op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero) && ok && b.Info()&types.IsInteger != 0 && op.Lit.Bits < most && len(numbersFor(pkg, names[i])) > 0 &&
			!slices.Contains(numbersFor(pkg, names[i]), int64(op.Lit.Bits)) && fits(b, numbersFor(pkg, names[i]))
	}
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		if st.Op.Type != nil && only(i) {
			stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: st.Op.Type, Lit: fresh(st.Op, names[i])}
			changed = changed || stmts[i].Op.Lit != st.Op.Lit
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// sortedBefore matches a sentence which says that lists have to be in order.
var sortedBefore = regexp.MustCompile(`(?i)\bpre-?sorted\b|\b(must|expected|expects?|requires?|required|assum\w+|should|needs?|already)\b[^.]*\bsorted\b|\bsorted\b[^.]*\b(expected|required|assumed)\b`)

// sorts matches the documentation of a function that puts lists in order itself.
var sorts = regexp.MustCompile(`(?i)\bsorts\b`)

// AsksOrder reports whether the documentation of a function, or that of the package, says that the lists which it takes
// have to be sorted.
func AsksOrder(pkg *load.Package, f *types.Func) bool {
	if f == nil || pkg.Info == nil {
		return false
	}
	if decl := pkg.Func(f); decl != nil {
		doc := strings.ReplaceAll(decl.Doc.Text(), "\n", " ")
		if sorts.MatchString(doc) {
			return false
		}
		if sortedBefore.MatchString(doc) {
			return true
		}
	}
	return slices.ContainsFunc(pkg.Syntax, func(file *ast.File) bool {
		return sortedBefore.MatchString(strings.ReplaceAll(file.Doc.Text(), "\n", " "))
	})
}

// Ascending returns the sequence of a case with its lists of numbers and texts in order, without repeated elements, where
// the function asks for that. With other lists the function is not used as it should be, and what it returns means
// nothing.
func Ascending(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	if !AsksOrder(pkg, c.Seq.At(c.TargetStmt()).Op.Func) {
		return nil, false
	}
	own := feeds(c)
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if !own[i] || st.Op.Kind != testcase.OpComposite || st.Op.Elems != nil || len(st.Args) < 2 {
			return st, false
		}
		slice, ok := st.Op.Type.Underlying().(*types.Slice)
		if !ok {
			return st, false
		}
		elem, ok := slice.Elem().Underlying().(*types.Basic)
		if !ok || elem.Info()&types.IsOrdered == 0 || !isConstant(c.Seq, st) {
			return st, false
		}
		var lits []testcase.Literal
		for _, a := range st.Args {
			lits = append(lits, c.Seq.At(a.Stmt).Op.Lit)
		}
		ordered := slices.Clone(lits)
		slices.SortFunc(ordered, func(a, b testcase.Literal) int { return compareLiterals(elem, a, b) })
		if ordered = slices.Compact(ordered); slices.Equal(ordered, lits) {
			return st, false
		}
		made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: st.Op.Type, N: len(ordered)}}
		for _, lit := range ordered {
			made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: slice.Elem(), Lit: lit}})
		}
		return made, true
	})
}

// compareLiterals orders constants of a basic type.
func compareLiterals(b *types.Basic, x, y testcase.Literal) int {
	switch {
	case b.Info()&types.IsString != 0:
		return strings.Compare(x.Str, y.Str)
	case b.Kind() == types.Float32:
		return cmp.Compare(math.Float32frombits(uint32(x.Bits)), math.Float32frombits(uint32(y.Bits)))
	case b.Info()&types.IsFloat != 0:
		return cmp.Compare(math.Float64frombits(x.Bits), math.Float64frombits(y.Bits))
	case b.Info()&types.IsUnsigned != 0:
		return cmp.Compare(x.Bits, y.Bits)
	}
	return cmp.Compare(int64(x.Bits), int64(y.Bits))
}

// fractionsByName are numbers between zero and one for parameters by their names. What is called a quantile or a tolerance
// means nothing beyond one.
var fractionsByName = map[string][]float64{
	"epsilon": {0.01, 0.05}, "eps": {0.01, 0.05}, "tolerance": {0.01, 0.1}, "precision": {0.01, 0.001},
	"quantile": {0.5, 0.9, 0.99}, "probability": {0.25, 0.5}, "prob": {0.25, 0.5}, "ratio": {0.5, 0.25}, "fraction": {0.5, 0.25},
	"alpha": {0.5, 0.25}, "confidence": {0.95, 0.99}, "opacity": {0.5, 0.25}, "jitter": {0.1, 0.5}, "threshold": {0.5, 0.75},
}

// fractionsFor is TextsFor for numbers between zero and one. A parameter that is called q is a quantile where the function, its
// type or the package is about quantiles.
func fractionsFor(f *types.Func, name string) []float64 {
	if strings.EqualFold(name, "q") && f != nil && f.Pkg() != nil && strings.Contains(strings.ToLower(f.FullName()), "quantile") {
		name = "quantile"
	}
	return everyday.Named(name, nil, fractionsByName)
}

// Fractions returns a way like Named, for numbers beyond zero and one where the name of the parameter asks for a fraction. The
// numbers of a name are taken from the n-th on.
func Fractions(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		names := parameterNames(c.Seq)
		f := c.Seq.At(c.TargetStmt()).Op.Func
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		next, changed := n, false
		for i, st := range stmts {
			op := st.Op
			if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Type == nil {
				continue
			}
			b, ok := op.Type.Underlying().(*types.Basic)
			fractions := fractionsFor(f, names[i])
			if !ok || b.Info()&types.IsFloat == 0 || len(fractions) == 0 {
				continue
			}
			v := math.Float64frombits(op.Lit.Bits)
			if b.Kind() == types.Float32 {
				v = float64(math.Float32frombits(uint32(op.Lit.Bits)))
			}
			if op.Kind == testcase.OpLiteral && 0 < v && v < 1 {
				continue
			}
			stmts[i] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: fractionLiteral(b, fractions[next%len(fractions)])}}
			next, changed = next+1, true
		}
		if !changed {
			return nil, false
		}
		return testcase.NewSequence(stmts...), true
	}
}

// fractionLiteral returns a number as a constant of a floating-point type.
func fractionLiteral(b *types.Basic, v float64) testcase.Literal {
	bits := math.Float64bits(v)
	if b.Kind() == types.Float32 {
		bits = uint64(math.Float32bits(float32(v)))
	}
	return testcase.Literal{Kind: testcase.LitFloat, Bits: bits}
}

// fits reports whether an integer type can represent all the numbers.
func fits(b *types.Basic, numbers []int64) bool {
	largest := slices.Max(numbers)
	switch b.Kind() {
	case types.Int8:
		return largest <= 127
	case types.Uint8:
		return largest <= 255
	}
	return true
}

// MostOrdinary is how many sets of ordinary numbers there are.
const MostOrdinary = 2

// ordinaryNumbers are numbers as people pass them where the names of parameters ask for none: numbers of several different
// digits, so that a result shows what became of them, and amounts.
var ordinaryNumbers = [MostOrdinary][]int64{{12345, 6789, 432, 98}, {12, 5, 8, 3}}

// amounts are names of parameters that say how many, how long or where. Nobody passes 12345 there.
var amounts = []string{"n", "i", "j", "k", "count", "size", "len", "length", "width", "height", "limit", "max", "min", "index", "idx", "depth", "level", "cap",
	"capacity", "offset", "pos", "position", "start", "end", "from", "to", "times", "num", "node", "step", "precision", "prec", "base", "digits", "places", "retries", "attempts", "rows", "cols", "x", "y"}

// Ordinary returns a way that replaces the numbers which the case's own call takes, its receiver among them, by the n-th set of
// ordinary numbers. The numbers that solvers and reducers leave are zero
// wherever zero will do, and of zero most functions make zero.
func Ordinary(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		names, meant := parameterNames(c.Seq), meantAsTheyAre(pkg, c.Seq)
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		next, changed := 0, false
		for _, a := range c.Seq.At(c.TargetStmt()).Args {
			op := stmts[a.Stmt].Op
			if meant[a.Stmt] || op.Choice != nil || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || len(numbersFor(pkg, names[a.Stmt])) > 0 {
				continue
			}
			if !takesOrdinary(pkg, op.Type) {
				continue
			}
			set := n
			if words := gosyntax.Words(names[a.Stmt]); len(words) > 0 && slices.Contains(amounts, words[len(words)-1]) {
				set = (n + 1) % MostOrdinary
			}
			numbers := ordinaryNumbers[set]
			number := numbers[next%len(numbers)]
			if !fits(op.Type.Underlying().(*types.Basic), []int64{number}) {
				number = ordinaryNumbers[1][next%len(numbers)]
			}
			stmts[a.Stmt].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: numeral(op.Type, number, half)}
			next, changed = next+1, true
		}
		return testcase.NewSequence(stmts...), changed
	}
}

// takesOrdinary reports whether a type is one of numbers, and the numbers are no lengths of time, no bytes, no characters and none of a few
// constants.
func takesOrdinary(pkg *load.Package, t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0 && b.Kind() != types.Uintptr && b.Kind() != types.Uint8 && b.Name() != "rune" && !isDuration(t) && !IsEnumeration(pkg, t)
}

// boundWords are words in the names of two parameters that are the ends of a range, the lower end first.
var boundWords = [][2]string{
	{"min", "max"}, {"minimum", "maximum"}, {"lower", "upper"}, {"low", "high"}, {"lo", "hi"}, {"start", "end"}, {"start", "stop"}, {"begin", "end"}, {"from", "to"}, {"first", "last"},
	{"smallest", "largest"},
}

// Bounds is a way that exchanges two numbers which a function takes as the ends of a range, where the upper end is the lower one: nobody asks
// for numbers from 7 to 3.
func Bounds(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	meant := meantAsTheyAre(pkg, c.Seq)
	stmts, changed := slices.Clone(c.Seq.AppendTo(nil)), false
	number := func(op *testcase.Operation) *types.Basic {
		b, ok := op.Type.Underlying().(*types.Basic)
		if !ok || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil || b.Info()&(types.IsInteger|types.IsFloat) == 0 {
			return nil
		}
		return b
	}
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if !ownCall(pkg, st.Op) || st.Op.Signature() == nil {
			continue
		}
		params, args := st.Op.Signature().Params(), st.Args[st.Op.FirstParam():]
		for k := range min(len(args), params.Len()) {
			for j := k + 1; j < min(len(args), params.Len()); j++ {
				low, high := args[k].Stmt, args[j].Stmt
				if !areBounds(params.At(k), params.At(j)) || low == high || meant[low] || meant[high] {
					continue
				}
				b := number(stmts[low].Op)
				if b == nil || number(stmts[high].Op) == nil || compareLiterals(b, stmts[low].Op.Lit, stmts[high].Op.Lit) <= 0 {
					continue
				}
				stmts[low].Op, stmts[high].Op = stmts[high].Op, stmts[low].Op
				changed = true
			}
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// areBounds reports whether two parameters of one type are called after the ends of a range, and otherwise alike: countStart and countEnd.
func areBounds(low, high *types.Var) bool {
	a, b := gosyntax.Words(low.Name()), gosyntax.Words(high.Name())
	if len(a) != len(b) || !types.Identical(low.Type(), high.Type()) {
		return false
	}
	found := false
	for i := range a {
		switch {
		case a[i] == b[i]:
		case !found && slices.Contains(boundWords, [2]string{a[i], b[i]}):
			found = true
		default:
			return false
		}
	}
	return found
}
