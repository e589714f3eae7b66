package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Go goes through a map in a different order each time. In a harness the order is that of the keys. In second
// runs it is the opposite one, so that results which depend on the order differ between the two runs at once.
// All other results are the same in each run of assay. For this purpose the loop
//
//	for k, v := range m { ... }
//
// becomes, on the same lines,
//
//	switch p_m := m; { default: for k, v := range p_m {
//		for k, v, p_o := k, v, p_r(p_m); p_o.Next(&k, &v); { ... }
//		break }}
//
// The outer loop declares variables of the right types, which could not be named here in any other way. The
// inner loop has a variable for each turn or one for all turns, as the file's language version says. A switch
// needs no predeclared name, which the package may have declared otherwise.

// Replacement is a piece of a file that is to be replaced by a text with as many lines.
type Replacement struct {
	Pos  token.Pos
	Del  int // how many bytes are replaced
	Text string
}

// Ordered returns the replacements that make all statements of a file which range over a map do so in the
// order of the keys. Other changes at the same places have to be made first. Inserted names begin with the
// prefix.
//
// Two kinds of loops stay as they are: loops whose label is the target of a goto, because a goto must not
// lead into a block, and loops that assign to operands written on several lines.
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

// isMap reports whether the underlying type of t is a map. For a type parameter it reports whether this is
// true of all its types.
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
	goals  map[types.Object]bool // labels that are targets of a goto
	out    []Replacement
}

// text returns the source between two positions.
func (o *orderer) text(from, to token.Pos) string { return string(o.src[o.offset(from):o.offset(to)]) }

// replace replaces the source between two positions by a text without newlines. It adds as many newlines as
// the source had there.
func (o *orderer) replace(from, to token.Pos, text string) {
	old := o.text(from, to)
	o.out = append(o.out, Replacement{Pos: from, Del: len(old), Text: text + strings.Repeat("\n", strings.Count(old, "\n"))})
}

// loop rewrites one loop, which may have a label.
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
