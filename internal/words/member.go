package words

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// container is a value that an argument can be an element of: the receiver, another input, or the
// result of an observer.
type container struct {
	r     reads
	input int // the number of the input, -1 for an observer's result
	elem  types.Type
	name  string
	// keyed says that the elements are the keys of a map. Keys have no places.
	keyed bool
	of    func(c *call) testcase.Value
}

// addMembers adds whether and where an argument is among the elements of a container:
// "present", "absent", "smaller than all", "first element".
func (n *Namer) addMembers() {
	var all []container
	for i := range n.subjects[:n.inputs] {
		if e := elemOf(n.inputType(i)); e != nil && i < 64 {
			all = append(all, container{reads{inputs: 1 << i}, i, e, n.subjects[i].name, isMap(n.inputType(i)), func(c *call) testcase.Value { return c.inputs[i] }})
		}
	}
	for i, f := range n.observers {
		if e := n.observedElem(f); e != nil && i < 64 {
			all = append(all, container{reads{observers: 1 << i}, -1, e, n.seen[i].name, isMap(resultOf(f)), func(c *call) testcase.Value { return c.before[i] }})
		}
	}
	n.addKeys()
	for i, s := range n.subjects[:n.inputs] {
		if i > 63 || n.hasRecv && i == 0 {
			continue
		}
		t := n.inputType(i)
		fits := func(k container) bool { return sameElement(k.elem, t) && (k.input < 0 || n.meets(i, k.input)) }
		fit := 0
		for _, k := range all {
			if fits(k) {
				fit++
			}
		}
		arguments := 0
		for j := range n.subjects[:n.inputs] {
			if types.Identical(n.inputType(j), t) {
				arguments++
			}
		}
		for _, k := range all {
			if fits(k) {
				n.addMember(i, s, k, fit == 1 && arguments == 1)
			}
			if e := elemOf(t); e != nil && !isMap(t) && !isBytes(t) && !isRunes(t) && k.input != i && sameElement(k.elem, e) && (k.input < 0 || n.meets(i, k.input)) {
				n.addAmong(i, s, k)
			}
		}
	}
}

// observedElem returns the type of the elements of the list that an observer returns, nil if it returns none. A helper is
// written for one instance of a generic type, and its elements are of the type's first parameter.
func (n *Namer) observedElem(f *types.Func) types.Type {
	if n.isHelper(f) && f.Name() == testcase.EntriesName {
		return nil // "key=value" is no key; see addKeys
	}
	e := elemOf(resultOf(f))
	if e != nil && n.isHelper(f) && n.hasRecv {
		if params := n.sig.RecvTypeParams(); params.Len() > 0 {
			return params.At(0)
		}
	}
	return e
}

// addKeys adds whether a method's first argument is a key of its receiver, where a helper lists the entries.
func (n *Namer) addKeys() {
	if !n.hasRecv || n.inputs < 2 {
		return
	}
	for i, f := range n.observers {
		if !n.isHelper(f) || f.Name() != testcase.EntriesName || i > 63 {
			continue
		}
		for _, there := range []bool{true, false} {
			p := predicate{phrase: phrase{text: "present", clause: n.subjects[1].clause + " is present"}, reads: reads{inputs: 1 << 1, observers: 1 << i}, place: placeReceiver, lookup: true}
			if !there {
				p.phrase = phrase{text: "absent", clause: n.subjects[1].clause + " is absent"}
			}
			n.add(p, func(c *call) truth {
				entries, key := contents(c.before[i]), text(c.inputs[1])
				if c.before[i].Kind == testcase.Invalid || entries.Cut || key == "" {
					return unknown
				}
				found := slices.ContainsFunc(entries.Elems, func(e testcase.Value) bool { return strings.HasPrefix(e.Str, key+"=") })
				return truthOf(found == there)
			})
		}
	}
}

// addLookedUp adds whether an argument is an element of its receiver, where a lookup of the type says so.
func (n *Namer) addLookedUp() {
	args := make(map[int]bool)
	for _, c := range n.calls {
		if c.member != nil && c.member.Arg < n.inputs {
			args[c.member.Arg] = true
		}
	}
	for _, i := range slices.Sorted(maps.Keys(args)) {
		for _, in := range []bool{true, false} {
			where := "absent"
			if in {
				where = "present"
			}
			p := predicate{phrase: phrase{text: where, clause: n.subjects[i].clause + " is " + where}, reads: reads{inputs: 1 << i}, place: placeReceiver, lookup: true}
			n.add(p, func(c *call) truth {
				if c.member == nil || c.member.Arg != i {
					return unknown
				}
				return truthOf(c.member.In == in)
			})
		}
	}
}

// text returns a number or a text as package fmt prints it, "" for other values.
func text(v testcase.Value) string {
	switch v.Kind {
	case testcase.String:
		return v.Str
	case testcase.Int:
		return strconv.FormatInt(int64(v.Bits), 10)
	case testcase.Uint:
		return strconv.FormatUint(v.Bits, 10)
	}
	return ""
}

