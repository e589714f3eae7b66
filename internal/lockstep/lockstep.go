// Package lockstep proves that functions do the same in two versions of a package, by their code alone:
// step by step both versions do the same with the same values. (Bisimulation: Milner 1989; as a proof for
// compilers, "translation validation": Pnueli, Siegel, Singerman, TACAS 1998.) So local variables may have other
// names, declarations may stand elsewhere, conditions may be inverted, parts without effects computed in another
// order, and code moved into functions of its own. Loops, interfaces, maps, and functions as arguments do not
// matter. What says something else in any other way is not proved, though it may be the same; that is the work of
// package product.
//
//  1. code.go translates the SSA of a function into blocks, events and values, and puts the bodies of
//     functions that only one version has in the place of their calls; simplify.go removes differences that
//     come from how the source is written; forward.go puts what was stored in the place of loads; known.go puts
//     constants in the place of values that are known to be equal to them.
//  2. match.go compares the code of two functions, and assumes that functions of one name that it calls
//     are equal.
//  3. Equal makes sure of these assumptions: everything that a function reaches has to be unchanged, or a
//     function that has been compared, too. methods.go asks which methods others may call on values that
//     the function passes on, and shape.go whether it sees which fields a struct has besides those that it selects.
//
// Invariant: a function is proved only if it does the same for all receivers, arguments and states of the
// package's variables, whether it returns or not. Its own lines in stacks of panics do not count. What it leaves
// in variables and objects is the same, so a difference behind its call comes from another function.
//
// Not supported: loops that defer.
package lockstep

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/pair"
	"github.com/goassay/assay/internal/purity"
)

// Proof is the proof that a function does the same in both versions.
type Proof struct {
	// Within says on which platforms the proof holds, or "" if it holds on all.
	Within string
}

// Equal returns the proofs for functions that a change may affect, by Target.Name of the new version. A panic in a proof
// is a bug of ours: it is reported with bug, and nothing is proved by it. Panics are passed on if bug is nil.
func Equal(p *pair.Pairing, bug func(panicked any)) map[string]Proof {
	out := map[string]Proof{}
	c := &comparer{bug: bug}
	var methods, places map[string]bool
	if !c.succeeds(func() bool {
		c = newComparer(p, bug)
		c.compareBodies()
		methods, places = c.otherMethods(), c.usersOfPackages("runtime", "runtime/debug")
		return true
	}) {
		return out
	}
	path := p.New.Pkg.Path
	for key := range c.same {
		name, own := strings.CutPrefix(key, path+".")
		if !own || places[key] {
			continue
		}
		proof := Proof{}
		if c.succeeds(func() bool { return c.proves(key, methods, &proof) }) {
			out[name] = proof
		}
	}
	return out
}

// proves reports whether everything that a function reaches is the same too, and says in proof where.
func (c *comparer) proves(key string, methods map[string]bool, proof *Proof) bool {
	reached, ok := c.reached(key)
	if !ok || slices.ContainsFunc(reached, func(fn versioned) bool { return c.mayCallOthers(fn.Function, methods) }) {
		return false
	}
	if slices.ContainsFunc(reached, func(fn versioned) bool { return multipliesFloats(fn.Function) }) {
		proof.Within = "platforms that do not fuse x*y + z, as amd64"
	}
	return true
}

// succeeds reports whether a step of a proof returns true. It does not if the code has something that is not supported.
func (c *comparer) succeeds(step func() bool) (ok bool) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		ok = false
		if _, expected := r.(unsupported); expected {
			return
		}
		if c.bug == nil {
			panic(r)
		}
		c.bug(r)
	}()
	return step()
}

// comparer compares the functions of two versions.
type comparer struct {
	pairing   *pair.Pairing
	bug       func(panicked any)
	paths     [2]map[string]bool          // of all packages, in both versions
	packages  [2]map[string]*ssa.Package  // the package and others that have changed, by their paths
	functions [2]map[string]*ssa.Function // of these, by their keys
	same      map[string]bool             // the functions with partners whose code is the same, by their new keys
	bodies    map[[2]*ssa.Function]body
	inlined   [2]map[*ssa.Function]bool
	locals    [2]map[*types.Named]*types.Named // the partners of types that are declared within functions
}

