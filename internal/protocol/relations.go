package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// invariant: RepOK and CheckInvariants.
func invariant(s *subject) []*testcase.Check {
	if f, t := s.method("RepOK"); is(f, nil, []types.Type{boolType}) {
		return s.check(f, "checkInvariant", "reports whether x is valid by its own word.", t, 1,
			`if !x.RepOK() {`,
			`	return «errors».New("RepOK() is false")`,
			`}`,
			`return nil`)
	}
	if f, t := s.method("CheckInvariants"); is(f, nil, []types.Type{errorType}) {
		return s.check(f, "checkInvariant", "reports whether x is valid by its own word.", t, 1,
			`return x.CheckInvariants()`)
	}
	return nil
}

// equal: Equal of a type, or of two values of one.
func equal(s *subject) []*testcase.Check {
	f, t, call := s.relation("Equal", boolType)
	if f == nil {
		return nil
	}
	return s.related("checkEqual", "reports whether Equal is reflexive and symmetric.", f, t, 2,
		`if !`+call("x", "x")+` {`,
		`	return «errors».New("a value is not equal to itself")`,
		`}`,
		`if `+call("x", "y")+` != `+call("y", "x")+` {`,
		`	return «errors».New("Equal depends on the order of its operands")`,
		`}`,
		`return nil`)
}

// relation returns a method or function of the subject that relates two values of a
// type, and how it is called.
func (s *subject) relation(name string, result types.Type) (*types.Func, types.Type, func(x, y string) string) {
	if s.fn != nil {
		sig := s.sig
		if !named(s.fn, name) || !isSignature(sig, []types.Type{nil, nil}, []types.Type{result}) || !types.Identical(sig.Params().At(0).Type(), sig.Params().At(1).Type()) {
			return nil, nil, nil
		}
		return s.fn, sig.Params().At(0).Type(), func(x, y string) string { return "«f»(" + x + ", " + y + ")" }
	}
	f, t := s.takesItself(name, result)
	if f == nil {
		return nil, nil, nil
	}
	return f, t, func(x, y string) string { return x + "." + name + "(" + y + ")" }
}

// named reports whether a function's name ends with the word name: Less, NaturalLess.
func named(f *types.Func, name string) bool {
	return f.Name() == name || name == "Less" && strings.HasSuffix(f.Name(), name)
}

// related is check for a relation: a function's operands are arguments.
func (s *subject) related(name, doc string, f *types.Func, t types.Type, n int, body ...string) []*testcase.Check {
	cs := s.check(f, name, doc, t, n, body...)
	cs[0].Free = s.fn != nil
	return cs
}

// compare: Compare, Cmp, Less and what else is called so.
func compare(s *subject) []*testcase.Check {
	var out []*testcase.Check
	for _, name := range []string{"Compare", "Cmp"} {
		f, t, call := s.relation(name, intType)
		if f == nil {
			continue
		}
		agree := ""
		if e, u := s.takesItself("Equal", boolType); e != nil && types.Identical(t, u) {
			agree = `
	if (` + call("x", "y") + ` == 0) != x.Equal(y) {
		return «errors».New("` + name + ` and Equal do not agree")
	}`
		}
		out = append(out, s.related("checkOrder", "reports whether "+name+" is a consistent order.", f, t, 3,
			`sign := func(n int) int {`,
			`	switch {`,
			`	case n < 0:`,
			`		return -1`,
			`	case n > 0:`,
			`		return 1`,
			`	}`,
			`	return 0`,
			`}`,
			`if `+call("x", "x")+` != 0 {`,
			`	return «errors».New("a value is not as large as itself")`,
			`}`,
			`if sign(`+call("x", "y")+`) != -sign(`+call("y", "x")+`) {`,
			`	return «errors».New("the order depends on which operand comes first")`,
			`}`,
			`if `+call("x", "y")+` <= 0 && `+call("y", "z")+` <= 0 && `+call("x", "z")+` > 0 {`,
			`	return «errors».New("the order is not transitive")`,
			`}`+agree,
			`return nil`)...)
	}
	for _, name := range []string{"Less", "LessThan", "Before"} {
		f, t, call := s.relation(name, boolType)
		if f == nil {
			continue
		}
		agree := ""
		if e, u := s.takesItself("Equal", boolType); e != nil && types.Identical(t, u) {
			agree += `
	if x.Equal(y) && ` + call("x", "y") + ` {
		return «errors».New("` + name + ` and Equal do not agree")
	}`
		}
		if c, u := s.takesItself("Compare", intType); c != nil && types.Identical(t, u) {
			agree += `
	if (x.Compare(y) < 0) != ` + call("x", "y") + ` {
		return «errors».New("` + name + ` and Compare do not agree")
	}`
		}
		out = append(out, s.related("checkOrder", "reports whether "+f.Name()+" is a strict order.", f, t, 3,
			`if `+call("x", "x")+` {`,
			`	return «errors».New("a value is less than itself")`,
			`}`,
			`if `+call("x", "y")+` && `+call("y", "x")+` {`,
			`	return «errors».New("two values are less than each other")`,
			`}`,
			`if `+call("x", "y")+` && `+call("y", "z")+` && !`+call("x", "z")+` {`,
			`	return «errors».New("the order is not transitive")`,
			`}`+agree,
			`return nil`)...)
	}
	if f, t, call := s.relation("Compare", boolType); f != nil {
		// It says which comes first, or whether both are equal: either is transitive.
		out = append(out, s.related("checkOrder", "reports whether Compare is transitive.", f, t, 3,
			`if `+call("x", "y")+` && `+call("y", "z")+` && !`+call("x", "z")+` {`,
			`	return «errors».New("it is not transitive")`,
			`}`,
			`return nil`)...)
	}
	return out
}

