package words

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// findObservers numbers the observers that were asked anywhere, in the order of the source.
func (n *Namer) findObservers(all []Call) {
	found := map[*types.Func]bool{}
	for _, c := range all {
		for _, list := range [][]Observation{c.Before, c.After} {
			for _, o := range list {
				if o.Method != nil && !found[o.Method.Origin()] {
					found[o.Method.Origin()] = true
					n.observers = append(n.observers, o.Method.Origin())
				}
			}
		}
	}
	sortByPos(n.observers, func(f *types.Func) (token.Pos, string) { return f.Pos(), f.Name() })
	for i, f := range n.observers {
		n.byMethod[f] = i
	}
}

// observed returns the observers' results by the observers' numbers.
func (n *Namer) observed(list []Observation) []testcase.Value {
	out := make([]testcase.Value, len(n.observers))
	for _, o := range list {
		if o.Method != nil {
			out[n.byMethod[o.Method.Origin()]] = o.Value
		}
	}
	return out
}

// observer returns the number of an observer, or -1 if the method is no observer.
func (n *Namer) observer(f *types.Func) int {
	if f == nil {
		return -1
	}
	if i, ok := n.byMethod[f.Origin()]; ok {
		return i
	}
	return -1
}

// counts reports whether the name of a method says that it returns the number of elements.
func counts(name string) bool {
	switch name {
	case "Len", "Size", "Count", "Length":
		return true
	}
	return strings.HasPrefix(name, "Num") && len(name) > 3
}

// observerSubjects returns a subject for each observer's result.
func (n *Namer) observerSubjects() {
	enums := 0
	for _, f := range n.observers {
		if n.enums.of(resultOf(f)) != nil {
			enums++
		}
	}
	for _, f := range n.observers {
		t := resultOf(f)
		words := strings.Join(splitWords(f.Name()), " ")
		s := subject{name: words, clause: "the " + words}
		switch {
		case n.isHelper(f):
			s = n.receiver()
			s.one, s.many = "element", "elements"
		case counts(f.Name()):
			s = n.receiver()
			s.one, s.many = "element", "elements"
			if len(f.Name()) > 3 && strings.HasPrefix(f.Name(), "Num") {
				s.one, s.many = nouns(strings.ToLower(f.Name()[3:]))
			}
		case n.enums.of(t) != nil && enums == 1, basicIs(t, types.IsBoolean):
			s = n.receiver()
		}
		n.seen = append(n.seen, s)
	}
}

// isHelper reports whether an observer is no method but a helper that lists elements.
func (n *Namer) isHelper(f *types.Func) bool { return f.Signature().Recv() == nil }

// resultOf returns the first result's type of a method.
func resultOf(f *types.Func) types.Type {
	if rs := f.Signature().Results(); rs.Len() > 0 {
		return rs.At(0).Type()
	}
	return types.Typ[types.Invalid]
}

