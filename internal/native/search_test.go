package native

import (
	"context"
	"go/types"
	"os"
	"testing"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
)

// TestSearchExample enumerates the trees of the example, and removes every node from each.
func TestSearchExample(t *testing.T) {
	ctx := context.Background()
	prog, err := load.Load(ctx, load.Config{Dir: "../../examples/bintree"})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	scope := pkg.Types.Scope()
	tree := scope.Lookup("Tree").Type().(*types.Named)
	node := scope.Lookup("Node").Type()
	var repOK, remove *types.Func
	for m := range tree.Methods() {
		switch m.Name() {
		case "RepOK":
			repOK = m
		case "Remove":
			remove = m
		}
	}
	pre := scope.Lookup(pkg.Contracts.Func(pkg.Func(remove)).Pre).(*types.Func)
	cfg := Config{Observe: []*types.Func{repOK, remove, pre}}
	if testing.Verbose() {
		cfg.Log = os.Stderr
	}
	h, err := Build(ctx, prog, pkg, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	spec, err := candidate.Parse("class 0 1\nclass 1 7\nfield 0 0 n o1\nfield 0 1 i7..7\nfield 1 0 n o1\nfield 1 1 n o1\n")
	if err != nil {
		t.Fatal(err)
	}
	res, err := h.Search(ctx, Search{Root: tree, Checks: []Check{{Func: repOK}}, Spec: spec, Types: []types.Type{tree, node}})
	if err != nil || res.Valid != 429 || !res.Complete || len(res.Problems) > 0 {
		t.Errorf("%+v, %v", res, err)
	}
	t.Logf("%+v", res.Result)

	in := types.NewStruct([]*types.Var{
		types.NewField(0, pkg.Types, "t", types.NewPointer(tree), false),
		types.NewField(0, pkg.Types, "n", types.NewPointer(node), false),
	}, nil)
	spec, err = candidate.Parse("class 0 1\nclass 1 1\nclass 2 7\nfield 0 0 o1\nfield 0 1 n o2\nfield 1 0 n o2\nfield 1 1 i7..7\nfield 2 0 n o2\nfield 2 1 n o2\n")
	if err != nil {
		t.Fatal(err)
	}
	fresh := 0
	res, err = h.Search(ctx, Search{
		Root: in, Checks: []Check{{Func: repOK, Fields: []int{0}}, {Name: pre.Name(), Fields: []int{0, 1}}},
		Spec: spec, Types: []types.Type{in, tree, node}, Op: remove, Fields: []int{0, 1},
		After: []Check{{Func: repOK, Fields: []int{0}, Label: "RepOK"}},
		Found: func(f Found) {
			fresh++
			if f.Failure != "" || !f.Fresh {
				t.Errorf("%+v", f)
			}
		},
	})
	// Each node of each tree.
	if err != nil || res.Valid != 429*7 || !res.Complete || len(res.Problems) > 0 || fresh == 0 {
		t.Errorf("%+v, %v, %d", res, err, fresh)
	}
	t.Logf("%+v %d", res.Result, fresh)
}
