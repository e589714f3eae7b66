package question

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// echo counts, for objects that a function made of one text, how often each of their observers returned this text. Such an
// observer shows what a parser was given, and not what the parser has made of the text.
type echo map[*types.Func]struct{ asked, same int }

// madeOf returns the text of which a function made an object: its first argument. Options may follow.
func madeOf(s *testcase.Sequence, made int) (string, bool) {
	st := s.At(made)
	if st.Op.Kind != testcase.OpFunc || len(st.Args) == 0 || len(st.Args) > 1 && !st.Op.Signature().Variadic() {
		return "", false
	}
	of := s.At(st.Args[0].Stmt).Op
	return of.Lit.Str, of.Kind == testcase.OpLiteral && of.Lit.Kind == testcase.LitString
}

// note counts the answers of the observers of the object that a statement made.
func (e echo) note(s *testcase.Sequence, made int, answers observer.Run) {
	text, ok := madeOf(s, made)
	if !ok {
		return
	}
	for i := made + 1; i < s.Len(); i++ {
		if later := s.At(i); !later.Op.Observes() && slices.ContainsFunc(later.Args, func(a testcase.Ref) bool { return a.Stmt == made }) {
			return // the object may say something else since
		}
	}
	for f, results := range answers {
		if len(results) == 1 && results[0].Kind == testcase.String {
			n := e[f]
			n.asked++
			if results[0].Str == text {
				n.same++
			}
			e[f] = n
		}
	}
}

// mostly returns the observers that returned the text of which their object was made at least three times, and for three
// objects out of four.
func (e echo) mostly() map[*types.Func]bool {
	const several = 3
	out := make(map[*types.Func]bool)
	for f, n := range e {
		out[f] = n.same >= several && 4*n.same >= 3*n.asked
	}
	return out
}

// without returns the operations that are no echo.
func (e echo) without(ops []*testcase.Operation) []*testcase.Operation {
	mostly := e.mostly()
	return slices.DeleteFunc(slices.Clone(ops), func(op *testcase.Operation) bool { return mostly[op.Func] })
}

// findRenaming notes which methods make observers that echo return something else than the text of which their object was
// made. What the others return behind other calls says nothing of these.
func (o *Asker) findRenaming(tests []*testcase.Case, answers []Answer) {
	for _, a := range answers {
		text, ok := madeOf(a.seq, a.seq.Last().Args[0].Stmt)
		if !ok {
			continue
		}
		target := tests[a.Test].Target
		for f, results := range a.Run() {
			if o.echoes[f] && (len(results) != 1 || results[0].Str != text) {
				if o.renames[target] == nil {
					o.renames[target] = make(map[*types.Func]bool)
				}
				o.renames[target][f] = true
			}
		}
	}
}
