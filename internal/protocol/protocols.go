package protocol

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// isSort reports whether the type is a sort.Interface, and which of value and pointer.
func (s *subject) isSort() (*types.Func, types.Type) {
	n, t1 := s.method("Len")
	less, t2 := s.method("Less")
	swap, t3 := s.method("Swap")
	if !is(n, nil, []types.Type{intType}) || !is(less, []types.Type{intType, intType}, []types.Type{boolType}) || !is(swap, []types.Type{intType, intType}, nil) {
		return nil, nil
	}
	t := t1
	for _, u := range []types.Type{t2, t3} {
		if _, ok := u.(*types.Pointer); ok {
			t = u
		}
	}
	return less, t
}

// sorting: a sort.Interface can be sorted. The function that is tested is Less.
func sorting(s *subject) []*testcase.Check {
	f, t := s.isSort()
	if f == nil {
		return nil
	}
	return s.check(f, "checkSort", "reports whether x can be sorted. It sorts it.", t, 1,
		`n := x.Len()`,
		`if n < 0 {`,
		`	return «errors».New("Len() is negative")`,
		`}`,
		`for i := 0; i < n; i++ {`,
		`	if x.Less(i, i) {`,
		`		return «errors».New("an element is less than itself")`,
		`	}`,
		`}`,
		`«sort».Sort(x)`,
		`if x.Len() != n || !«sort».IsSorted(x) {`,
		`	return «errors».New("sort.Sort does not sort it")`,
		`}`,
		`return nil`)
}

// heaping: a heap.Interface gives its elements in order. The function that is tested is
// Pop.
func heaping(s *subject) []*testcase.Check {
	less, t := s.isSort()
	push, u := s.method("Push")
	pop, v := s.method("Pop")
	empty := types.NewInterfaceType(nil, nil)
	if less == nil || push == nil || pop == nil || push.Signature().Params().Len() != 1 || push.Signature().Results().Len() != 0 ||
		pop.Signature().Params().Len() != 0 || pop.Signature().Results().Len() != 1 ||
		!types.Identical(push.Signature().Params().At(0).Type().Underlying(), empty) ||
		!types.Identical(pop.Signature().Results().At(0).Type().Underlying(), empty) {
		return nil
	}
	for _, p := range []types.Type{u, v} {
		if _, ok := p.(*types.Pointer); ok {
			t = p
		}
	}
	return s.check(pop, "checkHeap", "reports whether x keeps a heap's order. It takes all elements.", t, 1,
		`«container/heap».Init(x)`,
		`for n := x.Len(); n > 0; n-- {`,
		`	for i := 1; i < n; i++ {`,
		`		if x.Less(i, 0) {`,
		`			return «errors».New("the first element is not the least")`,
		`		}`,
		`	}`,
		`	e := «container/heap».Pop(x)`,
		`	if x.Len() != n-1 {`,
		`		return «errors».New("Pop does not take one element")`,
		`	}`,
		`	«container/heap».Push(x, e)`,
		`	if x.Len() != n {`,
		`		return «errors».New("Push does not add one element")`,
		`	}`,
		`	«container/heap».Pop(x)`,
		`}`,
		`return nil`)
}

