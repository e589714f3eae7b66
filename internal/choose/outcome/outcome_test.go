package outcome

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// call returns a case of F, which takes a text and returns an error, and of which the call failed with a message.
func call(text, message string) *testcase.Case {
	pkg := types.NewPackage("example.com/p", "p")
	in := types.NewTuple(types.NewVar(token.NoPos, pkg, "s", types.Typ[types.String]))
	out := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Universe.Lookup("error").Type()))
	f := types.NewFunc(token.NoPos, pkg, "F", types.NewSignatureType(nil, nil, nil, in, out, false))
	seq := testcase.NewSequence(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: 0}}},
	)
	return &testcase.Case{Target: "F", Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, At: 1, Results: [][]testcase.Value{
		{{Kind: testcase.String, Str: text}}, {{Kind: testcase.Pointer, Err: &testcase.ErrorInfo{Message: message}}},
	}}}
}

// Two errors are of one class if their messages differ only in what the inputs put there, in whatever case.
func TestClass(t *testing.T) {
	tests := []struct {
		name string
		a, b *testcase.Case
		same bool
	}{
		{"part of the input in lower case", call("42xMB", "unhandled size name: xmb"), call("83kMB", "unhandled size name: kmb"), true},
		{"short word of the input", call("42 @MB@", "unhandled size name: @mb@"), call("42 MBx", "unhandled size name: mbx"), true},
		{"other words", call("42xMB", "unhandled size name: xmb"), call("kitten", "invalid syntax"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Class(tt.a) == Class(tt.b); got != tt.same {
				t.Errorf("the classes %q and %q are the same: %t, want %t", Class(tt.a), Class(tt.b), got, tt.same)
			}
		})
	}
}

// What a library says of a bad input makes no difference between two errors; what the package says before that does.
func TestClassByOwn(t *testing.T) {
	own := Words{"invalid": true, "filter": true, "path": true}
	token, name, path := call("/a{", "invalid filter: has a strange token"), call("/b[", "invalid filter: not supported"), call("/c(", "invalid path: not supported")
	if a, b := ClassByOwn(token, own), ClassByOwn(name, own); a != b {
		t.Errorf("the classes are %q and %q, want one", a, b)
	}
	if a, b := ClassByOwn(name, own), ClassByOwn(path, own); a == b {
		t.Errorf("both classes are %q, want two", a)
	}
}

// A *url.Error is around whatever becomes of a request, and makes no class of its own.
func TestClassByOwn_url(t *testing.T) {
	own := Words{"invalid": true}
	broken := call("x", "parse x: broken")
	urlError := types.NewNamed(types.NewTypeName(token.NoPos, types.NewPackage("net/url", "url"), "Error", nil), types.NewStruct(nil, nil), nil)
	broken.Observed.Results[1][0].Elems = []testcase.Value{{Kind: testcase.Pointer, Type: types.NewPointer(urlError)}}
	if a, b := ClassByOwn(broken, own), ClassByOwn(call("y", "status 404"), own); a != b {
		t.Errorf("the classes are %q and %q, want one", a, b)
	}
	if a, b := Class(broken), Class(call("y", "status 404")); a == b {
		t.Errorf("both classes are %q, want two", a)
	}
}

// A test of a method that returns nothing sees the exported fields of its receiver. If only unexported ones change, it is
// private, and on a receiver in a variable it could compare nothing at all.
func TestIsPrivate(t *testing.T) {
	pkg := types.NewPackage("example.com/p", "p")
	named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "T", nil), nil, nil)
	named.SetUnderlying(types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, pkg, "Public", types.Typ[types.Int], false), types.NewField(token.NoPos, pkg, "private", types.Typ[types.Int], false),
	}, nil))
	ptr := types.NewPointer(named)
	set := types.NewFunc(token.NoPos, pkg, "Set", types.NewSignatureType(types.NewVar(token.NoPos, pkg, "t", ptr), nil, nil, nil, nil, false))
	value := func(public, private uint64) testcase.Value {
		return testcase.Value{Kind: testcase.Struct, Elems: []testcase.Value{{Kind: testcase.Int, Bits: public}, {Kind: testcase.Int, Bits: private}}}
	}
	pointer := func(v testcase.Value) testcase.Value {
		return testcase.Value{Kind: testcase.Pointer, Elems: []testcase.Value{v}}
	}
	through := func(after testcase.Value) *testcase.Case {
		seq := testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: named}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: ptr}, Args: []testcase.Ref{{Stmt: 0}}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: set}, Args: []testcase.Ref{{Stmt: 1}}},
		)
		return &testcase.Case{Target: "T.Set", Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, At: 2,
			Results: [][]testcase.Value{{value(0, 0)}, {pointer(value(0, 0))}, {}}, Final: []testcase.Value{pointer(after)}}}
	}
	variable := &testcase.Case{Target: "T.Set", Seq: testcase.NewSequence(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: named}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: set}, Args: []testcase.Ref{{Stmt: 0}}},
	), Observed: &testcase.Outcome{Status: testcase.Returned, At: 1, Results: [][]testcase.Value{{value(0, 0)}, {}}, Final: []testcase.Value{value(0, 3)}}}
	tests := []struct {
		name             string
		c                *testcase.Case
		private, nothing bool
	}{
		{"unexported field", through(value(0, 3)), true, false},
		{"exported field", through(value(3, 0)), false, false},
		{"both", through(value(3, 3)), false, false},
		{"receiver in a variable", variable, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsPrivate(&load.Package{}, tt.c); got != tt.private {
				t.Errorf("IsPrivate = %t, want %t", got, tt.private)
			}
			if got := AssertsNothing(tt.c); got != tt.nothing {
				t.Errorf("AssertsNothing = %t, want %t", got, tt.nothing)
			}
		})
	}
}

