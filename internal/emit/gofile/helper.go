package gofile

import (
	"fmt"
	"go/types"
)

// pointerFunc is a function that returns a pointer to a value. Files need one for each type if the language
// version has no generics.
type pointerFunc struct {
	name string
	elem types.Type
}

// Helper returns the name in this file of the helper of the given kind.
func (w *Writer) Helper(kind string) string {
	if n, ok := w.helpers[kind]; ok {
		return n
	}
	n := w.Declare(kind)
	w.helpers[kind] = n
	w.order = append(w.order, kind)
	return n
}

// pointerMaker returns the name, in this file, of the function that returns a pointer to its argument
// of the given type. From Go 1.18 on one generic function serves all types.
func (w *Writer) pointerMaker(elem types.Type) string {
	for _, f := range w.pointers {
		if types.Identical(f.elem, elem) {
			return f.name
		}
	}
	base := "ptr"
	if n, ok := types.Unalias(elem).(interface{ Obj() *types.TypeName }); ok {
		base = LowerFirst(n.Obj().Name()) + "Ptr"
	} else if b, ok := types.Unalias(elem).(*types.Basic); ok {
		base = b.Name() + "Ptr"
	}
	f := &pointerFunc{w.Declare(base, "ptr"), elem}
	w.pointers = append(w.pointers, f)
	return f.name
}

// HelperTexts returns the declarations of the helpers that the file's expressions call, sorted by name.
func (w *Writer) HelperTexts() (names, texts []string) {
	for _, f := range w.pointers {
		typ := w.Type(f.elem)
		names = append(names, f.name)
		texts = append(texts, fmt.Sprintf("// %s returns a pointer to v.\nfunc %s(v %s) *%s { return &v }\n", f.name, f.name, typ, typ))
	}
	for _, kind := range w.order {
		names = append(names, w.helpers[kind])
		texts = append(texts, w.helperText(kind))
	}
	return names, texts
}

// helperText returns the declaration of a helper.
func (w *Writer) helperText(kind string) string {
	name := w.helpers[kind]
	math := func() string { return w.Std("math") }
	switch kind {
	case "wide":
		return fmt.Sprintf("// %s returns n as an int, also for compilers whose int has no room for it.\nfunc %s(n int64) int { return int(n) }\n", name, name)
	case "wideUint":
		return fmt.Sprintf("// %s returns n as a uint, also for compilers whose uint has no room for it.\nfunc %s(n uint64) uint { return uint(n) }\n", name, name)
	case "sameFloat":
		return fmt.Sprintf(`// %[1]s reports whether a and b are the same number, or both NaN. It tells -0
// from 0.
func %[1]s(a, b float64) bool {
	return a == b && %[2]s.Signbit(a) == %[2]s.Signbit(b) || %[2]s.IsNaN(a) && %[2]s.IsNaN(b)
}
`, name, math())
	case "closeTo":
		return fmt.Sprintf(`// %[1]s reports whether got is want but for rounding, which may differ between
// platforms.
func %[1]s(got, want float64) bool {
	const tolerance = 1e-9
	return got == want || %[2]s.IsNaN(got) && %[2]s.IsNaN(want) ||
		%[2]s.Abs(got-want) <= tolerance*%[2]s.Max(1, %[2]s.Abs(want))
}
`, name, math())
	case "sameFloatAll":
		return fmt.Sprintf(`// %[1]s reports whether a and b have the same numbers, or NaN at the same places. It
// tells -0 from 0.
func %[1]s(a, b []float64) bool {
	same := len(a) == len(b)
	for i := 0; same && i < len(a); i++ {
		same = a[i] == b[i] && %[2]s.Signbit(a[i]) == %[2]s.Signbit(b[i]) || %[2]s.IsNaN(a[i]) && %[2]s.IsNaN(b[i])
	}
	return same
}
`, name, math())
	case "closeToAll":
		return fmt.Sprintf(`// %[1]s reports whether got has the numbers of want but for rounding, which may differ
// between platforms.
func %[1]s(got, want []float64) bool {
	const tolerance = 1e-9
	same := len(got) == len(want)
	for i := 0; same && i < len(want); i++ {
		same = got[i] == want[i] || %[2]s.IsNaN(got[i]) && %[2]s.IsNaN(want[i]) ||
			%[2]s.Abs(got[i]-want[i]) <= tolerance*%[2]s.Max(1, %[2]s.Abs(want[i]))
	}
	return same
}
`, name, math())
	case "ptr":
		any := "any"
		if !w.hasAny() {
			any = "interface{}"
		}
		return fmt.Sprintf("// %s returns a pointer to v.\nfunc %s[T %s](v T) *T { return &v }\n", name, name, any)
	case "errText":
		return fmt.Sprintf(`// %[1]s returns the message of err, "" if there is no error.
func %[1]s(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
`, name)
	}
	panic("bug: gofile: no helper " + kind)
}
