// Package smtlib reads and writes SMT-LIB 2 (Barrett, Fontaine, Tinelli, "The SMT-LIB Standard: Version 2.6"). It
// runs scripts with the embedded solver, for tests and benchmarks, and asks other solvers, which cross-check the
// embedded one.
//
// To run a script ([Run]):
//
//  1. lex.go splits the script into tokens, and sexp.go makes S-expressions of these.
//  2. run.go executes the commands. elaborate.go turns expressions into terms, with the operators of
//     operators.go and floats.go.
//  3. answers.go checks the assertions and prints verdicts, models and cores.
//
// To ask another solver, print.go writes a query as a script, and process.go runs the solver.
//
// Run knows the logics QF_BV, QF_FP and QF_BVFP. Not supported: arrays, uninterpreted functions, quantifiers, floats
// other than Float32 and Float64, rounding modes other than to nearest even in arithmetic. A script that uses these
// gets an error with its place, never a wrong verdict.
//
// Neither the reader nor the elaboration of terms recurses, because scripts nest deeply.
//
// To add an operator: a case in operators.go or floats.go. To add a command: a case in script.command.
package smtlib

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
)

// Config says how Run solves.
type Config struct {
	// NewSolver makes the backend. It must not be nil.
	NewSolver func(st *term.Store) solver.Solver
	// Limit is the effort for each check in the backend's units; 0 means its default.
	Limit int64
}

// Run executes the SMT-LIB 2 script r and writes its answers to w. An error is an *Error with the place of
// the fault (filename:line:col), or an error of writing. Answers before the fault have been written.
func Run(r io.Reader, filename string, w io.Writer, cfg Config) error {
	st := term.NewStore()
	l := newLexer(r, filename)
	s := &script{l: l, w: bufio.NewWriter(w), st: st, solver: cfg.NewSolver(st), cfg: cfg}
	s.reset()
	err := s.run()
	if ferr := s.w.Flush(); err == nil && ferr != nil {
		err = ferr
	}
	return err
}

// level has the declarations of one push level, which pop undoes.
type level struct {
	asserts int
	names   []string
	funcs   []string
	order   int
}

type script struct {
	l      *lexer
	w      *bufio.Writer
	st     *term.Store
	solver solver.Solver
	cfg    Config
	x      *elaborator

	asserts  []term.ID
	labels   map[term.ID]string // of named assertions
	current  string             // the name given to the whole assertion that is being read
	declared []declaration
	levels   []level
	options  map[string]string
	vars     int

	last        solver.Result
	assumptions []assumption // the assumptions of the last check-sat-assuming
	checked     bool
}

type declaration struct {
	name string
	v    value
}

type assumption struct {
	text string
	id   term.ID
}

func (s *script) reset() {
	s.x = &elaborator{st: s.st, l: s.l, consts: map[string]value{}, funcs: map[string]*function{}}
	s.x.named = s.name
	s.asserts, s.declared, s.levels = nil, nil, []level{{}}
	s.labels = map[term.ID]string{}
	s.options = map[string]string{}
	s.checked = false
}

func (s *script) run() error {
	for {
		e, err := s.l.read()
		if err != nil || e == nil {
			return err
		}
		if !e.isList() || len(e.list) == 0 || e.list[0].kind != symbol {
			return s.x.errorf(e, "expected a command")
		}
		if e.list[0].text == "exit" {
			return nil
		}
		if err := s.command(e, e.list[0].text, e.list[1:]); err != nil {
			return err
		}
	}
}

