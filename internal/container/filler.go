package container

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// State is how many elements an object has, as far as tests distinguish it.
type State int

// The states.
const (
	Unknown State = iota
	Empty
	Several // three elements
	Full    // as many as there is room for
	Many    // seven, added in an order that makes a balanced tree
)

func (s State) String() string { return [...]string{"unknown", "empty", "several", "full", "many"}[s] }

// several is how many elements an object with several elements has.
const several = 3

// many is how many elements a large object has: enough for behaviour deep inside.
const many = 7

// capacity is how many elements a full object has.
const capacity = 2

// Filler adds elements to objects of a type by calls of one of its methods.
type Filler struct {
	Type types.Type // of the object, with its pointer

	pkg  *load.Package
	make *testcase.Sequence // the last statement makes an object without elements
	add  *testcase.Operation
	// functions returns a function of a type that people pass, or nil if it knows no such function.
	functions func(types.Type) *testcase.Sequence
	// room reports whether make takes a number that may be the capacity.
	room   bool
	unseen bool // what Unseen reports
}

// Fillers returns the methods that may add elements to objects of the package's types. Objects are made as
// the makers' last calls make them, the first makers preferred, or as zero values of types that no function
// of the package returns. functions returns a function of a type that people pass, or nil if it knows none;
// it may be nil.
func Fillers(pkg *load.Package, makers []*testcase.Case, functions func(types.Type) *testcase.Sequence) []*Filler {
	var out []*Filler
	made := make(map[string]bool) // by type, the ways to make objects that were tried
	tried := make(map[string]int)
	for _, c := range makers {
		t, ok := makes(c)
		if !ok || tried[t.String()] == mostMakers {
			continue
		}
		made[t.String()] = true
		tried[t.String()]++
		if seq, ok := withFunctions(c.Seq, functions); ok {
			out = append(out, fillersOf(pkg, t, seq, functions)...)
		}
		if seq, ok := withoutStandIns(c.Seq); ok {
			out = append(out, fillersOf(pkg, t, seq, functions)...)
		}
		out = append(out, fillersOf(pkg, t, c.Seq, functions)...)
	}
	for _, target := range pkg.Targets {
		t := target.Recv
		if t == nil || !target.Exported || made[t.String()] || isConstructed(pkg, t) {
			continue
		}
		made[t.String()] = true
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			b := &testcase.Builder{}
			zero := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Elem()})
			b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, zero)
			out = append(out, fillersOf(pkg, t, b.Sequence(), functions)...)
		}
	}
	return out
}

// mostMakers is how many ways to make an object of a type are tried.
const mostMakers = 3

// makes returns the type of the object that a case's call makes: its first result, which is a
// pointer to a type of the package, or a struct whose methods change it. The call must have returned one, and no error.
func makes(c *testcase.Case) (types.Type, bool) {
	at := c.TargetStmt()
	if c.Observed == nil || c.Observed.Status != testcase.Returned || at != c.Seq.Len()-1 || c.Seq.At(at).Op.Kind != testcase.OpFunc || at >= len(c.Observed.Results) {
		return nil, false
	}
	results := c.Seq.ResultTypes()[at]
	got := c.Observed.Results[at]
	if len(results) == 0 || len(got) != len(results) || got[0].Kind == testcase.Nil {
		return nil, false
	}
	if len(results) > 1 && got[len(got)-1].Err != nil {
		return nil, false
	}
	if p, ok := types.Unalias(results[0]).(*types.Pointer); ok {
		_, named := types.Unalias(p.Elem()).(*types.Named)
		return results[0], named
	}
	named, ok := types.Unalias(results[0]).(*types.Named)
	if !ok {
		return nil, false
	}
	_, isStruct := named.Underlying().(*types.Struct)
	return named, isStruct && types.NewMethodSet(types.NewPointer(named)).Len() > types.NewMethodSet(named).Len()
}

// isConstructed reports whether a function of the package returns objects of the type.
func isConstructed(pkg *load.Package, t types.Type) bool {
	return slices.ContainsFunc(pkg.Targets, func(target *load.Target) bool {
		if target.Recv != nil || !target.Exported || target.Func == nil {
			return false
		}
		results := target.Func.Signature.Results()
		return results.Len() > 0 && types.Identical(results.At(0).Type(), t)
	})
}

// spacious is the number that constructors get whose numbers count no elements: bytes, for example.
const spacious = 1024

