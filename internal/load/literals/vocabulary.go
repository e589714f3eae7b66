package literals

import (
	"go/ast"
	"go/constant"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of how much is read from a package's testdata, and of the texts made from it.
const (
	maxDataFiles = 30
	maxDataSize  = 4096 // bytes of a file
	maxDataText  = 120  // bytes of a text
	maxDataTexts = 100
	maxEmbedded  = 20 // files whose names are texts
)

// spelled returns texts of the package's domain that no literal of its code has: the names in struct
// tags, a text that each constant regular expression matches, the names of files that the compiler embeds, and the content of
// small files of testdata. They are in the order of the source, then of the names of files.
func spelled(src Source) []string {
	var out []string
	for _, f := range src.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if n.Tag != nil {
					out = append(out, tagNames(n.Tag.Value)...)
				}
			case *ast.CallExpr:
				if text, ok := matching(src, n); ok {
					out = append(out, text)
				}
			}
			return true
		})
	}
	for _, name := range src.Embedded[:min(len(src.Embedded), maxEmbedded)] {
		base := path.Base(name)
		out = append(out, base, strings.TrimSuffix(base, path.Ext(base)))
		if name != base {
			out = append(out, name)
		}
	}
	return append(out, testdata(src.Dir)...)
}

// tagNames returns the names that a struct tag gives its field: user for `json:"user,omitempty"`.
func tagNames(literal string) []string {
	tag, err := strconv.Unquote(literal)
	if err != nil {
		return nil
	}
	var out []string
	for _, part := range strings.Fields(tag) {
		key, _, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get(key), ",")
		if name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}

// matching returns a text that matches the regular expression which a call compiles.
func matching(src Source, call *ast.CallExpr) (string, bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 || !strings.Contains(sel.Sel.Name, "Compile") {
		return "", false
	}
	if f := src.Info.Uses[sel.Sel]; f == nil || f.Pkg() == nil || f.Pkg().Path() != "regexp" {
		return "", false
	}
	v := src.Info.Types[call.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	re, err := syntax.Parse(constant.StringVal(v), syntax.Perl)
	if err != nil {
		return "", false // the regular expression is wrong; the program itself panics or reports it
	}
	var b strings.Builder
	if !sample(&b, re) || b.Len() == 0 {
		return "", false
	}
	return b.String(), true
}

// sample writes a short text that a regular expression matches. It returns false if there is none, or
// if the text grows too long.
func sample(b *strings.Builder, re *syntax.Regexp) bool {
	if b.Len() > maxDataText {
		return false
	}
	repeat := func(n int) bool {
		for range n {
			if !sample(b, re.Sub[0]) {
				return false
			}
		}
		return true
	}
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) == 0 {
			return false
		}
		b.WriteRune(fromClass(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture:
		return sample(b, re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		return repeat(1)
	case syntax.OpRepeat:
		return repeat(max(re.Min, min(1, re.Max)))
	case syntax.OpConcat:
		for _, s := range re.Sub {
			if !sample(b, s) {
				return false
			}
		}
	case syntax.OpAlternate:
		return sample(b, re.Sub[0])
	}
	return true // empty expressions: anchors and the like
}

// fromClass returns a character of a class, which is given as pairs of bounds. It is a letter or digit if the
// class has one.
func fromClass(ranges []rune) rune {
	for _, wanted := range "ax1A" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= wanted && wanted <= ranges[i+1] {
				return wanted
			}
		}
	}
	return ranges[0]
}

// testdata returns the content of small text files in the package's testdata: whole if they are short,
// and line by line.
func testdata(dir string) []string {
	names, err := filepath.Glob(filepath.Join(dir, "testdata", "*"))
	if err != nil {
		return nil // the only error is a malformed pattern: the directory's name has brackets
	}
	var out []string
	files := 0
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxDataSize || strings.HasSuffix(name, ".go") {
			continue
		}
		if files++; files > maxDataFiles {
			break
		}
		text, err := os.ReadFile(name)
		if err != nil || !utf8.Valid(text) || strings.ContainsRune(string(text), 0) {
			continue
		}
		if len(text) <= maxDataText {
			out = append(out, string(text))
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimRight(line, "\r\n"); line != "" && len(line) <= maxDataText && len(out) < maxDataTexts {
				out = append(out, line)
			}
		}
	}
	return out
}
