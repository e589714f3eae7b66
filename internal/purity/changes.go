package purity

import (
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// need is a text that a function takes and makes a path of: an argument, or a field of it, or a field of such a field.
type need struct {
	arg    int
	fields []*types.Var
}

// made names the field of a result of a function.
type made struct {
	fn     *types.Func
	result int
	field  *types.Var
}

// changer finds the functions that change only files whose paths their own inputs are made into. It proves that: whatever it
// does not understand changes other files.
type changer struct {
	*tracer
	pkg     *load.Package
	effects *WorldEffects
	needs   []need
	fail    bool
	steps   int
}

// frame is a call of a function: nil of a call that a test makes. A literal that is passed to somewhere has no call.
type frame struct {
	fn      *ssa.Function
	call    *ssa.CallCommon
	closure *ssa.MakeClosure
	parent  *frame
	depth   int
}

const (
	mostDepth = 12
	mostSteps = 20_000
)

// changesOf fills in which functions change only files that their inputs name, and by which inputs.
func (p *Paths) changesOf(t *tracer, pkg *load.Package) {
	effects := NewWorldEffects()
	for _, target := range pkg.Targets {
		if target.Func == nil || effects.Effect(target.Func) == "" || len(target.TypeArgs) > 0 {
			continue
		}
		c := &changer{tracer: t, pkg: pkg, effects: effects}
		c.walk(&frame{fn: target.Func})
		if !c.fail && len(c.needs) > 0 && c.fieldsKept() {
			p.changes[target.Obj] = c.needs
		}
	}
	fields := make(map[*types.Var]bool)
	for _, needs := range p.changes {
		for _, n := range needs {
			for _, f := range n.fields {
				fields[f] = true
			}
		}
	}
	for _, target := range pkg.Targets {
		if len(fields) == 0 || target.Func == nil || target.Obj.Signature().Recv() != nil {
			continue
		}
		for i := range target.Obj.Signature().Results().Len() {
			for f := range fields {
				if !hasField(target.Obj.Signature().Results().At(i).Type(), f) {
					continue
				}
				c := &changer{tracer: t, pkg: pkg, effects: effects}
				c.returned(&frame{fn: target.Func}, i, func(v ssa.Value, fr *frame) { c.object(v, []*types.Var{f}, fr) })
				if !c.fail && len(c.needs) > 0 {
					p.makes[made{target.Obj, i, f}] = c.needs
				}
			}
		}
	}
}

// hasField reports whether a type is a struct with a field, or a pointer to one.
func hasField(t types.Type, f *types.Var) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range s.Fields() {
		if v.Origin() == f {
			return true
		}
	}
	return false
}

// more counts steps, so that code which calls itself in many ways comes to an end.
func (c *changer) more() bool {
	c.steps++
	c.fail = c.fail || c.steps > mostSteps
	return !c.fail
}

// walk goes through all that a call of a function does.
func (c *changer) walk(fr *frame) {
	if fr.depth > mostDepth {
		c.fail = true
	}
	for _, b := range fr.fn.Blocks {
		for _, in := range b.Instrs {
			if !c.more() {
				return
			}
			switch in := in.(type) {
			case ssa.CallInstruction:
				c.call(in.Common(), fr)
			case *ssa.MakeClosure:
				if !calledOnly(in) {
					c.walk(&frame{fn: in.Fn.(*ssa.Function), closure: in, parent: fr, depth: fr.depth + 1})
				}
			default:
				// A function that is passed to somewhere is called with anything.
				for _, op := range in.Operands(nil) {
					if f, ok := (*op).(*ssa.Function); ok {
						c.fail = c.fail || c.mayChange(f)
					}
				}
			}
		}
	}
}

// does reports whether a function is one of the standard library that has an effect on the world.
func does(f *ssa.Function) bool {
	o, ok := f.Object().(*types.Func)
	return ok && deeds(o.Origin().FullName()) != ""
}

