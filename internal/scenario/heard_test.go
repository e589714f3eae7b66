package scenario

import (
	"context"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/giver/called"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const hubSource = `package p

import "reflect"

type Hub struct{ ears map[string][]reflect.Value }

func New() *Hub { return nil }

func (h *Hub) Attach(event string, ear any) {
	if v := reflect.ValueOf(ear); v.Kind() == reflect.Func {
		h.ears[event] = append(h.ears[event], v)
	}
}

func (h *Hub) Reset() {}

func (h *Hub) Detach(event string, ear any) bool {
	return h.ears[event][0].Pointer() == reflect.ValueOf(ear).Pointer()
}

func (h *Hub) Tell(event string, details ...any) {
	var in []reflect.Value
	for _, d := range details {
		in = append(in, reflect.ValueOf(d))
	}
	for _, e := range h.ears[event] {
		e.Call(in)
	}
}

func (h *Hub) Wait() {}
func (h *Hub) Close() {}
`

// hub runs sequences as the methods of Hub would.
type hub struct {
	later, vague bool // calls come when they are waited for; at times
	keeps        bool // Detach and Reset do nothing
	runs         int
}

func (m *hub) run(_ context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	var out []*testcase.Outcome
	for _, s := range seqs {
		m.runs++
		out = append(out, m.outcome(s))
	}
	return out, nil
}

func (m *hub) outcome(s *testcase.Sequence) *testcase.Outcome {
	o := &testcase.Outcome{Status: testcase.Returned, Results: make([][]testcase.Value, s.Len())}
	var calls, waiting []testcase.Value
	ears := make(map[string]bool)
	takes := 0
	for i := range s.Len() {
		st := s.At(i)
		switch st.Op.Kind {
		case testcase.OpFuncLit:
			takes = st.Op.Type.(*types.Signature).Params().Len()
			continue
		case testcase.OpDeref:
			o.Results[i] = []testcase.Value{{Kind: testcase.Slice, Elems: calls}}
			continue
		case testcase.OpMethod:
		default:
			continue
		}
		event := ""
		if len(st.Args) > 1 {
			event = s.At(st.Args[1].Stmt).Op.Lit.Str
		}
		switch st.Op.Func.Name() {
		case "Attach":
			ears[event] = true
		case "Detach":
			o.Results[i] = []testcase.Value{{Kind: testcase.Bool, Bits: 1}}
			ears[event] = m.keeps
		case "Reset":
			if !m.keeps {
				clear(ears)
			}
		case "Tell":
			if len(st.Args)-2 != takes {
				return &testcase.Outcome{Status: testcase.Panicked, At: i}
			}
			if ears[event] && !(m.vague && m.runs%2 == 0) {
				waiting = append(waiting, testcase.Value{Kind: testcase.String, Str: "heard"})
			}
			if !m.later {
				calls, waiting = append(calls, waiting...), nil
			}
		case "Wait":
			calls, waiting = append(calls, waiting...), nil
		}
	}
	return o
}

// What an object calls is heard by a function that a method is handed, under the name that it was handed over with, until it is taken back.
func TestTeller_hearings(t *testing.T) {
	const begins = `v0 := New(); v1 := func(s string) {}; v2 := recordEar(v1); v0.Attach("apple", v2); `
	for _, tt := range []struct {
		name        string
		model       *hub
		calls, says string
	}{
		{"at once", &hub{}, "Tell Tell Detach Tell", "Tell calls what Attach was given, until Detach takes it back."},
		{"later", &hub{later: true}, "Tell Wait Tell Wait Detach Tell Wait", "Tell calls what Attach was given, until Detach takes it back."},
		{"nothing takes it back", &hub{keeps: true}, "Tell Tell", "Tell calls what Attach was given."},
		{"at times", &hub{vague: true}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "p.go", hubSource, 0)
			if err != nil {
				t.Fatal(err)
			}
			info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object)}
			checked, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{f}, info)
			if err != nil {
				t.Fatal(err)
			}
			pkg := &load.Package{Path: "p", Types: checked, Syntax: []*ast.File{f}, Info: info}
			named := checked.Scope().Lookup("Hub").Type().(*types.Named)
			for f := range named.Methods() {
				pkg.Targets = append(pkg.Targets, &load.Target{Name: "Hub." + f.Name(), Obj: f, Recv: f.Signature().Recv().Type(), Exported: true})
			}
			b := &testcase.Builder{}
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: checked.Scope().Lookup("New").(*types.Func)})
			tell := Teller{Pkg: pkg, Try: tt.model.run, Run: tt.model.run,
				Makers: func(made types.Type) []*testcase.Sequence {
					if _, pointer := made.(*types.Pointer); pointer {
						return []*testcase.Sequence{b.Sequence()}
					}
					return nil
				},
				Ready:     func(types.Type, int) *testcase.Sequence { return nil },
				ReadsOnly: func(*testcase.Operation) bool { return false },
				Called:    called.Of(pkg), Recorders: giver.NewRecorders(checked, false),
			}
			cases, err := tell.Cases(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			cases = slices.DeleteFunc(cases, func(c *testcase.Case) bool {
				return c.Target != "Hub.Attach" || !strings.Contains(c.Seq.String(), "recordEar")
			})
			if tt.calls == "" {
				if len(cases) > 0 {
					t.Fatalf("what is heard at times is told: %s", cases[0].Seq)
				}
				return
			}
			if len(cases) != 1 {
				t.Fatalf("%d stories, want one", len(cases))
			}
			c := cases[0]
			if !strings.HasPrefix(c.Seq.String(), begins) {
				t.Errorf("the story is\n%s, want\n%s...", c.Seq, begins)
			}
			var calls []string
			for i := c.Story.Begins + 1; i < c.Seq.Len(); i++ {
				if st := c.Seq.At(i); st.Op.Kind == testcase.OpMethod {
					calls = append(calls, st.Op.Func.Name())
				}
			}
			if got := strings.Join(calls, " "); got != tt.calls {
				t.Errorf("the calls are %s, want %s", got, tt.calls)
			}
			if c.Story.About != tt.says {
				t.Errorf("it is about %q, want %q", c.Story.About, tt.says)
			}
		})
	}
}