// hash: Hash agrees with Equal.
func hash(s *subject) []*testcase.Check {
	e, t := s.takesItself("Equal", boolType)
	if e == nil {
		return nil
	}
	for _, name := range []string{"Hash", "HashCode"} {
		f, _ := s.method(name)
		if !is(f, nil, []types.Type{nil}) || !types.Comparable(f.Signature().Results().At(0).Type()) {
			continue
		}
		return s.check(f, "checkHash", "reports whether equal values have equal hashes.", t, 2,
			`if x.Equal(y) && x.`+name+`() != y.`+name+`() {`,
			`	return «errors».New("equal values have different hashes")`,
			`}`,
			`return nil`)
	}
	return nil
}

// stringer: what fmt calls does not panic, and neither do the methods that it would call if
// there were not another one that it prefers.
func stringer(s *subject) []*testcase.Check {
	var out []*testcase.Check
	for _, name := range []string{"Format", "Error", "String", "GoString"} {
		f, t := s.method(name)
		if f == nil || f.Pkg() != s.pkg {
			continue
		}
		if name == "Format" {
			if sig := f.Signature(); sig.Params().Len() != 2 || sig.Params().At(0).Type().String() != "fmt.State" {
				continue
			}
		} else if !is(f, nil, []types.Type{stringType}) {
			continue
		}
		if out == nil {
			out = s.check(f, "checkFormat", "reports whether fmt can print x.", t, 1,
				`for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {`,
				`	if «strings».Contains(«fmt».Sprintf(verb, x), "(PANIC=") {`,
				`		return «errors».New("printing it panics")`,
				`	}`,
				`}`,
				`return nil`)
			continue
		}
		out = append(out, s.check(f, "check"+name, "reports whether "+name+" returns.", t, 1,
			`panics := func() (yes bool) {`,
			`	defer func() { yes = recover() != nil }()`,
			`	_ = x.`+name+`()`,
			`	return false`,
			`}`,
			`if panics() {`,
			`	return «errors».New("`+name+` panics")`,
			`}`,
			`return nil`)...)
	}
	return out
}

// roundTrip: Parse and String, Marshal and Unmarshal, Decode and Encode.
func roundTrip(s *subject) []*testcase.Check {
	var out []*testcase.Check
	if s.typ == nil {
		return s.inverses()
	}
	if str, t := s.method("String"); is(str, nil, []types.Type{stringType}) && str.Pkg() == s.pkg {
		for _, f := range s.funcs {
			if !strings.HasPrefix(f.Name(), "Parse") || !is(f, []types.Type{stringType}, []types.Type{nil, errorType}) {
				continue
			}
			r := f.Signature().Results().At(0).Type()
			if !types.Identical(r, s.typ) && !types.Identical(r, types.NewPointer(s.typ)) {
				continue
			}
			out = append(out, s.check(f, "checkParse", "reports whether "+f.Name()+" reads what String writes.", t, 1,
				`y, err := «f»(x.String())`,
				`if err != nil {`,
				`	return «errors».New("`+f.Name()+` refuses what String returns")`,
				`}`,
				`if y.String() != x.String() {`,
				`	return «errors».New("`+f.Name()+` makes something else of what String returns")`,
				`}`,
				`return nil`)...)
		}
	}
	for _, pair := range [][2]string{{"MarshalText", "UnmarshalText"}, {"MarshalBinary", "UnmarshalBinary"}, {"MarshalJSON", "UnmarshalJSON"}, {"GobEncode", "GobDecode"}} {
		write, read := pair[0], pair[1]
		differ := `!«bytes».Equal(again, data)`
		var value []string
		if write == "MarshalJSON" {
			// The same value can be written with other escapes.
			differ = `!«reflect».DeepEqual(value(again), value(data))`
			value = []string{
				`value := func(data []byte) (v interface{}) {`,
				`	if «encoding/json».Unmarshal(data, &v) != nil {`,
				`		return string(data)`,
				`	}`,
				`	return v`,
				`}`}
		}
		m, t := s.method(write)
		u, _ := s.method(read)
		if !is(m, nil, []types.Type{bytesType, errorType}) || !is(u, []types.Type{bytesType}, []types.Type{errorType}) {
			continue
		}
		out = append(out, s.check(u, "check"+write, "reports whether "+read+" reads what "+write+" writes.", t, 1, append(value,
			`data, err := x.`+write+`()`,
			`if err != nil {`,
			`	return nil`,
			`}`,
			`var y «0»`,
			`if y.`+read+`(data) != nil {`,
			`	return «errors».New("`+read+` refuses what `+write+` returns")`,
			`}`,
			`again, err := y.`+write+`()`,
			`if err != nil || `+differ+` {`,
			`	return «errors».New("`+read+` makes something else of what `+write+` returns")`,
			`}`,
			`return nil`)...)...)
	}
	return out
}
