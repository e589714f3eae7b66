package literals

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/goassay/assay/internal/gosyntax"
)

// Set has the constants that the code of the package and its tests compares with, passes and returns. They
// are hints for inputs. Each list is without duplicates, the most frequent first, and of equally frequent
// ones in the order of the source.
type Set struct {
	Ints    []constant.Value
	Floats  []constant.Value
	Strings []string
	// ByFunc has the constants in each function, by Target.Name.
	ByFunc map[string]*Set
	// Calls has, for each function of the package by Target.Name, the argument lists of constants that the
	// tests call it with. Lists may come from rows of tables whose fields are passed on. The Value of an
	// argument is nil if it is no constant.
	Calls map[string][][]constant.Value
	// allCalls are the same lists and those beyond the bound that Calls has.
	allCalls map[string][][]constant.Value
	// Documented has, in the same form, the arguments of calls in doc comments, README files and examples.
	// Package oracle finds these.
	Documented map[string][][]constant.Value
	// Rows are strings that stand together in the tests: in one row of a table, otherwise in one test. If one
	// of them is passed to a function, the others fit other functions in the same sequence. For a single
	// function, Rows are the strings of a clause of a switch, or of a list.
	Rows [][]string
	// Marks is punctuation that the code compares with and splits at, the most frequent first.
	Marks []string
	// Sizes are the lengths of text for which the code does something of its own, in ascending order.
	Sizes []int
	// Seeds are the argument lists in testdata/fuzz, for any function.
	Seeds [][]constant.Value
	// Tables are the strings of each declaration of the package that has several: names of months, or units with their sizes.
	Tables [][]string
	// Structs are the structs of constants that the code writes out.
	Structs []Struct
	// Flags are the parameters that are sets of flags.
	Flags Flags
	// Choices are the parameters and fields of plain integers whose values are among declared constants.
	Choices Choices
	// Listed are the items of lists in the README, and Fenced its blocks of examples.
	Listed []string
	Fenced []Fenced
	// Shown are the examples of what the package reads: in doc comments, and small files of testdata.
	Shown []Shown
	// Shapes are the structs that the documentation declares.
	Shapes []Shape
	// Keyed are texts of lines, each with a word that a function of the package compares with and a value behind it.
	Keyed []string
	// About is how the README begins.
	About string
}

// Source is the part of a package that constants are read from.
type Source struct {
	Package string // its name
	Dir     string
	Syntax  []*ast.File
	Info    *types.Info // nil if the package was not type-checked
	Targets []string    // Target.Name of the functions to be tested
	Tests   []*ast.File // hand-written tests, only parsed
	// Embedded are the names of the files that the compiler embeds, with slashes.
	Embedded []string
}

