package finding

import (
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/purity"
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
func Repeat(s string, n int) (string, error) { return s, nil }
func Build(size int) (*Graph, error) { return nil, errors.New("not yet") }

// Safe never panics.
func Safe(n int) int { return 0 }

type LocalTime struct{ Precision int }

func (t LocalTime) Text() string { return "" }
func (t LocalTime) Marshal() ([]byte, error) { if t.Precision < 0 { return nil, errors.New("below zero") }; return nil, nil }

type Const struct{ v any }

func NewConst(b bool) *Const { return &Const{b} }
func (c *Const) Inspect() int { return 0 }
func (c *Const) Check() error { return errors.New("no constant") }

type Codec struct{ Dim int }

type Feed struct{ Out []int }

func NewFeed() *Feed { return &Feed{} }
func (f *Feed) String() string { return "" }

func (c Codec) Append(s string) []byte { return nil }
func (t LocalTime) AppendTo(b []byte) ([]byte, error) { return b, nil }
func NaluType(b []byte) int { return 0 }
func Packet(b []byte) *Graph { return nil }
func Resolution(b []byte) int { if len(b) < 3 { return 0 }; return 1 }

type Buffer struct{ b []byte }

func NewBuffer(b []byte) *Buffer { return &Buffer{b} }
func (b *Buffer) ReadN(n int) []byte { return nil }
func (b *Buffer) Next() int { return 0 }
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
		{"texts, and no error to return (fuzzy)", "Find", func(b *builder) { b.call("Find", text(b), list(b, stringType)) }, false, testcase.Warning},
		{"a text for which it does not return, and no error to return (gosax)", "Find", func(b *builder) { b.call("Find", text(b), list(b, stringType)) }, true, testcase.Error},
		{"a text, and a number at the end of its range", "Repeat", func(b *builder) { b.call("Repeat", text(b), b.num(intType, math.MaxInt64)) }, false, testcase.Warning},
		{"a text, and a size", "Repeat", func(b *builder) { b.call("Repeat", text(b), b.num(intType, 9)) }, false, testcase.Error},
		{"a number at the end of its range, and an error to return", "Sample", func(b *builder) { b.call("Sample", list(b, floatType), b.num(intType, math.MinInt64)) }, false, testcase.Warning},
		{"a number that nothing looks at, and an error to return (xorfilter)", "Build", func(b *builder) { b.call("Build", b.num(intType, -1)) }, true, testcase.Warning},
		{"the documentation says that it does not panic", "Safe", func(b *builder) { b.call("Safe", b.num(intType, -1)) }, false, testcase.Error},
		{"what is read (npyio)", "Reader.Skip", func(b *builder) { b.call("Reader.Skip", b.call("NewReader", reader(b))) }, false, testcase.Warning},
		{"bytes for a zero value (pgvector)", "Vector.DecodeBinary", func(b *builder) {
			v := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Vector"))}, b.zero(b.typ("Vector")))
			b.call("Vector.DecodeBinary", v, list(b, types.Typ[types.Byte]))
		}, false, testcase.Error},
		{"calls alone (dot)", "Graph.Draw", func(b *builder) { b.call("Graph.Draw", b.call("NewGraph")) }, false, testcase.Warning},
		{"an object with an element", "Graph.Draw", func(b *builder) {
			g := b.call("NewGraph")
			b.call("Graph.AddNode", g, b.num(intType, 1))
			b.call("Graph.Draw", g)
		}, false, testcase.Warning},
		{"bytes for an object (memberlist)", "Keyring.RemoveKey", func(b *builder) { b.call("Keyring.RemoveKey", b.call("NewKeyring"), list(b, types.Typ[types.Byte])) }, false, testcase.Error},
		{"a number, and an error to return (stats)", "Sample", func(b *builder) { b.call("Sample", list(b, floatType), b.num(intType, -1)) }, false, testcase.Error},
		{"a number for which it does not return (go-funk)", "Chunk", func(b *builder) { b.call("Chunk", list(b, intType), b.num(intType, 0)) }, true, testcase.Warning},
		{"a number, and no error to return", "Chunk", func(b *builder) { b.call("Chunk", list(b, intType), b.num(intType, 0)) }, false, testcase.Warning},
		{"an empty list", "Mean", func(b *builder) { b.call("Mean", list(b, floatType)) }, false, testcase.Warning},
		{"no arguments (go-randomdata)", "Number", func(b *builder) { b.call("Number") }, false, testcase.Warning},
		{"an object for a strange number (ddsketch)", "Digest.Quantile", func(b *builder) { b.call("Digest.Quantile", b.call("NewDigest", b.num(intType, -1)), float(b)) }, false, testcase.Warning},
		{"an ordinary object and a strange number (tdigest)", "Digest.Quantile", func(b *builder) { b.call("Digest.Quantile", b.call("NewDigest", b.num(intType, 9)), float(b)) }, false, testcase.Warning},
		{"a struct that the test writes (jsonschema)", "LocalTime.Text", func(b *builder) { b.call("LocalTime.Text", precise(b)) }, false, testcase.Warning},
		{"the same with an error to return (go-toml)", "LocalTime.Marshal", func(b *builder) { b.call("LocalTime.Marshal", precise(b)) }, false, testcase.Warning},
		{"a struct that the test writes, and bytes to append to (quic-go)", "LocalTime.AppendTo", func(b *builder) {
			b.call("LocalTime.AppendTo", precise(b), list(b, types.Typ[types.Byte]))
		}, false, testcase.Warning},
		{"settings that are set for a text (shoutrrr)", "Codec.Append", func(b *builder) {
			b.call("Codec.Append", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Codec"), Elems: []int{0}}, b.num(intType, 2)), text(b))
		}, false, testcase.Warning},
		{"bytes that nothing can refuse (gomedia)", "NaluType", func(b *builder) { b.call("NaluType", list(b, types.Typ[types.Byte])) }, false, testcase.Warning},
		{"bytes, and a pointer to return (gomedia)", "Packet", func(b *builder) { b.call("Packet", list(b, types.Typ[types.Byte])) }, false, testcase.Error},
		{"bytes of which the length is looked at", "Resolution", func(b *builder) { b.call("Resolution", list(b, types.Typ[types.Byte])) }, false, testcase.Warning},
		{"an object made of bytes", "Buffer.Next", func(b *builder) { b.call("Buffer.Next", b.call("NewBuffer", list(b, types.Typ[types.Byte]))) }, false, testcase.Warning},
		{"an object made of bytes, and a number (opcua)", "Buffer.ReadN", func(b *builder) {
			b.call("Buffer.ReadN", b.call("NewBuffer", list(b, types.Typ[types.Byte])), b.num(intType, -1))
		}, false, testcase.Warning},
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
			g.stack = []purity.Frame{{Func: "example.com/m." + tt.target}}
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
	for target, want := range map[string]testcase.Severity{"Const.Check": testcase.Error, "Const.Inspect": testcase.Warning, "Reader.Skip": testcase.Warning} {
		b := &builder{pkg: pkg}
		if strings.HasPrefix(target, "Const.") {
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

const elsewhereSource = `package m

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/x509"
	"errors"
	"net"
	"reflect"
	"strings"
)

func Marshal(key any, password []byte) ([]byte, error) {
	if len(password) > 9 {
		return nil, errors.New("long")
	}
	return x509.MarshalPKCS8PrivateKey(key) // Marshal
}

func Verify(b []byte, key any) error {
	if k, ok := key.(*ecdsa.PublicKey); ok {
		return errors.New(k.Curve.Params().Name) // Verify
	}
	return errors.New("no key")
}

func Decoder(s string) func(v reflect.Value, b []byte) {
	return func(v reflect.Value, b []byte) { fill(v) }
}
func fill(v reflect.Value) {
	v.SetInt(1) // Decoder
}

func Seal(key any) ([]byte, error) {
	if key == nil {
		return nil, errors.New("nil")
	}
	return key.(ed25519.PrivateKey).Seed(), nil // Seal
}

type Header []byte

func (h Header) Version() int { return int(h[1]) }
func (h Header) Rate() int {
	return int(h[2]) * h.Version() // Header.Rate
}
func (h Header) Check() error {
	if h[2] == 0 { // Header.Check
		return errors.New("zero")
	}
	return nil
}

type Path string

func (p Path) Base() (string, bool) {
	return string(p[strings.LastIndex(string(p), "/"):]), true // Path.Base
}

func Fit(s string, width []int) (string, bool) {
	return strings.Repeat(s, width[0]), true // Fit
}
func Cut(s string, n int) (string, bool) {
	if n > len(s)+1 {
		n = len(s)
	}
	return s[:n], true // Cut
}

type Limits struct{ Kinds []net.IP }

func (l Limits) Apply(s string) (string, bool) {
	return s + l.Kinds[1].String(), true // Limits.Apply
}

type Node struct {
	Children map[string][]*Node
	Data     string
}

func (n *Node) Add(s string, c *Node) {
	if n.Children == nil {
		n.Children = map[string][]*Node{}
	}
	n.Children[s] = append(n.Children[s], c)
}
func (n *Node) Text() string {
	for _, c := range n.Children {
		return c[0].Text() // Node.Text
	}
	return n.Data
}

type Config struct{ Headers map[string]string }


func Write(c *Config, name string) {
	c.Headers[name] = "a" // Write
}

type Assign struct{ LHS []string }

func (a *Assign) String() string { for _, x := range a.LHS { return x }; return "" }
func (a *Assign) Pos() int {
	return len(a.LHS[0]) // Assign.Pos
}

func NewStack() *Stack { return &Stack{} }

type Stack struct{ v []string }

func (s *Stack) First() int { if len(s.v) == 0 { return 0 }; return 1 }
func (s *Stack) Pos() int {
	return len(s.v[0]) // Stack.Pos
}

func (s *Stack) Put(c Config) int {
	return len(s.v[0]) // Stack.Put
}

type Archive struct{ Files []*File }

type File struct{ v []string }

func (f *File) Name() string { if len(f.v) == 0 { return "" }; return "-" }
func (f *File) Open() error {
	return errors.New(f.v[0]) // File.Open
}

type Tree struct{ n *Node }

func NewTree() *Tree { return &Tree{&Node{}} }
func (t *Tree) With(f func(t *Tree)) { f(t) }
func (t *Tree) Parse(n *Node) string {
	return n.Data // Tree.With
}
`

// A text or bytes beside the value that the code cannot stand do not make it an error: the data flow leads to what a programmer has
// chosen. (youmark/pkcs8 hands an empty private key on to crypto/x509, tcolgate/mp3 has headers that are lists, goxml2json a tree.)
func TestBlameElsewhere(t *testing.T) {
	_, pkg := loadSource(t, elsewhereSource)
	rules := usage.New(pkg)
	text := func(b *builder, s string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
	}
	empty := func(b *builder, t types.Type) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t})
	}
	bytes := types.NewSlice(types.Typ[types.Byte])
	node := func(b *builder, args ...testcase.Ref) testcase.Ref {
		n := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Node"), Elems: []int{0}[:len(args)]}, args...)
		return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Node"))}, n)
	}
	imported := func(path string) *types.Scope {
		i := slices.IndexFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == path })
		return pkg.Types.Imports()[i].Scope()
	}
	key := imported("crypto/ed25519").Lookup("PrivateKey").Type()
	for _, tt := range []struct {
		name, target, kind string
		above              []string // where the panic is raised, if that is elsewhere
		build              func(b *builder)
		want               testcase.Severity
	}{
		{"a key without bytes is handed on", "Marshal", "slice-out-of-range", []string{"crypto/x509.MarshalPKCS8PrivateKey"}, func(b *builder) {
			b.call("Marshal", b.zero(key), empty(b, bytes))
		}, testcase.Warning},
		{"a text is handed on", "Marshal", "slice-out-of-range", []string{"crypto/x509.MarshalPKCS8PrivateKey"}, func(b *builder) {
			b.call("Marshal", text(b, "a"), empty(b, bytes))
		}, testcase.Error},
		{"a key without a curve (jose2go)", "Verify", "nil-dereference", nil, func(b *builder) {
			k := imported("crypto/ecdsa").Lookup("PublicKey").Type()
			b.call("Verify", empty(b, bytes), b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(k)}, b.zero(k)))
		}, testcase.Misuse},
		{"a function that was returned takes a reflect.Value (parquet-go)", "Decoder", "other", []string{"reflect.Value.SetInt"}, func(b *builder) {
			b.Add(&testcase.Operation{Kind: testcase.OpCallValue}, b.call("Decoder", text(b, "a")), b.zero(imported("reflect").Lookup("Value").Type()), empty(b, bytes))
		}, testcase.Misuse},
		{"a header that is a list, and no error to return", "Header.Rate", "index-out-of-range", nil, func(b *builder) { b.call("Header.Rate", empty(b, b.typ("Header"))) }, testcase.Warning},
		{"a header that is a list, and an error to return", "Header.Check", "index-out-of-range", nil, func(b *builder) { b.call("Header.Check", empty(b, b.typ("Header"))) }, testcase.Warning},
		{"a text that has methods", "Path.Base", "slice-out-of-range", nil, func(b *builder) {
			b.call("Path.Base", b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: b.typ("Path"), Lit: testcase.Literal{Kind: testcase.LitString}}))
		}, testcase.Error},
		{"a list beside a text", "Fit", "index-out-of-range", nil, func(b *builder) {
			b.call("Fit", text(b, "a"), empty(b, types.NewSlice(types.Typ[types.Int])))
		}, testcase.Warning},
		{"a number that is compared beside a text", "Cut", "slice-out-of-range", nil, func(b *builder) { b.call("Cut", text(b, "a"), b.num(types.Typ[types.Int], 2)) }, testcase.Error},
		{"a list that is set in a struct beside a text", "Limits.Apply", "index-out-of-range", nil, func(b *builder) {
			l := b.typ("Limits").Underlying().(*types.Struct).Field(0).Type()
			b.call("Limits.Apply", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Limits"), Elems: []int{0}}, empty(b, l)), text(b, "a"))
		}, testcase.Warning},
		{"a list that is not set in a struct beside a text", "Limits.Apply", "index-out-of-range", nil, func(b *builder) {
			b.call("Limits.Apply", b.zero(b.typ("Limits")), text(b, "a"))
		}, testcase.Error},
		{"a zero value that a method fills", "Node.Text", "index-out-of-range", nil, func(b *builder) { b.call("Node.Text", node(b)) }, testcase.Error},
		{"the same with a map by hand", "Node.Text", "index-out-of-range", nil, func(b *builder) {
			m := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Node").Underlying().(*types.Struct).Field(0).Type()})
			b.call("Node.Text", node(b, m))
		}, testcase.Warning},
		{"a map that is left nil in settings (jose2go)", "Write", "nil-map-write", nil, func(b *builder) {
			c := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Config"))}, b.zero(b.typ("Config")))
			b.call("Write", c, text(b, "a"))
		}, testcase.Warning},
		{"a node by hand, and a sibling that looks first (tengo)", "Assign.Pos", "index-out-of-range", nil, func(b *builder) {
			b.call("Assign.Pos", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Assign"))}, b.zero(b.typ("Assign"))))
		}, testcase.Warning},
		{"an object, a struct by hand, and a sibling that looks first (goldmark)", "Stack.Put", "index-out-of-range", nil, func(b *builder) {
			b.call("Stack.Put", b.call("NewStack"), b.zero(b.typ("Config")))
		}, testcase.Error},
		{"an object, and a sibling that looks first", "Stack.Pos", "index-out-of-range", nil, func(b *builder) { b.call("Stack.Pos", b.call("NewStack")) }, testcase.Error},
		{"a part of an archive by hand, and a sibling that looks first (sevenzip)", "File.Open", "index-out-of-range", nil, func(b *builder) {
			b.call("File.Open", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("File"))}, b.zero(b.typ("File"))))
		}, testcase.Warning},
		{"a function that passes nil on", "Tree.With", "nil-dereference", nil, func(b *builder) {
			f := b.Add(&testcase.Operation{Kind: testcase.OpFuncLit, Type: pkg.Target("Tree.With").Obj.Signature().Params().At(0).Type(), Text: "func(t *«example.com/m».Tree) { t.Parse(nil) }"})
			b.call("Tree.With", b.call("NewTree"), f)
		}, testcase.Misuse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			tt.build(b)
			var stack []testcase.Frame
			for _, f := range tt.above {
				stack = append(stack, testcase.Frame{Func: f})
			}
			name := tt.target
			if obj := pkg.Target(tt.target).Obj; obj.Signature().Recv() != nil {
				typ, method, _ := strings.Cut(tt.target, ".")
				name = typ + "." + method
				if _, pointer := obj.Signature().Recv().Type().(*types.Pointer); pointer {
					name = "(*" + typ + ")." + method
				}
			}
			message := "boom"
			if len(tt.above) > 0 {
				message = tt.above[0] // package reflect says which of its methods refuses a value
			}
			line := 1 + strings.Count(elsewhereSource[:strings.Index(elsewhereSource, "// "+tt.target+"\n")], "\n")
			stack = append(stack, testcase.Frame{Func: "example.com/m." + name, Pos: token.Position{Filename: "m.go", Line: line}})
			f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &testcase.Outcome{
				Status: testcase.Panicked, At: b.Sequence().Len() - 1, Panic: &testcase.Panic{Kind: tt.kind, Runtime: true, Message: message, Stack: stack},
			}})
			if f.Severity != tt.want {
				t.Errorf("%s (%s), want %s", f.Severity, f.Evidence, tt.want)
			}
		})
	}
}

