package purity

import (
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"golang.org/x/tools/go/ssa"
)

// PathKind says what a text names in the file system.
type PathKind uint8

// The kinds of paths. A path may be both, where the code asks only whether it is there.
const (
	FilePath PathKind = 1 << iota
	DirectoryPath
)

// Paths says which parameters of a package's functions, and which fields of its structs, name files and directories.
type Paths struct {
	kinds map[*types.Var]PathKind
	// joined are those that the code joins behind another path.
	joined map[*types.Var]PathKind
	// changes are the functions that certainly change files, but only files whose paths are made of the function's own inputs:
	// of all the texts that stand there. No constant takes the place of one.
	changes map[*types.Func][]need
	// makes says what fields of functions' results are made of.
	makes map[made][]need
}

// Kind returns what a parameter or a field names, 0 if it is no path. A nil Paths has none.
func (p *Paths) Kind(v *types.Var) PathKind {
	if p == nil {
		return 0
	}
	return p.kinds[v.Origin()]
}

// Joined reports whether a parameter or a field is joined behind another path, so that the name of a file is worth more there than a
// whole path.
func (p *Paths) Joined(v *types.Var) bool { return p != nil && p.joined[v.Origin()] != 0 }

// pathArguments is the table of the functions of the standard library that take paths: the numbers of these arguments, and
// what they name.
func pathArguments(name string) ([]int, PathKind) {
	switch name {
	case "os.Open", "os.OpenFile", "os.Create", "os.ReadFile", "os.WriteFile", "os.Truncate", "os.Remove",
		"io/ioutil.ReadFile", "io/ioutil.WriteFile", "github.com/BurntSushi/toml.DecodeFile":
		return []int{0}, FilePath
	case "os.Rename", "os.Link", "os.Symlink":
		return []int{0, 1}, FilePath
	case "os.Stat", "os.Lstat":
		return []int{0}, FilePath | DirectoryPath
	case "os.ReadDir", "io/ioutil.ReadDir", "os.Mkdir", "os.MkdirAll", "os.RemoveAll", "path/filepath.Walk", "path/filepath.WalkDir",
		"os.DirFS", "os.MkdirTemp", "os.CreateTemp", "io/ioutil.TempDir", "io/ioutil.TempFile":
		return []int{0}, DirectoryPath
	}
	return nil, 0
}

// PathsOf follows the paths that a package's functions pass to package os back to where they come from.
func PathsOf(pkg *load.Package) *Paths {
	p := &Paths{kinds: make(map[*types.Var]PathKind), joined: make(map[*types.Var]PathKind), changes: make(map[*types.Func][]need), makes: make(map[made][]need)}
	t := newTracer(pkg)
	for _, f := range t.functions {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				name := t.library(call.Common())
				if name == "path/filepath.Join" || name == "path.Join" {
					for _, v := range elements(call.Common().Args[0])[1:] {
						t.seen = make(map[ssa.Value]bool)
						t.follow(v, FilePath, p.joined)
					}
				}
				numbers, kind := pathArguments(name)
				for _, n := range numbers {
					t.seen = make(map[ssa.Value]bool)
					if n < len(call.Common().Args) {
						t.follow(call.Common().Args[n], kind, p.kinds)
					}
				}
			}
		}
	}
	p.changesOf(t, pkg)
	return p
}

// tracer follows texts through the code of one package.
type tracer struct {
	functions []*ssa.Function
	calls     map[*ssa.Function][]ssa.CallInstruction // calls of the package's functions by name
	closures  map[*ssa.Function]*ssa.MakeClosure
	fields    map[*types.Var][]ssa.Value // what is stored in fields
	globals   map[*ssa.Global][]ssa.Value
	seen      map[ssa.Value]bool
}

func newTracer(pkg *load.Package) *tracer {
	t := &tracer{
		calls: make(map[*ssa.Function][]ssa.CallInstruction), closures: make(map[*ssa.Function]*ssa.MakeClosure),
		fields: make(map[*types.Var][]ssa.Value), globals: make(map[*ssa.Global][]ssa.Value),
	}
	known := make(map[*ssa.Function]bool)
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		if f == nil || known[f] {
			return
		}
		known[f] = true
		t.functions = append(t.functions, f)
		for _, a := range f.AnonFuncs {
			add(a)
		}
	}
	for _, target := range pkg.Targets {
		add(target.Func)
		if target.Func != nil && target.Func.Pkg != nil {
			add(target.Func.Pkg.Func("init"))
		}
	}
	for _, f := range t.functions {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				t.note(in)
			}
		}
	}
	return t
}

