package check

import (
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
)

// describe shows a value in words close to the source.
func describe(v ssa.Value) string { return describeTo(v, 4) }

func describeTo(v ssa.Value, depth int) string {
	if depth == 0 {
		return "..."
	}
	d := depth - 1
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			switch v.Type().Underlying().(type) {
			case *types.Array, *types.Struct:
				return types.TypeString(v.Type(), func(p *types.Package) string { return p.Name() }) + "{}"
			}
			return "nil"
		}
		return v.Value.String()
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Function:
		return v.Name()
	case *ssa.Phi:
		if v.Comment != "" && v.Comment != "&&" && v.Comment != "||" {
			return v.Comment
		}
	case *ssa.Alloc:
		if v.Comment != "" {
			return v.Comment
		}
	case *ssa.BinOp:
		return part(v.X, d) + " " + v.Op.String() + " " + part(v.Y, d)
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			switch v.X.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global, *ssa.Alloc, *ssa.FreeVar:
				return describeTo(v.X, depth)
			}
			return "*" + describeTo(v.X, d)
		case token.ARROW:
			return "<-" + describeTo(v.X, d)
		}
		return v.Op.String() + describeTo(v.X, d)
	case *ssa.FieldAddr:
		return describeTo(v.X, d) + "." + fieldName(elemType(v.X.Type()), v.Field)
	case *ssa.Field:
		return describeTo(v.X, d) + "." + fieldName(v.X.Type(), v.Field)
	case *ssa.IndexAddr:
		return describeTo(v.X, d) + "[" + describeTo(v.Index, d) + "]"
	case *ssa.Index:
		return describeTo(v.X, d) + "[" + describeTo(v.Index, d) + "]"
	case *ssa.Lookup:
		return describeTo(v.X, d) + "[" + describeTo(v.Index, d) + "]"
	case *ssa.Convert:
		return typeText(v.Type()) + "(" + describeTo(v.X, d) + ")"
	case *ssa.ChangeType:
		return describeTo(v.X, d)
	case *ssa.ChangeInterface:
		return describeTo(v.X, d)
	case *ssa.MakeInterface:
		return describeTo(v.X, d)
	case *ssa.TypeAssert:
		return describeTo(v.X, d) + ".(" + typeText(v.AssertedType) + ")"
	case *ssa.Slice:
		end := func(v ssa.Value) string {
			if v == nil {
				return ""
			}
			return describeTo(v, d)
		}
		return describeTo(v.X, d) + "[" + end(v.Low) + ":" + end(v.High) + "]"
	case *ssa.Extract:
		return describeTo(v.Tuple, depth)
	case *ssa.Call:
		return describeCall(&v.Call, d)
	}
	return "..."
}

// part returns the text of an operand. It puts the text in parentheses if the operand is an operation itself.
func part(v ssa.Value, depth int) string {
	text := describeTo(v, depth)
	if _, ok := v.(*ssa.BinOp); ok {
		return "(" + text + ")"
	}
	return text
}

