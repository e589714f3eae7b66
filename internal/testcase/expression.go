package testcase

import (
	"fmt"
	"go/types"
	"strings"
)

// Expression returns the text of an expression, close to Go, that makes a value of the sequence. Names of pkg
// are written without the package.
func (s *Sequence) Expression(ref Ref, pkg *types.Package) string {
	return (&speller{s: s, pkg: pkg}).value(ref)
}

// Spelled returns the arguments of a statement (of a method call, the receiver first) as expressions, and the statements that come
// before it. There are such statements where an expression does not say everything: where a value is used twice, and so is the same
// object in both places, where a field is set, or where a call comes in between. A value that such a statement makes has the
// name of the parameter that it is passed for.
func (s *Sequence) Spelled(at int, pkg *types.Package) (before, args []string) {
	s = s.Prefix(at + 1)
	w := &speller{s: s, pkg: pkg, names: make(map[Ref]string)}
	inline := s.inlined()
	w.name(at, inline)
	for i := range at {
		if st := s.At(i); !inline[i] && (s.used(i) || !st.Op.Kind.makes() && st.Op.Kind != OpLiteral && st.Op.Kind != OpZero) {
			before = append(before, w.statement(i))
		}
	}
	for k := range s.At(at).Args {
		args = append(args, w.argument(at, k))
	}
	return before, args
}

// inlined returns which statements are written where their value is used: what is used once, if nothing happens between
// the statement and the place that the value's evaluation could notice, and constants.
func (s *Sequence) inlined() []bool {
	last := s.Len() - 1
	inline, place := make([]bool, s.Len()), make([]int, s.Len()) // place: the statement in whose text each one is written
	place[last] = last
	for i := last - 1; i >= 0; i-- {
		place[i] = i
		op := s.At(i).Op
		if op.Kind == OpLiteral || op.Kind == OpZero {
			inline[i] = true
			continue
		}
		user, whole := -1, true
		for j := i + 1; j <= last; j++ {
			for _, a := range s.At(j).Args {
				if a.Stmt == i {
					whole = whole && user < 0 && a.Result == 0
					user = j
				}
			}
		}
		if user < 0 || !whole || op.Kind.Assigns() {
			continue
		}
		quiet := true // nothing happens in between, but for what is written in the same place
		for j := i + 1; j < place[user]; j++ {
			k := s.At(j).Op.Kind
			quiet = quiet && (inline[j] && place[j] == place[user] || k.makes() || k == OpLiteral || k == OpZero)
		}
		if op.Kind.makes() || quiet {
			inline[i], place[i] = true, place[user]
		}
	}
	return inline
}

// speller writes the values of a sequence as expressions.
type speller struct {
	s     *Sequence
	pkg   *types.Package
	names map[Ref]string // of values that statements before have made
}

// name gives names to the values that are not written where they are used.
func (w *speller) name(at int, inline []bool) {
	taken := make(map[string]bool)
	give := func(r Ref, name string) {
		if w.names[r] == "" && !inline[r.Stmt] {
			for unnamed := name == "" || name == "_"; unnamed || taken[name]; unnamed = false {
				name = fmt.Sprintf("v%d", len(taken)+1)
			}
			taken[name], w.names[r] = true, name
		}
	}
	last := w.s.At(at)
	for k, a := range last.Args {
		sig := last.Op.Signature()
		switch {
		case sig == nil:
		case last.Op.Kind == OpMethod && k == 0:
			if recv := last.Op.Func.Signature().Recv(); recv != nil {
				give(a, recv.Name())
			}
		case last.Op.Kind == OpMethod && k <= sig.Params().Len():
			give(a, sig.Params().At(k-1).Name())
		case last.Op.Kind == OpFunc && k < sig.Params().Len():
			give(a, sig.Params().At(k).Name())
		}
	}
	for i := range at {
		for _, a := range w.s.At(i).Args {
			give(a, "")
		}
	}
}

