package random

import (
	"go/types"
	"math"

	"github.com/goassay/assay/internal/testcase"
)

// find is a sequence that covered something new, to be changed a little.
type find struct {
	seq  *testcase.Sequence
	act  *action // the action with which the sequence ends
	slow int     // how often it hung or ended the process when it was changed
}

// maxSlow is how many mutations of a find may hang or end the process before it is given up. The rest
// of the sequence makes them slow then.
const maxSlow = 2

// mutate returns a sequence that covered something new with one or two of its
// constants changed.
func (e *engine) mutate() trial {
	// The find belongs to an action that is chosen by weight, so that actions with many finds do not
	// crowd out the others.
	finds := e.finds[e.choose()]
	if len(finds) == 0 {
		return trial{}
	}
	// Later finds went deeper.
	f := finds[max(e.rnd.IntN(len(finds)), e.rnd.IntN(len(finds)))]
	if f.slow >= maxSlow {
		return trial{}
	}
	e.now, e.limit = f.act.name, f.act.limit()
	s := e.changed(f.seq)
	if s == nil {
		return trial{}
	}
	return trial{seq: s, steps: []step{{s.Len() - 1, f.act}}, from: f}
}

// changed returns the sequence with one or two of its constants changed, or nil if it has no constants.
func (e *engine) changed(s *testcase.Sequence) *testcase.Sequence {
	stmts := make([]testcase.Statement, s.Len())
	var literals []int
	for i := range stmts {
		stmts[i] = s.At(i)
		if stmts[i].Op.Kind == testcase.OpLiteral {
			literals = append(literals, i)
		}
		if n := len(literals); stmts[i].Op == e.wait && n > 0 {
			literals = literals[:n-1] // how long the sequence waits stays
		}
	}
	if len(literals) == 0 {
		return nil
	}
	for range 1 + e.rnd.IntN(2) {
		j := literals[e.rnd.IntN(len(literals))]
		op := stmts[j].Op
		stmts[j].Op = e.likeLiteral(op, e.mutateLiteral(op))
	}
	return testcase.NewSequence(stmts...)
}

// mutateLiteral returns a constant that is not far from the operation's.
func (e *engine) mutateLiteral(op *testcase.Operation) testcase.Literal {
	l := op.Lit
	b := op.Type.Underlying().(*types.Basic)
	if op.Choice != nil && (op.Closed || e.rnd.IntN(4) > 0) {
		l.Str = op.Choice[e.rnd.IntN(len(op.Choice))]
		return l
	}
	if e.rnd.IntN(5) == 0 || e.timed && testcase.IsDuration(op.Type) {
		if n, ok := e.literal(op.Type, b); ok {
			return n
		}
	}
	number := func(i int64) int64 {
		switch e.rnd.IntN(7) {
		case 0:
			return i + 1
		case 1:
			return i - 1
		case 2:
			return -i
		case 3:
			return i * 2
		case 4:
			return i / 2
		case 5:
			return i ^ 1<<e.rnd.IntN(testcase.IntBits(b))
		}
		return i + int64(e.rnd.IntN(40)) - 20
	}
	switch l.Kind {
	case testcase.LitBool:
		l.Bits ^= 1
	case testcase.LitInt:
		i := number(int64(l.Bits))
		if i > e.limit || i < -e.limit {
			i %= e.limit
		}
		l.Bits = uint64(wrapInt(i, b))
	case testcase.LitUint:
		l.Bits = wrapUint(uint64(number(int64(l.Bits)))%uint64(e.limit), b)
	case testcase.LitFloat:
		f := math.Float64frombits(l.Bits)
		if b.Kind() == types.Float32 {
			f = float64(math.Float32frombits(uint32(l.Bits)))
		}
		switch e.rnd.IntN(5) {
		case 0:
			f = -f
		case 1:
			f /= 2
		case 2:
			f *= 2
		case 3:
			f = math.Trunc(f)
		default:
			f += float64(e.rnd.IntN(9)-4) / 4
		}
		l = floatLiteral(f, b)
	case testcase.LitString:
		l.Str = e.mutateString(l.Str)
	}
	return l
}
