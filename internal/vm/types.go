package vm

import (
	"fmt"
	"go/types"
	"sort"
	"strconv"
	"strings"
)

// Kind is the shape of a type in the machine.
type Kind uint8

// The kinds of types.
const (
	KBool Kind = iota + 1
	KInt       // signed, Bits wide
	KUint      // unsigned, including uintptr
	KFloat
	KComplex
	KString
	KPointer
	KUnsafePointer
	KSlice
	KArray
	KStruct
	KMap
	KChan
	KFunc
	KInterface
	KTuple
)

// Type is a type as the machine sees it: its layout in cells. There is one *Type for
// each type of the program, found by canonical name, so a dependency's type that
// was loaded twice (from export data and from source) is one.
type Type struct {
	ID     uint32
	Kind   Kind
	Bits   uint8 // for KInt, KUint and KFloat; for KComplex the bits of one part
	Size   int   // how many cells a value has
	Elem   *Type // the element type of pointers, slices, arrays, channels and maps
	Key    *Type // the key type of maps
	Len    int   // the length of arrays
	Fields []Field
	Go     types.Type
	Name   string // the canonical name

	iface   *types.Interface // the interface of a KInterface
	methods map[string]*Func // a cache of (*Machine).method
	comp    int8             // comparable: 0 unknown, 1 yes, -1 no
	bytes   int              // the size in a real process; 0 if nobody has asked yet
}

// Field is a field of a struct or a part of a tuple.
type Field struct {
	Name string
	Off  int
	Type *Type
}

func (t *Type) String() string { return t.Name }

// signed reports whether t is a signed integer.
func (t *Type) signed() bool { return t.Kind == KInt }

// scalar reports whether values of t are one cell that a term can stand for.
func (t *Type) scalar() bool {
	return t.Kind == KBool || t.Kind == KInt || t.Kind == KUint || t.Kind == KFloat
}

// width returns the width of a scalar's term.
func (t *Type) width() int {
	if t.Kind == KBool {
		return 1
	}
	return int(t.Bits)
}

// typeTable has the machine's types.
type typeTable struct {
	byGo   map[types.Type]*Type
	byName map[string]*Type
	all    []*Type                 // by ID; all[0] is nil
	locals map[*types.TypeName]int // numbers of the types that instances of functions declare
	laying int                     // how many types are being laid out
	later  []func()                // lay out types behind pointers
}

func newTypeTable() *typeTable {
	return &typeTable{byGo: map[types.Type]*Type{}, byName: map[string]*Type{}, all: []*Type{nil}, locals: map[*types.TypeName]int{}}
}

// of returns the machine's type for a Go type.
func (tt *typeTable) of(g types.Type) *Type {
	if t := tt.byGo[g]; t != nil {
		return t
	}
	if d := types.Default(g); d != g {
		// A generic function may have been instantiated with the type of a constant.
		t := tt.of(d)
		tt.byGo[g] = t
		return t
	}
	name := tt.canonical(g)
	t := tt.byName[name]
	if t == nil {
		t = &Type{ID: uint32(len(tt.all)), Name: name, Go: g}
		tt.all = append(tt.all, t)
		tt.byName[name] = t
		tt.byGo[g] = t
		tt.layAll(t, g.Underlying())
	}
	tt.byGo[g] = t
	return t
}

// layAll computes the layout of a type and then, if no other type is being laid out, of the types
// behind its pointers and the like. The layout of a type does not depend on these, and an array of
// pointers to structs that contain such an array must have its size before the structs do.
func (tt *typeTable) layAll(t *Type, u types.Type) {
	tt.laying++
	defer func() { tt.laying-- }() // this happens also if a type is not supported
	tt.lay(t, u)
	for tt.laying == 1 && len(tt.later) > 0 {
		refer := tt.later[0]
		tt.later = tt.later[1:]
		refer()
	}
}