// fillersOf returns fillers for each method of a type that takes elements. If the maker takes numbers, these are taken for
// numbers of elements first, and then for something that there is enough of.
func fillersOf(pkg *load.Package, t types.Type, maker *testcase.Sequence, functions func(types.Type) *testcase.Sequence) []*Filler {
	var out []*Filler
	add := func(maker *testcase.Sequence, room bool) {
		for _, target := range methodsOf(pkg, t) {
			op := call(target)
			f := &Filler{Type: t, pkg: pkg, make: maker, add: op, room: room, functions: functions}
			if _, ok := f.arguments(&testcase.Builder{}, op, 0, nil, false); ok {
				out = append(out, f)
			}
		}
	}
	roomy, room := withNumbers(pkg, maker, several+1)
	add(roomy, room)
	if room {
		enough, _ := withNumbers(pkg, maker, spacious)
		add(enough, false)
	}
	return out
}

// methodsOf returns the exported methods of a type, in the order of the source.
func methodsOf(pkg *load.Package, t types.Type) []*load.Target {
	var out []*load.Target
	for _, target := range pkg.Targets {
		if target.Recv != nil && target.Exported && target.Skip == "" && types.Identical(gosyntax.Pointed(target.Recv), gosyntax.Pointed(t)) {
			out = append(out, target)
		}
	}
	return out
}

func call(target *load.Target) *testcase.Operation {
	return &testcase.Operation{Kind: testcase.OpMethod, Func: target.Obj, TypeArgs: target.TypeArgs}
}

// withNumbers returns the sequence of a call with n in place of the numbers that the call takes,
// and whether it takes any.
func withNumbers(pkg *load.Package, s *testcase.Sequence, n int64) (*testcase.Sequence, bool) {
	stmts := slices.Clone(s.AppendTo(nil))
	found := false
	for _, a := range s.Last().Args {
		op := s.At(a.Stmt).Op
		b, ok := op.Type, op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero
		if !ok || b == nil || plain.IsEnumeration(pkg, b) {
			continue
		}
		if basic, ok := b.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			lit, _ := testcase.IntLiteral(basic, n)
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: b, Lit: lit}}
			found = true
		}
	}
	return testcase.NewSequence(stmts...), found
}

// withoutStandIns returns the sequence of a call with nil in place of made-up functions, and false if the
// call takes none. A callback that does nothing is often optional.
func withoutStandIns(s *testcase.Sequence) (*testcase.Sequence, bool) {
	stmts := slices.Clone(s.AppendTo(nil))
	found := false
	for _, a := range s.Last().Args {
		if op := s.At(a.Stmt).Op; op.Kind == testcase.OpStubFunc {
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: op.Type}}
			found = true
		}
	}
	return testcase.NewSequence(stmts...), found
}

// withFunctions returns the sequence of a call with functions that people pass in place of made-up ones, and
// false if there are none.
func withFunctions(s *testcase.Sequence, functions func(types.Type) *testcase.Sequence) (*testcase.Sequence, bool) {
	with := make(map[int]plain.Part)
	for _, a := range s.Last().Args {
		if op := s.At(a.Stmt).Op; op.Kind == testcase.OpStubFunc && functions != nil {
			if seq := functions(op.Type); seq != nil {
				with[a.Stmt] = plain.Part{Seq: seq, Value: testcase.Ref{Stmt: seq.Len() - 1}}
			}
		}
	}
	return plain.Replaced(s, with)
}

// Adds returns the method that adds an element.
func (f *Filler) Adds() *types.Func { return f.add.Func }

// Several returns statements that make an object with a few elements, and false if that is not possible.
func (f *Filler) Several() (plain.Part, bool) {
	b := &testcase.Builder{}
	o, ok := f.object(b, f.make, capacity)
	return plain.Part{Seq: b.Sequence(), Value: o.Ref}, ok
}

// object is an object in a sequence, with the statements that added its elements.
type object struct {
	testcase.Ref
	added []testcase.Ref
}

// object appends statements that make an object with n elements, and returns it.
func (f *Filler) object(b *testcase.Builder, maker *testcase.Sequence, n int) (object, bool) {
	first := make([]int, n)
	for i := range first {
		first[i] = i
	}
	return f.holding(b, maker, first...)
}

// holding makes an object with elements of these numbers.
func (f *Filler) holding(b *testcase.Builder, maker *testcase.Sequence, elements ...int) (object, bool) {
	o := object{Ref: b.Append(maker)}
	for _, i := range elements {
		args, ok := f.arguments(b, f.add, i, nil, false)
		if !ok {
			return o, false
		}
		o.added = append(o.added, b.Add(f.add, append([]testcase.Ref{o.Ref}, args...)...))
	}
	return o, true
}