func (s *script) command(e *sexp, name string, args []*sexp) error {
	argc := func(n int) error {
		if len(args) != n {
			return s.x.errorf(e, "%s takes %d arguments, not %d", name, n, len(args))
		}
		return nil
	}
	switch name {
	case "set-logic":
		if err := argc(1); err != nil {
			return err
		}
		switch args[0].text {
		case "QF_BV", "QF_FP", "QF_BVFP", "QF_FPBV":
			return nil
		}
		return s.x.errorf(args[0], "unknown logic %s; QF_BV, QF_FP and QF_BVFP are supported", short(args[0].text))
	case "set-info":
		return nil
	case "set-option":
		if len(args) < 1 || args[0].kind != keyword {
			return s.x.errorf(e, "set-option needs a keyword")
		}
		if len(args) > 1 {
			s.options[args[0].text] = args[1].text
		}
		return nil
	case "get-option":
		if err := argc(1); err != nil {
			return err
		}
		if v, ok := s.options[args[0].text]; ok {
			fmt.Fprintln(s.w, v)
		} else {
			fmt.Fprintln(s.w, "unsupported")
		}
		return nil
	case "get-info":
		if err := argc(1); err != nil {
			return err
		}
		switch args[0].text {
		case ":name":
			fmt.Fprintln(s.w, `(:name "assay")`)
		case ":error-behavior":
			fmt.Fprintln(s.w, "(:error-behavior immediate-exit)")
		case ":reason-unknown":
			fmt.Fprintln(s.w, "(:reason-unknown incomplete)")
		default:
			fmt.Fprintln(s.w, "unsupported")
		}
		return nil
	case "declare-const":
		if err := argc(2); err != nil {
			return err
		}
		return s.declare(args[0], args[1])
	case "declare-fun":
		if err := argc(3); err != nil {
			return err
		}
		if !args[1].isList() || len(args[1].list) > 0 {
			return s.x.errorf(args[1], "uninterpreted functions are not supported")
		}
		return s.declare(args[0], args[2])
	case "define-fun", "define-const":
		return s.define(e, name, args)
	case "assert":
		if err := argc(1); err != nil {
			return err
		}
		return s.assert(args[0])
	case "check-sat":
		if err := argc(0); err != nil {
			return err
		}
		s.check(nil)
		return nil
	case "check-sat-assuming":
		if err := argc(1); err != nil {
			return err
		}
		return s.checkAssuming(args[0])
	case "get-model", "get-value", "get-unsat-core", "get-unsat-assumptions", "get-assignment":
		return s.get(e, name, args)
	case "push", "pop":
		return s.pushPop(e, name, args)
	case "reset":
		s.reset()
		return nil
	case "reset-assertions":
		opts := s.options
		s.reset()
		s.options = opts
		return nil
	case "echo":
		if err := argc(1); err != nil {
			return err
		}
		fmt.Fprintf(s.w, "\"%s\"\n", strings.ReplaceAll(args[0].text, `"`, `""`))
		return nil
	case "declare-sort", "define-sort", "declare-datatypes", "declare-datatype", "define-fun-rec", "define-funs-rec":
		return s.x.errorf(e, "%s is not supported", name)
	}
	return s.x.errorf(e.list[0], "unknown command %s", short(name))
}

func (s *script) fresh(e *sexp) error {
	if e.kind != symbol {
		return s.x.errorf(e, "expected a symbol")
	}
	_, isConst := s.x.consts[e.text]
	if isConst || s.x.funcs[e.text] != nil {
		return s.x.errorf(e, "%s is declared already", short(e.text))
	}
	return nil
}

func (s *script) declare(name, srt *sexp) error {
	if err := s.fresh(name); err != nil {
		return err
	}
	so, err := s.x.sortOf(srt)
	if err != nil {
		return err
	}
	// A name may be declared again after a pop, so the variable gets a name that is unique.
	s.vars++
	v := value{sort: so, id: s.st.Var(so.width(), fmt.Sprintf("%s!%d", name.text, s.vars))}
	s.declared = append(s.declared, declaration{name.text, v})
	s.bind(name.text, v)
	return nil
}

func (s *script) bind(name string, v value) {
	s.x.consts[name] = v
	top := &s.levels[len(s.levels)-1]
	top.names = append(top.names, name)
}

