package emit

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// This file finds the objects that a test of a broken invariant asks whether they are valid: those that a call was given, made, or
// may have reached.

// brokenInvariant checks an invariant method of the objects that the last statement
// used or made.
func (s *script) brokenInvariant(fd *testcase.Finding, last int, method string) string {
	st := s.Seq.At(last)
	var refs []testcase.Ref
	for r := range s.Types[last] {
		refs = append(refs, testcase.Ref{Stmt: last, Result: r})
	}
	refs = append(st.Args[:len(st.Args):len(st.Args)], refs...)
	var steps []testcase.Step
	if b := s.Case.Broken; b != nil {
		refs, steps = []testcase.Ref{b.Object}, b.Path
	}
	for _, ref := range refs {
		of := s.TypeOf(ref)
		if n := len(steps); n > 0 {
			of = steps[n-1].Type
		}
		obj, _, _ := types.LookupFieldOrMethod(of, true, s.Pkg.Types, method)
		m, ok := obj.(*types.Func)
		if !ok || !s.Selectable(m) {
			continue
		}
		display, q := s.Display(last), &questioned{}
		if ref.Stmt == last {
			s.resultToAsk(ref, q, len(steps) > 0)
		} else {
			s.Bare(last, s.Op(last, nil))
		}
		s.Blank()
		q.text = s.Ref(ref, nil).Operand()
		s.lead(q, s.TypeOf(ref), steps, m)
		if gosyntax.IsError(m.Type().(*types.Signature).Results().At(0).Type()) {
			if len(q.conds) > 0 || q.init != "" {
				q.open(s)
			}
			s.Line("if err := ", q.text, ".", method, "(); err != nil {")
			s.Line("t.Errorf(", gofile.Quote("after "+escape(display)+": %v"), ", err)")
		} else {
			q.conds = append(q.conds, "!"+q.text+"."+method+"()")
			q.open(s)
			s.Line("t.Error(", gofile.Quote(method+"() = false after "+display), ")")
			q.opened--
		}
		for range q.opened + 1 {
			s.Line("}")
		}
		return s.Out.String()
	}
	return s.brokenResult(fd, last)
}

// resultToAsk writes the last statement with a name for the result that is asked whether it is valid. Mended code may say by
// another result, or by nil, that there is none. Only a pointer has to be there where a part of the result is asked.
func (s *script) resultToAsk(ref testcase.Ref, q *questioned, part bool) {
	s.Keep[ref] = true
	last := testcase.Ref{Stmt: ref.Stmt, Result: len(s.Types[ref.Stmt]) - 1}
	said := s.Observed(last).Kind == testcase.Bool && s.Observed(last).Bits != 0 // true tells users that there is a result
	s.Keep[last] = s.Keep[last] || said
	names := s.NameResults(ref.Stmt)
	s.Line(strings.Join(names, ", "), " := ", s.Op(ref.Stmt, nil).Text)
	if said {
		q.conds = append(q.conds, names[last.Result])
	} else if last != ref && names[last.Result] != "_" {
		q.conds = append(q.conds, names[last.Result]+" == nil")
	} else if _, pointer := s.TypeOf(ref).Underlying().(*types.Pointer); pointer || !part && gofile.Nilable(s.TypeOf(ref)) {
		q.conds = append(q.conds, names[ref.Result]+" != nil")
	}
}

// questioned is an object that a test asks whether it is valid: mended code may have no such object, and then the test
// does not ask.
type questioned struct {
	text   string
	init   string   // the statement that finds the object, or ""
	conds  []string // the conditions under which there is one
	opened int      // the if statements that have been written
}

// open writes an if statement with what has to hold so far.
func (q *questioned) open(s *script) {
	init := q.init
	if init != "" {
		init += "; "
	}
	s.Line("if ", init, strings.Join(q.conds, " && "), " {")
	q.init, q.conds, q.opened = "", nil, q.opened+1
}

// found makes a statement find the object, which is there if ok is true.
func (q *questioned) found(s *script, value string) {
	if len(q.conds) > 0 || q.init != "" {
		q.open(s)
	}
	v, ok := s.Scope.Pick("part"), s.Scope.Pick("ok")
	q.text, q.init, q.conds = v, v+", "+ok+" := "+value, []string{ok}
}

// lead follows the steps that lead from an object of a type to the part that is asked by a method. A part that is nil is no object. Parts on
// the way are asked whether they are nil only where something is read through them.
func (s *script) lead(q *questioned, of types.Type, steps []testcase.Step, method *types.Func) {
	for k, step := range steps {
		switch container := of.Underlying().(type) {
		case *types.Slice:
			q.conds = append(q.conds, "len("+q.text+") > "+step.Index)
			q.text += "[" + step.Index + "]"
		case *types.Array:
			q.text += "[" + step.Index + "]"
		case *types.Map:
			if gofile.Nilable(container.Elem()) {
				q.text += "[" + step.Index + "]"
				break
			}
			q.found(s, q.text+"["+step.Index+"]")
		default:
			switch {
			case step.Held:
				q.found(s, q.text+".("+s.Type(step.Type)+")")
			case s.Selectable(step.Field):
				q.text += "." + step.Field.Name()
			default:
				obj, _, _ := types.LookupFieldOrMethod(of, true, s.Pkg.Types, method.Name())
				if obj != method {
					s.Fail("the part that is broken cannot be named in a test")
				}
				return // the object itself has the method of the field that it embeds
			}
		}
		of = step.Type
		if _, pointer := of.Underlying().(*types.Pointer); pointer || k == len(steps)-1 && gofile.Nilable(of) {
			q.conds = append(q.conds, q.text+" != nil")
		}
	}
}

