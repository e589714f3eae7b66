package finding

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

const conventionsSource = `package m

import (
	"errors"
	"math/rand"
	"reflect"
	"regexp"
	"sync"
)

type Pipe struct{ c chan int }

func NewPipe() *Pipe { return &Pipe{make(chan int, 1)} }
func (p *Pipe) Close() { close(p.c) }
func (p *Pipe) Stop() { close(p.c) }

// Release gives it back. It must not be used after that.
func (p *Pipe) Release() {}
func (p *Pipe) Send(n int) { p.c <- n }

// Again ends it. It may be called more than once.
func (p *Pipe) Again() { close(p.c) }

type Native chan int

func (n Native) Close() { close(n) }

type Group struct{ wg sync.WaitGroup }

func (g *Group) Go(f func() error) { g.wg.Add(1); go f() }
func (g *Group) Wait() error { g.wg.Wait(); return nil }

func Rule(find, replace string) { regexp.MustCompile(find) }
func Match(find, text string) bool { return regexp.MustCompile(find).MatchString(text) }

// Open opens what was sealed.
func Open(nonce, sealed []byte) ([]byte, error) {
	if len(nonce) != 12 {
		panic("bad nonce length")
	}
	if len(sealed) == 0 {
		return nil, errors.New("empty")
	}
	panic("sealed")
}

func First(list ...int) int {
	return list[0] // First
}

// Flatten flattens an array.
func Flatten(x any) any { return reflect.ValueOf(x).Len() }

// Print prints x.
func Print(x any) string { return reflect.ValueOf(x).String() }
func Repeat(n, m int) string { return "" }

// Handle keeps fn. It returns an error if fn is not a function.
func Handle(fn any) error { return errors.New(reflect.TypeOf(fn).In(0).String()) }

// Remove looks for fn.
func Remove(fn any) error { return errors.New(reflect.ValueOf(fn).String()) }

// Publish calls what is kept.
func Publish(args ...any) {}

// Fill fills x.
func Fill(x any) error { reflect.ValueOf(x).Elem().SetInt(1); return nil }
// Load reads data into the passed struct.
func Load(x any) error { return errors.New("no data") }
type Counts struct{ n uint32 }
func Any() any { return nil }
func Join(x, y reflect.Value) int { return x.Len() + y.Len() }

func Text(n int, chars []rune) string { return string(chars[rand.Intn(len(chars))]) }
func Pick(n int, chars []rune) (string, error) { return string(chars[rand.Intn(len(chars))]), nil }

type Diff struct{ Lines []string; Context int }

func (d Diff) Write() int {
	return len(d.Lines[:d.Context+1]) // Diff.Write
}
func own() int { return 0 }
func Call(f func() int) int { return 0 }

type Tree struct{ v []int }

func NewTree() *Tree { return &Tree{} }
func (t *Tree) Ascend(f func(int) bool) {
	_ = t.v[1] // Tree.Ascend
}
func (t *Tree) Descend(f func(int) bool) {
	_ = t.v[2] // Tree.Descend
}
func (t *Tree) Delete(n int) {}
func (t *Tree) Fill(m map[string]int) { m[""] = 1 }

type Kind int

const (
	Text1 Kind = iota
	List1
)

type Node struct {
	Kind Kind
	Sub  []*Node
}

func NewNode(k Kind) *Node { return &Node{Kind: k} }
func Parse(s string) *Node { return nil }
func Render(n *Node) int {
	return len(n.Sub[0].Sub) // Render
}

func (t *Tree) Init(parent *Tree) *Tree { return t }
func (t *Tree) Print() {}

type Mark int

func (t *Tree) Mark() Mark { return 0 }
func (t *Tree) Restore(m Mark) {}
type level int

func (t *Tree) Keep(x any) {}
func (t *Tree) Log(l level) {}
func (t *Tree) Next() int {
	return t.v[3] // Tree.Next
}
`

// panicOf returns a panic with a message and a stack of functions of package m and of others.
func panicOf(kind, message string, line int, stack ...string) *testcase.Outcome {
	p := &testcase.Panic{Kind: kind, Runtime: kind != "explicit" && kind != "other", Message: message}
	if kind == "other" {
		p.Kind = "explicit" // in the terms of the harness
	}
	for _, fn := range stack {
		p.Stack = append(p.Stack, testcase.Frame{Func: fn, Pos: token.Position{Filename: "m.go", Line: line}})
	}
	return &testcase.Outcome{Status: testcase.Panicked, Panic: p}
}