func newComparer(p *pair.Pairing, bug func(any)) *comparer {
	c := &comparer{
		pairing: p, bug: bug, same: map[string]bool{}, bodies: map[[2]*ssa.Function]body{}, inlined: [2]map[*ssa.Function]bool{{}, {}},
		locals: [2]map[*types.Named]*types.Named{{}, {}},
		paths:  [2]map[string]bool{{}, {}}, packages: [2]map[string]*ssa.Package{{}, {}}, functions: [2]map[string]*ssa.Function{{}, {}},
	}
	for i := range c.paths {
		for _, key := range p.Keys(i == 1) {
			if path, ok := strings.CutPrefix(key, packagePrefix); ok {
				c.paths[i][path] = true
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.paths[1])) {
		if c.mayCompare(path) {
			c.addPackage(path)
		}
	}
	return c
}

const packagePrefix = "package "

// mayCompare reports whether a package whose declarations are known has changed, and whether its functions may be
// compared. They are not if code that is not Go has changed.
func (c *comparer) mayCompare(path string) bool {
	p := c.pairing
	if len(p.Uses(packagePrefix+path, true)) == 0 || p.Own(packagePrefix+path) {
		return false
	}
	return slices.ContainsFunc(p.AffectedKeys(), func(key string) bool { return c.packageOf(1, key) == path })
}

// packageOf returns the path of the package of a declaration of a version, or "" for what is none.
func (c *comparer) packageOf(side int, key string) string {
	for i := len(key) - 1; i > 0 && key[i] != '/'; i-- {
		if key[i] == '.' && c.paths[side][key[:i]] {
			return key[:i]
		}
	}
	return ""
}

// addPackage adds the functions of both versions of a package. A package whose source cannot be loaded has none.
func (c *comparer) addPackage(path string) {
	old, _ := strings.CutPrefix(c.pairing.OldKey(packagePrefix+path), packagePrefix)
	if old == "" {
		return
	}
	for i, side := range []pair.Side{c.pairing.Old, c.pairing.New} {
		from := []string{old, path}[i]
		pkg, err := side.Prog.SourcePackage(from)
		if err != nil || pkg == nil {
			continue
		}
		c.packages[i][from] = pkg
		add := func(fn *ssa.Function) {
			if fn != nil && fn.Object() != nil && !isInit(fn) {
				c.functions[i][keyOf(fn.Object())] = fn
			}
		}
		for _, m := range pkg.Members {
			switch m := m.(type) {
			case *ssa.Function:
				add(m)
			case *ssa.Type:
				if n, ok := types.Unalias(m.Type()).(*types.Named); ok && n.Obj().Pkg() == pkg.Pkg {
					for method := range n.Methods() {
						add(side.Prog.FuncValue(method))
					}
				}
			}
		}
	}
}

// isInit reports whether a function is one of those named init, which all have one name.
func isInit(fn *ssa.Function) bool {
	return fn.Object() != nil && fn.Object().Name() == "init" && fn.Signature.Recv() == nil
}

// compareInits compares the functions init of a package of the new version, in their order.
func (c *comparer) compareInits(key string) bool {
	path := strings.TrimSuffix(key, ".init")
	old, _ := strings.CutPrefix(c.pairing.OldKey(packagePrefix+path), packagePrefix)
	var inits [2][]*ssa.Function
	for i, pkg := range []*ssa.Package{c.packages[0][old], c.packages[1][path]} {
		if pkg == nil {
			return false
		}
		for _, m := range pkg.Members {
			if fn, ok := m.(*ssa.Function); ok && isInit(fn) {
				inits[i] = append(inits[i], fn)
			}
		}
		slices.SortFunc(inits[i], func(a, b *ssa.Function) int { return cmp.Compare(a.Pos(), b.Pos()) })
	}
	return slices.EqualFunc(inits[0], inits[1], func(a, b *ssa.Function) bool {
		_, same := c.tryBodies(a, b)
		return same
	})
}

// keyOf names an object of a package as load.Declaration does.
func keyOf(o types.Object) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	if fn, ok := o.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil {
			t := types.Unalias(recv.Type())
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if n, ok := t.(*types.Named); ok {
				return o.Pkg().Path() + "." + n.Obj().Name() + "." + o.Name()
			}
			return fn.FullName()
		}
	}
	return o.Pkg().Path() + "." + o.Name()
}

