package testcase

import (
	"go/types"
	"slices"
)

var errorType = types.Universe.Lookup("error").Type()

// By Go's convention the results beside an error mean nothing, so nobody goes on with an object that came with
// one; nor with a zero value beside false. Numbers, texts and lists are data, and any data may be passed on.

// MayFail reports whether a statement goes on with an object that came from a call which also returns an error.
func (s *Sequence) MayFail() bool {
	return s.usesObjectOf(func(call int) bool { return lastIs(s.At(call).Op, errorType) })
}

// UsesFailed reports whether a statement goes on with an object that a call returned together with an error.
func (s *Sequence) UsesFailed(o *Outcome) bool {
	return s.usesObjectOf(func(call int) bool {
		return call < len(o.Results) && Erred(s.At(call).Op, o.Results[call])
	})
}

// UsesNothing reports whether a statement goes on with a zero value that a call returned together with false: the call says that
// there is no object.
func (s *Sequence) UsesNothing(o *Outcome) bool {
	return s.usesObjectOf(func(call int) bool {
		return call < len(o.Results) && denied(s.At(call).Op, o.Results[call])
	})
}

// usesObjectOf reports whether a statement has an argument that is an object from a call for which is holds.
func (s *Sequence) usesObjectOf(is func(call int) bool) bool {
	var ts [][]types.Type
	for i := range s.Len() {
		for _, ref := range s.At(i).Args {
			if k := s.At(ref.Stmt).Op.Kind; k != OpFunc && k != OpMethod || !is(ref.Stmt) {
				continue
			}
			if ts == nil {
				ts = s.ResultTypes()
			}
			if ref.Result < len(ts[ref.Stmt]) && IsObject(ts[ref.Stmt][ref.Result]) {
				return true
			}
		}
	}
	return false
}

// IsObject reports whether values of a type are objects, other than errors, and not data.
func IsObject(t types.Type) bool {
	if types.Identical(t, errorType) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		return true
	}
	return false
}

// Erred reports whether a call returned an error as the last of several results.
func Erred(op *Operation, results []Value) bool {
	return lastIs(op, errorType) && len(results) == op.Signature().Results().Len() && results[len(results)-1].Kind != Nil
}

// CallFailed reports whether the case's own call has returned an error as the last of several results. Nothing is asked of
// what came with it.
func (c *Case) CallFailed() bool {
	at := c.TargetStmt()
	return c.Observed != nil && at < len(c.Observed.Results) && Erred(c.Seq.At(at).Op, c.Observed.Results[at])
}

// MeansNothing reports whether a result of type t is an object that came with an error, and no test compares it: by convention it
// means nothing. That there is none, or only a zero value, is what callers expect.
func MeansNothing(op *Operation, results []Value, t types.Type, v Value) bool {
	return Erred(op, results) && IsObject(t) && v.Kind != Nil && !v.IsZero()
}

// denied reports whether a call returned nothing but zero values, the last of them false.
func denied(op *Operation, results []Value) bool {
	return lastIs(op, types.Typ[types.Bool]) && len(results) == op.Signature().Results().Len() &&
		!slices.ContainsFunc(results, func(v Value) bool { return !v.IsZero() })
}

// lastIs reports whether a call returns several results, the last of them of this type.
func lastIs(op *Operation, t types.Type) bool {
	sig := op.Signature()
	if sig == nil {
		return false
	}
	n := sig.Results().Len()
	return n > 1 && types.Identical(sig.Results().At(n-1).Type(), t)
}
