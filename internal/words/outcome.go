package words

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// outcome is the class of a call by its effects. Two outcomes differ if their bases differ, or if the
// observers that moved are known for both and differ.
type outcome struct {
	base  int // the number of the class of how the call ended, of its error and of the results that classes are made of
	moved int // number of the set of observers that moved; -1 if they were not asked

	ended    bool // the call did not return
	panicked bool
	message  string           // of a panic or of an error that is no sentinel
	literal  bool             // the message stands in the code as it is
	sentinel *types.Var       // of an error
	consts   []*types.Const   // results that are constants of an enumeration
	results  []testcase.Value // all results
	rises    []movement       // the movement of each observer that moved
}

// movement is the change of one observer's result.
type movement struct {
	observer int
	from, to testcase.Value
}

// other reports whether a call with outcome p counts against a name of one with outcome o.
func (o *outcome) other(p *outcome) bool {
	return o.base != p.base || o.moved >= 0 && p.moved >= 0 && o.moved != p.moved
}

// classes numbers outcomes.
type classes struct {
	sig    *types.Signature
	enums  enumerations
	consts map[string]bool // the constants in the function's return statements, by result and value
	bases  map[string]int
	moves  map[string]int
}

// newClasses finds the constants that a function returns, because these divide its outcomes.
func newClasses(fn *types.Func, decl *ast.FuncDecl, info *types.Info, enums enumerations) *classes {
	k := &classes{sig: fn.Type().(*types.Signature), enums: enums, consts: map[string]bool{}, bases: map[string]int{}, moves: map[string]int{}}
	if decl == nil || decl.Body == nil || info == nil {
		return k
	}
	varied := map[int]map[string]bool{}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if last := len(n.Results) - 1; last >= 0 && gosyntax.IsError(k.sig.Results().At(k.sig.Results().Len()-1).Type()) && !info.Types[n.Results[last]].IsNil() {
				return true // results say nothing beside an error
			}
			for i, e := range n.Results {
				tv := info.Types[e]
				if tv.Value == nil || tv.Value.Kind() != constant.String && tv.Value.Kind() != constant.Int {
					continue
				}
				if varied[i] == nil {
					varied[i] = map[string]bool{}
				}
				varied[i][constantKey(tv.Value)] = true
			}
		}
		return true
	})
	for i, set := range varied {
		for text := range set {
			k.consts[strconv.Itoa(i)+text] = true
		}
	}
	return k
}

// constantKey is the text of a constant that valueKey gives an equal value.
func constantKey(v constant.Value) string {
	if v.Kind() == constant.String {
		return "s" + constant.StringVal(v)
	}
	return "i" + v.ExactString()
}

// valueKey is the text of a string or an integer; "" for values of other kinds.
func valueKey(v testcase.Value) string {
	switch v.Kind {
	case testcase.String:
		if v.Cut {
			return ""
		}
		return "s" + v.Str
	case testcase.Int:
		return "i" + strconv.FormatInt(int64(v.Bits), 10)
	case testcase.Uint:
		return "i" + strconv.FormatUint(v.Bits, 10)
	}
	return ""
}

// classify finds the outcome of a call whose observers' results have been read.
func (k *classes) classify(c *call) {
	o := &c.outcome
	text := k.ending(c)
	id, ok := k.bases[text]
	if !ok {
		id = len(k.bases)
		k.bases[text] = id
	}
	o.base = id
	o.moved = -1
	known := false
	var moved strings.Builder
	for i := range c.before {
		b, a := c.before[i], c.after[i]
		if b.Kind == testcase.Invalid || a.Kind == testcase.Invalid {
			continue
		}
		known = true
		if !b.Equal(a) {
			moved.WriteString(strconv.Itoa(i) + ",")
			o.rises = append(o.rises, movement{i, b, a})
		}
	}
	if known {
		id, ok := k.moves[moved.String()]
		if !ok {
			id = len(k.moves)
			k.moves[moved.String()] = id
		}
		o.moved = id
	}
}

