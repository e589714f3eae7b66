package smtlib

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// check decides the assertions and prints the verdict.
func (s *script) check(as []assumption) {
	q := &solver.Query{Limit: s.cfg.Limit}
	add := func(ts []term.ID, t term.ID) []term.ID {
		if t == term.True || slices.Contains(ts, t) && len(ts) < 64 {
			return ts
		}
		return append(ts, t)
	}
	for _, t := range s.asserts {
		q.Conjuncts = add(q.Conjuncts, t)
	}
	for _, a := range as {
		q.Assumptions = add(q.Assumptions, a.id)
	}
	backend := s.solver
	if len(s.labels) == 0 { // the user has asked for no cores
		backend = solver.Prepare(s.st, s.solver)
	}
	s.last, s.assumptions, s.checked = backend.Check(q), as, true
	if s.last.Verdict == solver.Sat {
		for _, t := range slices.Concat(q.Conjuncts, q.Assumptions) {
			if !s.st.Holds(t, s.last.Model) {
				panic("bug: the model does not satisfy " + s.st.String(t))
			}
		}
	}
	fmt.Fprintln(s.w, s.last.Verdict)
	s.w.Flush()
}

func (s *script) checkAssuming(e *sexp) error {
	if !e.isList() {
		return s.x.errorf(e, "expected a list of literals")
	}
	var as []assumption
	for _, a := range e.list {
		v, err := s.x.elaborate(a)
		if err != nil {
			return err
		}
		if v.sort.kind != boolSort {
			return s.x.errorf(a, "assumption of sort %s", v.sort)
		}
		as = append(as, assumption{text(a), v.id})
	}
	s.check(as)
	return nil
}

// text writes an expression as SMT-LIB text.
func text(e *sexp) string {
	var b strings.Builder
	var write func(e *sexp) // recurses at most maxNesting deep
	write = func(e *sexp) {
		switch {
		case e.isList():
			b.WriteByte('(')
			for i, a := range e.list {
				if i > 0 {
					b.WriteByte(' ')
				}
				write(a)
			}
			b.WriteByte(')')
		case e.kind == symbol:
			b.WriteString(symbolText(e.text))
		case e.kind == hexadecimal:
			b.WriteString("#x" + e.text)
		case e.kind == binary:
			b.WriteString("#b" + e.text)
		default:
			b.WriteString(e.text)
		}
	}
	write(e)
	return b.String()
}

// get answers the commands that ask about the last check.
func (s *script) get(e *sexp, name string, args []*sexp) error {
	want := solver.Sat
	if strings.HasPrefix(name, "get-unsat") {
		want = solver.Unsat
	}
	if !s.checked || s.last.Verdict != want {
		return s.x.errorf(e, "%s needs a check-sat before it that answered %s", name, want)
	}
	switch name {
	case "get-model":
		fmt.Fprintln(s.w, "(")
		for _, d := range s.declared {
			fmt.Fprintf(s.w, "  (define-fun %s () %s %s)\n", symbolText(d.name), d.v.sort, s.show(d.v))
		}
		fmt.Fprintln(s.w, ")")
	case "get-value":
		if len(args) != 1 || !args[0].isList() || len(args[0].list) == 0 {
			return s.x.errorf(e, "get-value takes a list of expressions")
		}
		var parts []string
		for _, a := range args[0].list {
			v, err := s.x.elaborate(a)
			if err != nil {
				return err
			}
			if v.sort.kind == rmSort || v.sort.kind == numSort {
				return s.x.errorf(a, "value of sort %s", v.sort)
			}
			parts = append(parts, fmt.Sprintf("(%s %s)", text(a), s.show(v)))
		}
		fmt.Fprintf(s.w, "(%s)\n", strings.Join(parts, "\n "))
	case "get-unsat-core":
		var names []string
		for _, t := range s.last.Core {
			if n, ok := s.labels[t]; ok {
				names = append(names, symbolText(n))
			}
		}
		fmt.Fprintf(s.w, "(%s)\n", strings.Join(names, " "))
	case "get-unsat-assumptions":
		var out []string
		for _, a := range s.assumptions {
			if slices.Contains(s.last.Core, a.id) {
				out = append(out, a.text)
			}
		}
		fmt.Fprintf(s.w, "(%s)\n", strings.Join(out, " "))
	case "get-assignment":
		var out []string
		for _, t := range s.asserts {
			if n, ok := s.labels[t]; ok {
				out = append(out, fmt.Sprintf("(%s true)", symbolText(n)))
			}
		}
		fmt.Fprintf(s.w, "(%s)\n", strings.Join(out, " "))
	}
	return nil
}

// show returns the value of v under the last model.
func (s *script) show(v value) string {
	return literal(v.sort, s.st.EvalBig(v.id, s.last.Model))
}

func literal(so sort, n *big.Int) string {
	switch so.kind {
	case boolSort:
		if n.Sign() != 0 {
			return "true"
		}
		return "false"
	case fpSort:
		bits := fmt.Sprintf("%0*b", so.width(), n)
		exp, frac := bits[1:1+so.eb], bits[1+so.eb:]
		if !strings.Contains(exp, "0") && strings.Contains(frac, "1") {
			return fmt.Sprintf("(_ NaN %d %d)", so.eb, so.sb)
		}
		return fmt.Sprintf("(fp #b%s #b%s #b%s)", bits[:1], exp, frac)
	}
	return bitsLiteral(n, so.eb)
}

// bitsLiteral writes a bit-vector in hexadecimal if its width is a multiple of four.
func bitsLiteral(n *big.Int, w int) string {
	if w%4 == 0 {
		return fmt.Sprintf("#x%0*x", w/4, n)
	}
	return fmt.Sprintf("#b%0*b", w, n)
}

// symbolText writes a symbol, between bars if it needs them.
func symbolText(name string) string {
	ok := name != "" && (name[0] < '0' || name[0] > '9')
	for i := range len(name) {
		ok = ok && isSymbolByte(name[i])
	}
	if ok {
		return name
	}
	return "|" + name + "|"
}
