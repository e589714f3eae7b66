package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Go goes through a map in another order each time. In a harness the order is that of the keys,
// in second runs the opposite one, so that what depends on it differs between the two at
// once, and everything else is the same in each run of assay. For that
//
//	for k, v := range m { ... }
//
// becomes, on the same lines,
//
//	switch p_m := m; { default: for k, v := range p_m {
//		for k, v, p_o := k, v, p_r(p_m); p_o.Next(&k, &v); { ... }
//		break }}
//
// The outer loop declares variables of the right types, which nothing else could name here; the
// inner one has a variable for each turn or for all, as the language version of the file says. A
// switch needs no predeclared name, which the package may have declared otherwise.

// Replacement is a piece of a file that is to be replaced by a text of as many lines.
type Replacement struct {
	Pos  token.Pos
	Del  int // bytes
	Text string
}

// Ordered returns what has all statements of a file that range over a map do so in the order of its
// keys. Other changes at the same places come first. Names that are inserted begin with the prefix.
//
// Loops stay as they are to whose labels a goto leads, since a goto must not lead into a block; and those
// that assign to operands which are written on several lines.
func Ordered(info *types.Info, f *ast.File, offset func(token.Pos) int, src []byte, prefix string) []Replacement {
	o := orderer{info: info, offset: offset, src: src, prefix: prefix, goals: map[types.Object]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			o.goals[info.Uses[b.Label]] = true
		}
		return true
	})
	labelled := map[*ast.RangeStmt]*ast.LabeledStmt{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			if s, ok := n.Stmt.(*ast.RangeStmt); ok {
				labelled[s] = n
			}
		case *ast.RangeStmt:
			if t := info.TypeOf(n.X); t != nil && isMap(t) {
				o.loop(n, labelled[n])
			}
		}
		return true
	})
	return o.out
}

// isMap reports whether a type, or all that a type parameter stands for, is underneath a map.
func isMap(t types.Type) bool {
	param, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		_, ok := t.Underlying().(*types.Map)
		return ok
	}
	c, ok := param.Constraint().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for e := range c.EmbeddedTypes() {
		if u, ok := e.(*types.Union); ok && u.Len() == 1 {
			e = u.Term(0).Type()
		}
		if isMap(e) {
			return true
		}
	}
	return false
}

type orderer struct {
	info   *types.Info
	offset func(token.Pos) int
	src    []byte
	prefix string
	goals  map[types.Object]bool // labels that a goto leads to
	out    []Replacement
}

// text returns what the source has between two positions.
func (o *orderer) text(from, to token.Pos) string { return string(o.src[o.offset(from):o.offset(to)]) }

// replace replaces what is between two positions by a text of no newline, behind which come as many
// newlines as there were.
func (o *orderer) replace(from, to token.Pos, text string) {
	old := o.text(from, to)
	o.out = append(o.out, Replacement{Pos: from, Del: len(old), Text: text + strings.Repeat("\n", strings.Count(old, "\n"))})
}

// loop rewrites one statement, which may have a label.
func (o *orderer) loop(s *ast.RangeStmt, label *ast.LabeledStmt) {
	from, name := s.For, ""
	if label != nil {
		if o.goals[o.info.Defs[label.Label]] {
			return
		}
		from, name = label.Pos(), label.Label.Name+": "
	}
	if strings.Contains(o.text(s.X.End(), s.Body.Lbrace), "\n") {
		return
	}
	k, v := o.variable(s.Key, s.Tok, "k"), ""
	if s.Value != nil && !isBlank(s.Value) {
		v = o.variable(s.Value, s.Tok, "v")
	}
	assigned := ""
	if s.Tok == token.ASSIGN && s.Key != nil {
		if assigned = o.text(s.Key.Pos(), s.Key.End()) + " = " + k + ";"; v != "" {
			assigned = o.text(s.Key.Pos(), s.Key.End()) + ", " + o.text(s.Value.Pos(), s.Value.End()) + " = " + k + ", " + v + ";"
		}
		if strings.Contains(assigned, "\n") {
			return
		}
	}
	variables, next := k, "NextKey(&"+k+")"
	if v != "" {
		variables, next = k+", "+v, "Next(&"+k+", &"+v+")"
	}
	p := o.prefix
	o.replace(from, s.X.Pos(), "switch "+p+"m := ")
	o.replace(s.X.End(), s.Body.Lbrace, "; {default: for "+variables+" := range "+p+"m {"+name+
		"for "+variables+", "+p+"o := "+variables+", "+p+"r("+p+"m); "+p+"o."+next+"; ")
	if assigned != "" {
		o.replace(s.Body.Lbrace+1, s.Body.Lbrace+1, assigned)
	}
	o.replace(s.Body.Rbrace, s.Body.Rbrace+1, "};break}}")
}

// variable returns the name of the variable that stands for the key or the value of a loop.
func (o *orderer) variable(e ast.Expr, tok token.Token, fallback string) string {
	if id, ok := e.(*ast.Ident); ok && tok == token.DEFINE && id.Name != "_" {
		return id.Name
	}
	return o.prefix + fallback
}
