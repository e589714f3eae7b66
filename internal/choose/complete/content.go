package complete

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// This file gives content to what a case leaves hollow: elements of lists that are zero, empty keys and values of maps, signs in their
// place that a solver chose, and pointers to nothing. A function that looks a key up shows with {{}, {}} only that it returns, and wrong
// code does so, too. What is passed beside them goes with them: a key that is looked up becomes the key that the element has.

// MostContents is how many ways there are to give content to one case.
const MostContents = len(manners)

// Content returns a way that gives content to all that a case leaves hollow, the n-th way of several, the plainest first. Lists, maps and texts
// that are passed by themselves stay empty.
func Content(n int) plain.Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		seqs := contents(pkg, c, n+1)
		if n >= len(seqs) {
			return nil, false
		}
		return seqs[n], true
	}
}

// Operations returns the operations of what Content makes of cases. A caller who builds a program to run proposals can include them from
// the start.
func Operations(pkg *load.Package, cases []*testcase.Case) []*testcase.Operation {
	const most = 2 // the others make values of the same types
	var out []*testcase.Operation
	for _, c := range cases {
		for _, seq := range contents(pkg, c, most) {
			for _, st := range seq.AppendTo(nil) {
				out = append(out, st.Op)
			}
		}
	}
	return out
}

// links says which arguments that are the same as a hollow key or field get its content.
type links int

const (
	byName links = iota // those whose parameters are called as the field, or keys where it is a key
	none
	all // and elements of other arguments
)

// manner is how hollow parts get content.
type manner struct {
	links    links
	numbers  bool // the first value that may be anything is a number, and no text
	one      bool // maps of one entry get no other one
	keys     bool // only keys and texts in structs get content
	together bool // what is passed twice is made once
}

// manners are the ways in which a case may get content. An empty value in a map may be what the case is about, so that the last ones give content
// to the keys alone.
var manners = [...]manner{
	{links: byName}, {links: byName, numbers: true},
	{links: none}, {links: none, numbers: true},
	{links: all}, {links: all, numbers: true},
	{links: byName, one: true}, {links: none, one: true}, {links: all, one: true},
	{links: byName, keys: true}, {links: none, keys: true}, {links: all, keys: true},
	{links: byName, together: true}, {links: all, one: true, keys: true, together: true},
}

// contents returns up to most sequences of a case with content in all that is hollow, all different.
func contents(pkg *load.Package, c *testcase.Case, most int) []*testcase.Sequence {
	if c.Story != nil || c.Whole || !isHollow(pkg, c) {
		return nil
	}
	var out []*testcase.Sequence
	seen := map[string]bool{c.Seq.Key(): true}
	for _, how := range manners {
		seq, ok := filled(pkg, c, how)
		if key := seq.Key(); ok && !seen[key] {
			seen[key] = true
			out = append(out, seq)
		}
		if len(out) == most {
			break
		}
	}
	return out
}

// isHollow reports whether anything of a case gets content.
func isHollow(pkg *load.Package, c *testcase.Case) bool {
	f := newFiller(pkg, c, manner{})
	f.run()
	return f.changed
}

// filled returns the sequence of a case with content in all that is hollow, and false if nothing is. The first run finds out what takes the place of what, because
// arguments before a list follow it as well.
func filled(pkg *load.Package, c *testcase.Case, how manner) (*testcase.Sequence, bool) {
	first := newFiller(pkg, c, how)
	first.run()
	second := newFiller(pkg, c, how)
	second.given = first.given
	second.run()
	return second.b.Sequence(), second.changed
}

// filler makes one sequence with content.
type filler struct {
	pkg *load.Package
	of  *types.Func // the function of the case's own call, nil if it has none
	seq *testcase.Sequence
	how manner

	b       testcase.Builder
	at      map[int]int  // where the results of statements are, by the statement
	touched map[int]bool // what is passed to other calls than the case's own
	copies  bool         // what was made for an earlier argument is made again
	arg     [2]int       // the argument that is being made: its call, and its number there
	entries map[int]int  // the map that gets its entry in the literal, by the assignment of the entry

	given   map[string]given // by what was hollow, its first content
	words   wordlist
	mixed   int // how many values that may be anything were given
	changed bool
}

// given is the content of a part that was hollow, the name of the part (of its field, or "key"), and the argument that has it.
type given struct {
	lit  testcase.Literal
	name string
	arg  [2]int
}