func TestConventions(t *testing.T) {
	_, pkg := loadSource(t, conventionsSource)
	rules := usage.New(pkg)
	lines := map[string]int{}
	for i, l := range strings.Split(conventionsSource, "\n") {
		if _, name, ok := strings.Cut(l, "// "); ok {
			lines[name] = i + 1
		}
	}
	intType := types.Typ[types.Int]
	list := func(b *builder, t types.Type) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(t)})
	}
	text := func(b *builder, s string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
	}
	const m = "example.com/m."
	for _, tt := range []struct {
		name   string
		target string
		build  func(b *builder)
		out    *testcase.Outcome
		want   testcase.Severity
	}{
		{"a second Close", "Pipe.Close", func(b *builder) {
			p := b.call("NewPipe")
			b.call("Pipe.Close", p)
			b.call("Pipe.Close", p)
		}, panicOf("closed-channel", "close of closed channel", 0, m+"(*Pipe).Close"), testcase.Misuse},
		{"what comes after Close", "Pipe.Send", func(b *builder) {
			p := b.call("NewPipe")
			b.call("Pipe.Close", p)
			b.call("Pipe.Send", p, b.num(intType, 1))
		}, panicOf("closed-channel", "send on closed channel", 0, m+"(*Pipe).Send"), testcase.Misuse},
		{"a second Stop", "Pipe.Stop", func(b *builder) {
			p := b.call("NewPipe")
			b.call("Pipe.Stop", p)
			b.call("Pipe.Stop", p)
		}, panicOf("closed-channel", "close of closed channel", 0, m+"(*Pipe).Stop"), testcase.Warning},
		{"what another method has left alone", "Pipe.Send", func(b *builder) {
			p := b.call("NewPipe")
			b.call("Pipe.Send", p, b.num(intType, 1))
			b.call("Pipe.Send", p, b.num(intType, 1))
		}, panicOf("closed-channel", "send on closed channel", 0, m+"(*Pipe).Send"), testcase.Warning},
		{"what nobody may use any more (hls-m3u8)", "Pipe.Send", func(b *builder) {
			p := b.call("NewPipe")
			b.call("Pipe.Release", p)
			b.call("Pipe.Send", p, b.num(intType, 1))
		}, panicOf("closed-channel", "send on closed channel", 0, m+"(*Pipe).Send"), testcase.Misuse},
		{"what nobody has closed", "Pipe.Send", func(b *builder) {
			b.call("Pipe.Send", b.call("NewPipe"), b.num(intType, 1))
		}, panicOf("closed-channel", "send on closed channel", 0, m+"(*Pipe).Send"), testcase.Warning},
		{"the documentation allows it twice", "Pipe.Again", func(b *builder) {
			p := b.call("NewPipe")
			b.call("Pipe.Close", p)
			b.call("Pipe.Again", p)
		}, panicOf("closed-channel", "close of closed channel", 0, m+"(*Pipe).Again"), testcase.Error},
		{"a nil channel", "Native.Close", func(b *builder) { b.call("Native.Close", b.zero(b.typ("Native"))) },
			panicOf("closed-channel", "close of nil channel", 0, m+"Native.Close"), testcase.Misuse},
		{"who waits for its own end", "Group.Wait", func(b *builder) {
			g := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Group"))}, b.zero(b.typ("Group")))
			wait := b.pkg.Target("Group.Wait").Obj
			f := b.Add(&testcase.Operation{Kind: testcase.OpClosure, Type: b.pkg.Target("Group.Go").Obj.Signature().Params().At(0).Type(), Func: wait, Returns: true}, g)
			b.call("Group.Go", g, f)
			b.call("Group.Wait", g)
		}, &testcase.Outcome{Status: testcase.Deadlock, At: 4}, testcase.Misuse},
		{"a pattern of the program itself", "Rule", func(b *builder) { b.call("Rule", text(b, "("), text(b, "")) },
			panicOf("other", "regexp: Compile(`a(`): missing closing )", 0, "regexp.MustCompile", m+"Rule"), testcase.Misuse},
		{"a pattern of a function with a result", "Match", func(b *builder) { b.call("Match", text(b, "("), text(b, "")) },
			panicOf("other", "regexp: Compile(`a(`): missing closing )", 0, "regexp.MustCompile", m+"Match"), testcase.Error},
		{"a setting that the panic names", "Open", func(b *builder) {
			b.call("Open", list(b, types.Typ[types.Byte]), list(b, types.Typ[types.Byte]))
		}, panicOf("explicit", "bad nonce length", 0, m+"Open"), testcase.Misuse},
		{"data beside a setting", "Open", func(b *builder) {
			b.call("Open", list(b, types.Typ[types.Byte]), list(b, types.Typ[types.Byte]))
		}, panicOf("explicit", "not opened", 0, m+"Open"), testcase.Error},
		{"no arguments", "First", func(b *builder) { b.call("First") },
			panicOf("index-out-of-range", "boom", lines["First"], m+"First"), testcase.Warning},
		{"an empty list of arguments", "First", func(b *builder) {
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: b.pkg.Target("First").Obj, Spread: true}, b.zero(types.NewSlice(intType)))
		}, panicOf("index-out-of-range", "boom", lines["First"], m+"First"), testcase.Warning},
		{"a long text of two numbers", "Print", func(b *builder) { b.call("Print", b.call("Repeat", b.num(intType, 9999), b.num(intType, 140))) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Misuse},
		{"a short text of two numbers", "Print", func(b *builder) { b.call("Print", b.call("Repeat", b.num(intType, 99), b.num(intType, 140))) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Error},
		{"a kind that the documentation does not name", "Flatten", func(b *builder) { b.call("Flatten", text(b, "a")) },
			panicOf("other", "reflect: call of reflect.Value.Len on int Value", 0, "reflect.Value.Len", m+"Flatten"), testcase.Misuse},
		{"what an error is promised for", "Handle", func(b *builder) { b.call("Handle", b.num(intType, 1)) },
			panicOf("other", "reflect: In of non-func type int", 0, "reflect.(*rtype).In", m+"Handle"), testcase.Error},
		{"nil, for which the same is promised", "Handle", func(b *builder) { b.call("Handle", b.zero(types.NewInterfaceType(nil, nil))) },
			panicOf("nil-dereference", "nil pointer dereference", 0, m+"Handle"), testcase.Error},
		{"what is looked for by where it is", "Remove", func(b *builder) { b.call("Remove", b.num(intType, 1)) },
			panicOf("other", "reflect: call of reflect.Value.Pointer on int Value", 0, "reflect.Value.Pointer", m+"Remove"), testcase.Warning},
		{"a kind that is promised nothing for", "Flatten", func(b *builder) { b.call("Flatten", b.zero(types.NewInterfaceType(nil, nil))) },
			panicOf("other", "reflect: call of reflect.Value.Len on zero Value", 0, "reflect.Value.Len", m+"Flatten"), testcase.Misuse},
		{"arguments that do not fit the function that the test passes", "Publish", func(b *builder) {
			sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
			b.call("Handle", b.Add(&testcase.Operation{Kind: testcase.OpFuncLit, Type: sig, Text: "func() {}"}))
			b.call("Publish", b.num(intType, 1))
		}, panicOf("other", "reflect: Call with too many input arguments", 0, "reflect.Value.Call", m+"Publish"), testcase.Misuse},
		{"a kind that the documentation names", "Flatten", func(b *builder) { b.call("Flatten", list(b, intType)) },
			panicOf("other", "reflect: call of reflect.Value.Len on int Value", 0, "reflect.Value.Len", m+"Flatten"), testcase.Error},
		{"documentation that names no kind", "Print", func(b *builder) { b.call("Print", text(b, "a")) },
			panicOf("other", "reflect: call of reflect.Value.Len on int Value", 0, "reflect.Value.Len", m+"Print"), testcase.Warning},
		{"the same where there is no error to return", "Print", func(b *builder) { b.call("Print", text(b, "a")) },
			panicOf("other", "reflect: call of reflect.Value.Elem on string Value", 0, "reflect.Value.Elem", m+"Print"), testcase.Misuse},
		{"a value to be written that is behind no pointer", "Fill", func(b *builder) { b.call("Fill", text(b, "a")) },
			panicOf("other", "reflect: reflect.Value.SetInt using unaddressable value", 0, "reflect.Value.SetInt", m+"Fill"), testcase.Warning},
		{"the same where the code hands the panic on", "Fill", func(b *builder) { b.call("Fill", text(b, "a")) },
			panicOf("explicit", "reflect: reflect.Value.Set using unaddressable value", 0, m+"Fill"), testcase.Warning},
		{"a value to be written behind a pointer", "Fill", func(b *builder) {
			b.call("Fill", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(intType)}, b.num(intType, 1)))
		}, panicOf("other", "reflect: reflect.Value.SetInt using unaddressable value", 0, "reflect.Value.SetInt", m+"Fill"), testcase.Warning},
		{"a field of a struct that is not exported (go-audio's riff)", "Load", func(b *builder) {
			b.call("Load", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Counts"))}, b.zero(b.typ("Counts"))))
		}, panicOf("other", "reflect: reflect.Value.SetUint using value obtained using unexported field", 0, "reflect.Value.SetUint", m+"Load"), testcase.Warning},
		{"a value to be written that nobody has seen", "Fill", func(b *builder) { b.call("Fill", b.call("Any")) },
			panicOf("other", "reflect: reflect.Value.SetInt using unaddressable value", 0, "reflect.Value.SetInt", m+"Fill"), testcase.Error},
		{"a reflect.Value", "Join", func(b *builder) {
			v := b.zero(b.pkg.Target("Join").Obj.Signature().Params().At(0).Type())
			b.call("Join", v, v)
		}, panicOf("other", "reflect: call of reflect.Value.Len on zero Value", 0, "reflect.Value.Len", m+"Join"), testcase.Misuse},
		{"nothing to choose from", "Text", func(b *builder) { b.call("Text", b.num(intType, 1), list(b, types.Typ[types.Rune])) },
			panicOf("other", "invalid argument to Intn", 0, "math/rand.Intn", m+"Text"), testcase.Misuse},
		{"nothing to choose from, and an error to return", "Pick", func(b *builder) { b.call("Pick", b.num(intType, 1), list(b, types.Typ[types.Rune])) },
			panicOf("other", "invalid argument to Intn", 0, "math/rand.Intn", m+"Pick"), testcase.Error},
		{"a setting beyond memory", "Diff.Write", func(b *builder) {
			b.call("Diff.Write", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Diff"), Elems: []int{1}}, b.num(intType, 1<<62)))
		}, panicOf("slice-out-of-range", "boom", lines["Diff.Write"], m+"Diff.Write"), testcase.Misuse},
		{"a setting that is too large for the list", "Diff.Write", func(b *builder) {
			b.call("Diff.Write", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Diff"), Elems: []int{1}}, b.num(intType, 3)))
		}, panicOf("slice-out-of-range", "boom", lines["Diff.Write"], m+"Diff.Write"), testcase.Warning},
		{"a nil that the passed function passes", "Tree.Ascend", func(b *builder) {
			tree := b.call("NewTree")
			none := b.zero(types.NewMap(types.Typ[types.String], intType))
			f := b.Add(&testcase.Operation{Kind: testcase.OpClosure, Type: b.pkg.Target("Tree.Ascend").Obj.Signature().Params().At(0).Type(), Func: b.pkg.Target("Tree.Fill").Obj, Pass: []int{-1}}, tree, none)
			b.call("Tree.Ascend", tree, f)
		}, panicOf("nil-map-write", "boom", 0, m+"(*Tree).Fill", m+"(*Tree).Ascend"), testcase.Misuse},
		{"a mark of another object", "Tree.Next", func(b *builder) {
			tree := b.call("NewTree")
			b.call("Tree.Restore", tree, b.call("Tree.Mark", b.call("NewTree")))
			b.call("Tree.Next", tree)
		}, panicOf("index-out-of-range", "boom", lines["Tree.Next"], m+"(*Tree).Next"), testcase.Misuse},
		{"a mark of the object", "Tree.Next", func(b *builder) {
			tree := b.call("NewTree")
			b.call("Tree.Restore", tree, b.call("Tree.Mark", tree))
			b.call("Tree.Next", tree)
		}, panicOf("index-out-of-range", "boom", lines["Tree.Next"], m+"(*Tree).Next"), testcase.Warning},
		{"a value of a type that users cannot name", "Tree.Next", func(b *builder) {
			tree := b.call("NewTree")
			b.call("Tree.Keep", tree, b.num(b.typ("level"), 1))
			b.call("Tree.Next", tree)
		}, panicOf("index-out-of-range", "boom", lines["Tree.Next"], m+"(*Tree).Next"), testcase.Misuse},
		{"a constant for such a type", "Tree.Next", func(b *builder) {
			tree := b.call("NewTree")
			b.call("Tree.Log", tree, b.num(b.typ("level"), 1))
			b.call("Tree.Next", tree)
		}, panicOf("index-out-of-range", "boom", lines["Tree.Next"], m+"(*Tree).Next"), testcase.Warning},
		{"an object in itself, by the name that its method gives it", "Tree.Print", func(b *builder) {
			tree := b.call("NewTree")
			b.call("Tree.Init", b.call("Tree.Init", tree, b.call("NewTree")), tree)
			b.call("Tree.Print", tree)
		}, &testcase.Outcome{Status: testcase.Hung}, testcase.Misuse},
		{"an object in another one", "Tree.Print", func(b *builder) {
			tree := b.call("NewTree")
			b.call("Tree.Init", b.call("Tree.Init", tree, b.call("NewTree")), b.call("NewTree"))
			b.call("Tree.Print", tree)
		}, &testcase.Outcome{Status: testcase.Hung}, testcase.Error},
		{"a node that is written by hand", "Render", func(b *builder) {
			b.call("Render", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Node"))}, b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Node"), Elems: []int{0}}, b.num(b.typ("Kind"), 1))))
		}, panicOf("index-out-of-range", "boom", lines["Render"], m+"Render"), testcase.Misuse},
		{"a node of which nothing is told but its kind", "Render", func(b *builder) { b.call("Render", b.call("NewNode", b.num(b.typ("Kind"), 1))) },
			panicOf("index-out-of-range", "boom", lines["Render"], m+"Render"), testcase.Misuse},
		{"a node that a parser makes", "Render", func(b *builder) { b.call("Render", b.call("Parse", text(b, "x"))) },
			panicOf("index-out-of-range", "boom", lines["Render"], m+"Render"), testcase.Warning},
		{"a function that users cannot name", "Call", func(b *builder) {
			b.call("Call", b.Add(&testcase.Operation{Kind: testcase.OpFuncValue, Type: b.pkg.Target("own").Obj.Type(), Func: b.pkg.Target("own").Obj}))
		}, panicOf("index-out-of-range", "boom", 0, m+"Call"), testcase.Misuse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			tt.build(b)
			tt.out.At = b.Len() - 1
			f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: tt.out})
			if f == nil || f.Severity != tt.want {
				t.Errorf("%+v, want %s", f, tt.want)
			}
		})
	}
}

