package crossed

import (
	"go/types"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A line with as many parts as a struct has texts gets a word for each, alone and beside a second line.
func TestWithWords(t *testing.T) {
	entry, pair := record{"Hostname", "Port", "Username", "Password"}, record{"Key", "Value"}
	for _, tt := range []struct {
		text    string
		records []record
		want    []string
	}{
		{":::", []record{entry}, []string{"example.com:8080:ann:secret", "example.com:8080:ann:secret\nexample.org:8081:bob:secret2"}},
		{"head\na=b\n", []record{pair}, []string{"head\nkey=value\n", "head\nkey=value\nkey2=value2\n"}},
		{"a.b.c.d", []record{entry}, nil}, // the host has the separator in itself
		{"hello", []record{entry, pair}, nil},
		{"", []record{entry}, nil},
	} {
		got := withWords(tt.text, tt.records)
		if len(tt.want) == 0 != (len(got) == 0) || len(tt.want) > 0 && !slices.Equal(got, tt.want) {
			t.Errorf("withWords(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Arguments match the fields of their names; then one after the other does not.
func TestMatching(t *testing.T) {
	text := types.Typ[types.String]
	field := func(name string) *types.Var { return types.NewField(0, nil, name, text, false) }
	entry := types.NewStruct([]*types.Var{field("Hostname"), field("Username"), field("Password")}, nil)
	call := func(names ...string) *testcase.Case {
		params := []*types.Var{types.NewParam(0, nil, "e", entry)}
		args := []testcase.Ref{{Stmt: 0}}
		stmts := []testcase.Statement{{Op: &testcase.Operation{Kind: testcase.OpZero, Type: entry}}}
		for i, name := range names {
			params = append(params, types.NewParam(0, nil, name, text))
			args = append(args, testcase.Ref{Stmt: i + 1})
			stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: text}})
		}
		sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(types.NewParam(0, nil, "", text)), false)
		fn := types.NewFunc(0, types.NewPackage("p", "p"), "Find", sig)
		stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: fn}, Args: args})
		return &testcase.Case{Target: "Find", Seq: testcase.NewSequence(stmts...)}
	}
	var got []string
	for _, seq := range Matching(call("hostname", "username", "other")) {
		got = append(got, seq.Inline())
	}
	const object = `Find(struct{Hostname string; Username string; Password string}{Hostname: "example.com", Username: "ann", Password: "secret"}, `
	want := []string{object + `"example.com", "ann", "")`, object + `"example.org", "ann", "")`, object + `"example.com", "bob", "")`}
	if !slices.Equal(got, want) {
		t.Errorf("Matching = %q, want %q", got, want)
	}
	if seqs := Matching(call("hostname", "name")); seqs != nil {
		t.Errorf("one argument that matches makes %d sequences", len(seqs))
	}
}