func newFiller(pkg *load.Package, c *testcase.Case, how manner) *filler {
	f := &filler{pkg: pkg, of: c.Seq.At(c.TargetStmt()).Op.Func, seq: c.Seq, how: how, at: make(map[int]int), touched: make(map[int]bool), given: make(map[string]given), words: newWords(pkg, c.Seq)}
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if isMade(st.Op.Kind) || i == c.TargetStmt() {
			continue
		}
		for _, a := range st.Args {
			f.touched[a.Stmt] = true
		}
	}
	f.entries = assigned(c.Seq)
	return f
}

// assigned returns the assignments of entries that a person would write in the literal of the map, and the statements that make the maps: the
// first uses of a map that is written out, with different constants as keys.
func assigned(s *testcase.Sequence) map[int]int {
	out := make(map[int]int)
	used, keys := make(map[int]bool), make(map[string]bool)
	key := func(m int, a testcase.Ref) string {
		op := s.At(a.Stmt).Op
		return fmt.Sprint(m, " ", op.Type, " ", op.Lit)
	}
	for i := range s.Len() {
		st := s.At(i)
		if st.Op.Kind == testcase.OpComposite && st.Op.N == 0 {
			if _, ok := st.Op.Type.Underlying().(*types.Map); ok {
				for k := 0; k < len(st.Args); k += 2 {
					keys[key(i, st.Args[k])] = true
				}
			}
		}
		if st.Op.Kind == testcase.OpSetIndex {
			m := st.Args[0].Stmt
			made := s.At(m).Op
			if made.Kind == testcase.OpComposite && made.N == 0 && !used[m] && s.At(st.Args[1].Stmt).Op.Kind == testcase.OpLiteral && !keys[key(m, st.Args[1])] && isWritten(s, st.Args[2], m) {
				out[i], keys[key(m, st.Args[1])] = m, true
				continue
			}
		}
		for _, a := range st.Args {
			used[a.Stmt] = true
		}
	}
	return out
}

// isWritten reports whether a value is written out, and has no part of another one in it.
func isWritten(s *testcase.Sequence, a testcase.Ref, but int) bool {
	st := s.At(a.Stmt)
	return isMade(st.Op.Kind) && a.Stmt != but && !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return !isWritten(s, a, but) })
}

// isMade reports whether operations of a kind write a value out.
func isMade(k testcase.OpKind) bool {
	return k == testcase.OpLiteral || k == testcase.OpZero || k == testcase.OpComposite || k == testcase.OpAddr || k == testcase.OpConvert
}

// slot is the place of a value.
type slot struct {
	name   string // of the parameter, the field or the key that the value is for
	inside bool   // the value is part of a list or a map, or what a pointer leads to
	odd    bool   // something beside it is hollow, so that a single letter has not been chosen either
	valued bool   // the value is one of a map, and no key that other arguments could have as well
	frozen bool   // the value has a meaning for another package
	keys   []string
}

// run makes the sequence.
func (f *filler) run() {
	for i := range f.seq.Len() {
		st := f.seq.At(i)
		if isMade(st.Op.Kind) && i < f.seq.Len()-1 {
			continue
		}
		if _, ok := f.entries[i]; ok {
			f.changed = true // the literal has it
			continue
		}
		own := st.Op.Func == nil && st.Op.Kind.Assigns() || st.Op.Func != nil && st.Op.Func.Pkg() == f.pkg.Types
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			f.arg = [2]int{i, k}
			f.copies = !f.how.together && k > 0 && st.Op.Func != nil && st.Op.Func == f.of
			args[k] = f.build(a, slot{name: parameter(st.Op, k), frozen: !own, inside: st.Op.Kind == testcase.OpSetIndex && k > 1})
		}
		f.copies = false
		f.at[i] = f.b.Add(st.Op, args...).Stmt
	}
}

// parameter returns the name of what a call gives its k-th argument to. The key of an assignment to a map is called so.
func parameter(op *testcase.Operation, k int) string {
	if op.Kind == testcase.OpSetIndex && k == 1 {
		return "key"
	}
	sig, k := op.Signature(), k-op.FirstParam()
	if sig == nil || sig.Params().Len() == 0 || k < 0 {
		return ""
	}
	return sig.Params().At(min(k, sig.Params().Len()-1)).Name()
}

