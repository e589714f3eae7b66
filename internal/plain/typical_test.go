package plain

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// The package of these tests: a matrix that one function makes, settings that are declared, texts, runes and
// lists.
const typicalSource = `package p

type Options struct {
	Cost int
	Same func(a, b rune) bool
}

var Default = Options{Cost: 1}

type Entry struct { Name string; Age int }

func Distance(source, target []rune, op Options) int { return 0 }
func Matrix(source, target []rune, op Options) [][]int { return nil }
func Last(matrix [][]int) int { return 0 }
func Union(a, b []int, words []string) {}
func Find(text, sub string, from int) int { return 0 }
func Add(e Entry) {}
func Cut(text, suffix string) string { return "" }
func Say(text string, times int) {}
func Fail(text string) *Fault { return nil }

type Fault struct{ text string }

func (f *Fault) Error() string { return f.text }
`

func typicalProgram(t *testing.T) program {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", typicalSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return program{t, &load.Package{Path: "p", Types: pkg, Literals: &load.Literals{}}}
}

// zeros returns a case of a function whose arguments all have the zero value.
func (p program) zeros(name string) *testcase.Case {
	f := p.fn(name)
	var stmts []testcase.Statement
	var args []int
	for v := range f.Signature().Params().Variables() {
		args = append(args, len(stmts))
		stmts = append(stmts, p.zero(v.Type()))
	}
	return &testcase.Case{Target: name, Seq: testcase.NewSequence(append(stmts, p.call(f, args...))...)}
}