// note remembers what an instruction calls or stores.
func (t *tracer) note(in ssa.Instruction) {
	switch in := in.(type) {
	case ssa.CallInstruction:
		if f := in.Common().StaticCallee(); f != nil && len(f.Blocks) > 0 {
			t.calls[f] = append(t.calls[f], in)
		}
	case *ssa.MakeClosure:
		t.closures[in.Fn.(*ssa.Function)] = in
	case *ssa.Store:
		switch to := in.Addr.(type) {
		case *ssa.FieldAddr:
			f := fieldOf(to.X.Type(), to.Field)
			t.fields[f] = append(t.fields[f], in.Val)
		case *ssa.Global:
			t.globals[to] = append(t.globals[to], in.Val)
		}
	}
}

// fieldOf returns a field of a struct, or of the struct behind a pointer.
func fieldOf(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(i).Origin()
}

// library returns the full name of the function of another package that a call calls, directly or by a variable of
// the package that holds it (var osStat = os.Stat), or "".
func (t *tracer) library(call *ssa.CallCommon) string {
	f := call.StaticCallee()
	if load, ok := call.Value.(*ssa.UnOp); ok && f == nil && load.Op == token.MUL {
		if g, ok := load.X.(*ssa.Global); ok && len(t.globals[g]) == 1 {
			f, _ = t.globals[g][0].(*ssa.Function)
		}
	}
	if f == nil || f.Object() == nil {
		return ""
	}
	return f.Object().(*types.Func).Origin().FullName()
}

// follow goes back from a value that names something to the inputs that it is made of, and notes their kinds.
func (t *tracer) follow(v ssa.Value, kind PathKind, kinds map[*types.Var]PathKind) {
	if t.seen[v] {
		return
	}
	t.seen[v] = true
	all := func(list []ssa.Value) {
		for _, v := range list {
			t.follow(v, kind, kinds)
		}
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		t.parameter(v, kind, kinds)
	case *ssa.FreeVar:
		if made := t.closures[v.Parent()]; made != nil {
			for i, f := range v.Parent().FreeVars {
				if f == v {
					t.follow(made.Bindings[i], kind, kinds)
				}
			}
		}
	case *ssa.Phi:
		all(v.Edges)
	case *ssa.ChangeType:
		t.follow(v.X, kind, kinds)
	case *ssa.BinOp:
		t.follow(v.X, joined(v.Y, kind), kinds)
	case *ssa.Slice:
		t.follow(v.X, kind, kinds)
	case *ssa.Field:
		f := fieldOf(v.X.Type(), v.Field)
		kinds[f] |= kind
		all(t.fields[f])
	case *ssa.Alloc:
		t.variable(v, kind, kinds)
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			f := fieldOf(x.X.Type(), x.Field)
			kinds[f] |= kind
			all(t.fields[f])
		case *ssa.Global:
			all(t.globals[x])
		case *ssa.Alloc, *ssa.FreeVar:
			t.follow(x, kind, kinds)
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			t.result(call, v.Index, kind, kinds)
		}
	case *ssa.Call:
		t.result(v, 0, kind, kinds)
	}
}

// joined returns the kind of a text to which another one is appended: in dir + "/" + name it is a directory.
func joined(with ssa.Value, kind PathKind) PathKind {
	if c, ok := with.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String && strings.HasPrefix(constant.StringVal(c.Value), "/") {
		return DirectoryPath
	}
	return kind
}

// parameter follows a parameter: to the arguments of the calls in the package, and it is an input itself if users call
// the function.
func (t *tracer) parameter(v *ssa.Parameter, kind PathKind, kinds map[*types.Var]PathKind) {
	f := v.Parent()
	if o, ok := v.Object().(*types.Var); ok {
		kinds[o.Origin()] |= kind
	}
	for i, p := range f.Params {
		if p != v {
			continue
		}
		for _, call := range t.calls[f] {
			if args := call.Common().Args; i < len(args) {
				t.follow(args[i], kind, kinds)
			}
		}
	}
}