func describeCall(c *ssa.CallCommon, depth int) string {
	name, args := "", c.Args
	switch {
	case c.IsInvoke():
		name = describeTo(c.Value, depth) + "." + c.Method.Name()
	case c.StaticCallee() != nil:
		name = c.StaticCallee().Name()
		if c.Signature().Recv() != nil && len(args) > 0 {
			name, args = describeTo(args[0], depth)+"."+name, args[1:]
		}
	default:
		name = describeTo(c.Value, depth)
		if b, ok := c.Value.(*ssa.Builtin); ok {
			name = b.Name()
		}
	}
	parts := make([]string, len(args))
	for i, arg := range args {
		parts[i] = describeTo(arg, depth)
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

func fieldName(t types.Type, i int) string {
	if st, ok := t.Underlying().(*types.Struct); ok {
		return st.Field(i).Name()
	}
	return "?"
}

// conditionText returns the text of an annotation's condition in the source, or "" if the source cannot be
// read.
func (p *Program) conditionText(call *ssa.Call) string {
	if p.notes.Source == nil || !call.Pos().IsValid() {
		return ""
	}
	at := p.Fset.Position(call.Pos()) // the position of the left parenthesis
	src, err := p.notes.Source(at.Filename)
	if err != nil || at.Offset >= len(src) || src[at.Offset] != '(' {
		return ""
	}
	return argumentText(src[at.Offset:], contract.Condition(call.Call.Signature()))
}

// argumentText returns the text of the n-th argument of a call on one line, where src begins behind the
// function's name. It reads tokens, because commas and parentheses also occur in strings.
func argumentText(src []byte, n int) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	depth, start := 0, 0
	for {
		pos, tok, _ := s.Scan()
		at := file.Offset(pos)
		switch tok {
		case token.EOF:
			return ""
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if depth++; depth == 1 {
				start = at + 1
			}
		case token.RPAREN, token.RBRACK, token.RBRACE, token.COMMA:
			if depth == 1 {
				if n == 0 {
					return strings.Join(strings.Fields(string(src[start:at])), " ")
				}
				n, start = n-1, at+1
			}
			if tok != token.COMMA {
				if depth--; depth == 0 {
					return ""
				}
			}
		}
	}
}

// DescribeAssertion says what an assertion asserts.
func DescribeAssertion(ins ssa.Instruction, kind Kind) string {
	switch kind {
	case NilDereference:
		switch v := ins.(type) {
		case *ssa.UnOp:
			return describe(v.X) + " is not nil"
		case *ssa.Store:
			return describe(v.Addr) + " is not nil"
		case *ssa.FieldAddr:
			return describe(v.X) + " is not nil"
		case *ssa.IndexAddr:
			return describe(v.X) + " is not nil"
		case *ssa.Slice:
			return describe(v.X) + " is not nil"
		case ssa.CallInstruction:
			return describe(v.Common().Value) + " is not nil"
		}
	case Index:
		switch v := ins.(type) {
		case *ssa.IndexAddr:
			return "0 <= " + describe(v.Index) + " < len(" + describe(v.X) + ")"
		case *ssa.Index:
			return "0 <= " + describe(v.Index) + " < len(" + describe(v.X) + ")"
		case *ssa.Lookup:
			return "0 <= " + describe(v.Index) + " < len(" + describe(v.X) + ")"
		}
	case Slice:
		return "the bounds of " + describe(ins.(*ssa.Slice)) + " are in range"
	case Division:
		return describe(ins.(*ssa.BinOp).Y) + " is not 0"
	case NegativeShift:
		return describe(ins.(*ssa.BinOp).Y) + " is not negative"
	case TypeAssertion:
		v := ins.(*ssa.TypeAssert)
		return describe(v.X) + " is a " + typeText(v.AssertedType)
	case NegativeLength:
		switch v := ins.(type) {
		case *ssa.MakeSlice:
			return describe(v.Len) + " is a length"
		case *ssa.MakeChan:
			return describe(v.Size) + " is a size"
		case *ssa.Slice:
			return "the constant size of make is one that memory has"
		case *ssa.Call:
			return "the length of " + describe(v) + " is a number"
		}
	case NilMapWrite:
		return describe(ins.(*ssa.MapUpdate).Map) + " is not nil"
	case ClosedChannel:
		return "the channel is open"
	case Conversion:
		return describe(ins.(*ssa.SliceToArrayPointer).X) + " is long enough"
	case LossyConvert:
		return describe(ins.(*ssa.Convert)) + " keeps the value"
	case ExplicitPanic:
		return "the panic is not reached"
	case Assert:
		if c, ok := ins.(*ssa.Call); ok {
			for _, arg := range c.Call.Args {
				if isBoolean(arg.Type()) {
					return describe(arg)
				}
			}
		}
	case InsideCall:
		return "what " + describeCall(ins.(ssa.CallInstruction).Common(), 3) + " meets"
	case Anonymous:
		return "the function literal's own assertions"
	}
	return string(kind)
}

// PremiseText returns a premise as text: "true", "false", or the identifiers of the assumptions.
func (f *Function) PremiseText(p Premise) string {
	switch {
	case p.Verified():
		return "true"
	case p.Unverified():
		return "false"
	}
	var alts []string
	for _, conj := range p {
		var ids []string
		for _, i := range conj {
			ids = append(ids, f.Assumptions[i].ID)
		}
		alts = append(alts, strings.Join(ids, " && "))
	}
	return strings.Join(alts, " || ")
}
