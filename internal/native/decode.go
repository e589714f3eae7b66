package native

import (
	"go/token"
	"go/types"
	"strings"
	"time"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native/rewrite"
	"github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/testcase"
)

// decoder reads the messages of one harness process. The numbers of coverage sets, stacks and dynamic types
// are valid for that process only.
type decoder struct {
	enc    *encoder
	lookup func(path, name string) types.Type
	covers []testcase.Cover
	stacks [][]testcase.Frame
	// contracts has, for each stack, the place in a function that checks a contract.
	contracts []token.Position
	dyns      []dynType
}

// dynType is a dynamic type as the harness described it.
type dynType struct {
	typ  types.Type // nil if the program has no name for it
	name string
}

// detail is an outcome with the details that only package native uses.
type detail struct {
	*testcase.Outcome
	results []uint64 // hashes of the last statement's results
	final   []uint64 // hashes of the last statement's arguments after it
	called  int      // how many calls closures made
	broken  []Broken
}

// outcome reads an outcome. The parameter results has the types of each statement's results, and args has the
// types of the last statement's arguments.
func (d *decoder) outcome(r *assayrt.Reader, results [][]types.Type, args []types.Type) detail {
	o := &testcase.Outcome{Status: testcase.Status(r.Byte()), At: r.Num()}
	out := detail{Outcome: o}
	if o.Status > testcase.Goexit {
		r.Bad = true
		return out
	}
	o.Cover = d.cover(r)
	if o.Status == testcase.Hung {
		h := endless()
		o.Message, o.Panic = h.message, &testcase.Panic{Kind: h.kind, Message: h.message}
	}
	flags := r.Num()
	o.Held = flags&assayrt.FlagHeld != 0
	if flags&assayrt.FlagViolated != 0 {
		n := r.Num()
		if n < 0 || n >= len(d.enc.asserts) {
			r.Bad = true
			return out
		}
		o.Violated, o.ViolatedAt = d.enc.asserts[n].Broken, d.enc.asserts[n].Pos
	}
	if flags&assayrt.FlagDisliked != 0 {
		o.Disliked = r.Num()
	}
	if flags&assayrt.FlagCalled != 0 {
		out.called = r.Num()
	}
	if flags&assayrt.FlagMessage != 0 {
		o.Message = r.Str()
	}
	if flags&assayrt.FlagCost != 0 {
		o.Allocated = r.Bits()
		o.Took = time.Duration(r.Bits())
	}
	if flags&assayrt.FlagHashes != 0 {
		out.results = hashes(r)
		out.final = hashes(r)
		for range r.Count() {
			b := Broken{Value: r.Num()}
			n := r.Num()
			if b.Check = d.enc.g.watched[n]; b.Check != nil {
				out.broken = append(out.broken, b)
			}
		}
	}
	if flags&assayrt.FlagResults != 0 {
		first := r.Num()
		n := r.Num()
		if n > 0 {
			o.Results = make([][]testcase.Value, min(first+n, len(results)))
		}
		for i := range n {
			if first+i >= len(results) {
				r.Bad = true
				return out
			}
			o.Results[first+i] = d.values(r, results[first+i])
		}
	}
	if flags&assayrt.FlagPanic != 0 {
		p := d.panic(r)
		if o.Status == testcase.Hung {
			o.Panic.Contract = p.Contract // the place in the code depends on how many turns are allowed
		} else {
			o.Panic = p
		}
	}
	if flags&assayrt.FlagFinal != 0 {
		o.Final = d.values(r, args)
	}
	return out
}

func hashes(r *assayrt.Reader) []uint64 {
	out := make([]uint64, r.Count())
	for i := range out {
		out[i] = r.Bits()
	}
	return out
}

