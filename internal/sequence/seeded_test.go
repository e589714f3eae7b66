package sequence

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/testcase"
)

var seeded = flag.Int("seeded", 4, "how many calls the sequences have that look for seeded bugs")

// seeds is the number of mutants of each subject.
const seeds = 10

// Package mutate plants ten faults into each subject, evenly over the source. The test shows by the number
// of calls how many of them the sequences of the exploration notice: by contracts, that is by panics,
// endless loops and the invariant after the last call, and by regression, that is by anything that is
// observed.
func TestSeededBugs(t *testing.T) {
	prog, pkg := subjects(t)
	var table strings.Builder
	fmt.Fprintf(&table, "| subject | tests |")
	for n := 3; n <= *seeded; n++ {
		fmt.Fprintf(&table, " N=%d |", n)
	}
	table.WriteString(" not noticed |\n")
	total := 0
	for _, name := range []string{"UBStack", "IntStack", "BinarySearchTree", "BinomialHeap", "LinkedList", "TreeMap", "HeapArray"} {
		cases := casesOf(t, prog, pkg, name, *seeded)
		a, err := mutate.Build(t.Context(), prog, pkg, mutate.Config{Funcs: inFile(prog, pkg, name), MaxMutants: seeds})
		if err != nil {
			t.Fatal(err)
		}
		contracts, regression := contractsNotice(t, a, pkg, name, cases), regressionNotices(t, a, cases)
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if len(contracts) != seeds || len(regression) != seeds {
			t.Fatalf("%s: %d and %d mutants", name, len(contracts), len(regression))
		}
		fmt.Fprintf(&table, "| %s | %d |", name, len(cases))
		for n := 3; n <= *seeded; n++ {
			by, all := within(contracts, n), within(regression, n)
			if by > all {
				t.Errorf("%s: contracts notice %d at %d calls, all assertions %d", name, by, n, all)
			}
			fmt.Fprintf(&table, " %d / %d |", by, all)
			if n == *seeded {
				total += all
			}
		}
		for _, v := range regression {
			if v.calls == 0 {
				fmt.Fprintf(&table, " %s:%d: %s;", filepath.Base(v.mutant.Pos.Filename), v.mutant.Pos.Line, v.mutant.Text)
			}
		}
		table.WriteString(" |\n")
	}
	t.Logf("noticed by contracts / by regression assertions:\n%s", &table)
	if total < 52 {
		t.Errorf("only %d of %d noticed", total, 7*seeds)
	}
}

// noticed is a mutant with the number of calls of the first sequence that notices it, or 0 if none does.
type noticed struct {
	mutant mutate.Mutant
	calls  int
}

// within counts the mutants that sequences of at most n calls notice.
func within(vs []noticed, n int) int {
	out := 0
	for _, v := range vs {
		if v.calls > 0 && v.calls <= n {
			out++
		}
	}
	return out
}

// casesOf returns the sequences of a subject, the shortest first.
func casesOf(t *testing.T, prog *load.Program, pkg *load.Package, name string, depth int) []*testcase.Case {
	var out []*testcase.Case
	cfg := Config{Depth: depth, Budget: exhaustive, All: true}
	_, err := Run(context.Background(), Subject{prog, pkg, pkg.Types.Scope().Lookup(name).Type()}, cfg, func(c *testcase.Case) bool {
		out = append(out, c)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// calls counts the methods that a sequence calls.
func calls(s *testcase.Sequence) int {
	n := 0
	for i := range s.Len() {
		if s.At(i).Op.Kind == testcase.OpMethod {
			n++
		}
	}
	return n
}

// inFile reports which functions are in the subject's file.
func inFile(prog *load.Program, pkg *load.Package, name string) func(string) bool {
	file := map[string]string{"BinarySearchTree": "bst"}[name]
	if file == "" {
		file = strings.ToLower(name)
	}
	in := map[string]bool{}
	for _, f := range pkg.Syntax {
		if filepath.Base(prog.Fset.File(f.FileStart).Name()) != file+".go" {
			continue
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				in[testcase.TargetName(pkg.Info.Defs[fd.Name].(*types.Func))] = true
			}
		}
	}
	return func(fn string) bool { return in[fn] }
}

// regressionNotices runs the sequences and compares everything that is observed.
func regressionNotices(t *testing.T, a *mutate.Analysis, cases []*testcase.Case) []noticed {
	vs, err := a.Cases(t.Context(), cases, mutate.Options{Same: func(base, got *testcase.Outcome) string {
		return mutate.Differ(base, got, func(int) bool { return true })
	}})
	if err != nil {
		t.Fatal(err)
	}
	return first(vs, cases)
}

// contractsNotice runs the sequences, each with a question for the subject's invariant at its end, and
// compares the answers, and how the sequences end.
func contractsNotice(t *testing.T, a *mutate.Analysis, pkg *load.Package, name string, cases []*testcase.Case) []noticed {
	ok := pkg.Types.Scope().Lookup("ok" + name).(*types.Func)
	checked := make([]*testcase.Case, len(cases))
	for i, c := range cases {
		recv := testcase.Ref{}
		if last := c.Seq.Last(); last.Op.Kind == testcase.OpMethod {
			recv = last.Args[0]
		}
		checked[i] = &testcase.Case{Seq: c.Seq.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: ok}, Args: []testcase.Ref{recv}})}
	}
	vs, err := a.Cases(t.Context(), checked, mutate.Options{Same: func(base, got *testcase.Outcome) string {
		switch {
		case base.Status != testcase.Returned:
			return ""
		case got.Status != testcase.Returned:
			return "ending"
		case got.Results[got.At][0].Bits == 0:
			return "invariant"
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	return first(vs, cases)
}

// first returns for each mutant that was run the number of calls after which it is noticed.
func first(vs []mutate.Verdict, cases []*testcase.Case) []noticed {
	var out []noticed
	for _, v := range vs {
		if !v.Run {
			continue
		}
		n := noticed{mutant: v.Mutant}
		if v.Killed {
			n.calls = max(1, calls(cases[v.By[0]].Seq))
		}
		out = append(out, n)
	}
	return out
}
