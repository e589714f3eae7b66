package scenario

import (
	"context"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const source = `package p

type Store struct{}

func New(size int) *Store { return nil }

func (s *Store) PutAll(key, value string)          {}
func (s *Store) Put(key, value string)             {}
func (s *Store) Len() int                          { return 0 }
func (s *Store) Get(key string) (string, bool)     { return "", false }
func (s *Store) Take(key string) string            { return "" }
func (s *Store) Del(key string)                    {}
func (s *Store) Prefix(with string) int            { return 0 }
func (s *Store) Prefixed() string                  { return "" }
func (s *Store) Random() int                       { return 0 }
func (s *Store) Name() string                      { return "" }
func (s *Store) Close()                            {}

type Tally struct{}

func (t *Tally) Note(name string)    {}
func (t *Tally) Seen() int           { return 0 }

func First[T any](list []T) T { return list[0] }
`

// model runs sequences on a map, as the methods of Store would.
type model struct {
	full  bool // Put panics for the second key
	stuck bool // to undo takes for ever
}

func (m *model) run(ctx context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	var out []*testcase.Outcome
	for _, s := range seqs {
		if text := s.String(); m.stuck && strings.Contains(text, ".Put(") && strings.Contains(text, ".Del(") {
			<-ctx.Done()
			return out, ctx.Err()
		}
		out = append(out, m.outcome(s))
	}
	return out, nil
}

func (m *model) outcome(s *testcase.Sequence) *testcase.Outcome {
	text := func(v string) testcase.Value { return testcase.Value{Kind: testcase.String, Str: v, Len: len(v)} }
	number := func(n int) testcase.Value { return testcase.Value{Kind: testcase.Int, Bits: uint64(n)} }
	held, prefix := make(map[string]string), ""
	o := &testcase.Outcome{Status: testcase.Returned, Results: make([][]testcase.Value, s.Len())}
	for i := range s.Len() {
		st := s.At(i)
		if st.Op.Kind != testcase.OpMethod {
			continue
		}
		var args []string
		for _, a := range st.Args[1:] {
			args = append(args, s.At(a.Stmt).Op.Lit.Str)
		}
		switch st.Op.Func.Name() {
		case "Put", "PutAll":
			held[args[0]] = args[1]
			if m.full && len(held) > 1 {
				return &testcase.Outcome{Status: testcase.Panicked, At: i}
			}
		case "Len":
			o.Results[i] = []testcase.Value{number(len(held))}
		case "Get":
			v, ok := held[args[0]]
			found := testcase.Value{Kind: testcase.Bool}
			if ok {
				found.Bits = 1
			}
			o.Results[i] = []testcase.Value{text(v), found}
		case "Prefix": // looks like a question, and is none
			prefix = args[0]
			o.Results[i] = []testcase.Value{number(len(held))}
		case "Prefixed":
			o.Results[i] = []testcase.Value{text(prefix)}
		case "Take":
			o.Results[i] = []testcase.Value{text(held[args[0]])}
			delete(held, args[0])
		case "Del":
			delete(held, args[0])
		case "Random":
			o.Results[i], o.Unstable = []testcase.Value{{Kind: testcase.Opaque}}, true
		case "Name":
			o.Results[i] = []testcase.Value{text("p")}
		}
	}
	return o
}

// teller returns a teller of the source's package in which a model runs the calls.
func teller(t *testing.T, m *model) Teller {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &load.Package{Path: "p", Types: checked, Syntax: []*ast.File{f}}
	named := checked.Scope().Lookup("Store").Type().(*types.Named)
	for f := range named.Methods() {
		pkg.Targets = append(pkg.Targets, &load.Target{Name: "Store." + f.Name(), Obj: f, Recv: f.Signature().Recv().Type(), Exported: true})
	}
	first := checked.Scope().Lookup("First").(*types.Func)
	pkg.Targets = append(pkg.Targets, &load.Target{Name: "First[int]", Obj: first, TypeArgs: []types.Type{types.Typ[types.Int]}, Exported: true})
	tally := checked.Scope().Lookup("Tally").Type().(*types.Named)
	for f := range tally.Methods() {
		pkg.Targets = append(pkg.Targets, &load.Target{Name: "Tally." + f.Name(), Obj: f, Recv: f.Signature().Recv().Type(), Exported: true})
	}
	b := &testcase.Builder{}
	size := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.Int]})
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: checked.Scope().Lookup("New").(*types.Func)}, size)
	return Teller{Pkg: pkg, Try: m.run, Run: m.run,
		Makers: func(made types.Type) []*testcase.Sequence {
			if p, pointer := made.(*types.Pointer); !pointer || p.Elem() != named {
				return nil
			}
			return []*testcase.Sequence{b.Sequence()}
		},
		Ready:     func(types.Type, int) *testcase.Sequence { return nil },
		ReadsOnly: func(op *testcase.Operation) bool { return op.Func.Name() == "Name" || op.Func.Name() == "Len" },
	}
}

func TestTeller_Cases(t *testing.T) {
	const put = `v1 := New(10); v1.Put("key1", "value1"); v1.Put("key2", "value2"); v1.Get("key1"); v1.Get("key2"); v1.Get("key3"); `
	tests := []struct {
		name        string
		model       *model
		want, about string
	}{
		{"whole", &model{}, put + `v1.Len(); v1.Del("key1"); v1.Get("key1"); v1.Get("key2"); v1.Len()`, "Get and Len show what Put has done, and Del undoes it."},
		{"second key refused", &model{full: true}, "", ""},
		{"time ends while it is learnt what undoes it", &model{stuck: true}, put + `v1.Take("key1"); v1.Len()`, "Get, Take and Len show what Put has done."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.Background(), context.CancelFunc(func() {})
			if tt.model.stuck {
				ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
			}
			defer cancel()
			cases, err := teller(t, tt.model).Cases(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" {
				if len(cases) != 0 {
					t.Errorf("the story is %s, want none", cases[0].Seq)
				}
				return
			}
			if len(cases) != 1 {
				t.Fatalf("%d stories, want one", len(cases))
			}
			if got := cases[0].Seq.String(); got != tt.want {
				t.Errorf("the story is\n%s, want\n%s", got, tt.want)
			}
			if got := cases[0].Story.About; got != tt.about {
				t.Errorf("it is about %q, want %q", got, tt.about)
			}
		})
	}
}