// cover reads a set of blocks. Sets are shared between outcomes.
func (d *decoder) cover(r *assayrt.Reader) testcase.Cover {
	id := r.Num()
	if r.Bool() {
		c := make(testcase.Cover, r.Count())
		for i := range c {
			c[i] = r.Bits()
		}
		if id == len(d.covers) {
			d.covers = append(d.covers, c)
		}
	}
	if id >= len(d.covers) {
		r.Bad = true
		return nil
	}
	return d.covers[id]
}

func (d *decoder) panic(r *assayrt.Reader) *testcase.Panic {
	p := &testcase.Panic{Runtime: r.Bool(), Message: r.Str()}
	p.OfStandIn = d.namesStandIn(p.Message)
	id := r.Num()
	if r.Bool() {
		var frames []testcase.Frame
		var checked token.Position
		for range r.Count() {
			f := testcase.Frame{Func: sourceName(r.Str())}
			f.Pos = token.Position{Filename: r.Str(), Line: r.Num()}
			switch {
			case !contract.Generated(f.Func):
				frames = append(frames, f)
			case !checked.IsValid():
				checked = f.Pos
			}
		}
		if id == len(d.stacks) {
			d.stacks, d.contracts = append(d.stacks, frames), append(d.contracts, checked)
		}
	}
	if id >= len(d.stacks) {
		r.Bad = true
		return p
	}
	p.Stack, p.Contract = d.stacks[id], d.contracts[id]
	p.Kind = testcase.PanicKind(p.Runtime, p.Message)
	vs := d.values(r, []types.Type{types.NewInterfaceType(nil, nil)})
	if len(vs) == 1 {
		p.Value = vs[0]
	}
	return p
}

// values reads a group of values of the given static types.
func (d *decoder) values(r *assayrt.Reader, ts []types.Type) []testcase.Value {
	n := r.Count()
	out := make([]testcase.Value, n)
	for i := range out {
		var t types.Type
		if i < len(ts) {
			t = ts[i]
		}
		out[i] = d.value(r, t, 0)
	}
	return out
}

// value reads a value of static type t. The type is nil if it is not known.
func (d *decoder) value(r *assayrt.Reader, t types.Type, depth int) testcase.Value {
	v := testcase.Value{Type: t}
	if depth > 200 {
		r.Bad = true
		return v
	}
	kind := r.Byte()
	if kind == assayrt.KErr {
		v.Err = d.errorInfo(r)
		kind = r.Byte() &^ assayrt.KErr
	}
	v.Kind = testcase.ValueKind(kind)
	var under types.Type
	if t != nil {
		under = t.Underlying()
	}
	switch v.Kind {
	case testcase.Nil, testcase.Opaque:
	case testcase.Bool:
		if r.Bool() {
			v.Bits = 1
		}
	case testcase.Int:
		v.Bits = uint64(r.Int())
	case testcase.Uint:
		v.Bits = r.Uint()
	case testcase.Float:
		v.Bits = r.Bits()
	case testcase.Complex:
		v.Bits, v.Imag = r.Bits(), r.Bits()
	case testcase.String:
		v.Len = r.Num()
		v.Str = r.Str()
		v.Cut = len(v.Str) < v.Len
		if d.namesStandIn(v.Str) {
			v.Kind, v.Str, v.Len, v.Cut = testcase.Opaque, "", 0, false
		}
	case testcase.Slice:
		v.ID, v.Again, v.Len = r.Num(), r.Bool(), r.Num()
		if !v.Again {
			e := element(under)
			for r.Byte() == 1 && !r.Bad {
				v.Elems = append(v.Elems, d.value(r, e, depth+1))
			}
			v.Cut = len(v.Elems) < v.Len
			if d.namesStandIn(textOf(v.Elems)) {
				v = testcase.Value{Kind: testcase.Opaque, Type: v.Type, Err: v.Err}
			}
		}
	case testcase.Map:
		v.ID, v.Again, v.Len = r.Num(), r.Bool(), r.Num()
		if !v.Again {
			var k, e types.Type
			if m, ok := under.(*types.Map); ok {
				k, e = m.Key(), m.Elem()
			}
			for r.Byte() == 1 && !r.Bad {
				v.Elems = append(v.Elems, d.value(r, k, depth+1))
				v.Elems = append(v.Elems, d.value(r, e, depth+1))
			}
			v.Cut = len(v.Elems) < 2*v.Len
		}
	case testcase.Array:
		e := element(under)
		v.Len = r.Count()
		v.Elems = make([]testcase.Value, v.Len)
		for i := range v.Elems {
			v.Elems[i] = d.value(r, e, depth+1)
		}
	case testcase.Struct:
		s, _ := under.(*types.Struct)
		v.Len = r.Count()
		v.Elems = make([]testcase.Value, v.Len)
		for i := range v.Elems {
			var ft types.Type
			if s != nil && i < s.NumFields() {
				ft = s.Field(i).Type()
			}
			v.Elems[i] = d.value(r, ft, depth+1)
		}
	case testcase.Pointer:
		v.ID, v.Again = r.Num(), r.Bool()
		if !v.Again {
			v.Elems = []testcase.Value{d.value(r, element(under), depth+1)}
		}
	case testcase.Interface:
		dt := d.dynamic(r)
		e := d.value(r, dt.typ, depth+1)
		if dt.typ == nil {
			e.TypeName = dt.name
		}
		v.Elems = []testcase.Value{e}
		if v.Err != nil {
			if v.Err.Foreign = d.isForeign(dt.typ); !v.Err.Unstable && !v.Err.Compared() {
				v.Err.Own = d.enc.g.ownWords(v.Err.Message)
			}
		}
	default:
		r.Bad = true
	}
	return v
}