// build makes a value anew, with content, and returns where it is. Lists, maps and pointers that are used several times are made once.
func (f *filler) build(r testcase.Ref, s slot) testcase.Ref {
	st := f.seq.At(r.Stmt)
	at, made := f.at[r.Stmt]
	shared := st.Op.Kind == testcase.OpAddr || isReference(st.Op.Type)
	if made && (!isMade(st.Op.Kind) || shared && (!f.copies || f.touched[r.Stmt])) {
		return testcase.Ref{Stmt: at, Result: r.Result}
	}
	for _, i := range slices.Sorted(maps.Keys(f.entries)) {
		if f.entries[i] == r.Stmt {
			st.Args = append(slices.Clone(st.Args), f.seq.At(i).Args[1:]...)
		}
	}
	out := f.value(st, s)
	if !made {
		f.at[r.Stmt] = out.Stmt
	}
	return out
}

// isReference reports whether several places can have the same value of a type, so that a change in one shows in the other.
func isReference(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// value makes the value of a statement with content.
func (f *filler) value(st testcase.Statement, s slot) testcase.Ref {
	if s.frozen || st.Op.IsNameless() {
		s.frozen = true
		return f.kept(st, s)
	}
	if _, ok := st.Op.Type.Underlying().(*types.Basic); ok && (st.Op.Kind == testcase.OpLiteral || st.Op.Kind == testcase.OpZero) {
		return f.constant(st, s)
	}
	empty := len(st.Args) == 0 && (st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpComposite && st.Op.N == 0)
	switch u := st.Op.Type.Underlying().(type) {
	case *types.Struct:
		if s.inside && writable(f.pkg, st.Op.Type) || !empty {
			return f.structure(st, u, s)
		}
	case *types.Map:
		if !empty && st.Op.N == 0 {
			return f.dictionary(st, u, s)
		}
	case *types.Slice, *types.Array:
		if !empty {
			return f.list(st, s)
		}
	}
	if st.Op.Kind == testcase.OpAddr && isBasic(f.seq.At(st.Args[0].Stmt).Op.Type) {
		s.inside = true // of a pointer to nothing nobody sees whether it is followed
	}
	if empty && s.inside {
		if r, ok := f.content(st.Op.Type, s, 0); ok {
			f.changed = true
			return r
		}
	}
	return f.kept(st, s)
}

// isBasic reports whether a type is a basic one. The results of calls have no type in their operation.
func isBasic(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// kept makes the value of a statement as it is, of parts that may get content.
func (f *filler) kept(st testcase.Statement, s slot) testcase.Ref {
	args := make([]testcase.Ref, len(st.Args))
	for k, a := range st.Args {
		args[k] = f.build(a, s)
	}
	return f.b.Add(st.Op, args...)
}

// constant makes a constant: content in place of a zero in a list or a map, what became of the same zero elsewhere, or the constant.
func (f *filler) constant(st testcase.Statement, s slot) testcase.Ref {
	lit := st.Op.Lit
	if st.Op.Choice != nil {
		return f.b.Add(st.Op)
	}
	key := fmt.Sprint(types.TypeString(st.Op.Type.Underlying(), nil), lit.Bits, lit.Imag, lit.Str)
	zero := isZero(st)
	had, found := f.given[key]
	switch odd := f.words.isOdd(lit.Str, s.odd); {
	case found && zero && !s.valued && f.how.links == all && (had.arg != f.arg || !s.inside):
		return f.constantOf(st.Op.Type, had.lit)
	case s.inside && zero:
		if made, ok := f.literal(st.Op.Type, s); ok {
			f.note(key, made, s)
			return f.constantOf(st.Op.Type, made)
		}
	case s.inside && odd && !found:
		made, _ := f.literal(st.Op.Type, s)
		f.note(key, made, s)
		return f.constantOf(st.Op.Type, made)
	case found && (!zero || !s.inside && f.how.links == byName && isSameName(s.name, had.name)):
		return f.constantOf(st.Op.Type, had.lit)
	}
	return f.b.Add(st.Op)
}

// note notes the content of a hollow part, so that what is the same elsewhere becomes the same.
func (f *filler) note(key string, made testcase.Literal, s slot) {
	if _, ok := f.given[key]; !ok {
		f.given[key] = given{made, s.name, f.arg}
	}
}

// constantOf adds a constant that takes the place of another value.
func (f *filler) constantOf(t types.Type, lit testcase.Literal) testcase.Ref {
	f.changed = true
	return f.b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit})
}

// isZero reports whether a statement makes a zero value, by a constant or without one.
func isZero(st testcase.Statement) bool {
	switch st.Op.Kind {
	case testcase.OpZero:
		return true
	case testcase.OpLiteral:
		return st.Op.Lit.Bits == 0 && st.Op.Lit.Imag == 0 && st.Op.Lit.Str == ""
	}
	return false
}

