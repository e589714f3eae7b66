package random

import (
	"go/types"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// printedPart says that one of so many texts for a constructor or parser is the printed form of a value
// of its result type.
const printedPart = 6

// printed makes a text for a parameter of an action by printing a value of the action's own types with
// the type's own methods. A parser gets deep into its code with text that the same package wrote,
// perhaps from values that no test's text describes.
func (e *engine) printed(d *draft, a *action, param types.Type) (testcase.Ref, bool) {
	if len(a.reads) == 0 || e.rnd.IntN(printedPart) != 0 {
		return testcase.Ref{}, false
	}
	p := a.reads[e.rnd.IntN(len(a.reads))]
	mark := len(d.stmts)
	recv, ok := e.receiver(d, p.params[0])
	if !ok || len(d.stmts) > maxStmts/2 {
		d.stmts = d.stmts[:mark]
		d.forget(mark)
		return testcase.Ref{}, false
	}
	ref := d.add(p.op, recv)
	if types.Identical(p.results[0], param) {
		return ref, true
	}
	return d.add(e.convertOp(param), ref), true
}

// findPrinters notes for each action with a text parameter the methods that print a value which the
// action makes or changes.
func (e *engine) findPrinters() {
	for _, a := range e.actions {
		takes := false
		for i, t := range a.params {
			takes = takes || isText(t) && !(a.recv && i == 0)
		}
		if !takes {
			continue
		}
		own := a.results
		if a.recv {
			own = append(own[:len(own):len(own)], a.params[0])
		}
		for _, p := range e.actions {
			if p.recv && !p.private && len(p.params) == 1 && len(p.results) > 0 && isText(p.results[0]) && anySame(own, p.params[0]) {
				a.reads = append(a.reads, p)
			}
		}
	}
}

// anySame reports whether one of the types is t, a pointer to t, or the type that t points to.
func anySame(list []types.Type, t types.Type) bool {
	for _, u := range list {
		if types.Identical(gosyntax.Pointed(u), gosyntax.Pointed(t)) {
			return true
		}
	}
	return false
}

// isText reports whether t is a string or a slice of bytes.
func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 || gosyntax.IsBytes(t)
}

// What one function of a package writes another one often reads: an encoder and a decoder, a compressor and its
// counterpart. Nobody finds such bytes by chance, so that readers are given buffers into which the package has written.

// written are the buffers of sequences that passed an empty one to a function of the package. There are a few for each function
// that got the buffer and each call with which the sequence ends: only after Close, or Flush, all is in it.
type written struct {
	buffer types.Type          // *bytes.Buffer, nil if the package has no readers and writers
	bytes  *testcase.Operation // its method Bytes
	ways   map[way]int         // the number of each way
	by     [][]entry           // the buffers of each way
	added  []int               // how many there were of it
}

// way is how a buffer was written to.
type way struct{ got, last *testcase.Operation }

// Bounds of the buffers of one way, and of the statements that the sequence of one has.
const (
	maxWritten   = 8
	writtenStmts = maxStmts / 3
)

// newWritten takes the package under test and package bytes, which may be nil.
func newWritten(pkg *load.Package, p *types.Package) written {
	w := written{ways: map[way]int{}}
	if p == nil || p == pkg.Types || !writesAndReads(pkg) {
		return w
	}
	t := types.NewPointer(p.Scope().Lookup("Buffer").Type())
	if f, _, _ := types.LookupFieldOrMethod(t, false, p, "Bytes"); f != nil {
		w.buffer, w.bytes = t, &testcase.Operation{Kind: testcase.OpMethod, Func: f.(*types.Func)}
	}
	return w
}

// writesAndReads reports whether a package has functions that write and functions that may read what these have written. In
// others a share of the values would be taken from those that are needed, and nothing gained.
func writesAndReads(pkg *load.Package) bool {
	writes, reads := false, false
	for _, t := range pkg.Targets {
		if t.Obj == nil {
			continue
		}
		for v := range t.Obj.Signature().Params().Variables() {
			writes = writes || isWriter(v)
			reads = reads || isReader(v.Type()) || gosyntax.IsBytes(v.Type())
		}
	}
	return writes && reads
}

