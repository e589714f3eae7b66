package testcase

import (
	"fmt"
	"go/types"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
)

// String returns the sequence as short Go-like text on one line, for messages and debugging. Constants
// are written where they are used, other results get names.
//
//	v0 := New(1); v0.Enqueue(-1)
func (s *Sequence) String() string { return strings.Join(s.Lines(), "; ") }

// Key returns text that two sequences share only if they are written alike: what String returns, and a digest of Dump if that
// leaves out the middle of a constant.
func (s *Sequence) Key() string {
	text := s.String()
	if !strings.Contains(text, leftOut) {
		return text
	}
	digest := fnv.New64a()
	digest.Write([]byte(s.Dump())) // never fails
	return fmt.Sprintf("%s #%016x", text, digest.Sum64())
}

// leftOut stands for the middle of a long constant.
const leftOut = `"..."`

// Lines returns the statements of the sequence as String writes them, one by one.
func (s *Sequence) Lines() []string { return s.lines(false) }

// Inline returns the sequence like String, but writes a value where it is used if it is used once and
// made without a call.
//
//	v0 := New(1); v0.Put(Item{Key: "a"})
func (s *Sequence) Inline() string { return strings.Join(s.lines(true), "; ") }

// lines does the work of Lines. If inline is set, values that are used once are written where they are used.
func (s *Sequence) lines(inline bool) []string {
	text := make([]string, len(s.stmts)) // text of the statements that are written where they are used
	ref := func(r Ref) string {
		if t := text[r.Stmt]; t != "" {
			return t
		}
		if r.Result == 0 {
			return fmt.Sprintf("v%d", r.Stmt)
		}
		return fmt.Sprintf("v%d.%d", r.Stmt, r.Result)
	}
	var parts []string
	for i, st := range s.stmts {
		args := make([]string, len(st.Args))
		for j, a := range st.Args {
			args[j] = ref(a)
			if text[a.Stmt] != "" && st.Op.takesAny(j) {
				args[j] = s.withType(a, args[j], shortType)
			}
		}
		e := st.Op.short(args)
		last := i == len(s.stmts)-1
		switch {
		case !last && (st.Op.Kind == OpLiteral || st.Op.Kind == OpZero):
			text[i] = e
		case inline && !last && st.Op.Kind.makes() && s.uses(i) == 1:
			text[i] = e
		case last || st.Op.Kind.Assigns() || !s.used(i):
			parts = append(parts, e)
		default:
			parts = append(parts, fmt.Sprintf("v%d := %s", i, e))
		}
	}
	return parts
}

// withType returns the text of a value such that it says the value's type, as it has to where anything may stand. The function
// name writes a type.
func (s *Sequence) withType(r Ref, text string, name func(types.Type) string) string {
	made := s.stmts[r.Stmt]
	switch {
	case made.Op.Kind == OpAddr && strings.HasPrefix(text, "&"):
		return "&" + s.withType(made.Args[0], text[1:], name)
	case !hidesType(made.Op, text):
		return text
	}
	typ := name(made.Op.Type)
	if strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "func(") || strings.HasPrefix(typ, "chan ") || strings.HasPrefix(typ, "<-chan ") {
		typ = "(" + typ + ")"
	}
	return typ + "(" + text + ")"
}

// hidesType reports whether a value has another type than its text has by itself: a number, text or truth, a nil that is no
// interface, and a function or channel that the test makes.
func hidesType(op *Operation, text string) bool {
	switch op.Kind {
	case OpLiteral, OpZero:
	case OpStubFunc, OpMakeChan:
		return strings.HasPrefix(text, op.Kind.String()+"(")
	default:
		return false
	}
	if text == "nil" {
		return !types.IsInterface(op.Type)
	}
	t, ok := types.Unalias(op.Type).(*types.Basic)
	if !ok {
		_, ok := op.Type.Underlying().(*types.Basic)
		return ok
	}
	switch t.Kind() {
	case types.Int, types.String, types.Bool, types.Complex128:
		return false
	case types.Float64:
		return !strings.ContainsAny(text, ".eNI")
	case types.Int32:
		return !strings.HasPrefix(text, "'")
	}
	return true
}