// structure makes a struct. If it is an element of a list or a map, its fields get content if it has none at all, or if the type is the package's
// and has few fields. Of another package's it is not known which of them go together.
func (f *filler) structure(st testcase.Statement, u *types.Struct, s slot) testcase.Ref {
	const few = 4
	fields := make(map[int]testcase.Ref)
	for k, a := range st.Args {
		if st.Op.Elems != nil {
			k = st.Op.Elems[k]
		}
		fields[k] = a
	}
	set := 0
	for _, a := range fields {
		if !isZero(f.seq.At(a.Stmt)) {
			set++
		}
	}
	var absent []int
	if s.inside && writable(f.pkg, st.Op.Type) {
		if set == 0 || u.NumFields() <= few && f.isOwn(st.Op.Type) {
			absent = f.fieldsOf(st.Op.Type, u)
		}
	}
	odd := set < len(absent)
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: st.Op.Type}
	var args []testcase.Ref
	for i := range u.NumFields() {
		inner := slot{name: u.Field(i).Name(), inside: s.inside && slices.Contains(absent, i), odd: odd}
		r, ok := testcase.Ref{}, false
		if a, has := fields[i]; has {
			r, ok = f.build(a, inner), true
		} else if inner.inside {
			zero := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: u.Field(i).Type()}}
			ok = f.changes(func() { r = f.value(zero, inner) })
		}
		if ok {
			op.Elems, args = append(op.Elems, i), append(args, r)
		}
	}
	if len(args) == len(st.Args) {
		op = st.Op
	}
	return f.b.Add(op, args...)
}

// changes reports whether something that is made gets content.
func (f *filler) changes(build func()) bool {
	before := f.changed
	f.changed = false
	build()
	now := f.changed
	f.changed = now || before
	return now
}

// list makes a list whose elements have content. Those of long lists and of lists of bytes stay.
func (f *filler) list(st testcase.Statement, s slot) testcase.Ref {
	const longest = 6
	elem := elementOf(st.Op.Type)
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 || len(st.Args) > longest || st.Op.N > longest || f.hasNumbers(elem, st.Args) {
		s.frozen = true
		return f.kept(st, s)
	}
	inner := slot{name: s.name, inside: !f.how.keys || !isBasic(elem)}
	if _, ok := st.Op.Type.Underlying().(*types.Slice); !ok || st.Op.Elems != nil || st.Op.N == len(st.Args) || !f.isFilled(elem) {
		return f.kept(st, inner)
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: st.Op.Type, N: st.Op.N}
	args := make([]testcase.Ref, st.Op.N)
	for k := range args {
		if k < len(st.Args) {
			args[k] = f.build(st.Args[k], inner)
			continue
		}
		args[k] = f.value(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: elem}}, inner)
	}
	return f.b.Add(op, args...)
}

// dictionary makes a map whose keys and values have content, and with another entry if it had one of constants without.
func (f *filler) dictionary(st testcase.Statement, u *types.Map, s slot) testcase.Ref {
	odd := false
	for _, a := range st.Args {
		odd = odd || isZero(f.seq.At(a.Stmt))
	}
	key := slot{name: "key", inside: true, odd: odd, keys: f.words.keysOf(st.Op.Type)}
	value := slot{name: s.name, inside: true, valued: true, odd: odd}
	var keys, values, args []testcase.Ref
	for k, a := range st.Args {
		if k%2 == 0 {
			keys = append(keys, a)
		} else {
			values = append(values, a)
		}
	}
	key.inside, value.inside = !f.hasNumbers(u.Key(), keys), !f.how.keys && !f.hasNumbers(u.Elem(), values)
	changed := f.changes(func() {
		for k, a := range st.Args {
			args = append(args, f.build(a, []slot{key, value}[k%2]))
		}
	})
	if !f.how.one && !f.how.keys && changed && len(args) == 2 && isBasic(u.Key()) && isBasic(u.Elem()) {
		one, ok := f.content(u.Key(), key, 0)
		two, also := f.content(u.Elem(), value, 0)
		if ok && also {
			args = append(args, one, two)
		}
	}
	return f.b.Add(st.Op, args...)
}

// hasNumbers reports whether values of a type are numbers and some are not zero. Then a zero beside them is a number like any other.
func (f *filler) hasNumbers(t types.Type, values []testcase.Ref) bool {
	return isBasic(t) && slices.ContainsFunc(values, func(a testcase.Ref) bool {
		op := f.seq.At(a.Stmt).Op
		return op.Kind == testcase.OpLiteral && op.Lit.Kind != testcase.LitString && op.Lit.Bits != 0
	})
}