// isForeign reports whether a type is an exported one of another module than the one under test, or a pointer to one.
func (d *decoder) isForeign(t types.Type) bool {
	if t == nil {
		return false
	}
	named, pkg := load.NamedOf(t), d.enc.g.pkg
	if named == nil || !named.Obj().Exported() || named.Obj().Pkg() == nil || named.Obj().Pkg() == pkg.Types {
		return false
	}
	return pkg.Module == "" || !strings.HasPrefix(named.Obj().Pkg().Path()+"/", pkg.Module+"/")
}

// element returns the element type of a pointer, slice or array, or nil if it is not known.
func element(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Pointer:
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return nil
}

func (d *decoder) errorInfo(r *assayrt.Reader) *testcase.ErrorInfo {
	e := &testcase.ErrorInfo{Message: r.Str()}
	e.Unstable = strings.Contains(e.Message, assayrt.ScratchMark) || d.namesStandIn(e.Message)
	for range r.Count() {
		if i := r.Num(); i < len(d.enc.g.varObjs) {
			e.Sentinels = append(e.Sentinels, d.enc.g.varObjs[i])
		} else {
			r.Bad = true
		}
	}
	e.Identical = r.Bool()
	return e
}

// textOf returns bytes as a text, and "" for other elements.
func textOf(elems []testcase.Value) string {
	text := make([]byte, 0, len(elems))
	for _, e := range elems {
		if b, ok := underlyingBasic(e.Type); !ok || b.Kind() != types.Uint8 {
			return ""
		}
		text = append(text, byte(e.Bits))
	}
	return string(text)
}

func underlyingBasic(t types.Type) (*types.Basic, bool) {
	if t == nil {
		return nil, false
	}
	b, ok := t.Underlying().(*types.Basic)
	return b, ok
}

// namesStandIn reports whether a text has the name of a type that the harness declares: "p.assay_s3", which stands in for an interface, or
// that of a recorder. In a test that type has another name, and no reader wants to know it. Only "assay_", without the package, may be
// from an argument.
func (d *decoder) namesStandIn(text string) bool {
	return strings.Contains(text, "."+d.enc.g.sp.prefix)
}

