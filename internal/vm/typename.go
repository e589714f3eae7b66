package vm

import (
	"go/types"
	"strconv"
	"strings"
)

// typeString returns a type's name as the runtime and package reflect print it: with the package's name, and
// not with its path.
func (m *Machine) typeString(t *Type) string {
	var b strings.Builder
	writeRuntimeType(&b, t.Go, func(p *types.Package) string { return p.Name() })
	return b.String()
}

// writeRuntimeType writes a type's name. The function qualify returns the names of packages.
func writeRuntimeType(b *strings.Builder, t types.Type, qualify func(*types.Package) string) {
	write := func(t types.Type) { writeRuntimeType(b, t, qualify) }
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.UnsafePointer:
			b.WriteString("unsafe.Pointer")
		default:
			b.WriteString(types.Typ[types.Default(t).(*types.Basic).Kind()].Name())
		}
	case *types.Named:
		obj := t.Obj()
		if madeLocal(obj) {
			panic(unsupported("the name of a type declared in a generic function"))
		}
		if obj.Pkg() != nil {
			b.WriteString(qualify(obj.Pkg()))
			b.WriteByte('.')
		}
		b.WriteString(obj.Name())
		if args := t.TypeArgs(); args.Len() > 0 {
			b.WriteByte('[')
			for i := range args.Len() {
				if i > 0 {
					b.WriteByte(',')
				}
				// Inside of brackets packages have their paths.
				writeRuntimeType(b, args.At(i), reflectPath)
			}
			b.WriteByte(']')
		}
	case *types.Pointer:
		b.WriteByte('*')
		write(t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		write(t.Elem())
	case *types.Array:
		b.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		write(t.Elem())
	case *types.Map:
		b.WriteString("map[")
		write(t.Key())
		b.WriteByte(']')
		write(t.Elem())
	case *types.Chan:
		b.WriteString([...]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()])
		if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && t.Dir() != types.SendOnly && e.Dir() == types.RecvOnly {
			b.WriteByte('(')
			write(e)
			b.WriteByte(')')
			return
		}
		write(t.Elem())
	case *types.Struct:
		writeRuntimeStruct(b, t, write)
	case *types.Signature:
		b.WriteString("func")
		writeRuntimeSignature(b, t, write)
	case *types.Interface:
		ms := sortedMethods(t)
		if len(ms) == 0 {
			b.WriteString("interface {}")
			return
		}
		b.WriteString("interface { ")
		for i, f := range ms {
			if i > 0 {
				b.WriteString("; ")
			}
			if !f.Exported() && f.Pkg() != nil {
				b.WriteString(qualify(f.Pkg()) + ".")
			}
			b.WriteString(f.Name())
			writeRuntimeSignature(b, f.Signature(), write)
		}
		b.WriteString(" }")
	default:
		b.WriteString(t.String())
	}
}

func writeRuntimeStruct(b *strings.Builder, t *types.Struct, write func(types.Type)) {
	if t.NumFields() == 0 {
		b.WriteString("struct {}")
		return
	}
	b.WriteString("struct { ")
	for i := range t.NumFields() {
		if i > 0 {
			b.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			b.WriteString(f.Name() + " ")
		}
		write(f.Type())
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	b.WriteString(" }")
}

func writeRuntimeSignature(b *strings.Builder, sig *types.Signature, write func(types.Type)) {
	b.WriteByte('(')
	n := sig.Params().Len()
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		t := sig.Params().At(i).Type()
		if s, ok := t.Underlying().(*types.Slice); ok && sig.Variadic() && i == n-1 {
			b.WriteString("...")
			t = s.Elem()
		}
		write(t)
	}
	b.WriteByte(')')
	switch res := sig.Results(); res.Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		write(res.At(0).Type())
	default:
		b.WriteString(" (")
		for i := range res.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			write(res.At(i).Type())
		}
		b.WriteByte(')')
	}
}

// madeLocal reports whether go/ssa has made a type name for an instance of a generic function, of a type that
// the function declares.
func madeLocal(obj *types.TypeName) bool { return obj.Parent() == nil && obj.Pkg() != nil }
