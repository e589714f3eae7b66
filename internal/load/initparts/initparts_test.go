package initparts

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// initOf returns the initialiser of a package.
func initOf(t *testing.T, src string) *ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{f}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Func("init")
}

func TestOf(t *testing.T) {
	fn := initOf(t, `package p

type Range struct{ lo, hi int }
type Table struct{ ranges []Range }

var latin = &Table{[]Range{{65, 90}, {97, 122}}}
var Latin = latin
var Tables = map[string]*Table{"Latin": Latin, "Greek": {[]Range{{880, 1023}}}}
var sizes = [3]int{1, 2, 3}
var first = sizes[0]
var never int
`)
	parts := Of(fn)
	text := func(name string) string {
		var b strings.Builder
		for _, in := range parts[fn.Pkg.Var(name)] {
			b.WriteString(in.String() + "\n")
		}
		return b.String()
	}
	for name, want := range map[string]struct{ has, lacks []string }{
		"latin":  {[]string{"= latin = ", "122"}, []string{"880", "sizes"}},
		"Latin":  {nil, []string{"122", "880"}},
		"Tables": {[]string{`"Latin"`, "880"}, []string{"122", "sizes"}},
		"sizes":  {[]string{"3:int"}, []string{"122"}},
		"first":  {[]string{"&sizes[0:int]"}, []string{"3:int"}},
	} {
		got := text(name)
		if got == "" {
			t.Errorf("%s has no part", name)
		}
		for _, s := range want.has {
			if !strings.Contains(strings.ReplaceAll(got, "*latin", "= latin"), s) {
				t.Errorf("the part of %s has no %s:\n%s", name, s, got)
			}
		}
		for _, s := range want.lacks {
			if strings.Contains(got, s) {
				t.Errorf("the part of %s has %s:\n%s", name, s, got)
			}
		}
	}
	if part, ok := parts[fn.Pkg.Var("never")]; ok {
		t.Errorf("a variable without a value has the part %v", part)
	}
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	all := fn.Blocks[1].Instrs
	if jumps := slices.IndexFunc(all, isJump); n != len(all)-2 || jumps != len(all)-1 {
		t.Errorf("the parts have %d instructions of %d", n, len(all)-2)
	}
}

func TestOf_undivided(t *testing.T) {
	for name, src := range map[string]string{
		"a call":              "var x = f()\nfunc f() int { return 1 }",
		"an init function":    "var x = 1\nfunc init() { x = 2 }",
		"a branch":            "var a, b = true, false\nvar x = a && b",
		"through a pointer":   "var p = new(int)\nvar x = func() int { *p = 2; return 1 }()",
		"a map of some where": "var m = map[string]int{}\nfunc init() { m[\"a\"] = 1 }",
	} {
		t.Run(name, func(t *testing.T) {
			if parts := Of(initOf(t, "package p\n"+src)); parts != nil {
				t.Errorf("Of = %v, want nil", parts)
			}
		})
	}
}