// elemOf returns the type of a slice's elements or of a map's keys, nil for other types.
func elemOf(t types.Type) types.Type {
	switch u := behind(t).Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Key()
	}
	return nil
}

func isMap(t types.Type) bool {
	_, ok := behind(t).Underlying().(*types.Map)
	return ok
}

// behind returns the type that a pointer leads to if that is a list or a map, otherwise the type
// itself.
func behind(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		switch p.Elem().Underlying().(type) {
		case *types.Slice, *types.Map, *types.Array:
			return p.Elem()
		}
	}
	return t
}

// contents returns the list or map that a value is or points to.
func contents(v testcase.Value) testcase.Value {
	if v.Kind == testcase.Pointer && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	if v.Kind == testcase.Nil {
		v = testcase.Value{Kind: testcase.Slice}
	}
	return v
}

// sameElement reports whether a value of type t can be an element of type e. Two type parameters count as equal, because
// those of a type and those of its methods are not the same objects.
func sameElement(e, t types.Type) bool {
	return types.Identical(e, t) || isTypeParam(e) && isTypeParam(t)
}

// addMember adds predicates that say where input i is in a container. The parameter called only is true if no other
// container could be meant.
func (n *Namer) addMember(i int, s subject, k container, only bool) {
	r := k.r
	r.inputs |= 1 << i
	say := func(where string, clause string) phrase {
		p := phrase{text: where, clause: s.clause + " is " + clause}
		if !only {
			p = phrase{text: s.name + " " + where + " in " + k.name, clause: s.clause + " is " + clause + " in " + k.name, strain: slight}
		}
		return p
	}
	member := func(holds func(at, size int, sides [2]int) bool) func(c *call) truth {
		return func(c *call) truth {
			v, x := contents(k.of(c)), c.inputs[i]
			if x.Kind == testcase.Invalid || v.Kind == testcase.Invalid || v.Kind == testcase.Opaque || v.Cut || v.Again {
				return unknown
			}
			at, size, sides, ok := locate(v, x)
			if !ok {
				return unknown
			}
			return truthOf(holds(at, size, sides))
		}
	}
	add := func(p phrase, holds func(at, size int, sides [2]int) bool) {
		place := placeReceiver
		if k.r.inputs != 0 {
			place = placeInput + i
		}
		n.add(predicate{phrase: p, reads: r, place: place, lookup: true}, member(holds))
	}
	add(say("present", "present"), func(at, _ int, _ [2]int) bool { return at >= 0 })
	add(say("absent", "absent"), func(at, _ int, _ [2]int) bool { return at < 0 })
	if k.keyed {
		return // nothing has a place in a map
	}
	if n.inOrder(k) {
		add(say("smaller than all", "smaller than all"), func(at, size int, sides [2]int) bool { return at < 0 && size > 0 && sides[1] == size })
		add(say("larger than all", "larger than all"), func(at, size int, sides [2]int) bool { return at < 0 && size > 0 && sides[0] == size })
		add(say("between others", "between others"), func(at, _ int, sides [2]int) bool { return at < 0 && sides[0] > 0 && sides[1] > 0 })
	}
	add(say("only element", "the only element"), func(at, size int, _ [2]int) bool { return at == 0 && size == 1 })
	add(say("first element", "the first element"), func(at, size int, _ [2]int) bool { return at == 0 && size > 1 })
	add(say("last element", "the last element"), func(at, size int, _ [2]int) bool { return at > 0 && at == size-1 })
	add(say("middle element", "an element in the middle"), func(at, size int, _ [2]int) bool { return at > 0 && at < size-1 })
}

// addAmong adds how many of the elements of input i, a list, are in a container.
func (n *Namer) addAmong(i int, s subject, k container) {
	r := k.r
	r.inputs |= 1 << i
	count := func(c *call) (in, all int, known bool) {
		v, list := contents(k.of(c)), contents(c.inputs[i])
		if list.Kind != testcase.Slice || v.Kind != testcase.Slice && v.Kind != testcase.Map && v.Kind != testcase.Array || v.Cut || v.Again || list.Cut || len(list.Elems) != list.Len {
			return 0, 0, false
		}
		for _, x := range list.Elems {
			at, _, _, ok := locate(v, x)
			if !ok {
				return 0, 0, false
			}
			in += bit(at >= 0)
		}
		return in, list.Len, true
	}
	for _, p := range []struct {
		one, many string
		holds     func(in, all int) bool
	}{
		{"present", "all present", func(in, all int) bool { return all > 0 && in == all }},
		{"absent", "all absent", func(in, all int) bool { return all > 0 && in == 0 }},
		{"", "some present", func(in, all int) bool { return in > 0 && in < all }},
	} {
		for _, several := range []bool{false, true} {
			text := p.one
			if several {
				text = p.many
			}
			if text == "" {
				continue
			}
			clause := "the only element of " + s.clause + " is " + text
			if several {
				how, where, _ := strings.Cut(text, " ")
				clause = how + " elements of " + s.clause + " are " + where
			}
			q := predicate{phrase: phrase{text: text, clause: clause}, reads: r, place: placeInput + i}
			n.add(q, func(c *call) truth {
				in, all, known := count(c)
				if !known {
					return unknown
				}
				return truthOf((all > 1) == several && p.holds(in, all))
			})
		}
	}
}

