package told

import (
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// directory is what a list of the files of a directory returns: names and texts in turn. A text that begins with "?" differs from run to run.
func directory(files ...string) testcase.Value {
	v := testcase.Value{Kind: testcase.Map}
	for i, s := range files {
		e := testcase.Value{Kind: testcase.String, Str: s, Len: len(s)}
		if i%2 == 1 && strings.HasPrefix(s, "?") {
			e = testcase.Value{Kind: testcase.Invalid, Varies: true}
		}
		v.Elems = append(v.Elems, e)
	}
	return v
}

// TestChoose says for directories before and behind a call how the test looks at them.
func TestChoose(t *testing.T) {
	long := strings.Repeat("x", longestTexts)
	gone := testcase.Value{Kind: testcase.Nil}
	for _, tt := range []struct {
		name     string
		f        folder
		was, now testcase.Value
		want     string // the helper, and the file that it looks at
	}{
		{"a new file", folder{}, directory(), directory("ann.json", "{}"), "filesIn "},
		{"a new file beside another one", folder{}, directory("a.txt", "hello"), directory("a.txt", "hello", "b.txt", "bye"), "textOf b.txt"},
		{"a new file with a path of its own", folder{file: "a.txt"}, directory(), directory("a.txt", "hello"), "textOf a.txt"},
		{"a changed file that a helper has made", folder{file: "a.txt", unnamed: true}, directory("a.txt", ""), directory("a.txt", "hello"), "textOf a.txt"},
		{"an emptied file", folder{file: "a.txt", unnamed: true}, directory("a.txt", "hello"), directory("a.txt", ""), "filesIn "},
		{"a long text", folder{}, directory(), directory("a.txt", long), "textOf a.txt"},
		{"two new files", folder{}, directory(), directory("a.txt", "a", "b/c.txt", "b"), "filesIn "},
		{"an empty directory", folder{}, directory(), directory("sub/", ""), "treeIn "},
		{"a file is gone", folder{}, directory("a.txt", "hello"), directory(), "exists a.txt"},
		{"a file that a helper has made is gone", folder{file: "a.txt", unnamed: true}, directory("a.txt", "hello"), directory(), "exists a.txt"},
		{"another file of that directory is gone", folder{file: "a.txt", unnamed: true}, directory("a.txt", "", "b.txt", ""), directory("a.txt", ""), "filesIn "},
		{"the directory is gone", folder{}, directory("a.txt", "hello"), gone, "exists "},
		{"a file was renamed", folder{}, directory("a.txt", "hello"), directory("b.txt", "hello"), "filesIn "},
		{"a text that differs from run to run", folder{}, directory(), directory("a.txt", "?"), "namesIn "},
		{"a new file whose text differs from run to run", folder{file: "a.txt"}, directory(), directory("a.txt", "?"), "exists a.txt"},
		{"a file that was there, whose text differs from run to run", folder{file: "a.txt", unnamed: true}, directory("a.txt", ""), directory("a.txt", "?"), ""},
		{"bytes that are no text", folder{}, directory(), directory("a.bin", "\x00\xff"), "namesIn "},
		{"a directory of the harness in a text", folder{}, directory(), directory("a.txt", "/tmp/x/scratch/001/b"), "namesIn "},
		{"a name of bytes", folder{}, directory(), directory("\xff", "hello"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.f
			f.was, f.now = tt.was, tt.now
			got := ""
			if l := f.choose(); l.op != nil {
				got = l.op.Via.Name + " " + l.file
			}
			if got != tt.want {
				t.Errorf("choose() = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestFoldersOf finds the directories that a test makes, and nothing in tests that look at files already.
func TestFoldersOf(t *testing.T) {
	text := types.Typ[types.String]
	word := func(s string) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: text, Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}}
	}
	function := func(pkg, name string, via *testcase.Helper, args ...int) testcase.Statement {
		sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", text)), false)
		st := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: types.NewFunc(0, types.NewPackage(pkg, pkg), name, sig), Via: via}}
		for _, a := range args {
			st.Args = append(st.Args, testcase.Ref{Stmt: a})
		}
		return st
	}
	dir := function("p", "tempDir", &testcase.Helper{Name: "tempDir", OfTest: true, Method: "TempDir"})
	file := &testcase.Helper{Name: "fileWith", OfTest: true}
	call := func(args ...int) testcase.Statement { return function("p", "F", nil, args...) }
	for _, tt := range []struct {
		name  string
		stmts []testcase.Statement
		want  []folder
	}{
		{"a directory", []testcase.Statement{dir, call(0)}, []folder{{}}},
		{"a file in a directory", []testcase.Statement{dir, word("a.txt"), function("path/filepath", "Join", nil, 0, 1), call(2)}, []folder{{path: testcase.Ref{Stmt: 2}, file: "a.txt"}}},
		{"a file of a helper", []testcase.Statement{word("a.txt"), word("hello"), function("p", "fileWith", file, 0, 1), call(2)},
			[]folder{{path: testcase.Ref{Stmt: 2}, unnamed: true, file: "a.txt"}}},
		{"a word", []testcase.Statement{word("dir"), call(0)}, nil},
		{"looks already", []testcase.Statement{dir, call(0), {Op: observer.FilesIn(), Args: []testcase.Ref{{Stmt: 0}}}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := foldersOf(0, &testcase.Case{Target: "F", Seq: testcase.NewSequence(tt.stmts...)})
			if len(got) != len(tt.want) {
				t.Fatalf("foldersOf() returns %d folders, want %d", len(got), len(tt.want))
			}
			for i, w := range tt.want {
				if g := got[i]; g.path != w.path || g.unnamed != w.unnamed || g.file != w.file {
					t.Errorf("folder %d is %+v, want %+v", i, *g, w)
				}
			}
		})
	}
}
