package emit

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

func TestVerify(t *testing.T) {
	good := Seal([]byte("package p\n"))
	tests := []struct {
		name      string
		content   []byte
		generated bool
		edited    bool
	}{
		{"as written", good, true, false},
		{"with the line ends of Windows", bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")), true, false},
		{"edited", append(good[:len(good):len(good)], "var x int\n"...), true, true},
		{"the hash removed", bytes.Replace(good, []byte(hashPrefix), []byte("// "), 1), true, true},
		{"the header moved", append([]byte("// mine\n"), good...), true, true},
		{"by hand", []byte("package p\n"), false, true},
		{"empty", nil, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if generated, edited := Verify(tt.content); generated != tt.generated || edited != tt.edited {
				t.Errorf("Verify = %t, %t; want %t, %t", generated, edited, tt.generated, tt.edited)
			}
		})
	}
}

// Panics quote inputs, and a comment may not have everything in it.
func TestComment(t *testing.T) {
	in := "Compile(\"\x80\") panics:\n\u00e9\t\x00\ufeff\u202e\r`\x80$`\n"
	want := "// Compile(\"\\x80\") panics:\n// \u00e9\t\\x00\\ufeff\\u202e\\r`\\x80$`\n"
	got := comment(in)
	if got != want {
		t.Errorf("comment = %q, want %q", got, want)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", got+"package p\n", parser.ParseComments); err != nil {
		t.Error(err)
	}
}

func TestSourceConstraint(t *testing.T) {
	tests := []struct {
		name, header, want string
	}{
		{"p.go", "", ""},
		{"linux.go", "", ""},
		{"p_linux.go", "", "linux"},
		{"p_linux_arm64.go", "", "linux && arm64"},
		{"p_arm64.go", "", "arm64"},
		{"p_unix.go", "", ""},
		{"p_other.go", "//go:build !linux || a\n\n", "!linux || a"},
		{"p_windows.go", "// A licence.\n\n//go:build a || b\n\n", "(a || b) && windows"},
		{"p_linux.go", "//go:build linux\n\n", "linux"},
	}
	for _, tt := range tests {
		f, err := parser.ParseFile(token.NewFileSet(), tt.name, tt.header+"package p\n", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if c := sourceConstraint(f, tt.name); c != nil {
			got = c.String()
		}
		if got != tt.want {
			t.Errorf("constraint of %s with %q = %q, want %q", tt.name, tt.header, got, tt.want)
		}
	}
}

func TestImportable(t *testing.T) {
	tests := []struct {
		path, from string
		want       bool
	}{
		{"strings", "example.com/m", true},
		{"example.com/m/internal/x", "example.com/m/p", true},
		{"example.com/m/internal", "example.com/m", true},
		{"example.com/n/internal/x", "example.com/m", false},
		{"example.com/m/p/internal/x", "example.com/m/q", false},
		{"example.com/m/internal/x/internal/y", "example.com/m/internal/x/z", true},
		{"example.com/m/internal/x/internal/y", "example.com/m/p", false},
		{"internal/abi", "example.com/m", false},
		{"vendor/golang.org/x/net", "example.com/m", false},
		{"unsafe", "example.com/m", false},
	}
	for _, tt := range tests {
		if got := importable(tt.path, tt.from); got != tt.want {
			t.Errorf("importable(%q, %q) = %t, want %t", tt.path, tt.from, got, tt.want)
		}
	}
}

func TestNames_pick(t *testing.T) {
	outer := newNames(nil)
	outer.add("Stack")
	n := newNames(outer)
	got := strings.Join([]string{n.pick("s"), n.pick("s"), n.pick("s", "stack"), n.pick("len", "string"), n.pick("Stack"), n.pick("for"), n.pick("x1"), n.pick("x1")}, " ")
	if want := "s s2 stack v2 Stack2 v3 x1 x1_2"; got != want {
		t.Errorf("picked %s, want %s", got, want)
	}
}

// The column of a receiver is called after its type, which may be Type.
func TestPickField(t *testing.T) {
	n := newNames(nil)
	got := strings.Join([]string{n.pickField("type"), n.pickField("len"), n.pickField("len"), n.pickField("range")}, " ")
	if want := "theType len v2 theRange"; got != want {
		t.Errorf("picked %s, want %s", got, want)
	}
}

func TestTestName(t *testing.T) {
	for target, want := range map[string]string{"Parse": "TestParse", "parse": "Test_parse", "Tree.Add": "TestTree_Add", "tree.add": "Test_tree_add"} {
		if got := TestName(target); got != want {
			t.Errorf("TestName(%q) = %q, want %q", target, got, want)
		}
	}
}

func TestLowerFirst(t *testing.T) {
	for name, want := range map[string]string{"ID": "id", "HTTPServer": "httpServer", "Now": "now", "x": "x", "": ""} {
		if got := lowerFirst(name); got != want {
			t.Errorf("lowerFirst(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestConditionPhrase(t *testing.T) {
	tests := []struct {
		text   string
		truth  bool
		want   string
		clause string
		word   string
	}{
		{"n > 0", true, "n > 0", "n > 0", "Positive"},
		{"n > 0", false, "n <= 0", "n <= 0", "NotPositive"},
		{"m.size >= maxSize", true, "m.size >= maxSize", "m.size >= maxSize", "SizeAtLeastMaxSize"},
		{"n != 12", true, "n != 12", "n != 12", "IsNot12"},
		{"!(n < 0)", false, "negative", "n is negative", "Negative"},
		{"n == 0", true, "zero", "n is zero", "Zero"},
		{"n%4 == 0", true, "n%4 == 0", "n%4 == 0", ""},
		{"len(n) == 0", true, "empty", "n is empty", "Empty"},
		{"n.Len() > 0", true, "not empty", "n is not empty", "NotEmpty"},
		{`n == ""`, false, "not empty", "n is not empty", "NotEmpty"},
		{"n == nil", true, "nil", "n is nil", "Nil"},
		{"m == nil", true, "nil m", "m is nil", "NilM"},
		{"m.IsFull()", true, "full", "m is full", "Full"},
		{"m.closed", false, "not closed", "m is not closed", "NotClosed"},
		{"m.reuse", true, "m.reuse", "m.reuse is true", "Reuse"},
		{"n > 0 && m != nil", false, "not (n > 0 && m != nil)", "not (n > 0 && m != nil)", ""},
		{"i < len(n)", true, "", "", ""},
		{"n > (", true, "", "", ""},
		{"true", true, "", "", ""},
	}
	for _, tt := range tests {
		p, ok := conditionPhrase(tt.text, tt.truth, "n", func(name string) (input, known bool) {
			input = name == "n" || name == "m"
			return input, input || strings.HasPrefix(name, ".") || name == "nil" || name == "len" || name == "true" || name == "maxSize"
		})
		if p.text != tt.want || p.clause != tt.clause || p.word != tt.word || ok != (tt.want != "") {
			t.Errorf("conditionPhrase(%q, %t) = %+v, %t; want %q, %q, %q", tt.text, tt.truth, p, ok, tt.want, tt.clause, tt.word)
		}
	}
}

// Conditions speak of what a test hands over only where they stand before its change, in the
// target itself, and in its first activation.
func TestInputs(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", `package p

func F(s string, n int, q *Q) int {
	if n > 0 {
		return 1
	}
	n = len(s)
	if n > 1 || q.size == 0 {
		q.size++
	}
	if q.size == 2 {
		return F(s, n, q)
	}
	for s != "" {
		s = s[1:]
	}
	return g(s)
}

func g(s string) int {
	if s == "x" {
		return 1
	}
	return 0
}

type Q struct{ size int }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	tpkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &load.Package{Path: "p", Types: tpkg, Info: info, Syntax: []*ast.File{file}}
	f := tpkg.Scope().Lookup("F").(*types.Func)
	at := func(line int, text string, taken bool) testcase.Condition {
		return testcase.Condition{Pos: token.Position{Filename: "p.go", Line: line, Column: 5}, Text: text, True: taken}
	}
	path := []testcase.Condition{
		at(4, "n > 0", false), at(8, "n > 1", false), at(8, "q.size == 0", true), at(11, "q.size == 2", true),
		at(4, "n > 0", true), at(14, `s != ""`, false), at(20, `s == "x"`, false),
	}
	w := &writer{pkg: pkg, fset: fset, inputs: make(inputsTable)}
	var b testcase.Builder
	sig := f.Signature()
	var args []testcase.Ref
	for p := range sig.Params().Variables() {
		args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Type()}))
	}
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, args...)
	var got []string
	for _, p := range w.conditions(&testcase.Case{Target: "F", Seq: b.Sequence(), Path: path}) {
		got = append(got, p.clause)
	}
	if want := []string{"n <= 0", "q.size is zero"}; !slices.Equal(got, want) {
		t.Errorf("conditions %q, want %q", got, want)
	}
	if in := inputsOf(pkg, fset, f); in.still("s", token.Position{Filename: "p.go", Line: 14, Column: 6}) {
		t.Error("s is changed in the loop that asks for it")
	}
}

