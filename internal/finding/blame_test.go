package finding

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

const blameSource = `package m

import (
	"errors"
	"io"
)

func ParseVector(s string) (int, error) { if s == "" { return 0, errors.New("empty") }; return 0, nil }
func Find(pattern string, data []string) []int { return nil }
func NewReader(r io.Reader) (*Reader, error) { return &Reader{}, nil }

type Reader struct{ n int }

func (r *Reader) Skip() {}

type Vector struct{ v []float32 }

func (v *Vector) DecodeBinary(b []byte) error { return nil }

type Graph struct{ nodes []int }

func NewGraph() *Graph { return &Graph{} }
func (g *Graph) Draw() string { return "" }
func (g *Graph) AddNode(n int) {}

type Keyring struct{ keys [][]byte }

func NewKeyring() *Keyring { return &Keyring{} }
func (k *Keyring) RemoveKey(key []byte) error { return nil }

type Digest struct{ bins int }

func NewDigest(bins int) *Digest { return &Digest{} }
func (d *Digest) Quantile(q float64) float64 { return 0 }

func Sample(list []float64, n int) ([]float64, error) { if n > 9 { return nil, errors.New("too many") }; return nil, nil }
func Chunk(list []int, size int) [][]int { return nil }
func Mean(list []float64) float64 { return 0 }
func Number(list ...int) int { return 0 }

type LocalTime struct{ Precision int }

func (t LocalTime) Text() string { return "" }
func (t LocalTime) Marshal() ([]byte, error) { if t.Precision < 0 { return nil, errors.New("below zero") }; return nil, nil }

type Const struct{ v any }

func NewConst(b bool) *Const { return &Const{b} }
func (c *Const) Inspect() int { return 0 }

type Codec struct{ Dim int }

func (c Codec) Append(b []byte) []byte { return nil }
func (d *Digest) PostApply(v any) any { return nil }
func Unmarshal(v map[string]any) (*Graph, error) { if v == nil { return nil, errors.New("nil") }; return nil, nil }
`