func TestSaysImpossible(t *testing.T) {
	for message, want := range map[string]bool{
		"BUG: no such state": true, "this can't happen": true, "unreachable": true, "x: internal error (3)": true,
		"Type struct { Debug bool } is not supported": false, "invalid bugle": false, "negative count": false,
	} {
		if got := saysImpossible(message); got != want {
			t.Errorf("saysImpossible(%q) = %t, want %t", message, got, want)
		}
	}
}

// That a tree is changed while it is walked is one cause, whichever walk shows it.
func TestMergeCalledBack(t *testing.T) {
	_, pkg := loadSource(t, conventionsSource)
	rules := usage.New(pkg)
	var all []*testcase.Finding
	for line, name := range []string{"Ascend", "Descend"} {
		b := &builder{pkg: pkg}
		tree := b.call("NewTree")
		f := b.Add(&testcase.Operation{Kind: testcase.OpClosure, Type: pkg.Target("Tree.Ascend").Obj.Signature().Params().At(0).Type(), Func: pkg.Target("Tree.Delete").Obj, Pass: []int{0}}, tree, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Bool], Lit: testcase.Literal{Kind: testcase.LitBool, Bits: 1}}))
		b.call("Tree."+name, tree, f)
		out := panicOf("index-out-of-range", "boom", line+1, "example.com/m.(*Tree)."+name)
		out.At = b.Len() - 1
		all = append(all, Of(rules, &testcase.Case{Target: "Tree." + name, Seq: b.Sequence(), Observed: out}))
	}
	got := Merge(rules, all)
	if len(got) != 1 || got[0].Severity != testcase.Warning || len(got[0].Doors) != 2 {
		t.Errorf("%d findings, want one warning with two doors: %+v", len(got), got)
	}
}

