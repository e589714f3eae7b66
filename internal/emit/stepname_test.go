package emit

import (
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

func TestBeginning(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"3", `"one,two,three,four,five,six,seven"`}, "one,two,three,four,five,..."},
		{[]string{`"short"`}, ""},
		{[]string{`"a\nvery long text that begins with a short line"`}, ""},
		{nil, ""},
	} {
		if got := beginning(tt.args); got != tt.want {
			t.Errorf("beginning(%q) = %q, want %q", tt.args, got, tt.want)
		}
	}
}

// A case without another name is called by its arguments, unless they are left out or only variables.
func TestPassedText(t *testing.T) {
	for call, want := range map[string]string{
		"New(WithMaxInterval(time.Minute))":    "WithMaxInterval(time.Minute)",
		"Take(3)":                              "3",
		`Get("a")`:                             `"a"`,
		"Close(ctx)":                           "",
		"Len()":                                "",
		"New(...)":                             "",
		"GET /items":                           "",
		"Set(" + strings.Repeat("1", 60) + ")": "",
	} {
		if got := passedText(call); got != want {
			t.Errorf("passedText(%q) = %q, want %q", call, got, want)
		}
	}
}

// A row is called by the argument that it alone has.
func TestOwnArgument(t *testing.T) {
	long := `"` + strings.Repeat("x", 60) + `"`
	rows := []row{{args: []string{long, "[]int{3, 1}", "7"}}, {args: []string{long, "[]int{1, 2}", "7"}}, {args: []string{long, "nil", "8"}}, {args: []string{long, "[]int{1, 2}", "8"}}}
	for i, want := range []string{"{3, 1}", "", "", ""} {
		if got := ownArgument(rows, i); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
}

// A case without any other name is called by the calls that prepare it.
func TestBehindCalls(t *testing.T) {
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	call := func(kind testcase.OpKind, name string) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: kind, Func: types.NewFunc(0, types.NewPackage("p", "p"), name, sig)}}
	}
	c := &testcase.Case{Target: "T.String", Seq: testcase.NewSequence(call(testcase.OpFunc, "New"), call(testcase.OpMethod, "Add"), call(testcase.OpMethod, "Flush"), call(testcase.OpMethod, "String"))}
	taken := make(map[string]bool)
	for _, want := range []string{"after Flush", "after Add and Flush", ""} {
		got := behindCalls(c, taken)
		if got != want {
			t.Errorf("behindCalls = %q, want %q", got, want)
		}
		taken[got] = true
	}
}

func TestIsReadIn(t *testing.T) {
	for _, tt := range []struct {
		c    gofile.Column
		want bool
	}{
		{gofile.Column{Type: "[]string", Cells: []string{"nil", `[]string{"a"}`}}, true},
		{gofile.Column{Type: "*flag.FlagSet", Cells: []string{`flags("")`, `flags("list")`}}, false},
		{gofile.Column{Type: "Env", Cells: []string{"nil", "stubEnv{get: func(string) string { return \"a\" }}"}}, false},
		{gofile.Column{Type: "any", Cells: []string{"7", "&record{}"}}, false},
	} {
		if got := isReadIn(tt.c); got != tt.want {
			t.Errorf("isReadIn(%v) = %t, want %t", tt.c, got, tt.want)
		}
	}
}

// A stand-in for an interface names the row; a type whose name begins in the same way does not.
func TestStandIn(t *testing.T) {
	for arg, want := range map[string]string{"stubReader{}": "Reader", "stubReader2{}": "Reader", "stubborn{3}": "", "stub{}": "", "stubReader": "", "Reader{}": ""} {
		if got := standIn([]string{arg}); got != want {
			t.Errorf("standIn(%q) = %q, want %q", arg, got, want)
		}
	}
	if got := standIn([]string{"stubReader{}", "1"}); got != "" {
		t.Errorf("standIn of two arguments is %q", got)
	}
}

// A step is called by how the error begins that the returned function returns, up to what it quotes.
func TestAppliedError(t *testing.T) {
	op := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc}}
	call := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCallValue}, Args: []testcase.Ref{{}}}
	for _, tt := range []struct {
		last    testcase.Statement
		message string
		want    string
	}{
		{call, `unexpected ID "spiffe://a"`, "unexpected ID"},
		{call, "not in the list: a", "not in the list"},
		{call, "failed", ""}, // a word says little
		{call, "taken already", ""},
		{op, "unexpected ID", ""},
	} {
		c := &testcase.Case{Seq: testcase.NewSequence(op, tt.last), Observed: &testcase.Outcome{Results: [][]testcase.Value{{}, {{Err: &testcase.ErrorInfo{Message: tt.message}}}}}}
		if got := appliedError(c, map[string]bool{"taken already": true}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.message, got, tt.want)
		}
	}
}
