package mutate

import (
	"fmt"
	"go/token"
)

// Operator is a kind of mutant.
type Operator string

// The operators.
const (
	Boundary  Operator = "boundary"  // < becomes <=, and so on
	Negation  Operator = "negation"  // a condition is inverted, also x != nil
	Operand   Operator = "operand"   // an operand of && or || does not count
	Math      Operator = "math"      // + becomes -, & becomes |, ++ becomes --, ...
	Sign      Operator = "sign"      // -x becomes x, ^x becomes x
	Constant  Operator = "constant"  // 1 becomes 0, any other c becomes c+1; the limit of a relation moves where Boundary does not move it
	Removal   Operator = "removal"   // a call, an assignment, a defer or a send is not executed
	ReturnVal Operator = "return"    // a result becomes the zero value, a comparison that is returned also true
	LoopJump  Operator = "loop-jump" // break becomes continue, and the other way round
	Argument  Operator = "argument"  // a call is replaced by one of its arguments (argument propagation of PIT; Coles et al., 2016)
	Swap      Operator = "swap"      // two neighbouring arguments of one type are swapped
	Case      Operator = "case"      // a case of a switch never matches
	Field     Operator = "field"     // a field of a struct's literal stays at its zero value
	Text      Operator = "text"      // a constant text becomes empty (the string literals of Stryker)
	Sibling   Operator = "sibling"   // a constant becomes its neighbour in the declaration
	Callee    Operator = "callee"    // another function of the same signature is called
	End       Operator = "end"       // the first element becomes the last, and the other way round
	Read      Operator = "read"      // a variable or a field that is passed to a call, or that is a key, reads as its zero value
	Index     Operator = "index"     // the first element is taken in the place of another one
	Once      Operator = "once"      // a loop ends after its first turn
	Forget    Operator = "forget"    // x += y becomes x = y, x++ becomes x = 1, x + y becomes y
	Body      Operator = "body"      // a function does nothing and returns zero values (Niedermayr et al., 2016)
)

// Mutant is one small fault.
type Mutant struct {
	ID       int // from 1, in the order of the source; also its number in Outcome.Cover
	Operator Operator
	Func     string // Target.Name of the function that contains it
	Pos      token.Position
	Text     string // the change: "a < b becomes a <= b"

	site int // ID of the first mutant at the same place; its counter says whether the place was reached
}

func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", m.Pos.Filename, m.Pos.Line, m.Pos.Column, m.Text)
}

// swap returns the operator that replaces an arithmetic operator.
func swap(op token.Token) token.Token {
	switch op {
	case token.ADD:
		return token.SUB
	case token.SUB:
		return token.ADD
	case token.MUL:
		return token.QUO
	case token.QUO, token.REM:
		return token.MUL
	case token.AND:
		return token.OR
	case token.OR, token.XOR:
		return token.AND
	case token.SHL:
		return token.SHR
	case token.SHR:
		return token.SHL
	case token.AND_NOT:
		return token.AND
	}
	return token.ILLEGAL
}

// helper returns the name, without prefix, of the function in support.go that stands for an operator.
func helper(op token.Token) string {
	switch op {
	case token.ADD:
		return "add"
	case token.SUB:
		return "sub"
	case token.MUL:
		return "mul"
	case token.QUO:
		return "quo"
	case token.REM:
		return "rem"
	case token.AND:
		return "and"
	case token.OR:
		return "or"
	case token.XOR:
		return "xor"
	case token.SHL:
		return "shl"
	case token.SHR:
		return "shr"
	case token.AND_NOT:
		return "andnot"
	case token.LSS:
		return "lt"
	case token.LEQ:
		return "le"
	case token.GTR:
		return "gt"
	case token.GEQ:
		return "ge"
	}
	panic("bug: mutate: no helper for " + op.String())
}

// boundary returns the relation that has another result only where both sides are equal.
func boundary(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.LEQ
	case token.LEQ:
		return token.LSS
	case token.GTR:
		return token.GEQ
	case token.GEQ:
		return token.GTR
	}
	return token.ILLEGAL
}