func (s *script) define(e *sexp, name string, args []*sexp) error {
	if name == "define-const" && len(args) == 3 {
		args = []*sexp{args[0], {token: token{kind: open}}, args[1], args[2]}
	}
	if len(args) != 4 || !args[1].isList() {
		return s.x.errorf(e, "%s takes a name, parameters, a sort and a body", name)
	}
	if err := s.fresh(args[0]); err != nil {
		return err
	}
	result, err := s.x.sortOf(args[2])
	if err != nil {
		return err
	}
	if len(args[1].list) == 0 {
		v, err := s.x.elaborate(args[3])
		if err != nil {
			return err
		}
		if v.sort != result {
			return s.x.errorf(args[3], "body of sort %s, declared %s", v.sort, result)
		}
		s.bind(args[0].text, v)
		return nil
	}
	fn := &function{body: args[3], result: result}
	for _, p := range args[1].list {
		if !p.isList() || len(p.list) != 2 || p.list[0].kind != symbol {
			return s.x.errorf(p, "malformed parameter")
		}
		so, err := s.x.sortOf(p.list[1])
		if err != nil {
			return err
		}
		if slices.Contains(fn.params, p.list[0].text) {
			return s.x.errorf(p, "%s is bound twice", short(p.list[0].text))
		}
		fn.params = append(fn.params, p.list[0].text)
		fn.sorts = append(fn.sorts, so)
	}
	// The function is applied to variables, so that its faults are found where it is defined.
	call := &sexp{token: token{kind: open, pos: args[0].pos}, list: []*sexp{{token: token{symbol, args[0].text, args[0].pos}}}}
	var trial []string
	for i, so := range fn.sorts {
		v := fmt.Sprintf("%s!%d", fn.params[i], i)
		if _, ok := s.x.consts[v]; ok {
			v = fmt.Sprintf("%s!%d!", v, s.vars)
		}
		s.x.consts[v] = value{sort: so, id: s.st.Var(so.width(), v)}
		trial = append(trial, v)
		call.list = append(call.list, &sexp{token: token{symbol, v, args[0].pos}})
	}
	s.x.funcs[args[0].text] = fn
	fn.trial = true
	v, err := s.x.elaborate(call)
	fn.trial = false
	for _, t := range trial {
		delete(s.x.consts, t)
	}
	if err == nil && v.sort != result {
		err = s.x.errorf(args[3], "body of sort %s, declared %s", v.sort, result)
	}
	if err != nil {
		delete(s.x.funcs, args[0].text)
		return err
	}
	top := &s.levels[len(s.levels)-1]
	top.funcs = append(top.funcs, args[0].text)
	return nil
}

// name records a name given by :named.
func (s *script) name(e *sexp, name string, v value) error {
	if err := s.fresh(e); err != nil {
		return err
	}
	s.bind(name, v)
	s.current = name
	return nil
}

func (s *script) assert(e *sexp) error {
	s.current = ""
	v, err := s.x.elaborate(e)
	if err != nil {
		return err
	}
	if v.sort.kind != boolSort {
		return s.x.errorf(e, "assertion of sort %s", v.sort)
	}
	if s.current != "" && e.isList() && e.list[0].is("!") {
		s.labels[v.id] = s.current
	}
	s.asserts = append(s.asserts, v.id)
	s.checked = false
	return nil
}

func (s *script) pushPop(e *sexp, name string, args []*sexp) error {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0].text); err != nil || args[0].kind != numeral || len(args) > 1 || n > 1<<20 {
			return s.x.errorf(args[0], "%s takes a small numeral", name)
		}
	}
	s.checked = false
	if name == "push" {
		for range n {
			s.levels = append(s.levels, level{asserts: len(s.asserts), order: len(s.declared)})
		}
		return nil
	}
	if n >= len(s.levels) {
		return s.x.errorf(e, "pop of more levels than were pushed")
	}
	for range n {
		top := s.levels[len(s.levels)-1]
		s.levels = s.levels[:len(s.levels)-1]
		for _, n := range top.names {
			delete(s.x.consts, n)
		}
		for _, n := range top.funcs {
			delete(s.x.funcs, n)
		}
		s.asserts, s.declared = s.asserts[:top.asserts], s.declared[:top.order]
	}
	return nil
}