// Of returns the constants of a package's code and of its hand-written tests.
func Of(src Source) *Set {
	all := newTally()
	lits := &Set{ByFunc: make(map[string]*Set), Calls: make(map[string][][]constant.Value), allCalls: make(map[string][][]constant.Value)}
	if src.Info == nil {
		return lits
	}
	for _, f := range src.Syntax {
		for _, d := range f.Decls {
			own := newTally()
			name := ""
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body == nil {
					continue
				}
				typed{src.Info, own, d.Recv != nil && d.Name.Name == "Error"}.walk(d.Body)
				name = gosyntax.DeclName(d)
				for _, text := range keyed(src.Info, d) {
					lits.Keyed = append(lits.Keyed, text)
					own.add(constant.MakeString(text), 1)
				}
			case *ast.GenDecl:
				if d.Tok == token.IMPORT {
					continue
				}
				typed{src.Info, own, false}.walk(d)
			}
			all.merge(own)
			if l := own.literals(); name == "" && l != nil && len(l.Strings) > 1 {
				lits.Tables = append(lits.Tables, l.Strings)
			}
			if name != "" {
				if l := own.literals(); l != nil {
					l.Rows = codeRows(src, d.(*ast.FuncDecl).Body)
					lits.ByFunc[name] = l
				}
			}
		}
	}
	for _, f := range src.Tests {
		for _, d := range f.Decls {
			untyped{all}.walk(d)
		}
		calls(src, f, lits.allCalls)
		lits.Rows = testRows(lits.Rows, f)
	}
	for name, list := range lits.allCalls {
		lits.Calls[name] = list[:min(len(list), maxCalls)]
	}
	lits.Shown = shown(src, all.spells)
	for _, s := range lits.Shown {
		all.add(constant.MakeString(s.Text), 1)
	}
	for _, s := range spelled(src) {
		all.add(constant.MakeString(s), 1)
	}
	lits.Structs, lits.Listed, lits.Fenced, lits.About = structs(src), listed(src.Dir), fenced(src.Dir), about(src.Dir)
	lits.Shapes, lits.Marks, lits.Sizes = shapes(src.Dir, src.Syntax), marks(src), sizes(src)
	lits.Flags, lits.Choices = flags(src), choices(src)
	lits.Seeds = corpus(src.Dir)
	for _, args := range lits.Seeds {
		for _, v := range args {
			all.add(v, 1)
		}
	}
	if l := all.literals(); l != nil {
		lits.Ints, lits.Floats, lits.Strings = l.Ints, l.Floats, l.Strings
	}
	return lits
}

// AddTexts adds texts to the constants of a function, by its name as a target.
func (s *Set) AddTexts(function string, texts []string) {
	own := s.ByFunc[function]
	if own == nil {
		own = new(Set)
		s.ByFunc[function] = own
	}
	for _, text := range texts {
		if !slices.Contains(own.Strings, text) {
			own.Strings = append(own.Strings, text)
		}
	}
}

// tally counts constants in the order in which they first occur.
type tally struct {
	counts map[string]int
	order  []constant.Value
}

func newTally() *tally { return &tally{counts: make(map[string]int)} }

func key(v constant.Value) string { return v.Kind().String() + v.ExactString() }

func (t *tally) add(v constant.Value, n int) {
	switch v.Kind() {
	case constant.Int, constant.Float, constant.String:
	default:
		return // booleans need no hint, complex numbers are rare
	}
	k := key(v)
	if t.counts[k] == 0 {
		t.order = append(t.order, v)
	}
	t.counts[k] += n
}

func (t *tally) merge(u *tally) {
	for _, v := range u.order {
		t.add(v, u.counts[key(v)])
	}
}

// spells reports whether a counted text has a sign in it, or a counted number is the sign.
func (t *tally) spells(sign string) bool {
	return slices.ContainsFunc(t.order, func(v constant.Value) bool {
		if v.Kind() == constant.String {
			return strings.Contains(constant.StringVal(v), sign)
		}
		n, exact := constant.Int64Val(constant.ToInt(v))
		return exact && n == int64(sign[0])
	})
}

// literals sorts the counted constants, the most frequent first, or nil if there are none.
func (t *tally) literals() *Set {
	if len(t.order) == 0 {
		return nil
	}
	sorted := slices.Clone(t.order)
	slices.SortStableFunc(sorted, func(a, b constant.Value) int {
		return -cmp.Compare(t.counts[key(a)], t.counts[key(b)])
	})
	l := &Set{}
	for _, v := range sorted {
		switch v.Kind() {
		case constant.Int:
			l.Ints = append(l.Ints, v)
		case constant.Float:
			l.Floats = append(l.Floats, v)
		case constant.String:
			l.Strings = append(l.Strings, constant.StringVal(v))
		}
	}
	return l
}

// typed collects the constants of checked code: for an expression that is constant as a whole it takes the
// value ("1<<20", a named constant), and not its parts. Sentences of errors and panics are left out: no caller passes
// them, and a case with such a text only puzzles its reader.
type typed struct {
	info *types.Info
	into *tally
	says bool // the code returns a message
}