// reader: io.Reader, with io.Seeker and io.ReaderAt where it is one. x and y must be
// alike: what one contains is read first, to know what the other must give.
func reader(s *subject) []*testcase.Check {
	f, t := s.method("Read")
	if !is(f, []types.Type{bytesType}, []types.Type{intType, errorType}) || f.Pkg() != s.pkg {
		return nil
	}
	cs := s.check(f, "checkReader", "reports whether y keeps the rules of io.Reader; x is another one like it.", t, 2,
		`const most = 1 << 16`,
		`// What was read of a reader that can go back is read again there.`,
		`for _, r := range []interface{}{x, y} {`,
		`	if s, ok := r.(«io».Seeker); ok {`,
		`		if _, err := s.Seek(0, «io».SeekStart); err != nil {`,
		`			return nil`,
		`		}`,
		`	}`,
		`}`,
		`content, err := «io».ReadAll(«io».LimitReader(x, most))`,
		`if err != nil || len(content) == most {`,
		`	return nil`,
		`}`,
		`if at, ok := interface{}(x).(«io».ReaderAt); ok {`,
		`	whole, err := «io».ReadAll(«io».NewSectionReader(at, 0, most))`,
		`	if _, seeks := at.(«io».Seeker); err != nil || !seeks && len(whole) != len(content) {`,
		`		return nil`,
		`	}`,
		`}`,
		`return «testing/iotest».TestReader(y, content)`)
	cs[0].Twins = true
	return cs
}

// writer: io.Writer.
func writer(s *subject) []*testcase.Check {
	f, t := s.method("Write")
	if !is(f, []types.Type{bytesType}, []types.Type{intType, errorType}) || f.Pkg() != s.pkg {
		return nil
	}
	return s.check(f, "checkWriter", "reports whether x keeps the rules of io.Writer.", t, 1,
		`for _, text := range []string{"", "a", "some text"} {`,
		`	p := []byte(text)`,
		`	n, err := x.Write(p)`,
		`	if n < 0 || n > len(p) {`,
		`		return «errors».New("Write returns an impossible number of bytes")`,
		`	}`,
		`	if n < len(p) && err == nil {`,
		`		return «errors».New("Write wrote less than it was given, and returns no error")`,
		`	}`,
		`	if string(p) != text {`,
		`		return «errors».New("Write changes what it is given")`,
		`	}`,
		`}`,
		`return nil`)
}

// bytewise: what can be written byte by byte can be written in one piece. x and y must be
// alike: one is written to in one way, one in the other.
func bytewise(s *subject) []*testcase.Check {
	f, t := s.method("Write")
	single, u := s.method("WriteByte")
	if !is(f, []types.Type{bytesType}, []types.Type{intType, errorType}) || f.Pkg() != s.pkg || !is(single, []types.Type{types.Typ[types.Uint8]}, []types.Type{errorType}) {
		return nil
	}
	if _, ok := u.(*types.Pointer); ok {
		t = u
	}
	body := []string{
		`text := []byte("some text")`,
		`for _, c := range text {`,
		`	if y.WriteByte(c) != nil {`,
		`		return nil`,
		`	}`,
		`}`,
		`if n, err := x.Write(text); err != nil || n != len(text) {`,
		`	return «errors».New("Write refuses what WriteByte takes")`,
		`}`,
	}
	for _, name := range []string{"Len", "Length"} {
		if n, _ := s.method(name); is(n, nil, []types.Type{intType}) {
			body = append(body,
				`if x.`+name+`() != y.`+name+`() {`,
				`	return «errors».New("Write and WriteByte write as much, and `+name+` differs")`,
				`}`)
		}
	}
	if b, _ := s.method("Bytes"); is(b, nil, []types.Type{bytesType}) {
		body = append(body,
			`if !«bytes».Equal(x.Bytes(), y.Bytes()) {`,
			`	return «errors».New("Write and WriteByte write the same, and Bytes differs")`,
			`}`)
	}
	cs := s.check(f, "checkWrite", "reports whether what can be written to y byte by byte can be written to x, which is like it.", t, 2, append(body, `return nil`)...)
	cs[0].Twins = true
	return cs
}

