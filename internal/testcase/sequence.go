package testcase

import (
	"go/types"
	"sync/atomic"
)

// Ref names a result of an earlier statement of the same sequence.
type Ref struct {
	Stmt   int // index of the statement
	Result int // which of its results, from 0
}

// Statement applies an operation to results of earlier statements.
type Statement struct {
	Op   *Operation
	Args []Ref
}

// Sequence is an immutable list of statements. The sequence tests the last one; the others prepare it.
// StandIns counts the made-up functions and implementations in the sequence.
func (s *Sequence) StandIns() int {
	n := 0
	for _, st := range s.stmts {
		if st.Op.Kind == OpStubFunc || st.Op.Kind == OpStubIface {
			n++
		}
	}
	return n
}

// Extending makes a new sequence.
type Sequence struct {
	stmts []Statement
	// types is the result of ResultTypes, once it was asked for and has cost something.
	types atomic.Pointer[[][]types.Type]
}

// NewSequence returns the sequence of the given statements, which it takes over.
// It panics if an argument refers to a statement that is not earlier: that is a bug
// of the engine that made it.
func NewSequence(stmts ...Statement) *Sequence {
	for i, s := range stmts {
		for _, a := range s.Args {
			if a.Stmt < 0 || a.Stmt >= i || a.Result < 0 {
				panic("bug: testcase: a statement refers to a later one")
			}
		}
	}
	return &Sequence{stmts: stmts}
}

// Len returns the number of statements.
func (s *Sequence) Len() int { return len(s.stmts) }

// At returns the i-th statement.
func (s *Sequence) At(i int) Statement { return s.stmts[i] }

// Last returns the last statement.
func (s *Sequence) Last() Statement { return s.stmts[len(s.stmts)-1] }

// IsConstant reports whether a value is a constant of a basic type, by itself or in an interface.
func (s *Sequence) IsConstant(r Ref) bool {
	st := s.stmts[r.Stmt]
	if st.Op.Kind == OpConvert {
		st = s.stmts[st.Args[0].Stmt]
	}
	return st.Op.Kind == OpLiteral
}

// Extend returns the sequence with further statements at its end.
func (s *Sequence) Extend(stmts ...Statement) *Sequence {
	all := make([]Statement, 0, len(s.stmts)+len(stmts))
	all = append(append(all, s.stmts...), stmts...)
	return NewSequence(all...)
}

// AppendTo appends the sequence's statements to a list, with references renumbered for their new
// places.
func (s *Sequence) AppendTo(list []Statement) []Statement {
	at := len(list)
	if at == 0 {
		return append(list, s.stmts...) // statements are never changed, so their arguments can be shared
	}
	total := 0
	for _, st := range s.stmts {
		total += len(st.Args)
	}
	all := make([]Ref, 0, total) // one allocation for the arguments of all statements
	for _, st := range s.stmts {
		mark := len(all)
		for _, a := range st.Args {
			all = append(all, Ref{a.Stmt + at, a.Result})
		}
		list = append(list, Statement{st.Op, all[mark:len(all):len(all)]})
	}
	return list
}

// Prefix returns the sequence of the first n statements. Statements never need later ones, so the result is
// complete.
func (s *Sequence) Prefix(n int) *Sequence { return &Sequence{stmts: s.stmts[:n:n]} }

// Keep returns the sequence of the statements for which keep is true, with references renumbered. The result
// ok is false if a kept statement needs a dropped one.
func (s *Sequence) Keep(keep []bool) (*Sequence, bool) {
	index := make([]int, len(s.stmts))
	var out []Statement
	for i, st := range s.stmts {
		index[i] = -1
		if !keep[i] {
			continue
		}
		args := make([]Ref, len(st.Args))
		for j, a := range st.Args {
			if index[a.Stmt] < 0 {
				return nil, false
			}
			args[j] = Ref{index[a.Stmt], a.Result}
		}
		index[i] = len(out)
		out = append(out, Statement{st.Op, args})
	}
	return &Sequence{stmts: out}, true
}

// ResultTypes returns, for each statement, the types of its results. The caller must not change them: of calls of generic
// functions they are kept, because each instance that go/types makes has its methods computed anew.
func (s *Sequence) ResultTypes() [][]types.Type {
	if known := s.types.Load(); known != nil {
		return *known
	}
	generic := false
	out := make([][]types.Type, len(s.stmts))
	for i, st := range s.stmts {
		generic = generic || len(st.Op.TypeArgs) > 0
		args := make([]types.Type, len(st.Args))
		for j, a := range st.Args {
			args[j] = out[a.Stmt][a.Result]
		}
		out[i] = st.Op.Results(args)
	}
	if generic {
		s.types.Store(&out)
	}
	return out
}

// Builder makes a sequence statement by statement.
type Builder struct {
	stmts []Statement
}

// Add appends a statement and returns a reference to its first result.
func (b *Builder) Add(op *Operation, args ...Ref) Ref {
	b.stmts = append(b.stmts, Statement{op, args})
	return Ref{Stmt: len(b.stmts) - 1}
}

// Append appends the statements of a sequence and returns a reference to the last one's first result.
func (b *Builder) Append(s *Sequence) Ref {
	b.stmts = s.AppendTo(b.stmts)
	return Ref{Stmt: len(b.stmts) - 1}
}

// Bring appends the statements of a sequence that make a result, and returns the place of the result. The results in moved
// have a place already, and those that are appended are added to it.
func (b *Builder) Bring(from *Sequence, ref Ref, moved map[Ref]Ref) Ref {
	if r, ok := moved[ref]; ok {
		return r
	}
	st := from.At(ref.Stmt)
	args := make([]Ref, len(st.Args))
	for i, a := range st.Args {
		args[i] = b.Bring(from, a, moved)
	}
	made := b.Add(st.Op, args...)
	made.Result = ref.Result
	moved[ref] = made
	return made
}

// Len returns the number of statements so far.
func (b *Builder) Len() int { return len(b.stmts) }

// Sequence returns the sequence that was built.
func (b *Builder) Sequence() *Sequence {
	return NewSequence(append([]Statement(nil), b.stmts...)...)
}

// MaxKnown is how many statements a sequence may have to be extended by others, or to become a test. Nobody
// would read a longer one.
const MaxKnown = 60

// Places returns, by statement, the parameter of a function or the field of a struct that its value is given to. Of a value that is
// given to several, it is the first one.
func (s *Sequence) Places() map[int]*types.Var {
	out := make(map[int]*types.Var)
	give := func(a Ref, to *types.Var) {
		if out[a.Stmt] == nil {
			out[a.Stmt] = to.Origin()
		}
	}
	for i := range s.Len() {
		st := s.At(i)
		switch st.Op.Kind {
		case OpFunc, OpMethod:
			if st.Op.Via != nil {
				break
			}
			sig, first := st.Op.Func.Signature(), st.Op.FirstParam()
			n := sig.Params().Len()
			if sig.Variadic() && !st.Op.Spread {
				n-- // the elements of a variadic parameter are given to no parameter
			}
			for k := range min(n, len(st.Args)-first) {
				give(st.Args[first+k], sig.Params().At(k))
			}
		case OpComposite:
			t, ok := st.Op.Type.Underlying().(*types.Struct)
			if !ok {
				break
			}
			for k, a := range st.Args {
				f := k
				if st.Op.Elems != nil {
					f = st.Op.Elems[k]
				}
				give(a, t.Field(f))
			}
		case OpSetField:
			give(st.Args[1], st.Op.Var)
		}
	}
	return out
}
