package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A rule is a contract that Go types are expected to keep, because the standard library documents it or
// the names of their methods promise it.
type rule struct {
	name     string
	about    string // the description in the list of contracts
	severity testcase.Severity
	// checks returns the checks of the subject, or none if the contract does not apply to it.
	checks func(s *subject) []*testcase.Check
}

// rules is the table of contracts. A broken contract of the standard library is an error. A broken contract
// that only names suggest is a warning.
func rules() []rule {
	return []rule{
		{"invariant", "RepOK() bool and CheckInvariants() error hold of every object", testcase.Error, invariant},
		{"equal", "Equal is reflexive and symmetric", testcase.Warning, equal},
		{"compare", "Compare, Cmp, Less, LessThan and Before are a consistent order, in agreement with Equal and each other", testcase.Warning, compare},
		{"hash", "what is Equal has the same Hash", testcase.Warning, hash},
		{"string", "String, Error, GoString and Format do not panic", testcase.Error, stringer},
		{"roundtrip", "Parse reads what String writes, Unmarshal what Marshal writes, Decode what Encode writes", testcase.Warning, roundTrip},
		{"insert", "what Insert says that it has put, Find finds", testcase.Warning, insertion},
		{"delete", "what Delete has removed, Find does not find", testcase.Warning, deletion},
		{"size", "Len, IsEmpty and how many Keys or Values there are agree", testcase.Warning, size},
		{"clone", "what Clone returns is Equal", testcase.Warning, clone},
		{"idempotent", "Clean, Normalize and Sanitize leave alone what they have made", testcase.Warning, idempotence},
		{"bytewise", "Write takes what WriteByte takes, and to the same effect", testcase.Warning, bytewise},
		{"sort", "sort.Sort sorts a sort.Interface, whose Swap swaps", testcase.Error, sorting},
		{"heap", "a heap.Interface gives its elements in their order", testcase.Error, heaping},
		{"reader", "an io.Reader (Seeker, ReaderAt) keeps the rules that testing/iotest checks", testcase.Error, reader},
		{"writer", "an io.Writer reports how much it wrote, with an error if that is not all, and leaves the data alone", testcase.Error, writer},
		{"fs", "an fs.FS keeps the rules that testing/fstest checks", testcase.Error, fileSystem},
		{"iterator", "an iterator stops when its yield returns false", testcase.Error, iterators},
		{"ends", "Next, MoveNext, Scan and Advance say at some time that there is nothing left", testcase.Warning, ending},
	}
}

// Names returns the names of the contracts, each with a description.
func Names() (names, about []string) {
	for _, r := range rules() {
		names = append(names, r.name)
		about = append(about, r.about)
	}
	return names, about
}

// subject is a type (as a value or a pointer) or a function that checks are made for.
type subject struct {
	pkg   *types.Package
	funcs []*types.Func // functions of the package that users call and that are not generic
	typ   types.Type    // nil for a function
	fn    *types.Func
	sig   *types.Signature // the instantiated signature of fn
}

// Of returns the checks of the contracts for the package's types and functions. Contracts
// whose names are in off are left out.
func Of(pkg *load.Package, off map[string]bool) []*testcase.Check {
	var named []types.Type
	var funcs []*types.Func
	var instances []*subject
	seen := map[string]bool{}
	for _, t := range pkg.Targets {
		if t.Recv == nil {
			switch {
			case !t.Exported || t.Skip != "":
			case t.Obj.Signature().TypeParams().Len() == 0:
				funcs = append(funcs, t.Obj)
			case t.Func != nil:
				instances = append(instances, &subject{fn: t.Obj, sig: t.Func.Signature})
			}
			continue
		}
		recv := types.Unalias(t.Recv)
		if p, ok := recv.(*types.Pointer); ok {
			recv = types.Unalias(p.Elem())
		}
		n, ok := recv.(*types.Named)
		if !ok || seen[n.String()] || !n.Obj().Exported() && pkg.ExternalTests {
			continue
		}
		seen[n.String()] = true
		named = append(named, n)
	}
	var out []*testcase.Check
	add := func(s *subject) {
		for _, r := range rules() {
			if off[r.name] {
				continue
			}
			for _, c := range r.checks(s) {
				if c.Target == "" {
					continue // the method is promoted from another package, which is not under test
				}
				c.Contract, c.Severity = r.name, r.severity
				out = append(out, c)
			}
		}
	}
	for _, t := range named {
		add(&subject{pkg: pkg.Types, funcs: funcs, typ: t})
	}
	for _, f := range funcs {
		add(&subject{pkg: pkg.Types, funcs: funcs, fn: f, sig: f.Signature()})
	}
	for _, s := range instances {
		// The receiver's type arguments say which instance is called.
		s.pkg, s.funcs = pkg.Types, funcs
		add(s)
	}
	return out
}

// method returns a method of the type or of a pointer to it, and which of the two has it. It returns nil if
// there is no such method that users can call.
func (s *subject) method(name string) (*types.Func, types.Type) {
	if s.typ == nil {
		return nil, nil
	}
	for _, t := range []types.Type{s.typ, types.NewPointer(s.typ)} {
		if sel := types.NewMethodSet(t).Lookup(s.pkg, name); sel != nil {
			f, _ := sel.Obj().(*types.Func)
			return f, t
		}
	}
	return nil, nil
}

// hasSignature reports whether a method has parameters and results of the given types; nil
// matches any.
func hasSignature(f *types.Func, params, results []types.Type) bool {
	return f != nil && isSignature(f.Signature(), params, results)
}

func isSignature(sig *types.Signature, params, results []types.Type) bool {
	if sig.Variadic() {
		return false
	}
	match := func(l *types.Tuple, want []types.Type) bool {
		if l.Len() != len(want) {
			return false
		}
		for i, t := range want {
			if t != nil && !types.Identical(l.At(i).Type(), t) {
				return false
			}
		}
		return true
	}
	return match(sig.Params(), params) && match(sig.Results(), results)
}

// targetName returns the name of the target of a method or function. If a method is promoted from another
// package's type, the name is that of the embedding type.
func (s *subject) targetName(f *types.Func) string {
	if f.Pkg() != s.pkg {
		return "" // no function of the package under test is called
	}
	return testcase.TargetName(f)
}

var (
	boolType   = types.Typ[types.Bool]
	intType    = types.Typ[types.Int]
	stringType = types.Typ[types.String]
	errorType  = types.Universe.Lookup("error").Type()
	bytesType  = types.NewSlice(types.Typ[types.Uint8])
)

// takesItself returns a method of the type that takes another value like its receiver and returns result. It
// also returns the receiver's type.
func (s *subject) takesItself(name string, result types.Type) (*types.Func, types.Type) {
	f, t := s.method(name)
	if !hasSignature(f, []types.Type{nil}, []types.Type{result}) {
		return nil, nil
	}
	p := f.Signature().Params().At(0).Type()
	switch {
	case types.Identical(p, t):
		return f, t
	case types.Identical(p, types.NewPointer(t)):
		return f, p // a pointer has the methods of its value, too
	case types.IsInterface(p) && types.Implements(t, p.Underlying().(*types.Interface)):
		return f, t
	}
	return nil, nil
}

// check returns a check of a method or function over n values of a type.
func (s *subject) check(f *types.Func, name, doc string, t types.Type, n int, body ...string) []*testcase.Check {
	c := &testcase.Check{Target: s.targetName(f), Name: name, Doc: doc, Body: "\t" + strings.Join(body, "\n\t"), Object: f}
	for range n {
		c.Params = append(c.Params, t)
	}
	return []*testcase.Check{c}
}