// calledOnly reports whether a closure is called where it is made, and nothing else.
func calledOnly(m *ssa.MakeClosure) bool {
	for _, user := range *m.Referrers() {
		if call, ok := user.(ssa.CallInstruction); !ok || call.Common().Value != m || slices.Contains(call.Common().Args, ssa.Value(m)) {
			return false
		}
	}
	return true
}

// call looks at one call.
func (c *changer) call(call *ssa.CallCommon, fr *frame) {
	for _, a := range call.Args {
		if change, ok := a.(*ssa.ChangeType); ok {
			a = change.X
		}
		if f, ok := a.(*ssa.Function); ok {
			if f.Pkg == nil || f.Pkg.Pkg == c.pkg.Types {
				c.walk(&frame{fn: f, parent: fr, depth: fr.depth + 1})
			} else {
				c.fail = c.fail || c.mayChange(f)
			}
		}
	}
	if call.IsInvoke() {
		for _, t := range c.pkg.Targets {
			if t.Func != nil && t.Obj.Name() == call.Method.Name() && t.Obj.Signature().Recv() != nil && c.mayChange(t.Func) {
				c.fail = true
			}
		}
		return
	}
	name := c.library(call)
	switch what := deeds(name); {
	case what == "" && !opensForChange(name, call):
	case what == "" || what == changesFiles:
		numbers, _ := pathArguments(name)
		c.fail = c.fail || len(numbers) == 0
		for _, n := range numbers {
			before := len(c.needs)
			c.text(call.Args[n], false, fr)
			c.fail = c.fail || len(c.needs) == before
		}
		return
	default:
		c.fail = true
		return
	}
	f := call.StaticCallee()
	switch {
	case f == nil && name == "":
		c.fail = c.fail || c.valueMayChange(call, fr)
	case f == nil:
	case f.Pkg != nil && f.Pkg.Pkg == c.pkg.Types:
		m, _ := call.Value.(*ssa.MakeClosure)
		c.walk(&frame{fn: f, call: call, closure: m, parent: fr, depth: fr.depth + 1})
	default:
		c.fail = c.fail || c.mayChange(f)
	}
}

// opensForChange reports whether a call opens a file for more than reading.
func opensForChange(name string, call *ssa.CallCommon) bool {
	if name != "os.OpenFile" {
		return false
	}
	flag, ok := call.Args[1].(*ssa.Const)
	return !ok || flag.Int64() != int64(os.O_RDONLY)
}

// mayChange reports whether a call of a function may change any files, itself or by functions that it calls by name. The
// standard library does so where deeds says it, and nowhere else; of other packages the code is not at hand, so they may.
func (c *changer) mayChange(f *ssa.Function) bool {
	seen := make(map[*ssa.Function]bool)
	var may func(f *ssa.Function) bool
	may = func(f *ssa.Function) bool {
		if seen[f] {
			return false
		}
		seen[f] = true
		if len(f.Blocks) == 0 {
			return does(f) || !c.standard(f)
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if name := c.library(call.Common()); deeds(name) != "" || opensForChange(name, call.Common()) {
					return true
				}
				if g := call.Common().StaticCallee(); g != nil && may(g) {
					return true
				}
			}
		}
		return slices.ContainsFunc(f.AnonFuncs, may)
	}
	return may(f)
}

// standard reports whether a function is one of the standard library, or belongs to no package, as error's Error does.
func (c *changer) standard(f *ssa.Function) bool {
	if f.Object() == nil || f.Object().Pkg() == nil {
		return true
	}
	return gosyntax.IsStandard(f.Object().Pkg().Path(), c.pkg.Module)
}

