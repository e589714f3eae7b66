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

// A build that takes no longer than a fifth of the time, or than a warm cache needs, counts; of a longer one the rest does not, up to a bound.
func TestConfig_uncounted(t *testing.T) {
	for _, tt := range []struct {
		timeout, bound, took, want time.Duration
	}{
		{30 * time.Second, time.Minute, 6 * time.Second, 0},
		{30 * time.Second, time.Minute, 40 * time.Second, 34 * time.Second},
		{10 * time.Second, time.Minute, 4 * time.Second, 0},
		{10 * time.Second, time.Minute, 7 * time.Second, 2 * time.Second},
		{30 * time.Second, time.Minute, time.Hour, time.Minute},
		{30 * time.Second, 0, time.Hour, 0},
	} {
		if got := (Config{Timeout: tt.timeout, FirstBuild: tt.bound}).uncounted(tt.took); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// What is built for the first time may go on behind the deadline, which moves only if that took long.
func TestSession_Prepare(t *testing.T) {
	s := &Session{Pkg: &load.Package{Path: "p"}, Events: &event.Stream{}, User: t.Context(), Config: Config{Timeout: time.Nanosecond, FirstBuild: time.Hour}}
	s.Deadline = time.Now().Add(-time.Second)
	s.Ctx, s.cancel = context.WithDeadline(s.User, s.Deadline)
	defer func() { s.cancel() }()
	if err := s.Prepare(func(ctx context.Context) error { return ctx.Err() }); err != nil {
		t.Errorf("the context that allows for the first build has ended: %v", err)
	}
	if s.Ctx.Err() == nil {
		t.Error("the deadline has moved although nothing took long")
	}
}

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