func TestTypical(t *testing.T) {
	p := typicalProgram(t)
	for _, tt := range []struct {
		fn   string
		n    int
		want []string // parts of the sequence
	}{
		{"Distance", 0, []string{"[]rune{107, 105, 116, 116, 101, 110}", "[]rune{115,", ":= Default;"}},
		{"Last", 0, []string{":= Default;", "Matrix(", "Last(v"}}, // made by the package
		{"Union", 0, []string{"[]int{3, 1, 2}", "[]int{2, 3, 5}", `[]string{"cherry", "apple", "banana"}`}},
		{"Find", 1, []string{`Find("hello world", "hello", 3)`}},
		{"Find", 0, []string{`Find("kitten", "itt"`}},
		{"Cut", 0, []string{`Cut("kitten", "ten")`}},
		{"Say", 0, []string{`Say("hello", 7)`}},    // nothing to compare it with
		{"Fail", 0, []string{`Fail("failed")`}},    // what the error says
		{"Add", 0, []string{`p.Entry{"ann", 42}`}}, // by the names of the fields
	} {
		seq, ok := Typical(tt.n)(p.pkg, p.zeros(tt.fn))
		if !ok {
			t.Errorf("Typical(%d) of %s changes nothing", tt.n, tt.fn)
			continue
		}
		for _, part := range tt.want {
			if !strings.Contains(seq.String(), part) {
				t.Errorf("Typical(%d) of %s = %s, without %s", tt.n, tt.fn, seq, part)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	p := typicalProgram(t)
	c := p.zeros("Find")
	c.Seq, _ = Typical(1)(p.pkg, c)
	var got []string
	for _, s := range Edges(p.pkg, c) {
		got = append(got, s.String())
	}
	want := []string{`Find("", "hello", 3)`, `Find("hello world", "", 3)`, `Find("hello world", "hello world", 3)`}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("Edges = %q, want %q", got, want)
	}
}

// A directory of the test's own is not passed as the name of something in it, too.
func TestEdges_ownDirectory(t *testing.T) {
	p := typicalProgram(t)
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", types.Typ[types.String])), false)
	dir := testcase.Statement{Op: &testcase.Operation{
		Kind: testcase.OpFunc, Func: types.NewFunc(0, nil, "tempDir", sig),
		Via: &testcase.Helper{Name: "tempDir", Sig: sig, OfTest: true, Method: "TempDir"},
	}}
	c := p.zeros("Find")
	c.Seq = testcase.NewSequence(dir, p.text("hello"), p.integer(types.Typ[types.Int], 3), p.call(p.fn("Find"), 0, 1, 2))
	for _, s := range Edges(p.pkg, c) {
		if args := s.Last().Args; args[0] == args[1] {
			t.Errorf("Edges has %s", s)
		}
	}
}

func TestStrangeness(t *testing.T) {
	p := typicalProgram(t)
	p.pkg.Literals.Strings = []string{"*/*"}
	of := func(text, sub string) int {
		c := p.zeros("Find")
		c.Seq = testcase.NewSequence(p.text(text), p.text(sub), p.integer(types.Typ[types.Int], 3), p.call(p.fn("Find"), 0, 1, 2))
		return Strangeness(p.pkg, c)
	}
	order := []int{of("kitten", "*/*"), of("kitten", ""), of("", ""), of("n/&!;", "a,b")}
	for i := range order[1:] {
		if order[i] >= order[i+1] {
			t.Errorf("strangeness %d of case %d is not below %d", order[i], i, order[i+1])
		}
	}
}

func TestDeclared(t *testing.T) {
	p := typicalProgram(t)
	seq, ok := Declared(0)(p.pkg, p.zeros("Distance"))
	if !ok || !strings.Contains(seq.String(), "Distance(nil, nil, v2)") {
		t.Errorf("Declared(0) = %v, %t", seq, ok)
	}
	if seq, ok := Declared(1)(p.pkg, p.zeros("Distance")); ok {
		t.Errorf("Declared(1) = %v, though one variable is declared", seq)
	}
}

// checked returns package p of the given source, which imports nothing.
func checked(t *testing.T, src string) program {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return program{t, &load.Package{Path: "p", Types: pkg, Literals: &load.Literals{}}}
}

func TestTypical_maps(t *testing.T) {
	p := checked(t, "package p\n\nfunc Set(m map[string]string) {}\nfunc Add(h map[string][]string) {}\nfunc Count(m map[string]int) {}\nfunc Hook(m map[string]func()) {}\n")
	for _, tt := range []struct {
		fn   string
		n    int
		want string // "" if nothing is proposed
	}{
		{"Set", 0, `v2 := map[string]string{"name": "ann"}; Set(v2)`},
		{"Set", 1, `v4 := map[string]string{"name": "ann", "city": "oslo"}; Set(v4)`},
		{"Add", 2, `v2 := []string{"value"}; v3 := map[string][]string{"key": v2}; Add(v3)`},
		{"Count", 0, `v2 := map[string]int{"name": 7}; Count(v2)`},
		{"Hook", 0, ""},
	} {
		seq, ok := Typical(tt.n)(p.pkg, p.zeros(tt.fn))
		if got := ""; ok {
			if got = seq.String(); got != tt.want {
				t.Errorf("Typical(%d) of %s = %s, want %s", tt.n, tt.fn, got, tt.want)
			}
		} else if tt.want != "" {
			t.Errorf("Typical(%d) of %s proposes nothing", tt.n, tt.fn)
		}
	}
}

func TestKeyed(t *testing.T) {
	p := checked(t, `package p

type Env interface{ Get(key string) string }

func FromMap(m map[string]string) Env { return nil }
func Expand(env Env, text string) string { return "" }
func Render(text string, data map[string]string) string { return "" }
func Walk(text string, visit func()) {}
`)
	for _, tt := range []struct {
		name string
		fn   string
		args []testcase.Statement
		want string // "" if nothing is proposed
	}{
		{"a map", "Render", []testcase.Statement{p.text("Hello, {{name}}!"), p.zero(p.fn("Render").Signature().Params().At(1).Type())}, `v3 := map[string]string{"name": "ann"}; Render("Hello, {{name}}!", v3)`},
		{"what a function makes of a map", "Expand", []testcase.Statement{p.zero(p.typ("Env")), p.text("Hello, ${USER_NAME}")}, `v3 := map[string]string{"USER_NAME": "ann"}; v4 := FromMap(v3); Expand(v4, "Hello, ${USER_NAME}")`},
		{"no data", "Walk", []testcase.Statement{p.text("Hello, {{name}}!"), p.zero(p.fn("Walk").Signature().Params().At(1).Type())}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &testcase.Case{Target: tt.fn, Seq: testcase.NewSequence(append(tt.args, p.call(p.fn(tt.fn), 0, 1))...)}
			seq, ok := Keyed(0)(p.pkg, c)
			if ok != (tt.want != "") || ok && seq.String() != tt.want {
				t.Errorf("Keyed(0) = %v, %t, want %s", seq, ok, tt.want)
			}
		})
	}
}

func TestRichness(t *testing.T) {
	p := typicalProgram(t)
	find := func(text, sub string, from int) int {
		seq := testcase.NewSequence(p.text(text), p.text(sub), p.integer(types.Typ[types.Int], int64(from)), p.call(p.fn("Find"), 0, 1, 2))
		return Richness(p.pkg, &testcase.Case{Target: "Find", Seq: seq})
	}
	empty, one, more, much := find("", "", 0), find("a", "b", 1), find("hello", "ell", 12), find("The quick brown fox jumps over the lazy dog", "fox", 12345)
	if !(empty < one && one < more && more < much) {
		t.Errorf("Richness() = %d, %d, %d, %d, want them to rise", empty, one, more, much)
	}
}

// A struct within another of its own type gets no parts, or there would be no end of them.
func TestCompleted_recursive(t *testing.T) {
	pkg := loaded(t, `package m

type node struct {
	Parent *node
	Next   *node
	Names  []string
	onDone func()
}

func depth(n *node) int {
	if n.Parent == nil {
		return len(n.Names)
	}
	return depth(n.Parent) + depth(n.Next)
}
`)
	f := pkg.Types.Scope().Lookup("depth").(*types.Func)
	n := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: pkg.Types.Scope().Lookup("node").Type()}}
	p := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: f.Signature().Params().At(0).Type()}, Args: []testcase.Ref{{Stmt: 0}}}
	call := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: 1}}}
	c := &testcase.Case{Target: "depth", Seq: testcase.NewSequence(n, p, call)}
	none := func(types.Type, int) *testcase.Sequence { return nil }
	seq, ok := Completed(false, none)(pkg, c)
	if ok && seq.Len() > 200 {
		t.Errorf("a completed struct takes %d statements", seq.Len())
	}
}