// valueMayChange reports whether a call of a function value may change files: the value is one that a caller in the test's call
// passes, which has been looked at where it is passed, or it may be any function of its type that the package has or stores.
func (c *changer) valueMayChange(call *ssa.CallCommon, fr *frame) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return false
	}
	v := call.Value
	for fr != nil {
		p, ok := v.(*ssa.Parameter)
		if !ok || fr.call == nil {
			break
		}
		v, fr = fr.call.Args[slices.Index(fr.fn.Params, p)], fr.parent
	}
	switch v.(type) {
	case *ssa.MakeClosure, *ssa.Function:
		return false
	}
	sig := call.Signature()
	may := func(v ssa.Value) bool {
		f, ok := v.(*ssa.Function)
		return ok && types.Identical(f.Signature, sig) && c.mayChange(f)
	}
	for _, f := range c.functions {
		if may(f) {
			return true
		}
	}
	for _, stored := range c.fields {
		if slices.ContainsFunc(stored, may) {
			return true
		}
	}
	for _, stored := range c.globals {
		if slices.ContainsFunc(stored, may) {
			return true
		}
	}
	return false
}

// MayWriteFiles reports whether any function of a package may change files, as far as is known: by the standard library, or by another
// package, whose code is not at hand.
func MayWriteFiles(pkg *load.Package) bool {
	t := newTracer(pkg)
	c := &changer{tracer: t, pkg: pkg}
	for _, f := range t.functions {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				name := t.library(call.Common())
				if deeds(name) == changesFiles || opensForChange(name, call.Common()) || slices.Contains(makeTemporary, name) {
					return true
				}
				if g := call.Common().StaticCallee(); g != nil && g.Pkg != nil && g.Pkg.Pkg != pkg.Types && !c.standard(g) {
					return true
				}
			}
		}
	}
	return false
}

// makeTemporary are functions of the standard library that make files with names of their own choice.
var makeTemporary = []string{"os.CreateTemp", "os.MkdirTemp", "io/ioutil.TempFile", "io/ioutil.TempDir", "os.CopyFS"}

// staysBelow reports whether a value that is appended to a path leads to nowhere else by itself.
func staysBelow(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return !ok || k.Value != nil && k.Value.Kind() == constant.String && !strings.Contains(constant.StringVal(k.Value), "..")
}

// text goes back from a path to the inputs of the test's call. up says that the path's parent is meant already.
func (c *changer) text(v ssa.Value, up bool, fr *frame) {
	if !c.more() {
		return
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		c.from(v, nil, fr, func(v ssa.Value, fr *frame) { c.text(v, up, fr) })
		return
	case *ssa.Phi:
		for _, e := range v.Edges {
			if e == v {
				c.fail = true
				return
			}
			c.text(e, up, fr)
		}
		return
	case *ssa.ChangeType:
		c.text(v.X, up, fr)
		return
	case *ssa.BinOp:
		c.fail = c.fail || v.Op != token.ADD || !staysBelow(v.Y)
		c.text(v.X, up, fr)
		return
	case *ssa.Field:
		c.object(v.X, []*types.Var{fieldOf(v.X.Type(), v.Field)}, fr)
		return
	case *ssa.Alloc:
		if w := stored(v); w != nil {
			c.text(w, up, fr)
			return
		}
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			c.object(x.X, []*types.Var{fieldOf(x.X.Type(), x.Field)}, fr)
			return
		case *ssa.Alloc, *ssa.FreeVar:
			if v.Op == token.MUL {
				c.text(x, up, fr)
				return
			}
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			c.resultText(call, v.Index, up, fr)
			return
		}
	case *ssa.Call:
		c.resultText(v, 0, up, fr)
		return
	}
	c.fail = true
}

// resultText is text for the result of a call.
func (c *changer) resultText(call *ssa.Call, i int, up bool, fr *frame) {
	args := call.Call.Args
	switch c.library(&call.Call) {
	case "path/filepath.Join", "path.Join":
		first := firstElement(args[0])
		if first == nil {
			break
		}
		for _, user := range *args[0].(*ssa.Slice).X.Referrers() {
			at, ok := user.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			for _, s := range *at.Referrers() {
				if s, ok := s.(*ssa.Store); ok && s.Val != first && !staysBelow(s.Val) {
					c.fail = true
				}
			}
		}
		c.text(first, up, fr)
		return
	case "path/filepath.Dir", "path.Dir":
		if !up {
			c.text(args[0], true, fr)
			return
		}
	case "path/filepath.Clean", "path/filepath.Abs", "path/filepath.FromSlash", "path/filepath.ToSlash", "path.Clean", "strings.TrimSpace":
		c.text(args[0], up, fr)
		return
	}
	c.result(call, i, fr, func(v ssa.Value, fr *frame) { c.text(v, up, fr) })
}