// lay computes the layout of one type.
func (tt *typeTable) lay(t *Type, u types.Type) {
	switch u := u.(type) {
	case *types.Basic:
		tt.layBasic(t, u)
	case *types.Pointer:
		t.Kind, t.Size = KPointer, 1
		tt.later = append(tt.later, func() { t.Elem = tt.of(u.Elem()) })
	case *types.Slice:
		t.Kind, t.Size = KSlice, 3
		tt.later = append(tt.later, func() { t.Elem = tt.of(u.Elem()) })
	case *types.Array:
		t.Kind, t.Len = KArray, int(u.Len())
		t.Elem = tt.of(u.Elem())
		t.Size = t.Len * t.Elem.Size
	case *types.Struct:
		t.Kind = KStruct
		for i := range u.NumFields() {
			f := tt.of(u.Field(i).Type())
			t.Fields = append(t.Fields, Field{u.Field(i).Name(), t.Size, f})
			t.Size += f.Size
		}
	case *types.Map:
		t.Kind, t.Size = KMap, 1
		tt.later = append(tt.later, func() { t.Key, t.Elem = tt.of(u.Key()), tt.of(u.Elem()) })
	case *types.Chan:
		t.Kind, t.Size = KChan, 1
		tt.later = append(tt.later, func() { t.Elem = tt.of(u.Elem()) })
	case *types.Signature:
		t.Kind, t.Size = KFunc, 1
	case *types.Interface:
		t.Kind, t.Size, t.iface = KInterface, 2, u
	case *types.Tuple:
		t.Kind = KTuple
		for i := range u.Len() {
			if b, ok := u.At(i).Type().(*types.Basic); ok && b.Kind() == types.Invalid {
				// If a range does not use its key or value, Next has an invalid type for it.
				t.Fields = append(t.Fields, Field{"", t.Size, nil})
				continue
			}
			f := tt.of(u.At(i).Type())
			t.Fields = append(t.Fields, Field{u.At(i).Name(), t.Size, f})
			t.Size += f.Size
		}
	default:
		panic(unsupported("type " + t.Name))
	}
}

func (tt *typeTable) layBasic(t *Type, b *types.Basic) {
	t.Size = 1
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		t.Kind = KBool
	case types.Int, types.UntypedInt, types.Int64:
		t.Kind, t.Bits = KInt, 64
	case types.Int8:
		t.Kind, t.Bits = KInt, 8
	case types.Int16:
		t.Kind, t.Bits = KInt, 16
	case types.Int32, types.UntypedRune:
		t.Kind, t.Bits = KInt, 32
	case types.Uint, types.Uint64, types.Uintptr:
		t.Kind, t.Bits = KUint, 64
	case types.Uint8:
		t.Kind, t.Bits = KUint, 8
	case types.Uint16:
		t.Kind, t.Bits = KUint, 16
	case types.Uint32:
		t.Kind, t.Bits = KUint, 32
	case types.Float32:
		t.Kind, t.Bits = KFloat, 32
	case types.Float64, types.UntypedFloat:
		t.Kind, t.Bits = KFloat, 64
	case types.Complex64:
		t.Kind, t.Bits, t.Size = KComplex, 32, 2
	case types.Complex128, types.UntypedComplex:
		t.Kind, t.Bits, t.Size = KComplex, 64, 2
	case types.String, types.UntypedString:
		t.Kind, t.Size = KString, 2
	case types.UnsafePointer, types.UntypedNil:
		t.Kind = KUnsafePointer
	default:
		panic(unsupported("type " + b.Name()))
	}
}

// comparable reports whether == on two values of t cannot panic by itself.
func (t *Type) comparable() bool {
	if t.comp == 0 {
		t.comp = -1
		if types.Comparable(t.Go) {
			t.comp = 1
		}
	}
	return t.comp > 0
}

// canonical names a type so that identical types, and only those, have one name, whatever universe of
// go/types they come from.
func (tt *typeTable) canonical(t types.Type) string {
	var b strings.Builder
	tt.writeType(&b, t)
	return b.String()
}

