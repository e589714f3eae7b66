package testcase

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// Check is a contract over some values as Go source: a function that returns an error if they break it.
// The harness compiles the function, and a test that shows a finding declares it, so both mean the
// same.
type Check struct {
	Contract string       // the contract's name: "equal", "roundtrip", ...
	Target   string       // the function that it is about: "Func" or "Type.Method", as in Case.Target
	Severity Severity     // the worst severity of a finding that breaks it
	Name     string       // the name of the function in tests
	Doc      string       // says what the function reports, after its name
	Params   []types.Type // the parameters of the function: x, y, z
	Twins    bool         // all values must be made in the same way, each by statements of its own
	Free     bool         // the values are arguments of a call that was made for the check, and need not be objects of one type
	OfCalls  bool         // the values are the receiver and the arguments of a call of Object, which the check makes: any such call can be asked about
	Spoils   bool         // a call that breaks it leaves its object as no right call does, so that nothing behind the call is right
	// Asked says that no values are made for the check: it is asked about calls of Object that were made. Its first two values are the
	// receiver and another one made alike, and the others are the call's arguments.
	Asked bool
	// Without says, of a check that is Asked, that the first object is made without the call that puts the argument into the other one. It
	// is nil for checks whose two objects are made alike.
	Without *Without
	// Call is the check by which calls that tests make are asked whether they keep the same contract, nil if the check itself is.
	Call  *Check
	Types []types.Type // further types that the body names: «t0», «t1», ...
	// Body are the statements of the function. In it «0», «1», ... are the types of the parameters
	// without a pointer, «f» is Object, «g» is Other, and any other «path» is the name by which the
	// package of that path is imported.
	Body   string
	Object types.Object
	Other  types.Object // nil if the body names no second function
	// Evidence is a sentence about the promise that the contract holds, for promises other than the standard
	// library's and the method's name: a place in the documentation.
	Evidence string
}

// DocumentationContract is the name of the contract that a call has the result that the documentation
// states. Package oracle makes such checks.
const DocumentationContract = "documentation"

// InvariantContract is the name of the contract of objects with a method that says whether they are valid.
const InvariantContract = "invariant"

// OfObjects reports whether the check can be made of any single object. It cannot if it is about arguments of
// a call, or about objects that must be made alike.
func (c *Check) OfObjects() bool { return !c.Twins && !c.Free }

// Key returns a text that differs for different checks.
func (c *Check) Key() string {
	var b strings.Builder
	b.WriteString(c.Contract + " " + c.Target)
	for _, p := range c.Params {
		b.WriteString(" " + typeName(p))
	}
	return b.String()
}

// Source returns the declaration of the function under a name, given how types, imports
// and package-level objects are written.
func (c *Check) Source(name string, typ func(types.Type) string, pkg func(path string) string, object func(types.Object) string) string {
	names := [...]string{"x", "y", "z"}
	params := make([]string, len(c.Params))
	for i, p := range c.Params {
		params[i] = names[i] + " " + typ(p)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s(%s) error {\n", name, strings.Join(params, ", "))
	rest := c.Body
	for {
		before, after, ok := strings.Cut(rest, "«")
		b.WriteString(before)
		if !ok {
			break
		}
		var what string
		what, rest, _ = strings.Cut(after, "»")
		if i, err := strconv.Atoi(strings.TrimPrefix(what, "t")); err == nil && what[0] == 't' {
			b.WriteString(typ(c.Types[i]))
		} else if err == nil {
			t := c.Params[i]
			if p, ok := types.Unalias(t).(*types.Pointer); ok {
				t = p.Elem()
			}
			b.WriteString(typ(t))
		} else if what == "f" {
			b.WriteString(object(c.Object))
		} else if what == "g" {
			b.WriteString(object(c.Other))
		} else {
			b.WriteString(pkg(what))
		}
	}
	b.WriteString("\n}\n")
	return b.String()
}

// TwinsAlike reports whether the arguments of the check in the sequence's last statement are made alike, if
// the check needs that: each argument has a copy of the same statements, but for the call that one of them goes without.
func (s *Sequence) TwinsAlike() bool {
	last := s.Last()
	if last.Op.Kind == OpCheck && last.Op.Check.Without != nil {
		return s.isMadeWithout()
	}
	if last.Op.Kind != OpCheck || !last.Op.Check.Twins {
		return true
	}
	n, total := len(last.Args), s.Len()-1
	if total%n != 0 {
		return false
	}
	size := total / n
	for k, arg := range last.Args {
		if arg.Result != last.Args[0].Result || arg.Stmt != last.Args[0].Stmt+k*size {
			return false
		}
		for i := range size {
			a, b := s.At(i), s.At(k*size+i)
			if a.Op != b.Op || len(a.Args) != len(b.Args) {
				return false
			}
			for j := range a.Args {
				if b.Args[j].Stmt != a.Args[j].Stmt+k*size || b.Args[j].Result != a.Args[j].Result {
					return false
				}
			}
		}
	}
	return true
}