// A contract of the standard library is one of objects as calls have made them (go-audio's riff, whose String reads on into a channel that
// the test has set).
func TestContractOfEdited(t *testing.T) {
	_, pkg := loadSource(t, blameSource)
	rules := usage.New(pkg)
	for edited, want := range map[bool]testcase.Severity{false: testcase.Error, true: testcase.Warning} {
		b := &builder{pkg: pkg}
		f := b.call("NewFeed")
		if edited {
			field := b.typ("Feed").Underlying().(*types.Struct).Field(0)
			b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: field}, f, b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: field.Type()}))
		}
		check := &testcase.Check{Contract: "string", Target: "Feed.String", Severity: testcase.Error, Params: []types.Type{types.NewPointer(b.typ("Feed"))}}
		b.Add(&testcase.Operation{Kind: testcase.OpCheck, Check: check}, f)
		found := Of(rules, &testcase.Case{Target: check.Target, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Returned, At: b.Sequence().Len() - 1, Violated: "contract string",
		}})
		if found.Severity != want {
			t.Errorf("edited %v: %s (%s), want %s", edited, found.Severity, found.Evidence, want)
		}
	}
}

// Values that a test writes out are judged by their predicate, where each of them has one, also if a function makes such values.
func TestMarkBrokenOfJudged(t *testing.T) {
	const source = `package m

import "errors"

// Slot is a part of a day. The zero value is not valid.
type Slot struct{ From, To int }

func (s Slot) RepOK() bool { return s.From < s.To }
func (s Slot) Meet(o Slot) Slot { return s }
func (s Slot) At(d Day) Slot { return s }
func NewSlot(from int) (Slot, error) { if from < 0 { return Slot{}, errors.New("slot") }; return Slot{from, from+1}, nil }

// Day is a day. The zero value is not valid.
type Day struct{ n int }

func NewDay(n int) Day { return Day{n} }
`
	_, pkg := loadSource(t, source)
	rules := usage.New(pkg)
	no := [][]testcase.Value{nil, nil, nil, {{Kind: testcase.Bool}}}
	for _, tt := range []struct{ method, arg, want string }{
		{"Slot.Meet", "Slot", "RepOK"},
		{"Slot.At", "Day", ""},
	} {
		b := &builder{pkg: pkg}
		slot := b.zero(b.typ("Slot"))
		b.call("Slot.RepOK", b.call(tt.method, slot, b.zero(b.typ(tt.arg))))
		o := &testcase.Outcome{Status: testcase.Returned, At: 3, Results: no}
		MarkBroken(rules, []*testcase.Sequence{b.Sequence()}, []*testcase.Outcome{o})
		if o.Violated != tt.want {
			t.Errorf("%s: violates %q, want %q", tt.method, o.Violated, tt.want)
		}
	}
}
