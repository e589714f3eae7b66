package finding

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

const madeListsSource = `package m

import (
	"errors"
	"net"
	"reflect"
)

// Option is a value or none.
type Option []int

func Some(n int) Option { return Option{n} }

func (o Option) Take() (int, error) {
	if o == nil {
		return 0, errors.New("none")
	}
	return o[0], nil
}

func (o Option) Or(text string) (int, error) {
	if o == nil {
		return len(text), nil
	}
	return o[0], nil
}

func (o Option) Pointer() *int {
	if o == nil {
		return nil
	}
	return &o[0]
}

// Stack is a list that anybody writes.
type Stack []int

func (s Stack) Top() (int, error) {
	if s == nil {
		return 0, errors.New("none")
	}
	return s[0], nil
}

func Last(ip net.IP) (byte, error) {
	if ip == nil {
		return 0, errors.New("none")
	}
	return ip[3], nil
}

type List struct{ next *List }

func NewList() *List { return &List{next: &List{}} }

func (l *List) Set(key, value any) { l.next.next = nil }

func (l *List) Fill() { l.Set(1, nil) }

type Doc struct{ frozen bool }

func NewDoc() *Doc { return &Doc{} }

// Freeze makes the document one that cannot be changed. Any methods that would modify it will panic.
func (d *Doc) Freeze() { d.frozen = true }

func (d *Doc) Add(name string) error {
	if d.frozen {
		panic("frozen")
	}
	if name == "" {
		return errors.New("no name")
	}
	return nil
}

func Read(config any, text string) error {
	if text == "" {
		return errors.New("empty")
	}
	if _, ok := config.(*int); !ok {
		panic("config must be a pointer")
	}
	return nil
}

func Width(kind reflect.Kind, widths []int) (int, error) {
	if kind > reflect.UnsafePointer {
		return 0, errors.New("no kind")
	}
	return widths[kind-1], nil
}

type Transform func(string) string

func Camel(text string, transform ...Transform) string {
	if transform == nil {
		return text
	}
	return transform[0](text)
}
`

// What the documentation, a convention, or the way in which a type's values are made excludes is no error.
func TestMadeLists(t *testing.T) {
	_, pkg := loadSource(t, madeListsSource)
	rules := usage.New(pkg)
	const m = "example.com/m."
	intType := types.Typ[types.Int]
	text := func(b *builder, s string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
	}
	list := func(b *builder, of types.Type) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: of})
	}
	ip := pkg.Target("Last").Obj.Signature().Params().At(0).Type()
	kind := pkg.Target("Width").Obj.Signature().Params().At(0).Type()
	for _, tt := range []struct {
		name, target string
		build        func(b *builder)
		out          *testcase.Outcome
		want         testcase.Severity
	}{
		{"a list that the package makes", "Option.Take", func(b *builder) { b.call("Option.Take", list(b, b.typ("Option"))) },
			panicOf("index-out-of-range", "boom", 0, m+"Option.Take"), testcase.Warning},
		{"such a list beside a text", "Option.Or", func(b *builder) { b.call("Option.Or", list(b, b.typ("Option")), text(b, "x")) },
			panicOf("index-out-of-range", "boom", 0, m+"Option.Or"), testcase.Warning},
		{"a list that nobody makes", "Stack.Top", func(b *builder) { b.call("Stack.Top", list(b, b.typ("Stack"))) },
			panicOf("index-out-of-range", "boom", 0, m+"Stack.Top"), testcase.Warning},
		{"an address without bytes", "Last", func(b *builder) { b.call("Last", list(b, ip)) },
			panicOf("index-out-of-range", "boom", 0, m+"Last"), testcase.Warning},
		{"a nil that is allowed, beside a zero value that is not", "List.Set", func(b *builder) {
			l := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("List"))}, b.zero(b.typ("List")))
			b.call("List.Set", l, b.num(intType, 1), b.zero(types.Universe.Lookup("any").Type()))
		}, panicOf("nil-dereference", "boom", 0, m+"(*List).Set"), testcase.Misuse},
		{"what the documentation of an earlier call announces", "Doc.Add", func(b *builder) {
			d := b.call("NewDoc")
			b.call("Doc.Freeze", d)
			b.call("Doc.Add", d, text(b, "x"))
		}, explicitPanic("frozen", m+"(*Doc).Add"), testcase.Misuse},
		{"what nothing announces", "Doc.Add", func(b *builder) { b.call("Doc.Add", b.call("NewDoc"), text(b, "x")) },
			explicitPanic("frozen", m+"(*Doc).Add"), testcase.Error},
		{"a panic that names an object beside the text", "Read", func(b *builder) { b.call("Read", b.num(intType, 1), text(b, "x")) },
			explicitPanic("config must be a pointer", m+"Read"), testcase.Misuse},
		{"a panic that names nothing", "Read", func(b *builder) { b.call("Read", b.num(intType, 1), text(b, "x")) },
			explicitPanic("bad line", m+"Read"), testcase.Error},
		{"a constant that stands for no kind", "Width", func(b *builder) { b.call("Width", b.num(kind, 0), list(b, types.NewSlice(intType))) },
			panicOf("index-out-of-range", "boom", 0, m+"Width"), testcase.Misuse},
		{"a zero value that stands for no kind", "Width", func(b *builder) { b.call("Width", b.zero(kind), list(b, types.NewSlice(intType))) },
			panicOf("index-out-of-range", "boom", 0, m+"Width"), testcase.Misuse},
		{"a constant that stands for a kind", "Width", func(b *builder) { b.call("Width", b.num(kind, 1), list(b, types.NewSlice(intType))) },
			panicOf("index-out-of-range", "boom", 0, m+"Width"), testcase.Warning},
		{"nil in a list of arguments that may be nil", "Camel", func(b *builder) {
			b.call("Camel", text(b, "x"), b.zero(b.typ("Transform")))
		}, panicOf("nil-dereference", "boom", 0, m+"Camel"), testcase.Misuse},
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

// All functions that take the first element of such a list fail alike.
func TestMergeMadeLists(t *testing.T) {
	_, pkg := loadSource(t, madeListsSource)
	rules := usage.New(pkg)
	var all []*testcase.Finding
	for line, name := range []string{"Take", "Pointer"} {
		b := &builder{pkg: pkg}
		b.call("Option."+name, b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Option")}))
		out := panicOf("index-out-of-range", "boom", line+1, "example.com/m.Option."+name)
		out.At = b.Len() - 1
		all = append(all, Of(rules, &testcase.Case{Target: "Option." + name, Seq: b.Sequence(), Observed: out}))
	}
	if got := Merge(rules, all); len(got) != 1 || len(got[0].Doors) != 2 {
		t.Errorf("%d findings, want one with two doors: %+v", len(got), got)
	}
}

func explicitPanic(message string, stack ...string) *testcase.Outcome {
	out := panicOf("explicit", message, 0, stack...)
	out.Panic.Runtime = false
	return out
}
