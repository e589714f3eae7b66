package words

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Cases are named by the fields that are set in the struct which their object was made with.
func TestSettings(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	field := func(name string, typ types.Type) *types.Var {
		return types.NewField(token.NoPos, pkg, name, typ, false)
	}
	options := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Options", nil), types.NewStruct([]*types.Var{
		field("Redirect", types.Typ[types.Bool]), field("Host", types.Typ[types.String]), field("Port", types.Typ[types.Int]), field("Age", types.Typ[types.Int]),
	}, nil), nil)
	server := types.NewPointer(types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Server", nil), types.NewStruct(nil, nil), nil))
	parameters := func(vars ...*types.Var) *types.Tuple { return types.NewTuple(vars...) }
	newServer := types.NewFunc(token.NoPos, pkg, "New", types.NewSignatureType(nil, nil, nil,
		parameters(types.NewVar(token.NoPos, pkg, "o", types.NewSlice(options))), parameters(types.NewVar(token.NoPos, pkg, "", server)), true))
	start := types.NewFunc(token.NoPos, pkg, "Start", types.NewSignatureType(types.NewVar(token.NoPos, pkg, "s", server), nil, nil, nil, nil, false))
	n := &Namer{pkg: &load.Package{Path: "p", Types: pkg}}

	literal := func(typ types.Type, lit testcase.Literal) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: typ, Lit: lit}}
	}
	yes := literal(types.Typ[types.Bool], testcase.Literal{Kind: testcase.LitBool, Bits: 1})
	host := literal(types.Typ[types.String], testcase.Literal{Kind: testcase.LitString, Str: "abc"})
	number := func(x uint64) testcase.Statement {
		return literal(types.Typ[types.Int], testcase.Literal{Kind: testcase.LitInt, Bits: x})
	}
	for _, tt := range []struct {
		name   string
		elems  []int
		values []testcase.Statement
		want   string
	}{
		{"a truth", []int{0}, []testcase.Statement{yes}, "Redirect"},
		{"two, by name", []int{2, 1}, []testcase.Statement{number(80), host}, `Host "abc", Port 80`},
		{"zeros are not set", []int{2}, []testcase.Statement{number(0)}, "no options"},
		{"many", []int{0, 1, 2, 3}, []testcase.Statement{yes, host, number(80), number(3)}, "Age 3 and three more"},
		{"no argument", nil, nil, "no options"},
	} {
		stmts := tt.values
		var args []testcase.Ref
		for i := range tt.values {
			args = append(args, testcase.Ref{Stmt: i})
		}
		var made []testcase.Ref
		if tt.values != nil {
			made = []testcase.Ref{{Stmt: len(stmts)}}
			stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: options, Elems: tt.elems}, Args: args})
		}
		stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: newServer}, Args: made})
		stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: start}, Args: []testcase.Ref{{Stmt: len(stmts) - 1}}})
		if got := n.settings(&testcase.Case{Target: "Server.Start", Seq: testcase.NewSequence(stmts...)}); got != tt.want {
			t.Errorf("%s: settings = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAsSetting(t *testing.T) {
	for call, want := range map[string]string{
		"SetBorderRight(false)":     "no border right",
		"SetRowLines(true)":         "row lines",
		"SetLineStyle(StyleBlue)":   "line style blue",
		"SetAlignment(0, 2)":        "alignment 0, 2",
		"WithPadding(5)":            "padding 5",
		"DisableColor":              "no color",
		`SetFooters("Total")`:       `footers "Total"`,
		`AddRow("Apple", "14")`:     `AddRow("Apple", "14")`,
		"Set(5)":                    "Set(5)",
		"DisableLevels(Warn, Info)": "DisableLevels(Warn, Info)",
	} {
		if got := asSetting(call); got != want {
			t.Errorf("asSetting(%s) = %q, want %q", call, got, want)
		}
	}
}