// result goes on with what a function of the package returns.
func (c *changer) result(call *ssa.Call, i int, fr *frame, with func(ssa.Value, *frame)) {
	f := call.Call.StaticCallee()
	if f == nil || f.Pkg == nil || f.Pkg.Pkg != c.pkg.Types || len(f.Blocks) == 0 || fr.depth > mostDepth {
		c.fail = true
		return
	}
	m, _ := call.Call.Value.(*ssa.MakeClosure)
	c.returned(&frame{fn: f, call: &call.Call, closure: m, parent: fr, depth: fr.depth + 1}, i, with)
}

// returned goes on with all that a call returns.
func (c *changer) returned(fr *frame, i int, with func(ssa.Value, *frame)) {
	for _, b := range fr.fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && c.more() {
			with(r.Results[i], fr)
		}
	}
}

// from goes on from a parameter or a free variable to what the caller passes; what a test passes is a need.
func (c *changer) from(v ssa.Value, fields []*types.Var, fr *frame, with func(ssa.Value, *frame)) {
	switch v := v.(type) {
	case *ssa.FreeVar:
		if v.Parent() == fr.fn && fr.closure != nil && !assigned(v) {
			with(fr.closure.Bindings[slices.Index(fr.fn.FreeVars, v)], fr.parent)
			return
		}
	case *ssa.Parameter:
		i := slices.Index(fr.fn.Params, v)
		switch {
		case i < 0:
		case fr.call != nil && i < len(fr.call.Args):
			with(fr.call.Args[i], fr.parent)
			return
		case fr.parent == nil && fr.fn.Object() != nil && !(fr.fn.Signature.Variadic() && i == len(fr.fn.Params)-1):
			c.needs = append(c.needs, need{i, fields})
			return
		}
	}
	c.fail = true
}

// assigned reports whether a closure assigns to a variable that is declared outside of it, or passes its address on.
func assigned(v *ssa.FreeVar) bool {
	if _, ok := v.Type().(*types.Pointer); !ok {
		return false
	}
	for _, user := range *v.Referrers() {
		switch user.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}

// stored returns the only value that is stored in a variable, where it is declared, or nil.
func stored(v *ssa.Alloc) ssa.Value {
	var out ssa.Value
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case *ssa.Store:
			if user.Addr != v || out != nil || user.Block() != v.Block() {
				return nil
			}
			out = user.Val
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.MakeClosure:
			for i, b := range user.Bindings {
				if b == v && assigned(user.Fn.(*ssa.Function).FreeVars[i]) {
					return nil
				}
			}
		default:
			return nil
		}
	}
	return out
}

// object goes back from a struct, or a pointer to it, to where a field of it, or a field of this field, gets its text.
func (c *changer) object(v ssa.Value, fields []*types.Var, fr *frame) {
	if !c.more() {
		return
	}
	again := func(v ssa.Value, fr *frame) { c.object(v, fields, fr) }
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		c.from(v, fields, fr, again)
		return
	case *ssa.Const:
		if _, ok := v.Type().Underlying().(*types.Pointer); ok && v.Value == nil {
			return // nil has no field
		}
	case *ssa.UnOp:
		if _, ok := v.X.(*ssa.Global); !ok && v.Op == token.MUL {
			if _, ok := v.X.(*ssa.FieldAddr); !ok || !isPointer(v.Type()) {
				c.object(v.X, fields, fr)
				return
			}
		}
	case *ssa.FieldAddr:
		c.object(v.X, append([]*types.Var{fieldOf(v.X.Type(), v.Field)}, fields...), fr)
		return
	case *ssa.Field:
		c.object(v.X, append([]*types.Var{fieldOf(v.X.Type(), v.Field)}, fields...), fr)
		return
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			c.result(call, v.Index, fr, again)
			return
		}
	case *ssa.Call:
		c.result(v, 0, fr, again)
		return
	case *ssa.Alloc:
		if w := stored(v); w != nil {
			c.object(w, fields, fr)
			return
		}
		if w := composed(v, fields[0]); w != nil {
			if len(fields) == 1 {
				c.text(w, false, fr)
			} else {
				c.object(w, fields[1:], fr)
			}
			return
		}
	}
	c.fail = true
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// composed returns the only value that is stored in a field of a new struct, where it is made, or nil.
func composed(v *ssa.Alloc, f *types.Var) ssa.Value {
	var out ssa.Value
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case *ssa.Store:
			if user.Addr == v {
				return nil
			}
		case *ssa.FieldAddr:
			if fieldOf(user.X.Type(), user.Field) != f {
				continue
			}
			for _, s := range *user.Referrers() {
				if s, ok := s.(*ssa.Store); ok && s.Addr == user {
					if out != nil || s.Block() != v.Block() {
						return nil
					}
					out = s.Val
				}
			}
		}
	}
	return out
}