// takesAny reports whether argument number k of a call, of a literal, of a conversion or of what sets a field or variable has an
// interface type in its place, so that its own type has to be said.
func (o *Operation) takesAny(k int) bool {
	switch o.Kind {
	case OpConvert:
		return types.IsInterface(o.Type)
	case OpSetField:
		return k == 1 && types.IsInterface(o.Var.Type())
	case OpSetGlobal:
		return types.IsInterface(o.Var.Type())
	case OpFunc, OpMethod:
		if o.Kind == OpMethod {
			k--
		}
		sig := o.Signature()
		switch n := sig.Params().Len(); {
		case k < 0 || n == 0:
			return false
		case sig.Variadic() && !o.Spread && k >= n-1:
			return types.IsInterface(sig.Params().At(n - 1).Type().(*types.Slice).Elem())
		case k < n:
			return types.IsInterface(sig.Params().At(k).Type())
		}
	case OpComposite:
		switch t := o.Type.Underlying().(type) {
		case *types.Slice:
			return types.IsInterface(t.Elem())
		case *types.Array:
			return types.IsInterface(t.Elem())
		case *types.Map:
			return types.IsInterface([]types.Type{t.Key(), t.Elem()}[k%2])
		case *types.Struct:
			if o.Elems != nil && k < len(o.Elems) {
				k = o.Elems[k]
			}
			return k < t.NumFields() && types.IsInterface(t.Field(k).Type())
		}
	}
	return false
}

// used reports whether a later statement refers to statement i.
func (s *Sequence) used(i int) bool {
	for _, st := range s.stmts[i+1:] {
		for _, a := range st.Args {
			if a.Stmt == i {
				return true
			}
		}
	}
	return false
}

// uses returns how often later statements refer to statement i.
func (s *Sequence) uses(i int) int {
	n := 0
	for _, st := range s.stmts[i+1:] {
		for _, a := range st.Args {
			if a.Stmt == i {
				n++
			}
		}
	}
	return n
}

// makes reports whether the operation makes a value and does nothing else, so that it may stand
// wherever its value is used.
func (k OpKind) makes() bool {
	switch k {
	case OpComposite, OpAddr, OpConvert, OpFuncValue, OpStubFunc, OpStubIface, OpMakeChan, OpClosure, OpFuncLit:
		return true
	}
	return false
}

// short returns the operation applied to the texts of its args.
func (o *Operation) short(args []string) string {
	list := strings.Join(args, ", ")
	if o.Spread {
		list += "..."
	}
	switch o.Kind {
	case OpLiteral:
		return o.Lit.Text(o.Type)
	case OpZero:
		return zeroText(o.Type)
	case OpComposite:
		return shortType(o.Type) + "{" + o.shortElems(args) + "}"
	case OpAddr:
		return "&" + args[0]
	case OpFunc:
		if o.Drives() {
			return o.Via.Name + "(" + strings.TrimSuffix(o.Func.Name()+", "+list, ", ") + ")"
		}
		return o.Func.Name() + shortTypes(o.TypeArgs) + "(" + list + ")"
	case OpMethod:
		if o.Drives() {
			return o.Via.Name + "(" + strings.Join(append([]string{args[0] + "." + o.Func.Name()}, args[1:]...), ", ") + ")"
		}
		list = strings.TrimPrefix(strings.TrimPrefix(list, args[0]), ", ")
		recv := args[0]
		if strings.HasPrefix(recv, "&") || strings.HasPrefix(recv, "*") {
			recv = "(" + recv + ")"
		}
		return recv + "." + o.Func.Name() + "(" + list + ")"
	case OpCallValue:
		list = strings.TrimPrefix(strings.TrimPrefix(list, args[0]), ", ")
		return args[0] + "(" + list + ")"
	case OpFuncValue:
		return o.Func.Name() + shortTypes(o.TypeArgs)
	case OpFuncLit:
		text := o.Source(func(path string) string { return path[strings.LastIndexByte(path, '/')+1:] })
		return strings.Join(strings.Fields(text), " ")
	case OpClosure:
		if o.MethodValue() {
			return args[0] + "." + o.Func.Name()
		}
		return fmt.Sprintf("closure %s{%s.%s%v %s}", shortType(o.Type), args[0], o.Func.Name(), o.Pass, strings.Join(args[1:], ", "))
	case OpCheck:
		return "check " + o.Check.Contract + "(" + list + ")"
	case OpGlobal:
		return o.Var.Name()
	case OpSetGlobal:
		return o.Var.Name() + " = " + args[0]
	case OpField:
		return args[0] + "." + o.Var.Name()
	case OpSetField:
		return args[0] + "." + o.Var.Name() + " = " + args[1]
	case OpDeref:
		return "*" + args[0]
	case OpStore:
		return "*" + args[0] + " = " + args[1]
	case OpIndex:
		return args[0] + "[" + args[1] + "]"
	case OpSetIndex:
		return args[0] + "[" + args[1] + "] = " + args[2]
	case OpSend:
		return args[0] + " <- " + args[1]
	case OpClose:
		return "close(" + args[0] + ")"
	case OpConvert:
		return shortType(o.Type) + "(" + args[0] + ")"
	case OpAssert:
		return args[0] + ".(" + shortType(o.Type) + ")"
	case OpStubFunc, OpStubIface:
		return "stub " + shortType(o.Type) + "{" + o.shortScript(args) + "}"
	case OpMakeChan:
		s := fmt.Sprintf("make(%s, %d){%s}", shortType(o.Type), o.N, list)
		if o.Closed {
			s += ".close()"
		}
		return s
	}
	return o.Kind.String() + "(" + list + ")"
}

