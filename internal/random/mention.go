package random

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// mentioned returns a constant that names something which the draft has stored: a key that an earlier call
// was given, a key of a map, or the path to a value in nested maps and lists. If a value were stored under
// one key and looked up under another, the sequence would show nothing about a store.
func (e *engine) mentioned(d *draft, t types.Type, b *types.Basic) (testcase.Literal, bool) {
	if b.Info()&(types.IsString|types.IsInteger) == 0 || len(d.stmts) == 0 || e.row != nil {
		return testcase.Literal{}, false
	}
	if seldom := b.Info()&types.IsInteger != 0 && e.rnd.IntN(5) > 0 || e.rnd.IntN(3) > 0; seldom && !e.isAwaited(d, b) {
		return testcase.Literal{}, false
	}
	if b.Info()&types.IsString != 0 && e.rnd.IntN(2) == 0 {
		if s, ok := e.pathInto(d); ok {
			return testcase.Literal{Kind: testcase.LitString, Str: s}, true
		}
	}
	var known []testcase.Literal
	for _, st := range d.stmts {
		switch st.Op.Kind {
		case testcase.OpMethod, testcase.OpSetIndex:
		case testcase.OpFunc:
			if !e.cfg.Stateful {
				continue // functions without memory share no keys
			}
		default:
			continue
		}
		for _, a := range st.Args {
			if op := d.stmts[a.Stmt].Op; op.Kind == testcase.OpLiteral && types.Identical(op.Type, t) && len(op.Lit.Str) <= maxLiteral {
				known = append(known, op.Lit)
			}
		}
	}
	if len(known) == 0 {
		return testcase.Literal{}, false
	}
	l := known[e.rnd.IntN(len(known))]
	if marks := e.marks(); l.Kind == testcase.LitString && len(marks) > 0 && e.rnd.IntN(2) == 0 {
		l.Str = e.marked(l.Str, marks)
	}
	return l, true
}

// marks returns the punctuation of the package's texts.
func (e *engine) marks() []string {
	if e.pkg == nil || e.pkg.Literals == nil {
		return nil
	}
	return e.pkg.Literals.Marks
}

// marked returns a name as it stands in a text that the package reads: with its punctuation before it, and perhaps with a value
// behind it. A flag that is defined as "v" is "-v", "--v" or "-v=3" on a command line.
func (e *engine) marked(name string, marks []string) string {
	mark := func() string { return marks[min(e.rnd.IntN(len(marks)), e.rnd.IntN(len(marks)))] } // the frequent ones more often
	out := name
	if e.rnd.IntN(4) > 0 {
		m := mark()
		if out = m + out; e.rnd.IntN(3) == 0 {
			out = m + out
		}
	}
	if e.rnd.IntN(3) == 0 {
		value := e.numeral()
		if e.rnd.IntN(2) == 0 {
			value = e.str()
		}
		out += mark() + value
	}
	return clip(out)
}

// pathInto returns a text that leads to a value in a map of the draft. It goes on into maps and lists that are
// values of the map, by one of the usual notations.
func (e *engine) pathInto(d *draft) (string, bool) {
	var maps []int
	for i, st := range d.stmts {
		if isKeyed(st) {
			maps = append(maps, i)
		}
	}
	if len(maps) == 0 {
		return "", false
	}
	at := maps[e.rnd.IntN(len(maps))]
	spelling := notations[e.rnd.IntN(len(notations))]
	path := ""
	for range maxLevel {
		st := d.stmts[at]
		switch {
		case isKeyed(st):
			k := e.rnd.IntN(len(st.Args)/2) * 2
			key := d.stmts[st.Args[k].Stmt].Op
			if key.Kind != testcase.OpLiteral {
				return path, path != ""
			}
			if path != "" {
				path += spelling.key
			}
			path += key.Lit.Str
			at = st.Args[k+1].Stmt
		case isList(st):
			k := e.rnd.IntN(len(st.Args) + 1) // sometimes one more than there are
			path += strings.Replace(spelling.index, "N", strconv.Itoa(k), 1)
			if k == len(st.Args) {
				return path, true
			}
			at = st.Args[k].Stmt
		default:
			return path, path != ""
		}
		if e.rnd.IntN(4) == 0 {
			break
		}
	}
	return path, path != ""
}

// spelling says how paths into nested data are written: what stands before a key, and how an index is written.
type spelling struct{ key, index string }

// notations has the usual notations. The first one is there twice, because most packages read it.
var notations = [...]spelling{{".", "[N]"}, {".", "[N]"}, {".", ".N"}, {"/", "/N"}}

// isKeyed reports whether a statement makes a map whose keys are texts.
func isKeyed(st testcase.Statement) bool {
	if st.Op.Kind != testcase.OpComposite || len(st.Args) == 0 {
		return false
	}
	m, ok := st.Op.Type.Underlying().(*types.Map)
	return ok && isText(m.Key())
}

// isList reports whether a statement makes a list of values that may be anything.
func isList(st testcase.Statement) bool {
	if st.Op.Kind != testcase.OpComposite || len(st.Args) == 0 {
		return false
	}
	_, ok := st.Op.Type.Underlying().(*types.Slice)
	return ok && st.Op.Elems == nil
}

// errorsMentioned returns the error variables of imported packages that the function being tried mentions: a function that asks
// whether an error is io.EOF does something else with it.
func (e *engine) errorsMentioned() []*types.Var {
	if vars, ok := e.foreignErrors[e.now]; ok {
		return vars
	}
	var vars []*types.Var
	if t := e.pkg.Target(e.now); t != nil && t.Obj != nil {
		vars = e.pkg.ErrorsMentioned(t.Obj)
	}
	e.foreignErrors[e.now] = vars
	return vars
}
