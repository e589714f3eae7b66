package literals

import (
	"cmp"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// verbs are the verbs of package fmt in a format.
var verbs = regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[\d.*]*[a-zA-Z%]`)

// least is how many letters a phrase has at least. With fewer it says too little, as "key" does.
const least = 6

// Phrases returns what the texts in a package's code say in words, the longest first: each text between the verbs of a format. By
// these a test knows what the package says of an error from what others say in the same message.
func Phrases(files []*ast.File) []string {
	var out []string
	tags := make(map[*ast.BasicLit]bool) // of the fields of structs
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				tags[n.Tag] = true
			case *ast.BasicLit:
				if n.Kind != token.STRING || tags[n] {
					break
				}
				text, err := strconv.Unquote(n.Value)
				if err != nil {
					break
				}
				for _, part := range verbs.Split(text, -1) {
					if part = strings.Trim(part, " \t\r\n:;,=([{"); isPhrase(part) {
						out = append(out, part)
					}
				}
			}
			return true
		})
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(out)
}

// isPhrase reports whether a text consists of several words.
func isPhrase(text string) bool {
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= least && strings.Contains(text, " ") && !strings.ContainsAny(text, "\n\t")
}