func (c typed) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			return false // types and tags
		case ast.Expr:
			if call, ok := n.(*ast.CallExpr); ok && !c.says && c.isMessage(call) {
				for _, a := range call.Args {
					typed{c.info, c.into, true}.walk(a)
				}
				return false
			}
			tv, ok := c.info.Types[n]
			if !ok {
				return true
			}
			if tv.IsType() {
				return false
			}
			if tv.Value == nil {
				return true
			}
			v := tv.Value
			if c.says && isSentence(v) {
				return false
			}
			if b, ok := tv.Type.Underlying().(*types.Basic); ok {
				switch {
				case b.Info()&types.IsInteger != 0:
					v = constant.ToInt(v)
				case b.Info()&types.IsFloat != 0:
					v = floatOf(v)
				}
			}
			c.into.add(v, 1)
			return false
		}
		return true
	})
}

// isMessage reports whether a call makes an error or panics.
func (c typed) isMessage(call *ast.CallExpr) bool {
	switch called := typeutil.Callee(c.info, call).(type) {
	case *types.Builtin:
		return called.Name() == "panic"
	case *types.Func:
		if called.Pkg() == nil {
			return false
		}
		path, name := called.Pkg().Path(), called.Name()
		return path == "fmt" && name == "Errorf" || (path == "errors" || strings.HasSuffix(path, "/errors")) && !strings.HasPrefix(name, "Is") && !strings.HasPrefix(name, "As")
	}
	return false
}

// isSentence reports whether a constant is a text of several words.
func isSentence(v constant.Value) bool {
	const fewest = 3
	return v.Kind() == constant.String && len(strings.Fields(constant.StringVal(v))) >= fewest
}

// untyped collects the literals of code that was only parsed. Texts that tests print, and names of
// tests, say nothing about inputs and are left out.
type untyped struct{ into *tally }

func (c untyped) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field, *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			return !isReport(n)
		case ast.Expr:
			if v := constantOf(n); v != nil {
				c.into.add(v, 1)
				return false
			}
		}
		return true
	})
}

// isReport reports whether a call is one of a method of *testing.T that prints.
func isReport(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch sel.Sel.Name {
	case "Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf":
		_, ok := sel.X.(*ast.Ident)
		return ok
	}
	return false
}

// constantOf evaluates an expression of literals and signs, or returns nil.
func constantOf(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		if v := constant.MakeFromLiteral(e.Value, e.Kind, 0); v.Kind() != constant.Unknown {
			return v
		}
	case *ast.ParenExpr:
		return constantOf(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.ADD {
			if v := constantOf(e.X); v != nil && v.Kind() != constant.String {
				return constant.UnaryOp(e.Op, v, 0)
			}
		}
	case *ast.BinaryExpr:
		x, y := constantOf(e.X), constantOf(e.Y)
		if x == nil || y == nil || x.Kind() != y.Kind() || e.Op != token.ADD {
			return nil
		}
		return constant.BinaryOp(x, e.Op, y)
	case *ast.Ident:
		switch e.Name {
		case "true":
			return constant.MakeBool(true)
		case "false":
			return constant.MakeBool(false)
		}
	case *ast.CallExpr:
		if isConversion(e) {
			return constantOf(e.Args[0])
		}
	}
	return nil
}

// isConversion reports whether a call is a conversion to a slice or to a predeclared type: byte('x'),
// []byte("abc") and the like.
func isConversion(e *ast.CallExpr) bool {
	if len(e.Args) != 1 {
		return false
	}
	switch fun := e.Fun.(type) {
	case *ast.Ident:
		_, isType := types.Universe.Lookup(fun.Name).(*types.TypeName)
		return isType
	case *ast.ArrayType:
		return true
	}
	return false
}

// floatOf makes a floating-point constant of a number. A whole number becomes one, too, although go/constant
// would keep it as an integer.
func floatOf(v constant.Value) constant.Value {
	f, _ := constant.Float64Val(v)
	if w := constant.MakeFloat64(f); w.Kind() == constant.Float {
		return w
	}
	return v
}