// fileSystem: fs.FS.
func fileSystem(s *subject) []*testcase.Check {
	f, t := s.method("Open")
	if f == nil || f.Pkg() != s.pkg || !is(f, []types.Type{stringType}, []types.Type{nil, errorType}) || f.Signature().Results().At(0).Type().String() != "io/fs.File" {
		return nil
	}
	// TestFS without names is for file systems that are empty.
	return s.check(f, "checkFS", "reports whether x keeps the rules of fs.FS.", t, 1,
		`var names []string`,
		`_ = «io/fs».WalkDir(x, ".", func(name string, _ «io/fs».DirEntry, err error) error {`,
		`	if err == nil && name != "." && len(names) < 100 {`,
		`		names = append(names, name)`,
		`	}`,
		`	return nil`,
		`})`,
		`return «testing/fstest».TestFS(x, names...)`)
}

// iterators: methods and functions that return an iterator, and methods that are one: whose
// only parameter is called yield.
func iterators(s *subject) []*testcase.Check {
	if s.typ == nil {
		return s.iterator(s.fn, s.sig, nil)
	}
	var out []*testcase.Check
	seen := map[string]bool{}
	for _, t := range []types.Type{s.typ, types.NewPointer(s.typ)} {
		for sel := range types.NewMethodSet(t).Methods() {
			f, ok := sel.Obj().(*types.Func)
			if !ok || !f.Exported() || f.Pkg() != s.pkg || seen[f.Name()] {
				continue
			}
			seen[f.Name()] = true
			out = append(out, s.iterator(f, sel.Type().(*types.Signature), t)...)
		}
	}
	return out
}

// iterator returns the check of a function or method with a signature, if it is or returns
// an iterator; t is the method's receiver.
func (s *subject) iterator(f *types.Func, sig *types.Signature, t types.Type) []*testcase.Check {
	names := [...]string{"x", "y", "z"}
	var params []types.Type
	call := "«f»"
	if t != nil {
		params = append(params, t)
		call = "x." + f.Name()
	}
	var yield *types.Signature
	if t != nil && sig.Params().Len() == 1 && sig.Params().At(0).Name() == "yield" {
		yield = yieldOf(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), false))
	}
	if yield == nil {
		if sig.Variadic() || sig.Results().Len() != 1 || sig.TypeParams().Len() > 0 {
			return nil
		}
		if yield = yieldOf(sig.Results().At(0).Type()); yield == nil {
			return nil
		}
		for p := range sig.Params().Variables() {
			params = append(params, p.Type())
		}
		if len(params) == 0 || len(params) > len(names) {
			return nil
		}
		args := names[:len(params)]
		if t != nil {
			args = args[1:]
		}
		call += "(" + strings.Join(args, ", ") + ")"
	}
	var elems []types.Type
	var list []string
	for i := range yield.Params().Len() {
		elems = append(elems, yield.Params().At(i).Type())
		list = append(list, "«t"+strconv.Itoa(i)+"»")
	}
	cs := s.check(f, "checkIterator", "reports whether "+strings.Replace(call, "«f»", f.Name(), 1)+" stops when it is told to.", nil, 0,
		`stop := func(after int) (err error) {`,
		`	n := 0`,
		`	defer func() {`,
		`		if n > after+1 {`,
		`			recover()`,
		`			err = «errors».New("it goes on after yield has returned false")`,
		`		}`,
		`	}()`,
		`	`+call+`(func(`+strings.Join(list, ", ")+`) bool {`,
		`		n++`,
		`		if n > after+1 {`,
		`			panic("it was told to stop")`,
		`		}`,
		`		return n <= after`,
		`	})`,
		`	return nil`,
		`}`,
		`for after := 0; after < 3; after++ {`,
		`	if err := stop(after); err != nil {`,
		`		return err`,
		`	}`,
		`}`,
		`return nil`)
	cs[0].Params, cs[0].Types, cs[0].Free = params, elems, len(params) > 1 || t == nil
	return cs
}

// yieldOf returns the signature of the yield function of an iterator, nil if t is none.
func yieldOf(t types.Type) *types.Signature {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return nil
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Params().Len() > 2 || yield.Results().Len() != 1 || !types.Identical(yield.Results().At(0).Type(), boolType) {
		return nil
	}
	return yield
}
