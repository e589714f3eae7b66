package outcome

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/testcase"
)

// Words are the words that a package says in its constant texts.
type Words map[string]bool

// WordsOf returns the words in the constant texts of files.
func WordsOf(files []*ast.File) Words {
	out := make(Words)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				for _, word := range lettersOf(lit.Value) {
					out[word] = true
				}
			}
			return true
		})
	}
	return out
}

// of returns the words of a class that the package says, all of them if w is nil.
func (w Words) of(class string) string {
	if w == nil {
		return class
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(class), func(word string) bool { return !w[word] }), " ")
}

// messageClass returns the words of a message without the parts that depend on the input: quoted text, numbers, signs,
// and values that the case itself passes. Two causes thus have two classes, and get a test each.
func messageClass(c *testcase.Case, message string) string {
	for _, results := range c.Observed.Results[:min(c.TargetStmt(), len(c.Observed.Results))] {
		for _, v := range results {
			if v.Err == nil || v.Err.Message == "" {
				continue
			}
			// An error that was passed is as good as any other. It mostly stands at the end, and what stands before
			// may have the same word: "failed to write: failed".
			if before, ok := strings.CutSuffix(message, v.Err.Message); ok {
				message = before
			} else {
				message = strings.ReplaceAll(message, v.Err.Message, "")
			}
		}
	}
	for _, text := range textsIn(c) {
		if len(text) > 1 {
			message = withoutText(message, text)
			continue
		}
		// Only as a word by itself, since one letter is part of many words.
		message = strings.TrimSpace(strings.ReplaceAll(" "+message+" ", " "+text+" ", "  "))
		message = strings.ReplaceAll(message, " "+text+":", " :")
	}
	return strings.Join(wordsBesides(c, variable.ReplaceAllString(message, "")), " ")
}

// withoutText returns a message without a text, as far as the text is no part of a longer word: "cannot" has no "no".
func withoutText(message, text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(message, text)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		last, _ := utf8.DecodeLastRuneInString(b.String())
		next, _ := utf8.DecodeRuneInString(after)
		first, _ := utf8.DecodeRuneInString(text)
		end, _ := utf8.DecodeLastRuneInString(text)
		if unicode.IsLetter(last) && unicode.IsLetter(first) || unicode.IsLetter(end) && unicode.IsLetter(next) {
			b.WriteString(text)
		}
		message = after
	}
}

// wordsBesides returns the words of a message that no text of the case has, and those that any sentence has. What is between words may
// be of the input: "@ is no identifier".
func wordsBesides(c *testcase.Case, message string) []string {
	texts := textsIn(c)
	return slices.DeleteFunc(lettersOf(message), func(word string) bool {
		const long = 3 // a word that a text has by chance is shorter
		switch strings.ToLower(word) {
		case "be", "is", "no", "not", "cannot", "must", "the", "an", "of", "to", "in", "for", "with", "and", "or":
			return false
		}
		return len(word) == 1 || slices.ContainsFunc(texts, func(text string) bool {
			// Functions that know units and names of any case often say them in lower case.
			if len(word) >= long {
				return strings.Contains(strings.ToLower(text), strings.ToLower(word))
			}
			return slices.ContainsFunc(lettersOf(text), func(part string) bool { return strings.EqualFold(part, word) })
		})
	})
}

// lettersOf returns the words of a text.
func lettersOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' })
}

// textsIn returns the constant texts of a case that are not empty, lists of bytes among them.
func textsIn(c *testcase.Case) []string {
	var out []string
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		text := st.Op.Lit.Str
		if list, ok := st.Op.Type.(*types.Slice); ok && st.Op.Kind == testcase.OpComposite && types.Identical(list.Elem(), types.Typ[types.Uint8]) {
			for _, a := range st.Args {
				text += string([]byte{byte(c.Seq.At(a.Stmt).Op.Lit.Bits)})
			}
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// variable matches the parts of messages that depend on their inputs.
var variable = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|`[^`]*`|<nil>|\\b(?:u?int(?:8|16|32|64)?|float(?:32|64)|complex(?:64|128)|bool|string)\\b|\\w*[0-9]\\w*")
