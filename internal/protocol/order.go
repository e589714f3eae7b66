package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// compare checks Compare, Cmp, Less and methods with similar names.
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
		// The function returns which value comes first, or whether both are equal. Both relations are
		// transitive.
		out = append(out, s.related("checkOrder", "reports whether Compare is transitive.", f, t, 3,
			`if `+call("x", "y")+` && `+call("y", "z")+` && !`+call("x", "z")+` {`,
			`	return «errors».New("it is not transitive")`,
			`}`,
			`return nil`)...)
	}
	return out
}
