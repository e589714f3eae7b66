package session

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// A run that ends before its time says when it ended.
func TestTimedOut(t *testing.T) {
	for _, tt := range []struct {
		ago  time.Duration
		want string
	}{
		{time.Hour + time.Minute, "p: timed out after 1h0m0s: not all"},
		{30 * time.Minute, "p: out of time after 30m0s of 1h0m0s, the rest of which running the tests may take: not all"},
	} {
		var said string
		s := &Session{
			Config: Config{Timeout: time.Hour}, Pkg: &load.Package{Path: "p"}, start: time.Now().Add(-tt.ago),
			Events: &event.Stream{Sink: func(e event.Event) { said = e.(event.Diagnostic).Message }},
		}
		s.TimedOut("not all")
		if said != tt.want {
			t.Errorf("%q, want %q", said, tt.want)
		}
	}
}

// Cases that were not run because the time had ended are returned, so that they can run later.
func TestBackground_left(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	o := (&Bench{Harness: &native.Harness{}}).RunInBackground(ended)
	b := &testcase.Builder{}
	b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int]})
	queued := []*testcase.Case{{Target: "F", Seq: b.Sequence()}, {Target: "G", Seq: b.Sequence()}}
	for _, c := range queued {
		o.Add(c)
	}
	if _, left, err := o.Wait(); err != nil || !slices.Equal(left, queued) {
		t.Errorf("left = %v, error %v; want both cases", left, err)
	}
}

// A method of an interface is not called if one that changes files may be behind it.
func TestSession_throughInterface(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", `package p

type Store interface{ Clear() error }
type Other interface{ Clear(int) error }
type Dir struct{}

func (*Dir) Clear() error { return nil }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	method := func(typ string) *types.Func {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup(typ).Type()), true, pkg, "Clear")
		if obj == nil {
			obj, _, _ = types.LookupFieldOrMethod(pkg.Scope().Lookup(typ).Type(), true, pkg, "Clear")
		}
		return obj.(*types.Func)
	}
	s := &Session{Config: Config{Unsafe: true}, effects: map[string][]*types.Func{"Clear": {method("Dir")}}}
	for typ, want := range map[string]bool{"Store": true, "Other": false, "Dir": false} {
		seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: method(typ)}})
		if got := s.refuses(seq) != ""; got != want {
			t.Errorf("%s.Clear is refused: %v, want %v", typ, got, want)
		}
	}
	for text, want := range map[string]bool{"func(d *Dir) error {\n\treturn d.Clear()\n}": true, "func(d *Dir) error {\n\treturn d.ClearAll()\n}": false} {
		seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFuncLit, Text: text}})
		if got := s.refuses(seq) != ""; got != want {
			t.Errorf("%s is refused: %v, want %v", text, got, want)
		}
	}
	check := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpCheck, Check: &testcase.Check{Object: method("Dir")}}})
	if s.refuses(check) != "" {
		t.Error("a check of a function without effects is refused")
	}
	s.onPaths = map[*types.Func]bool{method("Dir"): true}
	if s.refuses(check) == "" {
		t.Error("a check of a function that changes files is not refused")
	}
}