func TestRoomForNone(t *testing.T) {
	_, pkg := loadSource(t, `package m

type Cache struct{}

func New(size int) *Cache { return nil }
func (c *Cache) Resize(size int) {}
func (c *Cache) Add(key int) {}
`)
	for _, tt := range []struct {
		made, resized, added int64
		want                 bool
	}{{1, 1, 0, false}, {0, 1, 1, true}, {1, 0, 1, true}, {1, -1, 1, true}} {
		b := &builder{pkg: pkg}
		c := b.call("New", b.num(types.Typ[types.Int], tt.made))
		b.call("Cache.Resize", c, b.num(types.Typ[types.Int], tt.resized))
		b.call("Cache.Add", c, b.num(types.Typ[types.Int], tt.added))
		if got := roomForNone(b.Sequence()); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

// Who writes to a pipe waits for a reader, whom a test of one goroutine lacks; a pipe that the code makes itself is its own business.
func TestPipes(t *testing.T) {
	_, pkg := loadSource(t, `package m

import (
	"io"
	"net"
)

func Greet(c net.Conn, s string) error {
	_, err := c.Write([]byte(s))
	return err
}

func Own(s string) error {
	_, w := io.Pipe()
	_, err := w.Write([]byte(s))
	return err
}
`)
	rules := usage.New(pkg)
	for _, tt := range []struct {
		target, in string
		want       testcase.Severity
	}{
		{"Greet", "net.(*pipe).write", testcase.Misuse},
		{"Own", "io.(*pipe).write", testcase.Error},
	} {
		b := &builder{pkg: pkg}
		text := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}})
		if tt.target == "Greet" {
			b.call("Greet", b.Add(&testcase.Operation{Kind: testcase.OpStubIface, Type: pkg.Target("Greet").Obj.Signature().Params().At(0).Type()}), text)
		} else {
			b.call("Own", text)
		}
		o := &testcase.Outcome{Status: testcase.Deadlock, Panic: &testcase.Panic{Kind: "deadlock", Stack: []testcase.Frame{{Func: tt.in}, {Func: "example.com/m." + tt.target}}}}
		f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: o})
		if f.Severity != tt.want {
			t.Errorf("%s in %s: %v (%s), want %v", tt.target, tt.in, f.Severity, f.Evidence, tt.want)
		}
	}
}