// TestBlame has the features of errors that docs/benchmarks.md judges, those that would be mended and those that would not.
func TestBlame(t *testing.T) {
	_, pkg := loadSource(t, blameSource)
	rules := usage.New(pkg)
	intType, floatType, stringType := types.Typ[types.Int], types.Typ[types.Float64], types.Typ[types.String]
	text := func(b *builder) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: stringType, Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}})
	}
	list := func(b *builder, elem types.Type) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(elem)})
	}
	float := func(b *builder) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: floatType, Lit: testcase.Literal{Kind: testcase.LitFloat}})
	}
	reader := func(b *builder) testcase.Ref {
		return b.zero(pkg.Target("NewReader").Obj.Signature().Params().At(0).Type())
	}
	precise := func(b *builder) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("LocalTime"), Elems: []int{0}}, b.num(intType, 10))
	}
	for _, tt := range []struct {
		name, target string
		build        func(b *builder)
		hangs        bool
		want         testcase.Severity
	}{
		{"a text, and an error to return (go-cvss)", "ParseVector", func(b *builder) { b.call("ParseVector", text(b)) }, false, testcase.Error},
		{"texts, and no error to return (fuzzy)", "Find", func(b *builder) { b.call("Find", text(b), list(b, stringType)) }, false, testcase.Error},
		{"what is read (npyio)", "Reader.Skip", func(b *builder) { b.call("Reader.Skip", b.call("NewReader", reader(b))) }, false, testcase.Error},
		{"bytes for a zero value (pgvector)", "Vector.DecodeBinary", func(b *builder) {
			v := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Vector"))}, b.zero(b.typ("Vector")))
			b.call("Vector.DecodeBinary", v, list(b, types.Typ[types.Byte]))
		}, false, testcase.Error},
		{"calls alone (dot)", "Graph.Draw", func(b *builder) { b.call("Graph.Draw", b.call("NewGraph")) }, false, testcase.Error},
		{"an object with an element", "Graph.Draw", func(b *builder) {
			g := b.call("NewGraph")
			b.call("Graph.AddNode", g, b.num(intType, 1))
			b.call("Graph.Draw", g)
		}, false, testcase.Error},
		{"bytes for an object (memberlist)", "Keyring.RemoveKey", func(b *builder) { b.call("Keyring.RemoveKey", b.call("NewKeyring"), list(b, types.Typ[types.Byte])) }, false, testcase.Error},
		{"a number, and an error to return (stats)", "Sample", func(b *builder) { b.call("Sample", list(b, floatType), b.num(intType, -1)) }, false, testcase.Error},
		{"a number for which it does not return (go-funk)", "Chunk", func(b *builder) { b.call("Chunk", list(b, intType), b.num(intType, 0)) }, true, testcase.Error},
		{"a number, and no error to return", "Chunk", func(b *builder) { b.call("Chunk", list(b, intType), b.num(intType, 0)) }, false, testcase.Warning},
		{"an empty list", "Mean", func(b *builder) { b.call("Mean", list(b, floatType)) }, false, testcase.Warning},
		{"no arguments (go-randomdata)", "Number", func(b *builder) { b.call("Number") }, false, testcase.Warning},
		{"an object for a strange number (ddsketch)", "Digest.Quantile", func(b *builder) { b.call("Digest.Quantile", b.call("NewDigest", b.num(intType, -1)), float(b)) }, false, testcase.Warning},
		{"an ordinary object and a strange number (tdigest)", "Digest.Quantile", func(b *builder) { b.call("Digest.Quantile", b.call("NewDigest", b.num(intType, 9)), float(b)) }, false, testcase.Warning},
		{"a struct that the test writes (jsonschema)", "LocalTime.Text", func(b *builder) { b.call("LocalTime.Text", precise(b)) }, false, testcase.Warning},
		{"the same with an error to return (go-toml)", "LocalTime.Marshal", func(b *builder) { b.call("LocalTime.Marshal", precise(b)) }, false, testcase.Warning},
		{"settings that are set for bytes (shoutrrr)", "Codec.Append", func(b *builder) {
			b.call("Codec.Append", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Codec"), Elems: []int{0}}, b.num(intType, 2)), list(b, types.Typ[types.Byte]))
		}, false, testcase.Error},
		{"anything, and no error to return (gojsondiff)", "Digest.PostApply", func(b *builder) {
			b.call("Digest.PostApply", b.call("NewDigest", b.num(intType, 9)), list(b, intType))
		}, false, testcase.Warning},
		{"what was decoded, and an error to return (gojsondiff)", "Unmarshal", func(b *builder) {
			b.call("Unmarshal", b.zero(pkg.Target("Unmarshal").Obj.Signature().Params().At(0).Type()))
		}, false, testcase.Error},
		{"an edited object", "Graph.Draw", func(b *builder) {
			g := b.call("NewGraph")
			b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: b.typ("Graph").Underlying().(*types.Struct).Field(0)}, g, list(b, intType))
			b.call("Graph.Draw", g)
		}, false, testcase.Warning},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			tt.build(b)
			c := &testcase.Case{Target: tt.target, Seq: b.Sequence()}
			g := &grading{rules: rules, c: c, kind: "index-out-of-range", target: pkg.Target(tt.target)}
			c.Observed = &testcase.Outcome{Status: testcase.Panicked, At: b.Sequence().Len() - 1, Panic: &testcase.Panic{Kind: g.kind, Runtime: true, Message: "boom"}}
			if tt.hangs {
				g.kind, c.Observed = "hang", &testcase.Outcome{Status: testcase.Hung, At: b.Sequence().Len() - 1}
			}
			g.approach = approachOf(rules, c)
			if got, excuse := g.blame(); got != tt.want {
				t.Errorf("%s (%s), want %s", got, excuse, tt.want)
			}
		})
	}
}

// A dynamic type is chosen where a value is passed as an interface; what the package itself has put there is its own.
func TestBlameDynamic(t *testing.T) {
	_, pkg := loadSource(t, blameSource)
	rules := usage.New(pkg)
	for target, want := range map[string]testcase.Severity{"Const.Inspect": testcase.Error, "Reader.Skip": testcase.Warning} {
		b := &builder{pkg: pkg}
		if target == "Const.Inspect" {
			b.call(target, b.call("NewConst", b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Bool], Lit: testcase.Literal{Kind: testcase.LitBool}})))
		} else {
			b.call(target, b.call("NewReader", b.zero(pkg.Target("NewReader").Obj.Signature().Params().At(0).Type())))
		}
		c := &testcase.Case{Target: target, Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "type-assertion", Runtime: true}}}
		g := &grading{rules: rules, c: c, kind: "type-assertion", target: pkg.Target(target), approach: approachOf(rules, c)}
		if got, excuse := g.blame(); got != want {
			t.Errorf("%s: %s (%s), want %s", target, got, excuse, want)
		}
	}
}

// A broken invariant contradicts the type's own method, whoever has written the struct.
func TestBlameInvariant(t *testing.T) {
	_, pkg := loadSource(t, blameSource)
	rules := usage.New(pkg)
	b := &builder{pkg: pkg}
	b.call("LocalTime.Text", b.zero(b.typ("LocalTime")))
	c := &testcase.Case{Target: "LocalTime.Text", Seq: b.Sequence(), Observed: &testcase.Outcome{}}
	g := &grading{rules: rules, c: c, kind: "invariant", target: pkg.Target("LocalTime.Text"), approach: approachOf(rules, c)}
	if got, _ := g.blame(); got != testcase.Error {
		t.Errorf("%s, want an error", got)
	}
}
