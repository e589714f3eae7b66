package plain

import (
	"go/constant"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A call in the documentation lends its arguments to calls of other functions with parameters of the
// same names.
func TestBorrowed(t *testing.T) {
	p := newProgram(t)
	p.pkg.Literals = &load.Literals{Documented: map[string][][]constant.Value{
		"Of":   {{nil, constant.MakeString("ann"), constant.MakeString("Dear Ann")}, {constant.MakeInt64(1), nil, nil}},
		"Join": {{constant.MakeString("a"), constant.MakeInt64(7), nil}},
	}}
	p.pkg.Targets = append(p.pkg.Targets, &load.Target{Name: "Of", Obj: p.fn("Of")}, &load.Target{Name: "Join", Obj: p.fn("Join")})
	stmts := []testcase.Statement{p.zero(p.typ("Kind")), p.text("\x00"), p.text("x"), p.call(p.fn("Of"), 0, 1, 2)}
	c := &testcase.Case{Target: "Other", Seq: testcase.NewSequence(stmts...)}
	for n, want := range []string{`Of(0, "ann", "Dear Ann")`, ""} {
		seq, ok := Borrowed(n)(p.pkg, c)
		if ok != (want != "") || ok && seq.String() != want {
			t.Errorf("Borrowed(%d) = %v, %t, want %s", n, seq, ok, want)
		}
	}
}

// Texts that nobody would write get the form of texts that people write, as far as their characters
// are of the same kinds.
func TestShaped(t *testing.T) {
	p := newProgram(t)
	for _, tt := range []struct{ text, first, second string }{
		{"IPa", "HTTPServer", "Hello"},
		{"aPa", "helloWorld", ""},
		{"0Za", "3DModel", ""},
		{"a0a", "abc123def", ""},
		{"abc", "", ""}, // a word
		{"ID", "", ""},  // somebody wrote it
		{"max", "", ""},
		{"a:a", "", ""},
	} {
		c := &testcase.Case{Target: "Of", Seq: testcase.NewSequence(p.zero(p.typ("Kind")), p.text(tt.text), p.text("max"), p.call(p.fn("Of"), 0, 1, 2))}
		for n, want := range []string{tt.first, tt.second} {
			seq, ok := Shaped(n)(p.pkg, c)
			if ok != (want != "") || ok && seq.At(1).Op.Lit.Str != want {
				t.Errorf("Shaped(%d) of %q = %v, %t, want %q", n, tt.text, seq, ok, want)
			}
		}
	}
}

// Each error that a test makes up has a text of its own, and lists of errors have errors.
func TestErrors(t *testing.T) {
	p := newProgram(t)
	failure := types.Universe.Lookup("error").Type()
	list := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(failure), N: 2}, Args: refs(0, 0)}
	errorsNew := types.NewFunc(0, types.NewPackage("errors", "errors"), "New", types.NewSignatureType(nil, nil, nil,
		types.NewTuple(types.NewParam(0, nil, "text", types.Typ[types.String])), types.NewTuple(types.NewParam(0, nil, "", failure)), false))
	c := &testcase.Case{Seq: testcase.NewSequence(p.zero(failure), p.text("failed"), p.call(errorsNew, 1), p.text("failed"), p.call(errorsNew, 3), list)}
	seq, ok := Errors(p.pkg, c)
	if want := `v1 := New("timed out"); v3 := New("refused"); []error{v1, v3}`; !ok || seq.String() != want {
		t.Errorf("Errors = %v, %t, want %s", seq, ok, want)
	}
	again, ok := Errors(p.pkg, &testcase.Case{Seq: seq}) // the first texts are free now
	if want := `v1 := New("failed"); v3 := New("not found"); []error{v1, v3}`; !ok || again.String() != want {
		t.Errorf("Errors of that = %v, %t, want %s", again, ok, want)
	}
	if seq, ok := Errors(p.pkg, &testcase.Case{Seq: again}); ok {
		t.Errorf("Errors of these = %v", seq)
	}
	failing := types.NewFunc(0, types.NewPackage("testing/iotest", "iotest"), "ErrReader", types.NewSignatureType(nil, nil, nil,
		types.NewTuple(types.NewParam(0, nil, "err", failure)), types.NewTuple(types.NewParam(0, nil, "", failure)), false))
	of := &testcase.Case{Seq: testcase.NewSequence(p.text("failed"), p.call(errorsNew, 0), p.zero(failure), p.call(failing, 2))}
	if seq, ok := Errors(p.pkg, of); !ok || seq.String() != `v1 := New("not found"); ErrReader(v1)` {
		t.Errorf("Errors of what fails by nil = %v, %t", seq, ok)
	}
}
