package explore

import (
	"go/ast"
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/sequence"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// mostFaultCases is how many sequences look for faults. They are the first ones found, which are short.
const mostFaultCases = 5_000

// plantFaults plants faults into the methods of a type and runs the sequences with each fault. For each
// iteration it notes how many faults the sequences notice by anything that they observe.
func plantFaults(s *session.Session, typ string, most int, iterations []sequence.Iteration, cases []*testcase.Case) error {
	if len(cases) == 0 || len(iterations) == 0 {
		return nil
	}
	bench, err := s.Build(s.Ctx, session.BenchConfig{})
	if err != nil {
		return err
	}
	stateful := bench.Stateful()
	bench.Close()
	about := reached(s.Pkg, typ)
	a, err := mutate.Build(s.Ctx, s.Prog, s.Pkg, mutate.Config{
		Funcs: func(name string) bool { return about[name] }, MaxMutants: most, Stateful: stateful, Tags: s.Config.Tags, Confine: s.Config.Confine,
	})
	if err != nil {
		return err
	}
	verdicts, err := a.Cases(s.Ctx, cases, mutate.Options{All: true, Same: differ})
	if closed := a.Close(); err == nil {
		err = closed
	}
	for _, v := range verdicts {
		if !v.Run {
			continue
		}
		fewest := -1
		for _, k := range v.By {
			if n := callsOn(cases[k].Seq); fewest < 0 || n < fewest {
				fewest = n
			}
		}
		for i := range iterations {
			iterations[i].Faults++
			if v.Killed && fewest <= iterations[i].Depth {
				iterations[i].Noticed++
			}
		}
	}
	return err
}

// differ compares everything that was observed. The question is whether a fault can be noticed at all, and
// not whether a test in some form would notice it.
func differ(base, got *testcase.Outcome) string {
	return mutate.Differ(base, got, func(int) bool { return true })
}

// callsOn counts the methods that a sequence calls on the receiver of its last call.
func callsOn(s *testcase.Sequence) int {
	last := s.Last()
	if last.Op.Kind != testcase.OpMethod {
		return 0
	}
	n := 0
	for i := range s.Len() {
		if st := s.At(i); st.Op.Kind == testcase.OpMethod && st.Args[0] == last.Args[0] {
			n++
		}
	}
	return n
}

// reached returns the names of the methods of a type of the package, and of the functions of the package that
// these mention, directly or indirectly.
func reached(pkg *load.Package, typ string) map[string]bool {
	out := make(map[string]bool)
	var visit func(obj *types.Func)
	visit = func(obj *types.Func) {
		obj = obj.Origin()
		fd, name := pkg.Func(obj), testcase.TargetName(obj)
		if fd == nil || fd.Body == nil || out[name] {
			return
		}
		out[name] = true
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if callee, ok := pkg.Info.Uses[id].(*types.Func); ok {
					visit(callee)
				}
			}
			return true
		})
	}
	for obj := range pkg.Funcs() {
		if recv := obj.Signature().Recv(); recv != nil {
			if n := load.NamedOf(recv.Type()); n != nil && n.Obj().Name() == typ {
				visit(obj)
			}
		}
	}
	return out
}