// compareBodies compares the code of all functions with partners that the change may affect.
func (c *comparer) compareBodies() {
	for _, key := range c.pairing.AffectedKeys() {
		if strings.HasSuffix(key, ".init") && c.kindOf(key, true) == atStart {
			if c.compareInits(key) {
				c.same[key] = true
			}
			continue
		}
		old, new := c.functions[0][c.pairing.OldKey(key)], c.functions[1][key]
		if old == nil || new == nil || len(old.Blocks) == 0 || len(new.Blocks) == 0 || !c.sameType(old.Signature, new.Signature) || !c.sameReceiver(old, new) {
			continue
		}
		if _, ok := c.tryBodies(old, new); ok {
			c.same[key] = true
		}
	}
}

func (c *comparer) sameReceiver(old, new *ssa.Function) bool {
	a, b := old.Signature.Recv(), new.Signature.Recv()
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return c.sameType(a.Type(), b.Type())
}

// tryBodies is sameCode for functions that may have something that is not supported.
func (c *comparer) tryBodies(old, new *ssa.Function) (free [][2]int, same bool) {
	same = c.succeeds(func() bool {
		var ok bool
		free, ok = c.sameCode(old, new)
		return ok
	})
	return free, same
}

// versioned is a function of one of the versions: 0 for the old one, 1 for the new one.
type versioned struct {
	*ssa.Function
	side int
}

// reached walks over everything that a function reaches and that the change may affect. It returns false if
// something there may differ between the versions. Otherwise it returns the functions on the way.
func (c *comparer) reached(key string) (functions []versioned, ok bool) {
	type step struct {
		key    string
		new    bool // whose key it is
		within kind // the kind of the declaration that uses it
	}
	seen := map[step]bool{}
	shapes := map[string]bool{} // types with other fields than they had
	todo := []step{{key, true, aFunction}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !s.new {
			if to := c.pairing.NewKey(s.key); to != "" {
				s.key, s.new = to, true
			}
		}
		if seen[s] || s.new && !c.pairing.Affected(s.key) {
			continue
		}
		seen[s] = true
		k := c.kindOf(s.key, s.new)
		alone := !s.new || c.pairing.OldKey(s.key) == ""
		switch {
		case k == aMethodName:
		case k == aFunction && s.within != aFunction && s.within != aMethodName && c.isRenamedMethod(s.key, s.new):
			return nil, false
		case k == aConstant && s.within == aFunction:
			continue // the code of the function has its value
		case k == aFunction && alone && s.within == aFunction && c.isInlined(s.key, s.new):
		case k == aFunction && !alone && c.same[s.key]:
		case (k == aType || k == aVariable || k == atStart) && !alone && !c.pairing.Own(s.key):
		case k == atStart && !alone && c.same[s.key]:
		case k == aType && !alone && s.within != aVariable && s.within != atStart && c.isReshaped(s.key):
			shapes[s.key] = true
			k = aShape
		case k == aType && alone && s.within == aShape:
			continue // the type of a field that only one version has
		default:
			return nil, false
		}
		if k == aFunction {
			side := 0
			if s.new {
				side = 1
			}
			functions = append(functions, versioned{c.functions[side][s.key], side})
			// Its package's variables have to begin with the same values.
			todo = append(todo, step{packagePrefix + c.packageOf(side, s.key), s.new, k})
		}
		for _, new := range []bool{true, false} {
			from := s.key
			if alone && k != aMethodName {
				if new != s.new {
					continue
				}
			} else if !new && k != aMethodName {
				from = c.pairing.OldKey(s.key)
			}
			uses := c.pairing.Uses(from, new)
			if k == aFunction {
				var renamed bool
				if uses, renamed = c.usesOf(from, new); renamed {
					return nil, false // code that is given a value finds a method of another name
				}
			}
			within := k
			if (k == aType || k == aShape) && (s.within == aVariable || s.within == atStart) {
				within = s.within // what is done with the type there is not looked at
			}
			for _, used := range uses {
				todo = append(todo, step{used, new, within})
			}
		}
	}
	return functions, !slices.ContainsFunc(functions, func(fn versioned) bool { return c.seesShape(fn, shapes) })
}

// kind is what a declaration declares.
type kind int

const (
	aFunction kind = iota
	aConstant
	aType
	aShape // a type with other fields than it had
	aVariable
	atStart     // what runs in the beginning of a package: its functions init, variables without a name, all of these
	aMethodName // all methods of a name
	anything    // else: a declaration of a package that is not compared
)

