package testcase

import (
	"go/token"
	"go/types"
	"testing"
)

func TestUsesFailed(t *testing.T) {
	pkg := types.NewPackage("m", "m")
	object := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "T", nil), types.NewStruct(nil, nil), nil)
	fn := func(name string, params, results []types.Type) *Operation {
		vars := func(list []types.Type) *types.Tuple {
			var out []*types.Var
			for _, t := range list {
				out = append(out, types.NewParam(token.NoPos, pkg, "", t))
			}
			return types.NewTuple(out...)
		}
		return &Operation{Kind: OpFunc, Func: types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, vars(params), vars(results), false))}
	}
	text := types.Typ[types.String]
	parse, read := fn("Parse", nil, []types.Type{object, errorType}), fn("Read", nil, []types.Type{text, errorType})
	show, say := fn("Show", []types.Type{object}, nil), fn("Say", []types.Type{text}, nil)
	failed := &Outcome{Results: [][]Value{{{Kind: Struct}, {Kind: Pointer}}}}
	worked := &Outcome{Results: [][]Value{{{Kind: Struct}, {Kind: Nil}}}}
	for name, tt := range map[string]struct {
		first, second *Operation
		result        int
		out           *Outcome
		may, uses     bool
	}{
		"an object beside an error":  {parse, show, 0, failed, true, true},
		"an object beside none":      {parse, show, 0, worked, true, false},
		"a text beside an error":     {read, say, 0, failed, false, false},
		"the error itself":           {parse, fn("Log", []types.Type{errorType}, nil), 1, failed, false, false},
		"a call that was not looked": {parse, show, 0, &Outcome{}, true, false},
	} {
		var b Builder
		r := b.Add(tt.first)
		r.Result = tt.result
		b.Add(tt.second, r)
		seq := b.Sequence()
		if seq.MayFail() != tt.may || seq.UsesFailed(tt.out) != tt.uses {
			t.Errorf("%s: may fail %v, uses failed %v; want %v, %v", name, seq.MayFail(), seq.UsesFailed(tt.out), tt.may, tt.uses)
		}
	}
}
