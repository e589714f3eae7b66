package contract

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// Kind says what a clause is about: an input, a result or an object.
type Kind uint8

// The kinds of clauses (Meyer's design by contract).
const (
	Requires  Kind = iota + 1 // a duty of the caller: it holds when the function is entered
	Ensures                   // a promise of the function: it holds when the function returns
	Invariant                 // a property of the type: it holds for each object between calls
)

var kindNames = [...]string{Requires: "requires", Ensures: "ensures", Invariant: "invariant"}

func (k Kind) String() string { return kindNames[k] }

// Clause is a directive over an expression, like `//assay:requires n > 0`.
type Clause struct {
	Kind Kind
	Text string         // the expression as it is written
	Pos  token.Position // where the expression begins
}

// String returns the clause as findings name it: "requires n > 0".
func (c Clause) String() string { return c.Kind.String() + " " + c.Text }

// Func is a declared function with its clauses and the names of the functions generated for them, see
// [Read].
type Func struct {
	Decl    *ast.FuncDecl
	Clauses []Clause // requires and ensures, in the order of the source

	// Run is the generated function that calls Decl behind its contract. A receiver comes first among its
	// parameters.
	Run string
	// Pre is the name of the generated function that reports whether an input satisfies all requirements of
	// Decl. The invariants of its inputs are among these.
	Pre string
}

// Type is a declared type with its invariants.
type Type struct {
	Spec    *ast.TypeSpec
	Clauses []Clause
	// Holds is the generated function that reports whether a value, or the value that a pointer points to,
	// satisfies the invariants. A nil pointer satisfies them.
	Holds string
	// Object is the name of the object in the clauses.
	Object string
	// Pointer says that Object is a pointer to the type.
	Pointer bool
}

// Problem is a directive that cannot be understood.
type Problem struct {
	Pos     token.Position
	Message string
}

// clauses reads those directives of a doc comment that have one of the kinds. It ignores other directives.
func (r *reader) clauses(doc *ast.CommentGroup, kinds ...Kind) []Clause {
	if doc == nil {
		return nil
	}
	var out []Clause
	for _, line := range doc.List {
		rest, ok := strings.CutPrefix(line.Text, "//assay:")
		if !ok {
			continue
		}
		word, text, _ := strings.Cut(rest, " ")
		kind := Kind(0)
		for _, k := range []Kind{Requires, Ensures, Invariant} {
			if word == k.String() {
				kind = k
			}
		}
		if kind == 0 {
			continue
		}
		r.seen[line.Pos()] = true
		pos := r.fset.Position(line.Pos())
		allowed := false
		for _, k := range kinds {
			allowed = allowed || k == kind
		}
		if r.leftOut(pos) {
			continue
		}
		if !allowed {
			r.problem(pos, "//assay:"+word+" does not belong here: requires and ensures are of functions, invariant is of types")
			continue
		}
		trimmed := strings.TrimLeft(text, " \t")
		pos.Column += len(line.Text) - len(trimmed)
		pos.Offset += len(line.Text) - len(trimmed)
		trimmed = strings.TrimRight(trimmed, " \t\r")
		if trimmed == "" {
			r.problem(pos, "//assay:"+word+" has no expression")
			continue
		}
		e, err := parser.ParseExpr(trimmed)
		if err != nil {
			r.problem(inExpr(pos, err))
			continue
		}
		trimmed = trimmed[:e.End()-1] // a comment may follow
		out = append(out, Clause{Kind: kind, Text: trimmed, Pos: pos})
	}
	return out
}

// inExpr places an error of the parser in an expression that begins at pos.
func inExpr(pos token.Position, err error) (token.Position, string) {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		pos.Column += max(list[0].Pos.Column-1, 0)
		pos.Offset += list[0].Pos.Offset
		return pos, list[0].Msg
	}
	return pos, err.Error()
}
