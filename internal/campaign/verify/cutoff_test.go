package verify

import (
	"context"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const cutOffSource = `package m

import "errors"

func Decode(s string) (byte, error) {
	if s == "" || s[0] != 'a' {
		return 0, errors.New("no a")
	}
	return s[2], nil
}

func Head(s string) byte { return s[2] }
`

// A function that answers other texts by errors is expected to return one for a text that it reads beyond the end of, unless it accepts a
// beginning of the text.
func TestMarkWanted(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": cutOffSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	call := func(target, text string, o *testcase.Outcome) *testcase.Case {
		var b testcase.Builder
		s := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: text}})
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Target(target).Obj}, s)
		return &testcase.Case{Target: target, Seq: b.Sequence(), Observed: o}
	}
	returned := func(err testcase.ValueKind) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{}, {{Kind: testcase.Uint}, {Kind: err}}}}
	}
	refused := []*testcase.Case{call("Decode", "", returned(testcase.Interface)), call("Decode", "b", returned(testcase.Interface))}
	for _, tt := range []struct {
		what, target, text, message string
		line                        int
		cases                       []*testcase.Case
		want                        bool
	}{
		{"two other texts are refused", "Decode", "ab", "index out of range [2] with length 2", 9, refused, true},
		{"one is", "Decode", "ab", "index out of range [2] with length 2", 9, refused[:1], false},
		{"a beginning is accepted", "Decode", "ab", "index out of range [2] with length 2", 9, append(refused[:2:2], call("Decode", "a", returned(testcase.Nil))), false},
		{"the index is below zero", "Decode", "ab", "index out of range [-1]", 9, refused, false},
		{"it is passed nothing", "Decode", "", "index out of range [0] with length 0", 9, refused, false},
		{"there is no error to return", "Head", "ab", "index out of range [2] with length 2", 12, refused, false},
	} {
		c := call(tt.target, tt.text, &testcase.Outcome{Status: testcase.Panicked, At: 1, Panic: &testcase.Panic{
			Kind: "index-out-of-range", Message: tt.message,
			Stack: []testcase.Frame{{Func: "example.com/m." + tt.target, Pos: token.Position{Filename: "m.go", Line: tt.line}}},
		}})
		f := &testcase.Finding{Kind: "index-out-of-range", Func: tt.target, Case: c}
		MarkWanted(pkg, []*testcase.Finding{f}, tt.cases)
		if f.WantsError != tt.want {
			t.Errorf("%s: WantsError = %t, want %t", tt.what, f.WantsError, tt.want)
		}
	}
}