// An object is an expression for an object whose invariant a test checks.
type object struct {
	text  string
	guard string // the condition under which there is an object, or ""
	open  string // the head of the block in which there is an object, or ""
}

// brokenObjects returns the objects whose invariant a call may have broken, among its arguments, its results and what
// they lead to. The call cannot break an argument of which it has a copy, so such an argument counts only if there is
// nothing else. The results that are among the objects, or lead to them, get names.
func (s *script) brokenObjects(t *contract.Type, args []testcase.Ref, results []string) []object {
	is := func(have types.Type) bool {
		if p, ok := types.Unalias(have).(*types.Pointer); ok {
			have = p.Elem()
		}
		n, ok := types.Unalias(have).(*types.Named)
		return ok && n.Obj().Pkg() == s.Pkg.Types && n.Obj().Name() == t.Spec.Name.Name
	}
	var objects, copies, parts []object
	for _, a := range args {
		have := s.TypeOf(a)
		text := s.Ref(a, nil).Operand()
		if is(have) {
			o := object{text: dereferenced(t, have, text)}
			switch have.Underlying().(type) {
			case *types.Pointer, *types.Slice, *types.Map:
				objects = append(objects, o)
			default:
				copies = append(copies, o)
			}
		}
		parts = append(parts, s.partsOf(t, have, text, is)...)
	}
	last := s.Seq.Len() - 1
	for r, have := range s.Types[last] {
		const name = "\x00" // a name is picked only for a result that is asked
		led := append(s.partsOf(t, have, name, is), s.elementsOf(t, have, name, is)...)
		if !is(have) && len(led) == 0 {
			continue
		}
		results[r] = s.Scope.Pick("got")
		if is(have) {
			o := object{text: dereferenced(t, have, results[r])}
			if _, pointer := types.Unalias(have).(*types.Pointer); pointer {
				o.guard = results[r] + " != nil" // mended code may say so that there is none
			}
			objects = append(objects, o)
		}
		for _, o := range led {
			called := func(text string) string { return strings.ReplaceAll(text, name, results[r]) }
			objects = append(objects, object{called(o.text), called(o.guard), called(o.open)})
		}
	}
	objects = append(objects, parts...)
	if len(objects) == 0 {
		return copies
	}
	return objects
}

// dereferenced returns an object as an operand of the type that an invariant is about.
func dereferenced(t *contract.Type, have types.Type, text string) string {
	if _, pointer := types.Unalias(have).(*types.Pointer); pointer && !t.Pointer {
		return "(*" + text + ")"
	}
	return text
}

// partsOf returns the objects that the fields of a struct hold, or of one that a pointer leads to, as far as a test can
// name them.
func (s *script) partsOf(t *contract.Type, have types.Type, text string, is func(types.Type) bool) []object {
	if p, ok := types.Unalias(have).(*types.Pointer); ok {
		have = p.Elem()
	}
	st, ok := have.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []object
	for f := range st.Fields() {
		if !s.Selectable(f) {
			continue
		}
		field := text + "." + f.Name()
		if _, pointer := types.Unalias(f.Type()).(*types.Pointer); is(f.Type()) && pointer {
			out = append(out, object{text: dereferenced(t, f.Type(), field), guard: field + " != nil"})
		} else if is(f.Type()) && types.Comparable(f.Type()) {
			out = append(out, object{text: field, guard: field + " != " + parenthesised(s.Zero(f.Type(), f.Type()))})
		}
		out = append(out, s.elementsOf(t, f.Type(), field, is)...)
	}
	return out
}

// elementsOf returns the objects that a list or a map holds, or an interface.
func (s *script) elementsOf(t *contract.Type, have types.Type, text string, is func(types.Type) bool) []object {
	var elem types.Type
	switch u := have.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	case *types.Map:
		elem = u.Elem()
	case *types.Interface:
		named, ok := s.Pkg.Types.Scope().Lookup(t.Spec.Name.Name).(*types.TypeName)
		if !ok || named.Type().(*types.Named).TypeParams().Len() > 0 || !s.Reachable(named) {
			return nil
		}
		var out []object
		for _, held := range []types.Type{named.Type(), types.NewPointer(named.Type())} {
			if types.Implements(held, u) {
				part, ok := s.Scope.Pick("part"), s.Scope.Pick("ok")
				out = append(out, object{text: dereferenced(t, held, part), open: "if " + part + ", " + ok + " := " + text + ".(" + s.Type(held) + "); " + ok + " {"})
			}
		}
		return out
	default:
		return nil
	}
	if !is(elem) {
		return nil
	}
	part := s.Scope.Pick("part")
	o := object{text: dereferenced(t, elem, part), open: "for _, " + part + " := range " + text + " {"}
	if _, pointer := types.Unalias(elem).(*types.Pointer); pointer {
		o.guard = part + " != nil"
	}
	return []object{o}
}