// variable follows what is stored in a local variable.
func (t *tracer) variable(v *ssa.Alloc, kind PathKind, kinds map[*types.Var]PathKind) {
	for _, user := range *v.Referrers() {
		if s, ok := user.(*ssa.Store); ok && s.Addr == v {
			t.follow(s.Val, kind, kinds)
		}
	}
}

// result follows a result of a call: to the argument that it is made of, or to what a function of the package returns.
func (t *tracer) result(call *ssa.Call, i int, kind PathKind, kinds map[*types.Var]PathKind) {
	args := call.Call.Args
	switch t.library(&call.Call) {
	case "path/filepath.Join", "path.Join":
		if first := firstElement(args[0]); first != nil {
			t.follow(first, DirectoryPath, kinds)
			return
		}
	case "path/filepath.Dir", "path.Dir":
		t.follow(args[0], FilePath, kinds)
		return
	case "path/filepath.Clean", "path/filepath.Abs", "path/filepath.FromSlash", "path/filepath.ToSlash", "path/filepath.EvalSymlinks",
		"path.Clean", "strings.TrimSuffix", "strings.TrimRight", "strings.TrimSpace", "os.ExpandEnv":
		t.follow(args[0], kind, kinds)
		return
	}
	f := call.Call.StaticCallee()
	if f == nil || len(f.Blocks) == 0 {
		return
	}
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(r.Results) {
			t.follow(r.Results[i], kind, kinds)
		}
	}
}

// firstElement returns the first of the values that a variadic call passes, or nil if a list is passed.
func firstElement(v ssa.Value) ssa.Value { return elements(v)[0] }