func TestComparison_need(t *testing.T) {
	nan := testcase.Value{Kind: testcase.Float, Bits: math.Float64bits(math.NaN())}
	one := testcase.Value{Kind: testcase.Float, Bits: math.Float64bits(1)}
	list := testcase.Value{Kind: testcase.Slice, Len: 2, Elems: []testcase.Value{one, nan}}
	if (comparison{}).need(one).special || !(comparison{}).need(list).special {
		t.Error("a NaN among the expected values is not noticed, or one that is none is")
	}
}

func TestFloatFacts(t *testing.T) {
	ar := `package p
func Fused(x, y, z float64) float64 { return x*y + z }
func Through(x float64) float64 { return mul(x, x) - 1 }
func mul(x, y float64) float64 { return x * y }
func Single(x float64) float64 { return x / 3 }
func Ints(x int) int { return x*x + 1 }
`
	r := loadSource(t, ar)
	facts := newFloatFacts(r)
	for target, want := range map[string]bool{"Fused": true, "Through": true, "mul": false, "Single": false, "Ints": false} {
		if got := facts.inexact(target); got != want {
			t.Errorf("inexact(%s) = %t, want %t", target, got, want)
		}
	}
}

// loadSource type-checks a package of one file without imports.
func loadSource(t *testing.T, src string) *load.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &load.Package{Syntax: []*ast.File{f}, Info: newInfo()}
	checkFiles(t, pkg, fset)
	return pkg
}

// TestNameOfTest: a suffix that makes no identifier is passed over.
func TestNameOfTest(t *testing.T) {
	w := &writer{names: newNames(nil)}
	for _, want := range []string{"TestF_good", "TestF_2"} {
		if got := w.testFunc("F", "_whenIs-1", "_good"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