func basicIs(t types.Type, info types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

// addObservers adds predicates over the observers' results before the call.
func (n *Namer) addObservers() {
	counted := false
	for _, f := range n.observers {
		counted = counted || counts(f.Name())
	}
	for i, f := range n.observers {
		if i > 63 {
			break
		}
		t := resultOf(f)
		s := n.seen[i]
		r := reads{observers: 1 << i}
		p := predicate{reads: r, place: placeReceiver}
		get := func(c *call) testcase.Value { return c.before[i] }
		switch {
		case basicIs(t, types.IsBoolean):
			for _, truth := range []bool{true, false} {
				p.phrase = s.called(f.Name(), truth)
				n.add(p, ask(get, func(v testcase.Value) bool { return (v.Bits != 0) == truth }))
			}
		case counts(f.Name()):
			n.addCounts(s, r, get)
		case n.enums.of(t) != nil:
			n.addEnumeration(n.enums.of(t), s, r, get)
		default:
			_, isSlice := t.Underlying().(*types.Slice)
			_, isMap := t.Underlying().(*types.Map)
			if isSlice || isMap {
				if !counted {
					counted = true
					s = n.receiver()
					s.one, s.many = "element", "elements"
					n.addCounts(s, r, func(c *call) testcase.Value { return length(of(c.before[i])).Value })
				}
				continue
			}
			if isTypeParam(t) || basicIs(t, types.IsString) && f.Name() == "String" {
				continue // an element, or all of the object as text: what shapes these have is chance
			}
			n.addShapes(s, r, t, get)
			n.addConstants(s, r, t, get)
		}
	}
}

// ask makes a predicate over one value of a call. The predicate is unknown on calls where the value is not
// known.
func ask(get func(*call) testcase.Value, holds func(testcase.Value) bool) func(*call) truth {
	return func(c *call) truth {
		v := get(c)
		if v.Kind == testcase.Invalid {
			return unknown
		}
		return truthOf(holds(v))
	}
}

// addCounts adds predicates that say how many elements a container has.
func (n *Namer) addCounts(s subject, r reads, get func(*call) testcase.Value) {
	for k := range 4 {
		p := predicate{phrase: s.holds("", k), reads: r, place: placeReceiver, edge: k <= 1}
		n.add(p, ask(get, func(v testcase.Value) bool { return v.Bits == uint64(k) }))
	}
	p := predicate{phrase: s.stands("not empty"), reads: r, place: placeReceiver}
	p.strain = clumsy
	n.add(p, ask(get, func(v testcase.Value) bool { return v.Bits != 0 }))
	p.phrase = phrase{text: "several " + s.many, clause: s.clause + " has several " + s.many}
	n.add(p, ask(get, func(v testcase.Value) bool { return v.Bits > 1 }))
}

// addEnumeration adds which declared constant a value is.
func (n *Namer) addEnumeration(e *enumeration, s subject, r reads, get func(*call) testcase.Value) {
	p := predicate{reads: r, place: n.placeOf(r)}
	typeWords := strings.Join(splitWords(e.named.Obj().Name()), " ")
	for _, c := range e.consts {
		words := constantWords(c.Name(), e.named.Obj().Name())
		p.phrase = s.state(words, true)
		if strings.EqualFold(strings.Join(splitWords(s.name), " "), typeWords) && !IsAdjective(words) {
			p.text = words // the parameter is named after its type, so the constant says it all
		}
		n.add(p, ask(get, func(v testcase.Value) bool { return valueKey(v) == constantKey(c.Val()) }))
	}
	p.phrase = s.is("undeclared")
	n.add(p, ask(get, func(v testcase.Value) bool { return e.constant(v) == nil }))
}

// addMoves adds predicates that say which observer returns something else after the call: "becomes full",
// "balance rises above investAbove". They speak of the outcome.
func (n *Namer) addMoves() {
	for i, f := range n.observers {
		t := resultOf(f)
		s := n.seen[i]
		moves := func(holds func(from, to testcase.Value) bool) func(*call) truth {
			return func(c *call) truth {
				from, to := c.before[i], c.after[i]
				if c.outcome.ended {
					return no // after a call that never returned, the receiver cannot be observed
				}
				if from.Kind == testcase.Invalid || to.Kind == testcase.Invalid {
					return unknown
				}
				return truthOf(!from.Equal(to) && holds(from, to))
			}
		}
		p := predicate{outcome: true, place: placeOutcome}
		become := func(q phrase) {
			word, ok := strings.CutPrefix(q.clause, s.clause+" is ")
			p.phrase = phrase{}
			if ok {
				p.phrase = phrase{text: "becomes " + word, strain: last + q.strain}
			}
		}
		switch e := n.enums.of(t); {
		case basicIs(t, types.IsBoolean):
			for _, truth := range []bool{true, false} {
				become(s.called(f.Name(), truth))
				n.add(p, moves(func(_, to testcase.Value) bool { return (to.Bits != 0) == truth }))
			}
		case e != nil:
			for _, c := range e.consts {
				become(s.chosen(constantWords(c.Name(), e.named.Obj().Name()), true))
				n.add(p, moves(func(_, to testcase.Value) bool { return valueKey(to) == constantKey(c.Val()) }))
			}
		case basicIs(t, types.IsInteger) && !counts(f.Name()):
			for _, c := range n.constants(t) {
				limit := constantValue(c.Val(), t)
				if limit.Kind == testcase.Invalid {
					continue
				}
				side := func(v testcase.Value) int { k, _ := order(v, limit); return k }
				p.phrase = phrase{text: s.name + " rises above " + c.Name(), strain: named}
				n.add(p, moves(func(from, to testcase.Value) bool { return side(from) <= 0 && side(to) > 0 }))
				p.phrase = phrase{text: s.name + " rises to " + c.Name(), strain: named}
				n.add(p, moves(func(from, to testcase.Value) bool { return side(from) < 0 && side(to) == 0 }))
				p.phrase = phrase{text: s.name + " falls below " + c.Name(), strain: named}
				n.add(p, moves(func(from, to testcase.Value) bool { return side(from) >= 0 && side(to) < 0 }))
			}
		}
	}
}

// constants returns the declared constants of the package that the function mentions and
// that can be compared with values of a type.
func (n *Namer) constants(t types.Type) []*types.Const {
	var out []*types.Const
	for _, c := range n.mentioned {
		b, ok := t.Underlying().(*types.Basic)
		if !ok {
			break
		}
		untyped := basicIs(c.Type(), types.IsUntyped)
		switch {
		case !untyped && !types.Identical(c.Type(), t):
		case b.Info()&types.IsNumeric != 0 && (c.Val().Kind() == constant.Int || c.Val().Kind() == constant.Float),
			b.Info()&types.IsString != 0 && c.Val().Kind() == constant.String:
			out = append(out, c)
		}
	}
	return out
}
