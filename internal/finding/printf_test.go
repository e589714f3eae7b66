package finding

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

func TestBadFormat(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	object := types.NewNamed(types.NewTypeName(0, pkg, "T", nil), types.NewStruct(nil, nil), nil)
	any := types.Universe.Lookup("any").Type()
	function := func(recv types.Type, name, param string) *testcase.Operation {
		params := types.NewTuple(types.NewParam(0, pkg, param, types.Typ[types.String]), types.NewParam(0, pkg, "a", types.NewSlice(any)))
		op := &testcase.Operation{Kind: testcase.OpFunc}
		var r *types.Var
		if recv != nil {
			r, op.Kind = types.NewVar(0, pkg, "t", recv), testcase.OpMethod
		}
		op.Func = types.NewFunc(0, pkg, name, types.NewSignatureType(r, nil, nil, params, nil, true))
		return op
	}
	text := func(s string) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}}
	}
	number := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 3}}}
	for _, tt := range []struct {
		format string
		passed []testcase.Statement
		bad    bool
	}{
		{"plain", nil, false},
		{"100%%", nil, false},
		{"%v", nil, true},
		{"%d items", []testcase.Statement{number}, false},
		{"%d items", []testcase.Statement{text("a")}, true},
		{"%s", []testcase.Statement{number}, true},
		{"%-5s|%05d", []testcase.Statement{text("a"), number}, false},
		{"plain", []testcase.Statement{number}, true},
		{"50%", nil, true},
		{"%y", []testcase.Statement{number}, true},
		{"%*d", []testcase.Statement{number, number}, false},
		{"%[1]d %[1]v", []testcase.Statement{number}, false},
	} {
		for _, c := range []struct {
			op  *testcase.Operation
			bad bool
		}{
			{function(nil, "Logf", "format"), tt.bad},
			{function(types.NewPointer(object), "Logf", "format"), tt.bad},
			{function(nil, "Join", "sep"), false},
		} {
			stmts := []testcase.Statement{text(tt.format)}
			args := []testcase.Ref{{Stmt: 0}}
			if c.op.Kind == testcase.OpMethod {
				stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: types.NewPointer(object)}})
				args = []testcase.Ref{{Stmt: 1}, {Stmt: 0}}
			}
			for _, st := range tt.passed {
				args = append(args, testcase.Ref{Stmt: len(stmts)})
				stmts = append(stmts, st)
			}
			s := testcase.NewSequence(append(stmts, testcase.Statement{Op: c.op, Args: args})...)
			if got := badFormat(s) != nil; got != c.bad {
				t.Errorf("%s of %q with %d arguments: bad is %t, want %t", c.op.Func.Name(), tt.format, len(tt.passed), got, c.bad)
			}
		}
	}
}

// What panics on purpose is tested, but not with a format for which go vet refuses the test.
func TestPanicsWithBadFormat(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "fmt"

// Panicf panics with the text.
func Panicf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
`)
	for format, want := range map[string]bool{"plain": true, "%v": false} {
		b := &builder{pkg: pkg}
		text := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: format}})
		b.call("Panicf", text)
		c := &testcase.Case{Package: pkg.Path, Target: "Panicf", Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Panicked, At: 1, Panic: &testcase.Panic{
			Kind: "explicit", Message: format, Stack: []testcase.Frame{{Func: pkg.Path + ".Panicf"}},
		}}}
		why, f := Judge{Rules: usage.New(pkg)}.Case(c)
		if f == nil || f.Severity != testcase.Misuse {
			t.Fatalf("a panic with %q is the finding %v, want misuse", format, f)
		}
		if (why == "") != want {
			t.Errorf("a panic with %q is no test because %q, want a test: %t", format, why, want)
		}
	}
}
