package finding

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// AnswersPlainly reports whether every stand-in of a sequence is a value like any other one, whose answers cannot be
// the reason why a contract is broken. It implements an interface; each method that takes arguments says false, fails,
// or returns nothing but the stand-in itself; and each other method always gives the same answer. Then no stand-in can
// be an order that is none, nor a source that never ends. An element of a list that is asked for its key is one, and
// so is a cursor over an empty document.
func AnswersPlainly(seq *testcase.Sequence) bool {
	for i := range seq.Len() {
		switch st := seq.At(i); st.Op.Kind {
		case testcase.OpStubFunc, testcase.OpClosure:
			return false
		case testcase.OpStubIface:
			if !isPlainStub(seq, st) {
				return false
			}
		}
	}
	return true
}

// isPlainStub does what AnswersPlainly does for one statement that makes a stand-in.
func isPlainStub(seq *testcase.Sequence, st testcase.Statement) bool {
	iface, ok := st.Op.Type.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	scripted := make(map[string]bool)
	for _, call := range st.Op.Stub {
		if scripted[call.Method] {
			return false // it answers in different ways, one after the other
		}
		scripted[call.Method] = true
		sig := signatureOf(iface, call.Method)
		if sig == nil {
			return false
		}
		for k := call.From; k < call.To; k++ {
			op, t := seq.At(st.Args[k].Stmt).Op, sig.Results().At(k-call.From).Type()
			says := op.Kind == testcase.OpZero || op.Kind == testcase.OpLiteral && op.Lit.Bits == 0 && op.Lit.Str == ""
			switch {
			case isBool(t) && !says, sig.Params().Len() > 0 && !says && !types.Identical(t, st.Op.Type):
				return false
			}
		}
	}
	return !neverFails(iface, st, seq)
}

// isConstantFunc reports whether a statement makes a function that always gives the same plain answer, which a caller could
// have written as well: it says no or nothing, by which everything is equal to everything in an order, or it is asked about
// one value at most.
func isConstantFunc(seq *testcase.Sequence, st testcase.Statement) bool {
	sig, ok := st.Op.Type.Underlying().(*types.Signature)
	if !ok || st.Op.Kind != testcase.OpStubFunc || !saysOne(seq, st) {
		return false
	}
	for r := range sig.Results().Variables() {
		if _, basic := r.Type().Underlying().(*types.Basic); !basic && !gosyntax.IsError(r.Type()) {
			return false
		}
	}
	for _, a := range st.Args {
		op := seq.At(a.Stmt).Op
		zero := op.Kind == testcase.OpZero || op.Kind == testcase.OpLiteral && op.Lit.Bits == 0 && op.Lit.Str == ""
		if !zero && (op.Kind != testcase.OpLiteral || sig.Params().Len() > 1) {
			return false
		}
	}
	return true
}

// saysOne reports whether all scripted calls of a made-up function answer the same.
func saysOne(seq *testcase.Sequence, st testcase.Statement) bool {
	n := len(st.Args)
	if len(st.Op.Stub) > 0 {
		n = st.Op.Stub[0].To - st.Op.Stub[0].From
	}
	for i, a := range st.Args {
		first, op := seq.At(st.Args[i%max(n, 1)].Stmt).Op, seq.At(a.Stmt).Op
		if op != first && (op.Kind != first.Kind || op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Lit != first.Lit) {
			return false
		}
	}
	return true
}

// neverFails reports whether a stand-in has a method that returns an error and returns none: it may be a source that
// goes on for ever.
func neverFails(iface *types.Interface, st testcase.Statement, seq *testcase.Sequence) bool {
	fails := make(map[string]bool)
	for _, call := range st.Op.Stub {
		sig := signatureOf(iface, call.Method)
		for k := call.From; k < call.To; k++ {
			if gosyntax.IsError(sig.Results().At(k-call.From).Type()) && seq.At(st.Args[k].Stmt).Op.Kind != testcase.OpZero {
				fails[call.Method] = true
			}
		}
	}
	for m := range iface.Methods() {
		for r := range m.Signature().Results().Variables() {
			if gosyntax.IsError(r.Type()) && !fails[m.Name()] {
				return true
			}
		}
	}
	return false
}

// signatureOf returns the signature of an interface's method, or nil if there is no such method.
func signatureOf(iface *types.Interface, method string) *types.Signature {
	for m := range iface.Methods() {
		if m.Name() == method {
			return m.Signature()
		}
	}
	return nil
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// MayTakeLong reports whether an iterator may come to an end after more moves than its contract waits for: a number
// has made it, which says how many elements there are, or a number or a text in the sequence is so large that the
// iterator may count to it.
func MayTakeLong(seq *testcase.Sequence) bool {
	const much = 1 << 10
	for i := range seq.Len() {
		st := seq.At(i)
		switch l := st.Op.Lit; l.Kind {
		case testcase.LitInt:
			if int64(l.Bits) > much || int64(l.Bits) < -much {
				return true
			}
		case testcase.LitUint:
			if l.Bits > much {
				return true
			}
		case testcase.LitString:
			if len(l.Str) > much {
				return true
			}
		}
		if st.Op.Kind == testcase.OpComposite && st.Op.N > much {
			return true
		}
	}
	last := seq.Last()
	maker := seq.At(last.Args[0].Stmt)
	return slices.ContainsFunc(maker.Args, func(a testcase.Ref) bool {
		t := seq.At(a.Stmt).Op.Type
		if t == nil {
			return false
		}
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0
	})
}

// beyondMemory reports whether the message of a panic names a bound that no slice can have: lengths that are rounded
// up, added or multiplied, as those of wide integers (saferith, bitset, gopacket's buffers), overflow only there.
func beyondMemory(message string) bool {
	const memory = 1 << 47 // bytes, the address space of a process
	for _, word := range strings.FieldsFunc(message, func(r rune) bool { return r != '-' && (r < '0' || r > '9') }) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && (n > memory || n < -memory) {
			return true
		}
	}
	return false
}

// mayFail reports whether a stand-in is a function without parameters that returns an error, as tasks, requests and
// attempts do (errgroup.Group.Go, backoff.Retry, gobreaker's Execute). It may return whatever it likes, since nothing
// is agreed on but that it may fail, so that the code which calls it is not excused if it panics.
func mayFail(op *testcase.Operation) bool {
	sig, ok := op.Type.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() > 0 || sig.Results().Len() == 0 {
		return false
	}
	return gosyntax.IsError(sig.Results().At(sig.Results().Len() - 1).Type())
}