// keepWritten notes the buffers to which a sequence may have written. It returned, and no call of it failed last.
func (e *engine) keepWritten(s *testcase.Sequence) {
	w := &e.written
	if w.buffer == nil || s.Len() > writtenStmts {
		return
	}
	var m *made
	for i := range s.Len() {
		st := s.At(i)
		if st.Op.Func == nil || st.Op.Func.Pkg() != e.pkg.Types {
			continue
		}
		for k, ref := range st.Args {
			if !isEmptyBuffer(s, ref) || !isWriter(paramOf(st.Op, k)) || !endsWith(s, i) {
				continue
			}
			if m == nil {
				m = e.pooled(s)
			}
			n, ok := w.ways[way{st.Op, s.Last().Op}]
			if !ok {
				n = len(w.by)
				w.ways[way{st.Op, s.Last().Op}] = n
				w.by, w.added = append(w.by, nil), append(w.added, 0)
			}
			if len(w.by[n]) < maxWritten {
				w.by[n] = append(w.by[n], entry{m, ref})
			} else {
				w.by[n][w.added[n]%maxWritten] = entry{m, ref}
			}
			w.added[n]++
		}
	}
}

// endsWith reports whether a sequence ends with the call that is its statement at, or with one of a method of what that call
// returned: any other call may have read the buffer.
func endsWith(s *testcase.Sequence, at int) bool {
	last := s.Last()
	return at == s.Len()-1 || last.Op.Kind == testcase.OpMethod && last.Args[0].Stmt == at
}

// isEmptyBuffer reports whether a value is a buffer that began without contents.
func isEmptyBuffer(s *testcase.Sequence, ref testcase.Ref) bool {
	st := s.At(ref.Stmt)
	return st.Op.Func != nil && st.Op.Func.FullName() == "bytes.NewBufferString" && s.At(st.Args[0].Stmt).Op.Lit.Str == ""
}

// paramOf returns the parameter that the i-th argument of a call is for, or nil. The receiver of a method is no parameter.
func paramOf(op *testcase.Operation, i int) *types.Var {
	if op.Kind == testcase.OpMethod {
		i--
	}
	ps := op.Func.Signature().Params()
	if i < 0 || i >= ps.Len() || op.Via != nil {
		return nil
	}
	return ps.At(i)
}

// isWriter reports whether v is a parameter to which a buffer is passed in order that something is written to it.
func isWriter(v *types.Var) bool {
	return v != nil && hasMethod(v.Type(), "Write") && !hasMethod(v.Type(), "Read")
}

// isReader reports whether the values of an interface type are read from, and not written to.
func isReader(t types.Type) bool { return hasMethod(t, "Read") && !hasMethod(t, "Write") }

// hasMethod reports whether t is an interface type with a method.
func hasMethod(t types.Type, name string) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range i.Methods() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

// writtenBefore makes a reader, or bytes, of what the package wrote before, and an empty buffer for a function that writes.
func (e *engine) writtenBefore(d *draft, t types.Type) (testcase.Ref, bool) {
	w := &e.written
	if w.buffer == nil || len(d.stmts) > maxStmts/2 {
		return testcase.Ref{}, false
	}
	if types.IsInterface(t) && hasMethod(t, "Write") && types.AssignableTo(w.buffer, t) {
		makers := e.factories[e.pool.keys.of(w.buffer)]
		if len(makers) == 0 || e.rnd.IntN(4) > 0 {
			return testcase.Ref{}, false
		}
		empty := d.add(e.literalOp(types.Typ[types.String], testcase.Literal{Kind: testcase.LitString}))
		return d.add(makers[0].op, empty), true
	}
	reads := types.IsInterface(t) && isReader(t) && types.AssignableTo(w.buffer, t)
	if len(w.by) == 0 || !reads && !gosyntax.IsBytes(t) || e.rnd.IntN(3) > 0 || gosyntax.IsBytes(t) && e.rnd.IntN(3) > 0 {
		return testcase.Ref{}, false
	}
	list := w.by[e.rnd.IntN(len(w.by))]
	v := list[e.rnd.IntN(len(list))]
	if v.seq.bad {
		return testcase.Ref{}, false
	}
	ref := e.include(d, v, false)
	if reads {
		return ref, true
	}
	ref = d.add(w.bytes, ref)
	if !types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
		ref = d.add(e.convertOp(t), ref)
	}
	return ref, true
}