// inOrder reports whether a container lists its elements in order in all calls. In others, a hash ring say, what is smaller than
// all elements tells nothing.
func (n *Namer) inOrder(k container) bool {
	for _, c := range n.calls {
		v := contents(k.of(c))
		if v.Kind != testcase.Slice && v.Kind != testcase.Array {
			continue
		}
		for i := 1; i < len(v.Elems); i++ {
			if sign, ordered := order(v.Elems[i-1], v.Elems[i]); !ordered || sign > 0 {
				return false
			}
		}
	}
	return true
}

// locate returns the first place of a value among the elements of a slice, an array or the keys of a map, or
// -1 if the value is not among them. It also returns how many elements there are, and how many of them are
// smaller and larger than the value.
func locate(v, x testcase.Value) (at, size int, sides [2]int, ok bool) {
	at = -1
	step := 1
	if v.Kind == testcase.Map {
		step = 2
	}
	for i := 0; i < len(v.Elems); i += step {
		switch equal(v.Elems[i], x) {
		case yes:
			if at < 0 {
				at = size
			}
		case unknown:
			return 0, 0, sides, false
		}
		if k, ordered := order(v.Elems[i], x); ordered {
			sides[0] += bit(k < 0)
			sides[1] += bit(k > 0)
		}
		size++
	}
	return at, size, sides, true
}

// addComplete adds the predicate that none of several arguments is nil, for functions that take nothing else.
func (n *Namer) addComplete() {
	p := predicate{phrase: phrase{text: "no nil argument", clause: "no argument is nil", strain: last}, place: placeInput}
	var which []int
	for i := bit(n.hasRecv); i < min(n.inputs, 64); i++ {
		switch n.inputType(i).Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
			if !isTypeParam(n.inputType(i)) {
				which = append(which, i)
				p.inputs |= 1 << i
			}
		default:
			return
		}
	}
	if len(which) < 2 {
		return
	}
	n.add(p, func(c *call) truth {
		all := yes
		for _, i := range which {
			switch c.inputs[i].Kind {
			case testcase.Nil:
				return no
			case testcase.Invalid:
				all = unknown
			}
		}
		return all
	})
}

// wordsOfOrder returns how one says of two values of a type that one is less or greater, nothing if the type has no
// order that everybody expects. Texts and identifiers have one where the function's name says that it is about order.
func (n *Namer) wordsOfOrder(t types.Type) []string {
	if basicIs(t, types.IsNumeric) {
		return []string{" below ", " above "}
	}
	a, isArray := t.Underlying().(*types.Array)
	orders := slices.ContainsFunc([]string{"Compare", "Cmp", "Less", "Before", "After", "Order", "Sort", "Equal"}, func(word string) bool {
		return strings.Contains(strings.ToLower(n.fn.Name()), strings.ToLower(word))
	})
	if orders && (basicIs(t, types.IsString) || isArray && basicIs(a.Elem(), types.IsInteger)) {
		return []string{" before ", " after "}
	}
	return nil
}

// addPairs adds how inputs of one type, the receiver among them, compare with each other.
func (n *Namer) addPairs() {
	for i := range min(n.inputs, 8) {
		for j := i + 1; j < min(n.inputs, 8); j++ {
			t := n.inputType(i)
			if !types.Identical(t, n.inputType(j)) || !types.Comparable(t) || nilable(t) || basicIs(t, types.IsBoolean) {
				continue
			}
			a, b := n.subjects[i].name, n.subjects[j].name
			same := phrase{text: a + " == " + b, clause: a + " is equal to " + b, strain: slight}
			other := phrase{text: a + " != " + b, clause: a + " differs from " + b, strain: slight}
			if n.inputs == 2 || n.hasRecv && i > 0 && n.inputs == 3 {
				same.text, same.strain = "equal", 0
				other.text = "different"
			}
			p := predicate{reads: reads{inputs: 1<<i | 1<<j}, place: placeInput + i}
			p.phrase = same
			n.add(p, func(c *call) truth { return equal(c.inputs[i], c.inputs[j]) })
			p.phrase = other
			n.add(p, func(c *call) truth { return negated(equal(c.inputs[i], c.inputs[j])) })
			for way, word := range n.wordsOfOrder(t) {
				p.phrase = phrase{text: a + word + b, clause: a + " is" + word + b, strain: slight}
				n.add(p, func(c *call) truth {
					if c.inputs[i].Kind == testcase.Invalid || c.inputs[j].Kind == testcase.Invalid {
						return unknown
					}
					k, ok := order(c.inputs[i], c.inputs[j])
					return truthOf(ok && (way == 0 && k < 0 || way == 1 && k > 0))
				})
			}
		}
	}
}
