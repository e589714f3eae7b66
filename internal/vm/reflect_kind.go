package vm

import "go/types"

// This file has the properties of types that reflection reports.

// named reports whether reflection has a name for t.
func (t *Type) named() bool {
	switch types.Unalias(t.Go).(type) {
	case *types.Named, *types.Basic:
		return true
	}
	return false
}

func isExported(t *Type) bool {
	if n, ok := types.Unalias(t.Go).(*types.Named); ok {
		return n.Obj().Exported()
	}
	return false
}

// direct reports whether an interface holds values of t themselves in a real process. It does if a value is a
// single pointer.
func (m *Machine) direct(t *Type) bool {
	switch t.Kind {
	case KPointer, KUnsafePointer, KMap, KChan, KFunc:
		return true
	case KArray:
		return t.Len == 1 && m.direct(t.Elem)
	case KStruct:
		if t.Size != 1 || m.prog.Sizes.Sizeof(t.Go) != 8 {
			return false
		}
		for _, f := range t.Fields {
			if f.Type.Size == 1 {
				return m.direct(f.Type)
			}
		}
	}
	return false
}

// hasPointers reports whether the garbage collector looks into values of a type.
func hasPointers(g types.Type) bool {
	switch u := g.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// reflectKind is reflect.Kind of a type.
func reflectKind(t *Type) int {
	const (
		kInvalid = iota
		kBool
		kInt
		kInt8
		kInt16
		kInt32
		kInt64
		kUint
		kUint8
		kUint16
		kUint32
		kUint64
		kUintptr
		kFloat32
		kFloat64
		kComplex64
		kComplex128
		kArray
		kChan
		kFunc
		kInterface
		kMap
		kPointer
		kSlice
		kString
		kStruct
		kUnsafePointer
	)
	switch u := t.Go.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Bool, types.UntypedBool:
			return kBool
		case types.Int, types.UntypedInt:
			return kInt
		case types.Int8:
			return kInt8
		case types.Int16:
			return kInt16
		case types.Int32, types.UntypedRune:
			return kInt32
		case types.Int64:
			return kInt64
		case types.Uint:
			return kUint
		case types.Uint8:
			return kUint8
		case types.Uint16:
			return kUint16
		case types.Uint32:
			return kUint32
		case types.Uint64:
			return kUint64
		case types.Uintptr:
			return kUintptr
		case types.Float32:
			return kFloat32
		case types.Float64, types.UntypedFloat:
			return kFloat64
		case types.Complex64:
			return kComplex64
		case types.Complex128, types.UntypedComplex:
			return kComplex128
		case types.String, types.UntypedString:
			return kString
		case types.UnsafePointer:
			return kUnsafePointer
		}
	case *types.Array:
		return kArray
	case *types.Chan:
		return kChan
	case *types.Signature:
		return kFunc
	case *types.Interface:
		return kInterface
	case *types.Map:
		return kMap
	case *types.Pointer:
		return kPointer
	case *types.Slice:
		return kSlice
	case *types.Struct:
		return kStruct
	}
	return kInvalid
}