// dynamic reads a dynamic type.
func (d *decoder) dynamic(r *assayrt.Reader) dynType {
	id := r.Num()
	if r.Bool() {
		dt := dynType{name: r.Str()}
		dt.typ = d.describe(r, 0)
		if id == len(d.dyns) {
			d.dyns = append(d.dyns, dt)
		}
	}
	if id >= len(d.dyns) {
		r.Bad = true
		return dynType{}
	}
	return d.dyns[id]
}

// describe reads the description of a type. It returns nil if the package under test does not know a part of
// the type.
func (d *decoder) describe(r *assayrt.Reader, depth int) types.Type {
	if depth > 50 {
		r.Bad = true
		return nil
	}
	part := func() types.Type { return d.describe(r, depth+1) }
	tuple := func() (*types.Tuple, bool) {
		var vars []*types.Var
		ok := true
		for range r.Count() {
			t := part()
			ok = ok && t != nil
			vars = append(vars, types.NewVar(token.NoPos, nil, "", t))
		}
		return types.NewTuple(vars...), ok
	}
	switch r.Byte() {
	case assayrt.TKnown:
		if i := r.Num(); i < len(d.enc.typs) {
			return d.enc.typs[i]
		}
	case assayrt.TBasic:
		if o, ok := types.Universe.Lookup(r.Str()).(*types.TypeName); ok {
			return o.Type()
		}
	case assayrt.TNamed:
		path := r.Str()
		return d.lookup(path, r.Str())
	case assayrt.TSlice:
		if e := part(); e != nil {
			return types.NewSlice(e)
		}
	case assayrt.TArray:
		n := r.Num()
		if e := part(); e != nil {
			return types.NewArray(e, int64(n))
		}
	case assayrt.TPtr:
		if e := part(); e != nil {
			return types.NewPointer(e)
		}
	case assayrt.TMap:
		k := part()
		if e := part(); k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case assayrt.TChan:
		dir := [...]types.ChanDir{0, types.RecvOnly, types.SendOnly, types.SendRecv}[r.Byte()&3]
		if e := part(); e != nil {
			return types.NewChan(dir, e)
		}
	case assayrt.TFunc:
		variadic := r.Bool()
		in, ok1 := tuple()
		out, ok2 := tuple()
		if ok1 && ok2 {
			return types.NewSignatureType(nil, nil, nil, in, out, variadic)
		}
	}
	return nil
}

// typeLookup returns a function that finds named types by the names that reflection gives them, in the
// package and everything it imports.
func typeLookup(pkg *types.Package, leafs func() []types.Type) func(path, name string) types.Type {
	var packages map[string]*types.Package
	var instances map[string]types.Type
	return func(path, name string) types.Type {
		if packages == nil {
			packages = map[string]*types.Package{}
			var visit func(*types.Package)
			visit = func(p *types.Package) {
				if packages[p.Path()] == nil {
					packages[p.Path()] = p
					for _, i := range p.Imports() {
						visit(i)
					}
				}
			}
			visit(pkg)
		}
		if strings.Contains(name, "[") {
			// The type is an instance of a generic type. It is found among the registered ones, by its name.
			instances = map[string]types.Type{}
			for _, t := range leafs() {
				if n, ok := t.(*types.Named); ok && n.TypeArgs().Len() > 0 {
					instances[instanceName(n)] = t
				}
			}
			return instances[path+"."+name]
		}
		if path == "main" {
			path = pkg.Path()
		}
		p := packages[path]
		if p == nil {
			return nil
		}
		if o, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
			return o.Type()
		}
		return nil
	}
}

// instanceName returns the name that reflection gives an instantiated type.
func instanceName(n *types.Named) string {
	var b strings.Builder
	b.WriteString(n.Obj().Pkg().Path() + "." + n.Obj().Name() + "[")
	i := 0
	for t := range n.TypeArgs().Types() {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(rewrite.TypeKey(t))
		i++
	}
	b.WriteString("]")
	return b.String()
}