// Who registers a function for a pattern has written both; what reads a pattern beside other things may get it from outside.
func TestRegistration(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "net/http"

func Handle(pattern string, h http.HandlerFunc) { http.NewServeMux().HandleFunc(pattern, h) }
func Serve(pattern string, h http.Handler)      { http.NewServeMux().Handle(pattern, h) }
func Parse(pattern string)                      { http.NewServeMux().HandleFunc(pattern, nil) }
`)
	rules := usage.New(pkg)
	for target, want := range map[string]testcase.Severity{"Handle": testcase.Misuse, "Serve": testcase.Misuse, "Parse": testcase.Warning} {
		b := &builder{pkg: pkg}
		args := []testcase.Ref{b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a b c"}})}
		if params := pkg.Target(target).Obj.Signature().Params(); params.Len() > 1 {
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpStubFunc, Type: params.At(1).Type()}))
		}
		b.call(target, args...)
		o := &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "other", Message: `parsing "a b c": invalid method "a"`, Stack: []testcase.Frame{{Func: "net/http.(*ServeMux).register"}, {Func: "example.com/m." + target}}}}
		if f := Of(rules, &testcase.Case{Target: target, Seq: b.Sequence(), Observed: o}); f.Severity != want {
			t.Errorf("%s: %v (%s), want %v", target, f.Severity, f.Evidence, want)
		}
	}
}

// A stand-in whose Write says nothing of what it has written breaks the contract that a wrapper around it is asked for.
func TestStandsInFor(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "io"

type Namer interface{ Name() string }

func Wrap(w io.Writer) io.Writer { return w }
func Name(n Namer) string        { return n.Name() }

type WriterFunc func(p []byte) (int, error)

func (f WriterFunc) Write(p []byte) (int, error) { return f(p) }

func Made(f WriterFunc) io.Writer  { return f }
func Each(f func(s string) error) {}
`)
	for _, tt := range []struct {
		target, contract string
		want             bool
	}{{"Wrap", "writer", true}, {"Wrap", "reader", false}, {"Wrap", "string", false}, {"Name", "writer", false}, {"Made", "writer", true}, {"Each", "writer", false}} {
		b := &builder{pkg: pkg}
		of, kind := pkg.Target(tt.target).Obj.Signature().Params().At(0).Type(), testcase.OpStubIface
		if _, isFunc := of.Underlying().(*types.Signature); isFunc {
			kind = testcase.OpStubFunc
		}
		b.call(tt.target, b.Add(&testcase.Operation{Kind: kind, Type: of}))
		if got := standsInFor(b.Sequence(), tt.contract); got != tt.want {
			t.Errorf("%s, %s: %t, want %t", tt.target, tt.contract, got, tt.want)
		}
	}
}