// Probes returns sequences that make an object with 0, 1, 2 and 3 elements. The last statements of
// each are calls of the type's observers.
func (f *Filler) Probes(observers []*testcase.Operation) []*testcase.Sequence {
	var out []*testcase.Sequence
	for n := range several + 1 {
		b := &testcase.Builder{}
		o, _ := f.object(b, f.make, n)
		for _, op := range observers {
			b.Add(op, o.Ref)
		}
		out = append(out, b.Sequence())
	}
	return out
}

// Fills reports whether the runs of the probes show that each call of the method adds an element: a
// number that grows by one with each call. The number is the result of an observer, the length of a
// result, or the length of a slice or map in the object. An observer of an empty object may fail,
// because there is no first element.
func (f *Filler) Fills(observers []*testcase.Operation, probes []*testcase.Sequence, outcomes []*testcase.Outcome) bool {
	if len(outcomes) != several+1 {
		return false
	}
	counts := make(map[string][]int) // by the thing that was counted
	begin := make(map[string]int)    // how many probes had no such count
	first := 0
	for n, o := range outcomes {
		if o == nil || o.Status != testcase.Returned || o.Violated != "" || failed(o) {
			if n > 0 {
				return false
			}
			first = 1
			continue
		}
		for name, count := range countsIn(probes[n], o, len(observers)) {
			if counts[name] == nil && n == first+1 {
				begin[name] = 1 // without observers nothing asks the empty object, and what it holds is not known
			}
			if len(counts[name]) == n-first-begin[name] {
				counts[name] = append(counts[name], count)
			}
		}
	}
	fills := false
	f.unseen = true
	for name, c := range counts {
		if len(c) == several+1-first-begin[name] && growsByOne(c) {
			fills = true
			f.unseen = f.unseen && strings.HasPrefix(name, ofObject)
		}
	}
	return fills
}

// Unseen reports whether no observer counts the elements, so that only the fields of the object tell how many there are. That one more is added to
// several shows no better then than that one is added to none.
func (f *Filler) Unseen() bool { return f.unseen }

// ofObject begins what lengths in the object itself are called, and not what observers return.
const ofObject = "object"

// growsByOne reports whether each number is one more than the number before it.
func growsByOne(numbers []int) bool {
	for i := 1; i < len(numbers); i++ {
		if numbers[i] != numbers[i-1]+1 {
			return false
		}
	}
	return len(numbers) > 2
}

// failed reports whether a call returned an error.
func failed(o *testcase.Outcome) bool {
	return slices.ContainsFunc(o.Results, func(vs []testcase.Value) bool {
		return slices.ContainsFunc(vs, func(v testcase.Value) bool { return v.Err != nil })
	})
}

// countsIn returns the numbers that may count elements: the results of observers at the end of a
// sequence, and the lengths of slices and maps in the receiver.
func countsIn(s *testcase.Sequence, o *testcase.Outcome, observers int) map[string]int {
	out := make(map[string]int)
	for i := s.Len() - observers; i < s.Len(); i++ {
		if i < len(o.Results) && len(o.Results[i]) > 0 {
			if n, ok := count(o.Results[i][0]); ok {
				out[s.At(i).Op.Func.Name()] = n
			}
		}
	}
	if len(o.Final) > 0 {
		lengths(o.Final[0], ofObject, 3, out)
	}
	return out
}

func count(v testcase.Value) (int, bool) {
	switch v.Kind {
	case testcase.Int, testcase.Uint:
		return int(v.Bits), true
	case testcase.Slice, testcase.Map:
		return length(v), !v.Cut
	case testcase.Nil:
		return 0, true
	}
	return 0, false
}

func length(v testcase.Value) int {
	if v.Kind == testcase.Map {
		return len(v.Elems) / 2
	}
	return len(v.Elems)
}

// lengths collects the lengths of the slices and maps in a value, by the path to them.
func lengths(v testcase.Value, path string, depth int, out map[string]int) {
	if depth == 0 || v.Cut {
		return
	}
	switch v.Kind {
	case testcase.Slice, testcase.Map:
		out[path] = length(v)
	case testcase.Struct, testcase.Pointer:
		for i, e := range v.Elems {
			lengths(e, path+"."+string(rune('a'+i%26)), depth-1, out)
		}
	}
}