// ending says how a call ended and what it returned, in as much detail as classes are divided by.
func (k *classes) ending(c *call) string {
	o := &c.outcome
	seen := c.c.Observed
	if seen == nil || c.c.Seq == nil || c.c.Seq.Len() == 0 {
		return "unknown"
	}
	at := c.c.TargetStmt()
	if seen.Status != testcase.Returned && seen.At <= at {
		text := seen.Status.String()
		o.ended = true
		if seen.Status == testcase.Panicked && seen.Panic != nil {
			o.panicked, o.message = true, seen.Panic.Message
			if seen.Panic.Runtime {
				return text + " " + seen.Panic.Kind
			}
			return text + " " + seen.Panic.Message
		}
		return text
	}
	if at >= len(seen.Results) || len(seen.Results[at]) == 0 {
		return "returns"
	}
	o.results = seen.Results[at]
	var b strings.Builder
	b.WriteString("returns")
	for i, v := range o.results {
		b.WriteByte(' ')
		b.WriteString(k.result(o, i, v))
	}
	return b.String()
}

// result returns the part of a result that divides classes.
func (k *classes) result(o *outcome, i int, v testcase.Value) string {
	var t types.Type
	if rs := k.sig.Results(); i < rs.Len() {
		t = rs.At(i).Type()
	}
	switch {
	case t != nil && gosyntax.IsError(t) && v.Kind != testcase.Nil && v.Kind != testcase.Invalid:
		if v.Err == nil {
			return "error"
		}
		if len(v.Err.Sentinels) > 0 {
			o.sentinel = v.Err.Sentinels[0]
			return "error " + o.sentinel.Pkg().Path() + "." + o.sentinel.Name()
		}
		if !v.Err.Unstable {
			o.message = v.Err.Message
		}
		return "error"
	case v.Kind == testcase.Bool:
		return strconv.FormatUint(v.Bits, 2)
	case v.Kind == testcase.Nil:
		return "nil"
	case v.Kind == testcase.Float && floatOf(v) != floatOf(v):
		return "NaN"
	}
	if t != nil {
		if e := k.enums.of(t); e != nil {
			if c := e.constant(v); c != nil {
				o.consts = append(o.consts, c)
				return c.Name()
			}
		}
	}
	if text := valueKey(v); text != "" && k.consts[strconv.Itoa(i)+text] {
		return text
	}
	return "value"
}

// single reports whether all calls have the same outcome.
func (k *classes) single() bool { return len(k.bases) == 1 && len(k.moves) <= 1 }

// enumeration is a type of the package with declared constants.
type enumeration struct {
	named  *types.Named
	consts []*types.Const // in the order of the source
}

// enumerations are the enumerations of a package, by type.
type enumerations map[*types.TypeName]*enumeration

// newEnumerations finds the types that have at least two constants.
func newEnumerations(pkg *types.Package) enumerations {
	out := enumerations{}
	if pkg == nil {
		return out
	}
	var all []*types.Const
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok && c.Name() != "_" {
			all = append(all, c)
		}
	}
	sortByPos(all, func(c *types.Const) (token.Pos, string) { return c.Pos(), c.Name() })
	for _, c := range all {
		n, ok := types.Unalias(c.Type()).(*types.Named)
		if !ok || n.Obj().Pkg() != pkg {
			continue
		}
		if out[n.Obj()] == nil {
			out[n.Obj()] = &enumeration{named: n}
		}
		out[n.Obj()].consts = append(out[n.Obj()].consts, c)
	}
	for obj, e := range out {
		if len(e.consts) < 2 {
			delete(out, obj)
		}
	}
	return out
}

// of returns the enumeration of a type, or nil if the type is no enumeration.
func (es enumerations) of(t types.Type) *enumeration {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return es[n.Obj()]
	}
	return nil
}

// constant returns the constant that a value equals, or nil if it equals none.
func (e *enumeration) constant(v testcase.Value) *types.Const {
	text := valueKey(v)
	if text == "" {
		return nil
	}
	for _, c := range e.consts {
		if (c.Val().Kind() == constant.Int || c.Val().Kind() == constant.String) && constantKey(c.Val()) == text {
			return c
		}
	}
	return nil
}