// statement writes a statement that comes before the one that is asked about.
func (w *speller) statement(i int) string {
	text := w.operation(i)
	if w.s.At(i).Op.Kind.Assigns() || !w.s.used(i) {
		return text
	}
	text = w.s.withType(Ref{Stmt: i}, text, w.typeName)
	n := 1
	if ts := w.s.ResultTypes(); len(ts[i]) > 0 {
		n = len(ts[i])
	}
	left := make([]string, n)
	for r := range left {
		if left[r] = w.names[Ref{Stmt: i, Result: r}]; left[r] == "" {
			left[r] = "_"
		}
	}
	return strings.Join(left, ", ") + " := " + text
}

// value writes a value: its name, or the expression that makes it.
func (w *speller) value(ref Ref) string {
	if name := w.names[ref]; name != "" {
		return name
	}
	return w.operation(ref.Stmt)
}

// argument writes the argument number k of statement i. Where anything may stand, it says its type.
func (w *speller) argument(i, k int) string {
	st := w.s.At(i)
	text := w.value(st.Args[k])
	if w.names[st.Args[k]] == "" && st.Op.takesAny(k) {
		return w.s.withType(st.Args[k], text, w.typeName)
	}
	return text
}

// typeName writes a type as the package does.
func (w *speller) typeName(t types.Type) string { return types.TypeString(t, types.RelativeTo(w.pkg)) }

// operation writes what a statement does.
func (w *speller) operation(i int) string {
	made := w.s.At(i)
	op, args := made.Op, make([]string, len(made.Args))
	for k := range made.Args {
		args[k] = w.argument(i, k)
	}
	list := strings.Join(args, ", ")
	typ := func() string { return w.typeName(op.Type) }
	switch op.Kind {
	case OpLiteral:
		return op.Lit.Text(op.Type)
	case OpZero:
		switch op.Type.Underlying().(type) {
		case *types.Struct, *types.Array:
			return typ() + "{}"
		}
		return zeroSource(op.Type)
	case OpComposite:
		return typ() + "{" + strings.Join(elementTexts(op, args), ", ") + "}"
	case OpAddr:
		return "&" + list
	case OpFunc:
		return op.Func.Name() + "(" + list + ")"
	case OpMethod:
		recv := args[0]
		if strings.HasPrefix(recv, "&") || strings.HasPrefix(recv, "*") {
			recv = "(" + recv + ")"
		}
		return recv + "." + op.Func.Name() + "(" + strings.Join(args[1:], ", ") + ")"
	case OpConvert:
		return typ() + "(" + list + ")"
	case OpDeref, OpField, OpSetField, OpStore, OpIndex, OpSetIndex, OpSend, OpClose, OpGlobal, OpSetGlobal, OpCallValue:
		return op.short(args)
	}
	return fmt.Sprintf("%s(%s)", op.Kind, list)
}

// maxFill is how many entries that only fill a map are written one by one.
const maxFill = 8

// elementTexts returns the elements of a composite in the form of a Go literal: fields by name, entries
// by key, elements by index if some before them are zero. Of many entries that only fill a map to its
// size, the first and the last are shown.
func elementTexts(op *Operation, args []string) []string {
	var out []string
	at := func(i int) int {
		if op.Elems != nil {
			return op.Elems[i]
		}
		return i
	}
	switch t := op.Type.Underlying().(type) {
	case *types.Struct:
		for i, a := range args {
			out = append(out, t.Field(at(i)).Name()+": "+a)
		}
	case *types.Map:
		for i := 0; i+1 < len(args); i += 2 {
			out = append(out, args[i]+": "+args[i+1])
		}
		zero := zeroSource(t.Elem())
		for i := range op.N {
			if op.N > maxFill && i >= maxFill/2 && i < op.N-1 {
				if i == maxFill/2 {
					out = append(out, "...")
				}
				continue
			}
			key, _ := FillKey(t.Key(), op.From+i)
			out = append(out, key.String()+": "+zero)
		}
	default:
		next := 0
		for i, a := range args {
			if at(i) != next {
				a = fmt.Sprintf("%d: %s", at(i), a)
			}
			out = append(out, a)
			next = at(i) + 1
		}
		if s, ok := t.(*types.Slice); ok && op.N > next {
			out = append(out, fmt.Sprintf("%d: %s", op.N-1, zeroSource(s.Elem())))
		}
	}
	return out
}

// zeroSource returns the zero value of a type as source.
func zeroSource(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		}
	case *types.Struct, *types.Array:
		return "{}"
	}
	return "nil"
}