// elements returns the values that a variadic call passes, the first one at least, which is nil if a list is passed.
func elements(v ssa.Value) []ssa.Value {
	out := []ssa.Value{nil}
	s, ok := v.(*ssa.Slice)
	if !ok {
		return out
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok {
		return out
	}
	for _, user := range *array.Referrers() {
		at, ok := user.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		c, ok := at.Index.(*ssa.Const)
		if !ok {
			continue
		}
		for _, s := range *at.Referrers() {
			if s, ok := s.(*ssa.Store); ok && s.Addr == at {
				if c.Int64() == 0 {
					out[0] = s.Val
				} else {
					out = append(out, s.Val)
				}
			}
		}
	}
	return out
}

// Changes reports whether a function that certainly changes files changes only those that its own inputs name. A nil Paths has
// no such function.
func (p *Paths) Changes(fn *types.Func) bool { return p != nil && len(p.changes[fn.Origin()]) > 0 }

// Given reports whether a sequence keeps to files of its own: everything that it passes as a path is made by a helper that
// makes it for the test, and functions that change files get such a path for everything that they change.
func (p *Paths) Given(s *testcase.Sequence) bool {
	if !p.all(s, func(at int) bool { return IsOwnPath(s, at) }) {
		return false
	}
	for i := range s.Len() {
		st := s.At(i)
		op := st.Op
		switch op.Kind {
		case testcase.OpLiteral:
			if strings.Contains(op.Lit.Str, "..") {
				return false // joined to a directory, it leads out of it
			}
		case testcase.OpStore:
			return false // a struct with a path may be replaced
		case testcase.OpSetField:
			if !isText(op.Var.Type()) && p.within(op.Var) {
				return false
			}
		}
		if op.Func == nil || p == nil || len(p.changes[op.Func.Origin()]) == 0 {
			continue
		}
		if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Via != nil {
			return false // nobody knows what it is called with
		}
		for _, n := range p.changes[op.Func.Origin()] {
			if n.arg >= len(st.Args) || !p.holds(s, i, st.Args[n.arg], n.fields) {
				return false
			}
		}
	}
	return true
}

// isText reports whether a type is one of texts.
func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// within reports whether a path that a function changes is a field of a field.
func (p *Paths) within(field *types.Var) bool {
	for _, needs := range p.changes {
		for _, n := range needs {
			if slices.Contains(n.fields, field.Origin()) {
				return true
			}
		}
	}
	return false
}

// holds reports whether a value is a path of the test's own, or has one in a field of its fields.
func (p *Paths) holds(s *testcase.Sequence, before int, ref testcase.Ref, fields []*types.Var) bool {
	if len(fields) == 0 {
		return IsOwnPath(s, ref.Stmt)
	}
	for i := range before {
		if st := s.At(i); st.Op.Kind == testcase.OpSetField && st.Args[0] == ref && st.Op.Var.Origin() == fields[0] {
			return p.holds(s, i, st.Args[1], fields[1:])
		}
	}
	st := s.At(ref.Stmt)
	switch st.Op.Kind {
	case testcase.OpAddr, testcase.OpDeref, testcase.OpConvert:
		return p.holds(s, ref.Stmt, st.Args[0], fields)
	case testcase.OpComposite:
		for k, v := range InputsOf(st.Op) {
			if k < len(st.Args) && v.Origin() == fields[0] {
				return p.holds(s, ref.Stmt, st.Args[k], fields[1:])
			}
		}
	case testcase.OpFunc:
		if st.Op.Via != nil {
			return false
		}
		needs := p.makes[made{st.Op.Func.Origin(), ref.Result, fields[0]}]
		for _, n := range needs {
			if n.arg >= len(st.Args) || !p.holds(s, ref.Stmt, st.Args[n.arg], slices.Concat(n.fields, fields[1:])) {
				return false
			}
		}
		return len(needs) > 0
	}
	return false
}

// Within reports whether a sequence names no file outside of the package's directory and of directories of its own: such a
// file is the machine's, and is there on some machines only.
func (p *Paths) Within(s *testcase.Sequence) bool {
	return p.all(s, func(at int) bool {
		op := s.At(at).Op
		return op.Kind != testcase.OpLiteral || op.Lit.Str == "" || !filepath.IsAbs(op.Lit.Str) && !strings.HasPrefix(op.Lit.Str, "..")
	})
}

// all reports whether something holds for the statements that make all the paths of a sequence.
func (p *Paths) all(s *testcase.Sequence, ok func(at int) bool) bool {
	if p == nil || len(p.kinds) == 0 {
		return true
	}
	for i := range s.Len() {
		st := s.At(i)
		for k, v := range InputsOf(st.Op) {
			if k < len(st.Args) && v != nil && p.Kind(v) != 0 && !ok(st.Args[k].Stmt) {
				return false
			}
		}
	}
	return true
}

// InputsOf returns the parameters or fields that the arguments of an operation are for; nil stands for something else.
func InputsOf(op *testcase.Operation) []*types.Var {
	var out []*types.Var
	switch op.Kind {
	case testcase.OpFunc, testcase.OpMethod:
		if op.Via != nil {
			return nil
		}
		if op.Kind == testcase.OpMethod {
			out = append(out, nil)
		}
		for v := range op.Func.Signature().Params().Variables() {
			out = append(out, v)
		}
	case testcase.OpComposite:
		s, ok := op.Type.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		for i := range s.NumFields() {
			if op.Elems == nil {
				out = append(out, s.Field(i))
			}
		}
		for _, i := range op.Elems {
			out = append(out, s.Field(i))
		}
	case testcase.OpSetField:
		out = append(out, nil, op.Var)
	}
	return out
}

// IsOwnPath reports whether a statement makes a path of the test's own: a helper of tests makes it, or it is joined to one that
// a helper makes. An empty text is none, since code puts something in its place or behind it.
func IsOwnPath(s *testcase.Sequence, at int) bool {
	st := s.At(at)
	switch {
	case st.Op.Via != nil:
		return st.Op.Via.OfTest && st.Op.Via.Brief == "" // no test is given to make a path where it waits
	case st.Op.Kind == testcase.OpFunc && st.Op.Func.FullName() == "path/filepath.Join":
		return len(st.Args) > 0 && IsOwnPath(s, st.Args[0].Stmt)
	case st.Op.Kind == testcase.OpConvert:
		return IsOwnPath(s, st.Args[0].Stmt)
	}
	return false
}