// fieldsKept reports whether nothing in the package gives the fields that are needed another text than an input, and nothing
// replaces them in a way that is not seen.
func (c *changer) fieldsKept() bool {
	needed := make(map[*types.Var]bool) // whether the field is the text itself, and not a struct that holds it
	for _, n := range c.needs {
		for i, f := range n.fields {
			needed[f] = i == len(n.fields)-1
		}
	}
	if len(needed) == 0 {
		return true
	}
	holds := func(t types.Type) bool {
		for f := range needed {
			if hasField(t, f) {
				return true
			}
		}
		return false
	}
	for _, f := range c.functions {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if !c.keeps(in, f, needed, holds) {
					return false
				}
			}
		}
	}
	return true
}

// keeps reports whether an instruction leaves needed fields with paths that are inputs.
func (c *changer) keeps(in ssa.Instruction, f *ssa.Function, needed map[*types.Var]bool, holds func(types.Type) bool) bool {
	switch in := in.(type) {
	case *ssa.Store:
		if _, local := in.Addr.(*ssa.Alloc); !local && holds(in.Val.Type()) && !isPointer(in.Val.Type()) {
			// An inner struct is replaced, or *x = y.
			at, ok := in.Addr.(*ssa.FieldAddr)
			if !ok {
				return false
			}
			if _, local := at.X.(*ssa.Alloc); !local {
				return false
			}
		}
	case *ssa.FieldAddr:
		field := fieldOf(in.X.Type(), in.Field)
		isPath, ok := needed[field]
		if !ok {
			return true
		}
		for _, user := range *in.Referrers() {
			switch user := user.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.FieldAddr:
			case *ssa.Store:
				if user.Addr != in {
					return false
				}
				if isPath && !c.always(user.Val, f, make(map[*ssa.Function]bool)) {
					return false
				}
			default:
				if isPath {
					return false
				}
			}
		}
	case *ssa.MakeInterface:
		if !isPointer(in.X.Type()) || !holds(in.X.Type()) {
			return true
		}
		for _, user := range *in.Referrers() {
			call, ok := user.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if g := call.Common().StaticCallee(); g != nil && (g.Pkg == nil || g.Pkg.Pkg != c.pkg.Types) {
				return false // it may be decoded into
			}
		}
	}
	return true
}

// always reports whether a text is made of a function's inputs, whoever calls the function.
func (c *changer) always(v ssa.Value, f *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[f] || f.Object() == nil {
		return false
	}
	seen[f] = true
	one := &changer{tracer: c.tracer, pkg: c.pkg, effects: c.effects}
	one.text(v, false, &frame{fn: f})
	if one.fail || len(one.needs) == 0 {
		return false
	}
	for _, n := range one.needs {
		if len(n.fields) > 0 {
			return false
		}
		for _, call := range c.calls[f] {
			if args := call.Common().Args; n.arg >= len(args) || !c.always(args[n.arg], call.Parent(), seen) {
				return false
			}
		}
	}
	delete(seen, f)
	return true
}
