package smtlib

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"os/exec"
	"strings"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// Process is another solver, run as a process that reads SMT-LIB 2 from its standard input, like z3 -in. It
// gives verdicts and models of leaves. Its core is always the whole query.
type Process struct {
	st   *term.Store
	cmd  *exec.Cmd
	in   *bufio.Writer
	pipe io.Closer
	out  *lexer
}

// Start starts a solver. It first sends the options, like (set-option :timeout 5000).
func Start(st *term.Store, options []string, name string, args ...string) (*Process, error) {
	cmd := exec.Command(name, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{st: st, cmd: cmd, in: bufio.NewWriter(in), pipe: in, out: newLexer(out, name)}
	for _, o := range options {
		fmt.Fprintln(p.in, o)
	}
	return p, nil
}

// Close ends the process.
func (p *Process) Close() error {
	p.in.Flush()
	p.pipe.Close()
	return p.cmd.Wait()
}

// Use sets the store of the terms of the next queries.
func (p *Process) Use(st *term.Store) { p.st = st }

// Check asks the process. Any failure counts as Unknown.
func (p *Process) Check(q *solver.Query) solver.Result {
	all := append(append([]term.ID(nil), q.Conjuncts...), q.Assumptions...)
	v, pr := p.ask(all)
	defer fmt.Fprintln(p.in, "(pop 1)")
	switch v {
	case solver.Unsat:
		return solver.Result{Verdict: v, Core: all}
	case solver.Sat:
		if m, ok := p.model(pr); ok {
			return solver.Result{Verdict: v, Model: m}
		}
	}
	return solver.Result{}
}

// Verdict does the same as Check without a model, because a model takes a question for each leaf.
func (p *Process) Verdict(q *solver.Query) solver.Verdict {
	v, _ := p.ask(append(append([]term.ID(nil), q.Conjuncts...), q.Assumptions...))
	fmt.Fprintln(p.in, "(pop 1)")
	return v
}

// ask pushes conjuncts and returns the verdict, and the printer that has named the terms.
func (p *Process) ask(all []term.ID) (solver.Verdict, *printer) {
	fmt.Fprintln(p.in, "(push 1)")
	pr := newPrinter(p.st, p.in)
	pr.visit(all)
	pr.assert(all)
	fmt.Fprintln(p.in, "(check-sat)")
	p.in.Flush()
	e, err := p.out.read()
	switch {
	case err != nil || e == nil:
	case e.is("unsat"):
		return solver.Unsat, pr
	case e.is("sat"):
		return solver.Sat, pr
	}
	return solver.Unknown, pr
}

// model asks for the values of the leaves, and of the symbolic reads and their indexes.
func (p *Process) model(pr *printer) (*term.Model, bool) {
	m := p.st.NewModel()
	for _, t := range pr.order {
		switch op := p.st.Op(t); op {
		case term.OpVar, term.OpElem:
			v, ok := p.value(pr.text[t])
			if !ok {
				return nil, false
			}
			m.SetBig(t, v)
		case term.OpRead:
			i, ok1 := p.value(pr.bv(p.st.Arg(t, 0)))
			v, ok2 := p.value(pr.text[t])
			if !ok1 || !ok2 {
				return nil, false
			}
			m.SetBig(p.st.Read(p.st.ArrayOf(t), p.st.ConstBig(64, i)), v)
		}
	}
	return m, true
}

func (p *Process) value(expr string) (*big.Int, bool) {
	fmt.Fprintf(p.in, "(get-value (%s))\n", expr)
	p.in.Flush()
	e, err := p.out.read()
	if err != nil || e == nil || !e.isList() || len(e.list) != 1 || !e.list[0].isList() || len(e.list[0].list) != 2 {
		return nil, false
	}
	v := e.list[0].list[1]
	switch v.kind {
	case hexadecimal:
		return new(big.Int).SetString(v.text, 16)
	case binary:
		return new(big.Int).SetString(v.text, 2)
	case symbol:
		if v.text == "true" || v.text == "false" {
			return big.NewInt(int64(strings.Count(v.text, "true"))), true
		}
	}
	return nil, false
}