func (tt *typeTable) writeType(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.UntypedBool, types.UntypedInt, types.UntypedRune, types.UntypedFloat, types.UntypedComplex, types.UntypedString:
			b.WriteString(types.Default(t).String())
		case types.Byte:
			b.WriteString("uint8")
		case types.Rune:
			b.WriteString("int32")
		default:
			b.WriteString(t.Name())
		}
	case *types.Named:
		obj := t.Obj()
		if obj.Pkg() != nil {
			b.WriteString(obj.Pkg().Path())
			b.WriteByte('.')
		}
		b.WriteString(obj.Name())
		if madeLocal(obj) {
			n, ok := tt.locals[obj]
			if !ok {
				n = len(tt.locals) + 1
				tt.locals[obj] = n
			}
			fmt.Fprintf(b, "·instance%d", n)
		} else if obj.Parent() != nil && obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
			// Local types with the same name are distinguished by the place of their declaration.
			fmt.Fprintf(b, "·%d", obj.Pos())
		}
		if args := t.TypeArgs(); args.Len() > 0 {
			b.WriteByte('[')
			for i := range args.Len() {
				if i > 0 {
					b.WriteByte(',')
				}
				tt.writeType(b, args.At(i))
			}
			b.WriteByte(']')
		}
	case *types.Pointer:
		b.WriteByte('*')
		tt.writeType(b, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		tt.writeType(b, t.Elem())
	case *types.Array:
		b.WriteByte('[')
		b.WriteString(strconv.FormatInt(t.Len(), 10))
		b.WriteByte(']')
		tt.writeType(b, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		tt.writeType(b, t.Key())
		b.WriteByte(']')
		tt.writeType(b, t.Elem())
	case *types.Chan:
		b.WriteString([...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()])
		b.WriteByte('(')
		tt.writeType(b, t.Elem())
		b.WriteByte(')')
	case *types.Struct:
		b.WriteString("struct{")
		for i := range t.NumFields() {
			f := t.Field(i)
			if !f.Exported() && f.Pkg() != nil {
				b.WriteString(f.Pkg().Path())
				b.WriteByte('.')
			}
			if f.Embedded() {
				b.WriteByte('!')
			}
			b.WriteString(f.Name())
			b.WriteByte(' ')
			tt.writeType(b, f.Type())
			if tag := t.Tag(i); tag != "" {
				b.WriteString(strconv.Quote(tag))
			}
			b.WriteByte(';')
		}
		b.WriteByte('}')
	case *types.Signature:
		b.WriteString("func")
		tt.writeSignature(b, t)
	case *types.Interface:
		tt.writeInterface(b, t)
	case *types.Tuple:
		b.WriteByte('(')
		for i := range t.Len() {
			tt.writeType(b, t.At(i).Type())
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *types.TypeParam:
		fmt.Fprintf(b, "%s·%d", t.Obj().Name(), t.Obj().Pos())
	default:
		b.WriteString(t.String())
	}
}

func (tt *typeTable) writeSignature(b *strings.Builder, s *types.Signature) {
	tt.writeType(b, s.Params())
	if s.Variadic() {
		b.WriteString("...")
	}
	tt.writeType(b, s.Results())
}

func (tt *typeTable) writeInterface(b *strings.Builder, t *types.Interface) {
	if t.NumMethods() == 0 && t.NumEmbeddeds() == 0 {
		b.WriteString("any")
		return
	}
	var parts []string
	for i := range t.NumMethods() {
		m := t.Method(i)
		var mb strings.Builder
		if !m.Exported() && m.Pkg() != nil {
			mb.WriteString(m.Pkg().Path() + ".")
		}
		mb.WriteString(m.Name())
		tt.writeSignature(&mb, m.Type().(*types.Signature))
		parts = append(parts, mb.String())
	}
	sort.Strings(parts)
	b.WriteString("interface{" + strings.Join(parts, ";") + "}")
}