// A call that returns zero values, and changes nothing, says no more than a function without a body would.
func TestReturnsZero(t *testing.T) {
	failed, silent := call("a", "bad"), call("a", "")
	silent.Observed.Results[1] = []testcase.Value{{Kind: testcase.Nil}}
	followed := call("a", "")
	followed.Seq = testcase.NewSequence(append(followed.Seq.AppendTo(nil), followed.Seq.At(0))...)
	followed.Observed.Results[1] = silent.Observed.Results[1]
	for _, tt := range []struct {
		name string
		c    *testcase.Case
		want bool
	}{{"an error", failed, false}, {"no error", silent, true}, {"no error, and something is asked behind the call", followed, false}} {
		if got := ReturnsZero(tt.c); got != tt.want {
			t.Errorf("%s: ReturnsZero = %t, want %t", tt.name, got, tt.want)
		}
	}
}

// Of a new object everything is zero, whatever its settings; a test shows more once something is not.
func TestShowsNewObject(t *testing.T) {
	made := func(asked ...testcase.Value) *testcase.Case {
		c := call("a", "")
		c.Observed.Results[1] = []testcase.Value{{Kind: testcase.Pointer, Elems: []testcase.Value{{Kind: testcase.Struct}}}}
		for _, v := range asked {
			stmts := append(c.Seq.AppendTo(nil), testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpField, Type: types.Typ[types.Int]}, Args: []testcase.Ref{{Stmt: 1}}})
			c.Seq = testcase.NewSequence(stmts...)
			c.Observed.Results = append(c.Observed.Results, []testcase.Value{v})
		}
		return c
	}
	zero, three := testcase.Value{Kind: testcase.Int}, testcase.Value{Kind: testcase.Int, Bits: 3}
	for _, tt := range []struct {
		name string
		c    *testcase.Case
		want bool
	}{{"nothing asked", made(), false}, {"zero", made(zero), true}, {"zero and three", made(zero, three), false}} {
		if got := ShowsNewObject(tt.c); got != tt.want {
			t.Errorf("%s: ShowsNewObject = %t, want %t", tt.name, got, tt.want)
		}
	}
}

// A struct of which users see no field is private.
func TestIsPrivate_sealed(t *testing.T) {
	pkg := types.NewPackage("example.com/p", "p")
	made := func(field string) *testcase.Case {
		named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Vector", nil), types.NewStruct([]*types.Var{types.NewField(token.NoPos, pkg, field, types.Typ[types.Int], false)}, nil), nil)
		named.AddMethod(types.NewFunc(token.NoPos, pkg, "Len", types.NewSignatureType(types.NewVar(token.NoPos, pkg, "v", named), nil, nil, nil, nil, false)))
		f := types.NewFunc(token.NoPos, pkg, "New", types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, pkg, "", named)), false))
		seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}})
		value := testcase.Value{Kind: testcase.Struct, Elems: []testcase.Value{{Kind: testcase.Int, Bits: 3}}}
		return &testcase.Case{Target: "New", Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{value}}}}
	}
	for field, want := range map[string]bool{"vec": true, "Vec": false} {
		if got := IsPrivate(&load.Package{Types: pkg}, made(field)); got != want {
			t.Errorf("with a field %s: IsPrivate = %t, want %t", field, got, want)
		}
	}
}

func TestIsMisprinted(t *testing.T) {
	for text, want := range map[string]bool{"abc%!(EXTRA int=1)": true, "%!d(string=a)": true, "%!v(PANIC=nil)": true, "100%!": false, "50% (half)": false, "": false} {
		c := &testcase.Case{Seq: testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero}}), Observed: &testcase.Outcome{Results: [][]testcase.Value{{{Kind: testcase.String, Str: text}}}}}
		if got := IsMisprinted(c); got != want {
			t.Errorf("IsMisprinted of %q = %t, want %t", text, got, want)
		}
	}
}

// Nobody reads a text that is far longer than all that is passed.
func TestIsOverlong(t *testing.T) {
	for _, tt := range []struct {
		passed, returned int
		want             bool
	}{{5, 700, false}, {5, 3000, true}, {500, 3000, false}} {
		b := &testcase.Builder{}
		b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: strings.Repeat("a", tt.passed)}})
		c := &testcase.Case{Seq: b.Sequence(), Observed: &testcase.Outcome{Results: [][]testcase.Value{{{Kind: testcase.String, Len: tt.returned}}}}}
		if got := IsOverlong(c); got != tt.want {
			t.Errorf("%d bytes of %d: %t, want %t", tt.returned, tt.passed, got, tt.want)
		}
	}
}