// kindOf returns the kind of a declaration of a version. A declaration of a package that is not compared may be
// anything.
func (c *comparer) kindOf(key string, new bool) kind {
	side := 0
	if new {
		side = 1
	}
	if strings.HasPrefix(key, "·") {
		return aMethodName
	}
	if path, ok := strings.CutPrefix(key, packagePrefix); ok && c.packages[side][path] != nil {
		return atStart
	}
	pkg := c.packages[side][c.packageOf(side, key)]
	if pkg == nil {
		return anything
	}
	if c.functions[side][key] != nil {
		return aFunction
	}
	name := strings.TrimPrefix(key, pkg.Pkg.Path()+".")
	if name == "init" || name == "_" {
		return atStart
	}
	switch pkg.Pkg.Scope().Lookup(name).(type) {
	case *types.Var:
		return aVariable
	case *types.Const:
		return aConstant
	case *types.TypeName:
		return aType
	}
	return anything
}

// isInlined reports whether a function that only one version has was compared in the place of its calls, and
// has no other meaning: an exported method makes a difference for code that looks for it, such as package fmt,
// and another one does where an interface of the package asks for its name.
func (c *comparer) isInlined(key string, new bool) bool {
	i := 0
	if new {
		i = 1
	}
	fn := c.functions[i][key]
	if fn == nil || !c.inlined[i][fn] {
		return false
	}
	if fn.Signature.Recv() == nil {
		return true
	}
	if token.IsExported(fn.Name()) {
		return false
	}
	scope := fn.Pkg.Pkg.Scope()
	return !slices.ContainsFunc(scope.Names(), func(name string) bool {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !types.IsInterface(tn.Type()) {
			return false
		}
		o, _, _ := types.LookupFieldOrMethod(tn.Type(), false, fn.Pkg.Pkg, fn.Name())
		return o != nil
	})
}

// isAlone reports whether a function of a version has no partner.
func (c *comparer) isAlone(side int, fn *ssa.Function) bool {
	if fn.Object() == nil || fn.Synthetic != "" || fn.Parent() != nil {
		return false
	}
	key := keyOf(fn.Object())
	if c.functions[side][key] != fn {
		return false
	}
	if side == 0 {
		return c.pairing.NewKey(key) == ""
	}
	return c.pairing.OldKey(key) == ""
}

func (c *comparer) sameObject(old, new types.Object) bool {
	return old != nil && new != nil && c.pairing.NewKey(keyOf(old)) == keyOf(new)
}

// sameFunction reports whether two functions are equal: literals by their code, declared ones by their names.
func (c *comparer) sameFunction(old, new *ssa.Function) bool {
	if old.Parent() != nil || new.Parent() != nil {
		if old.Parent() == nil || new.Parent() == nil {
			return false
		}
		free, same := c.sameCode(old, new)
		return same && len(free) == 0
	}
	a, _, _ := strings.Cut(old.Synthetic, " for ")
	b, _, _ := strings.Cut(new.Synthetic, " for ")
	if len(old.TypeArgs()) > 0 && len(new.TypeArgs()) > 0 {
		a, b = "", ""
	}
	return a == b && c.sameObject(old.Object(), new.Object()) && slices.EqualFunc(old.TypeArgs(), new.TypeArgs(), c.sameType)
}

// usersOfPackages returns the declarations of the new version that reach one of some packages. Code that asks
// for the lines of its callers does something else after any change.
func (c *comparer) usersOfPackages(paths ...string) map[string]bool {
	users := map[string][]string{}
	for _, new := range []bool{true, false} {
		for _, key := range c.pairing.Keys(new) {
			user := key
			if !new {
				user = c.pairing.NewKey(key)
			}
			for _, used := range c.pairing.Uses(key, new) {
				if !new {
					used = c.pairing.NewKey(used)
				}
				users[used] = append(users[used], user)
			}
		}
	}
	out := map[string]bool{}
	var todo []string
	for _, path := range paths {
		todo = append(todo, "package "+path)
	}
	for len(todo) > 0 {
		key := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !out[key] {
			out[key] = true
			todo = append(todo, users[key]...)
		}
	}
	return out
}

// multipliesFloats reports whether a function, or a function literal in it, has a product of floats.
func multipliesFloats(fn *ssa.Function) bool {
	return fn != nil && (purity.MultipliesFloats(fn) || multipliesAny(fn) || slices.ContainsFunc(fn.AnonFuncs, multipliesFloats))
}

// multipliesAny reports whether a function has a product of values of a type parameter, which may be floats.
func multipliesAny(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			if op, ok := ins.(*ssa.BinOp); ok && op.Op == token.MUL && isTypeParam(op.Type()) {
				return true
			}
		}
	}
	return false
}
