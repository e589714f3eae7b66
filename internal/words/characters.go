package words

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// characters are the kinds of characters that a function's code asks for. Where the code does not look at
// digits, a text with a digit in it gets no name for having one.
type characters struct {
	any                           bool // code of other packages decides, so any character may matter
	digits, letters, cases, space bool
	others                        string // characters that the code spells out
}

// deepestCode is how many calls deep the code of a function is read.
const deepestCode = 3

// characters reads the function's code, and that of the package's functions that it calls.
func (n *Namer) characters() characters {
	var out characters
	if n.decl == nil || n.pkg.Info == nil {
		return characters{any: true}
	}
	seen := map[*ast.FuncDecl]bool{}
	var read func(decl *ast.FuncDecl, depth int)
	read = func(decl *ast.FuncDecl, depth int) {
		if decl == nil || decl.Body == nil || seen[decl] {
			return
		}
		seen[decl] = true
		ast.Inspect(decl, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.BasicLit:
				if tv := n.pkg.Info.Types[x]; tv.Value != nil && (x.Kind == token.CHAR || x.Kind == token.STRING) {
					out.literal(x.Kind, tv.Value)
				}
			case *ast.Ident:
				fn, ok := n.pkg.Info.Uses[x].(*types.Func)
				switch {
				case !ok:
				case fn.Pkg() == n.pkg.Types && depth < deepestCode:
					read(n.pkg.Func(fn.Origin()), depth+1)
				case fn.Pkg() != n.pkg.Types:
					out.foreign(fn)
				}
			}
			return true
		})
	}
	read(n.decl, 0)
	return out
}

// literal reads a character or text that the code spells out.
func (c *characters) literal(kind token.Token, v constant.Value) {
	const short = 8 // a longer text is a message
	text := ""
	if kind == token.CHAR {
		r, _ := constant.Int64Val(v)
		text = string(rune(r))
	} else if text = constant.StringVal(v); len(text) > short || strings.Contains(text, "%") {
		return
	}
	c.others += text
	c.digits = c.digits || kind == token.CHAR && (text == "0" || text == "9")
	c.space = c.space || strings.Contains(text, " ")
	if kind == token.CHAR && (strings.EqualFold(text, "a") || strings.EqualFold(text, "z")) {
		c.letters, c.cases = true, true
	}
}

// foreign reads a call of another package's function.
func (c *characters) foreign(fn *types.Func) {
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path()
	}
	name := fn.Name()
	switch {
	case path == "unicode":
		c.digits = c.digits || name == "IsDigit" || name == "IsNumber"
		c.letters = c.letters || name == "IsLetter"
		c.cases = c.cases || strings.Contains(name, "Upper") || strings.Contains(name, "Lower") || strings.Contains(name, "Title")
		c.space = c.space || name == "IsSpace"
		c.any = c.any || name == "IsControl" || name == "IsPrint" || name == "IsPunct" || name == "Is" || name == "In"
	case path == "strings" || path == "bytes":
		c.cases = c.cases || strings.Contains(name, "Upper") || strings.Contains(name, "Lower") || strings.Contains(name, "Title") || name == "EqualFold"
		c.space = c.space || strings.HasPrefix(name, "Fields") || name == "TrimSpace"
	case path == "strconv":
		c.digits = c.digits || name == "Atoi" || strings.HasPrefix(name, "Parse")
		c.any = c.any || strings.Contains(name, "uote")
	case path == "fmt" || path == "errors" || path == "sort" || path == "slices" || path == "unicode/utf8":
		c.digits = c.digits || strings.Contains(name, "can") // the scanning functions: Sscanf
	default:
		// What another package's parser makes of the text is said by its error, and not by one of the characters.
		c.any = c.any || path == "regexp"
	}
}

// asks reports whether the code may ask for one of the characters.
func (c characters) asks(chars string) bool { return c.any || strings.ContainsAny(c.others, chars) }