// Nothing in, nothing out shows nothing; a value on either side does.
func TestIsVacuous(t *testing.T) {
	list := types.NewSlice(types.NewPointer(types.Typ[types.Int]))
	fn := types.NewFunc(0, nil, "F", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "list", list)), types.NewTuple(types.NewParam(0, nil, "", list)), false))
	none := testcase.Value{Kind: testcase.Nil}
	for name, tt := range map[string]struct {
		passed   *testcase.Operation
		returned testcase.Value
		want     bool
	}{
		"nil":             {&testcase.Operation{Kind: testcase.OpZero, Type: list}, none, true},
		"nil, empty list": {&testcase.Operation{Kind: testcase.OpZero, Type: list}, testcase.Value{Kind: testcase.Slice}, true},
		"list of nil":     {&testcase.Operation{Kind: testcase.OpZero, Type: list}, testcase.Value{Kind: testcase.Slice, Len: 1, Elems: []testcase.Value{none}}, true},
		"something":       {&testcase.Operation{Kind: testcase.OpZero, Type: list}, testcase.Value{Kind: testcase.Int, Bits: 1}, false},
		"of a text":       {&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}}, none, false},
	} {
		b := &testcase.Builder{}
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: fn}, b.Add(tt.passed))
		c := &testcase.Case{Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{nil, {tt.returned}}}}
		if got := IsVacuous(c); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
	}
}

// A text of the input is taken out of a message only where it is no part of a longer word.
func TestWithoutText(t *testing.T) {
	for _, tt := range []struct{ message, text, want string }{
		{"glob cannot be empty", "no", "glob cannot be empty"},
		{"unknown action: no", "no", "unknown action: "},
		{"no no nothing", "no", "  nothing"},
		{"bad *x*y", "*x", "bad *y"},
		{"none", "none", ""},
	} {
		if got := withoutText(tt.message, tt.text); got != tt.want {
			t.Errorf("withoutText(%q, %q) = %q, want %q", tt.message, tt.text, got, tt.want)
		}
	}
}

// A method that is called on what a lookup did not find is called on nothing, and one on what it found is not.
func TestIsOnNothing(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	conn := types.NewPointer(types.NewNamed(types.NewTypeName(0, pkg, "Conn", nil), types.NewStruct(nil, nil), nil))
	get := types.NewFunc(0, pkg, "Get", types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", conn)), false))
	drop := types.NewFunc(0, pkg, "Drop", types.NewSignatureType(types.NewParam(0, pkg, "c", conn), nil, nil, nil, nil, false))
	var b testcase.Builder
	b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: drop}, b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: get}))
	for kind, want := range map[testcase.ValueKind]bool{testcase.Nil: true, testcase.Pointer: false} {
		c := &testcase.Case{Target: "Conn.Drop", Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: kind}}, nil}}}
		if got := IsOnNothing(c); got != want {
			t.Errorf("IsOnNothing where Get returns a value of kind %d = %t, want %t", kind, got, want)
		}
	}
	b = testcase.Builder{}
	b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: drop}, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: conn}))
	c := &testcase.Case{Target: "Conn.Drop", Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: testcase.Nil}}, nil}}}
	if IsOnNothing(c) {
		t.Error("IsOnNothing of a nil that the test writes = true, want false")
	}
}

// That a call returned no function can be compared, and which function it returned cannot.
func TestIsSilent_functions(t *testing.T) {
	pkg := types.NewPackage("example.com/p", "p")
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int])), false)
	named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Step", nil), sig, nil)
	returning := func(v testcase.Value, results ...types.Type) *testcase.Case {
		var vars []*types.Var
		for _, r := range results {
			vars = append(vars, types.NewVar(token.NoPos, pkg, "", r))
		}
		f := types.NewFunc(token.NoPos, pkg, "F", types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(vars...), false))
		seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}})
		values := make([]testcase.Value, len(results))
		for i := range values {
			values[i] = v
		}
		return &testcase.Case{Target: "F", Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{values}}}
	}
	none, some := testcase.Value{Kind: testcase.Nil}, testcase.Value{Kind: testcase.Opaque}
	for name, tt := range map[string]struct {
		c      *testcase.Case
		silent bool
	}{
		"nil":            {returning(none, sig), false},
		"nil of a type":  {returning(none, named), false},
		"two":            {returning(none, sig, named), false},
		"a function":     {returning(some, sig), true},
		"two functions":  {returning(some, sig, named), true},
		"another result": {returning(some, sig, types.Typ[types.Int]), false},
		"no result":      {returning(none), true},
	} {
		if got := IsSilent(tt.c); got != tt.silent {
			t.Errorf("%s: IsSilent = %t", name, got)
		}
	}
}
