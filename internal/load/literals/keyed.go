package literals

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Limits of the texts that keyed makes.
const (
	fewestKeys = 2
	mostKeys   = 32 // lines of a text
	mostKeyed  = 3  // texts of a function
)

// keyed returns texts as a function reads them that splits lines and compares their first words: "cache 1\nrss 2\n", "Name: ann\nState: abc\n".
// A line has one of the words that the function compares with, what it splits at, and a number if it reads numbers. By themselves such words
// say nothing, and no solver puts thirty of them together.
func keyed(info *types.Info, fd *ast.FuncDecl) []string {
	k := &keyReader{info: info}
	ast.Inspect(fd.Body, k.visit)
	if len(k.keys) < fewestKeys || k.sep == "" {
		return nil
	}
	var out []string
	for chunk := range slices.Chunk(k.keys, mostKeys) {
		var b strings.Builder
		for i, key := range chunk {
			value := fmt.Sprint(i + 1)
			if !k.numbers {
				value = []string{"abc", "ann", "hello"}[i%3]
			}
			if strings.HasSuffix(key, strings.TrimSpace(k.sep)) && strings.TrimSpace(k.sep) != "" {
				fmt.Fprintf(&b, "%s %s\n", key, value)
			} else {
				fmt.Fprintf(&b, "%s%s%s\n", key, k.sep, value)
			}
		}
		if out = append(out, b.String()); len(out) == mostKeyed {
			break
		}
	}
	return out
}

// keyReader collects what keyed needs of a function.
type keyReader struct {
	info    *types.Info
	keys    []string
	sep     string // what lines are split at first
	numbers bool   // something is read as a number
}

// visit looks at a node of the function's body.
func (k *keyReader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			if list := c.(*ast.CaseClause).List; n.Tag != nil && len(list) > 0 {
				k.key(list[0]) // the others are spellings of the same
			}
		}
	case *ast.BinaryExpr:
		if n.Op == token.EQL {
			k.key(n.X)
			k.key(n.Y)
		}
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok {
			break
		}
		fn, ok := k.info.Uses[sel.Sel].(*types.Func)
		if !ok || fn.Pkg() == nil {
			break
		}
		k.call(fn, n)
	}
	return true
}

// call looks at a call of a function of another package.
func (k *keyReader) call(fn *types.Func, call *ast.CallExpr) {
	switch fn.Pkg().Path() {
	case "strconv":
		k.numbers = k.numbers || fn.Name() == "Atoi" || strings.HasPrefix(fn.Name(), "Parse") && fn.Name() != "ParseBool"
	case "strings", "bytes":
		switch fn.Name() {
		case "Fields":
			k.splitsAt(" ")
		case "Split", "SplitN", "SplitAfterN", "Cut", "Index", "IndexByte":
			if len(call.Args) > 1 {
				if v := k.info.Types[call.Args[1]].Value; v != nil && v.Kind() == constant.String {
					k.splitsAt(constant.StringVal(v))
				} else if r, ok := runeOf(v); ok {
					k.splitsAt(string(r))
				}
			}
		case "HasPrefix":
			if len(call.Args) == 2 {
				k.key(call.Args[1])
			}
		}
	}
}

// runeOf returns the character that a constant is.
func runeOf(v constant.Value) (rune, bool) {
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	n, exact := constant.Int64Val(v)
	return rune(n), exact && n > 0 && n < 128
}

// splitsAt notes what lines are split at: the first short text of punctuation or blanks that is no end of a line.
func (k *keyReader) splitsAt(sep string) {
	const longest = 3
	if k.sep == "" && sep != "" && len(sep) <= longest && !strings.ContainsAny(sep, "\n\r") && !strings.ContainsFunc(sep, isWordRune) {
		k.sep = sep
	}
}

// key notes a word that the function compares with.
func (k *keyReader) key(e ast.Expr) {
	v := k.info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return
	}
	const shortest, longest = 2, 40
	s := constant.StringVal(v)
	word := strings.TrimRight(s, ":= ")
	if len(word) < shortest || len(word) > longest || strings.ContainsFunc(word, func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune("-. ()", r) }) || slices.Contains(k.keys, s) {
		return
	}
	k.keys = append(k.keys, s)
}

// isWordRune reports whether a character may be part of a key.
func isWordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}