// shortElems returns the elements of a composite with their keys.
func (o *Operation) shortElems(args []string) string {
	var out []string
	if _, ok := o.Type.Underlying().(*types.Map); ok {
		for i := 0; i+1 < len(args); i += 2 {
			out = append(out, args[i]+": "+args[i+1])
		}
		if o.N > 0 {
			out = append(out, fmt.Sprintf("%d more", o.N))
		}
		return strings.Join(out, ", ")
	}
	for i, a := range args {
		key := ""
		if o.Elems != nil {
			key = strconv.Itoa(o.Elems[i]) + ": "
			if st, ok := o.Type.Underlying().(*types.Struct); ok && o.Elems[i] < st.NumFields() {
				key = st.Field(o.Elems[i]).Name() + ": "
			}
		}
		out = append(out, key+a)
	}
	return strings.Join(out, ", ")
}

// shortScript returns the script of a stub.
func (o *Operation) shortScript(args []string) string {
	calls := make([]string, len(o.Stub))
	for i, c := range o.Stub {
		calls[i] = c.Method + "(" + strings.Join(args[c.From:c.To], ", ") + ")"
	}
	return strings.Join(calls, " ")
}

// shortType returns the type with package names in place of package paths.
func shortType(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// shortTypes returns type arguments in brackets, or "" if there are none.
func shortTypes(ts []types.Type) string {
	if len(ts) == 0 {
		return ""
	}
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = shortType(t)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// zeroText returns Go-like text of the zero value of t.
func zeroText(t types.Type) string {
	text := zeroSource(t)
	if text == "{}" {
		return shortType(t) + text
	}
	return text
}

// String returns the literal as Go text: 3, 3.5, "a", NaN. The text does not say more about the literal's
// kind.
func (l Literal) String() string { return l.Text(nil) }

// Text does the same as String for a literal of type t, because float32 and float64 have different texts.
func (l Literal) Text(t types.Type) string {
	size := 64
	if t != nil {
		if b, ok := t.Underlying().(*types.Basic); ok && (b.Kind() == types.Float32 || b.Kind() == types.Complex64) {
			size = 32
		}
	}
	switch l.Kind {
	case LitBool:
		return strconv.FormatBool(l.Bits != 0)
	case LitInt:
		return strconv.FormatInt(int64(l.Bits), 10)
	case LitUint:
		return strconv.FormatUint(l.Bits, 10)
	case LitFloat:
		return floatText(l.Bits, size)
	case LitComplex:
		return "(" + floatText(l.Bits, size) + " + " + floatText(l.Imag, size) + "i)"
	case LitString:
		return shortString(l.Str)
	}
	return "invalid"
}

// floatText returns the shortest decimal text that reads back as the bit pattern.
func floatText(bits uint64, size int) string {
	if size == 32 {
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
	}
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
}

// shortString quotes s, cut in its middle if it is long.
func shortString(s string) string {
	if len(s) <= 64 {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%q...%q(%d bytes)", s[:24], s[len(s)-8:], len(s)) // see leftOut
}

// String returns the value as short Go-like text on one line. The text does not distinguish the types of
// numbers.
func (v Value) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v Value) write(b *strings.Builder) {
	switch v.Kind {
	case Invalid:
		b.WriteString("?")
	case Bool:
		b.WriteString(strconv.FormatBool(v.Bits != 0))
	case Int:
		b.WriteString(strconv.FormatInt(int64(v.Bits), 10))
	case Uint:
		b.WriteString(strconv.FormatUint(v.Bits, 10))
	case Float, Complex:
		l := Literal{Kind: LitFloat, Bits: v.Bits, Imag: v.Imag}
		if v.Kind == Complex {
			l.Kind = LitComplex
		}
		b.WriteString(l.Text(v.Type))
	case String:
		b.WriteString(shortString(v.Str))
		if v.Cut {
			fmt.Fprintf(b, "(%d bytes)", v.Len)
		}
	case Nil:
		b.WriteString("nil")
	case Opaque:
		b.WriteString(v.opaqueText(v.typeName()))
	case Pointer:
		v.writeRef(b, "&")
	case Interface:
		if v.Err != nil {
			fmt.Fprintf(b, "error(%s)", shortString(v.Err.Message))
			return
		}
		v.writeList(b, v.typeName(), "(", ")")
	case Slice, Array, Struct:
		v.writeList(b, v.typeName(), "{", "}")
	case Map:
		b.WriteString(v.typeName() + "{")
		for i := 0; i+1 < len(v.Elems); i += 2 {
			if i > 0 {
				b.WriteString(", ")
			}
			v.Elems[i].write(b)
			b.WriteString(": ")
			v.Elems[i+1].write(b)
		}
		v.writeCut(b)
		b.WriteString("}")
	}
}

// typeName returns the name of a value's type. Only few kinds of values need it, and it takes longer than all the rest.
func (v Value) typeName() string {
	if v.Type != nil {
		return shortType(v.Type)
	}
	return v.TypeName
}

// opaqueText says why a value of a type is not shown.
func (v Value) opaqueText(typ string) string {
	what := "a value"
	if v.Err != nil {
		what = "an error"
	}
	switch {
	case v.Varies:
		return "(" + what + " that differs between runs)"
	case typ == "":
		return "(" + what + ")"
	}
	return "(" + typ + ")"
}

// writeRef writes a pointer. If its object was written before, it writes the object's number.
func (v Value) writeRef(b *strings.Builder, prefix string) {
	if v.Again || len(v.Elems) == 0 {
		fmt.Fprintf(b, "#%d", v.ID)
		return
	}
	b.WriteString(prefix)
	v.Elems[0].write(b)
}

func (v Value) writeList(b *strings.Builder, name, open, end string) {
	b.WriteString(name)
	if v.Again {
		fmt.Fprintf(b, "#%d", v.ID)
		return
	}
	b.WriteString(open)
	for i, e := range v.Elems {
		if i > 0 {
			b.WriteString(", ")
		}
		e.write(b)
	}
	v.writeCut(b)
	b.WriteString(end)
}

func (v Value) writeCut(b *strings.Builder) {
	if v.Cut {
		fmt.Fprintf(b, ", ...(len %d)", v.Len)
	}
}

// String returns the outcome on one line.
func (o *Outcome) String() string {
	if o == nil {
		return "unknown"
	}
	var b strings.Builder
	b.WriteString(o.Status.String())
	if o.Panic != nil {
		b.WriteString(": " + o.Panic.Message)
	} else if o.Message != "" {
		b.WriteString(": " + o.Message)
	}
	if o.Status == Returned && o.At < len(o.Results) {
		for i, v := range o.Results[o.At] {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(" " + v.String())
		}
	}
	if o.Violated != "" {
		b.WriteString(" (violates " + o.Violated + ")")
	}
	return b.String()
}

// String returns the case on one line: its target, its sequence and its outcome.
func (c *Case) String() string {
	out := c.Observed
	if out == nil {
		out = c.Predicted
	}
	return c.Target + ": " + c.Seq.String() + " => " + out.String()
}
