package page

import (
	"embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// rules has chroma's rules for Go, written by TestRulesAreChromas. The package of all of chroma's lexers is not
// imported: it registers some hundreds of languages whenever a process starts, which takes longer than all
// else, and each process in which code under test runs begins as this program.
//
//go:embed go.xml
var rules embed.FS

// painter colours Go.
type painter struct{ lexer chroma.Lexer }

func newPainter() (*painter, error) {
	lexer, err := chroma.NewXMLLexer(rules, "go.xml")
	if err != nil {
		return nil, err
	}
	return &painter{chroma.Coalesce(lexer)}, nil
}

// colour returns Go source as HTML.
func (p *painter) colour(src string) template.HTML {
	if src == "" {
		return ""
	}
	var lines []string
	for _, l := range p.lines(src) {
		lines = append(lines, string(l))
	}
	return template.HTML(strings.Join(lines, "\n"))
}

// lines returns the lines of Go source as HTML. The source may be a part of a file: what is no Go has no
// colour.
func (p *painter) lines(src string) []template.HTML {
	src = strings.ReplaceAll(src, "\r", "") // chroma makes lines of them
	var b strings.Builder
	if tokens, err := p.lexer.Tokenise(nil, src); err != nil {
		b.WriteString(template.HTMLEscapeString(src)) // the source is readable without colours
	} else {
		for _, token := range tokens.Tokens() {
			writeToken(&b, classOf(token.Type), token.Value)
		}
	}
	var out []template.HTML
	for line := range strings.SplitSeq(strings.TrimSuffix(b.String(), "\n"), "\n") {
		out = append(out, template.HTML(line))
	}
	return out
}

// writeToken writes a token of a class, each of its lines in an element of its own.
func writeToken(b *strings.Builder, class, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		escaped := template.HTMLEscapeString(line)
		if class == "" || line == "" {
			b.WriteString(escaped) // text without a colour needs no element
			continue
		}
		fmt.Fprintf(b, `<span class="%s">%s</span>`, class, escaped)
	}
}

// classOf returns the class of a type of tokens, for which the style sheet has a colour, or "".
func classOf(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "c1"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	case t == chroma.KeywordType, t == chroma.KeywordConstant, t == chroma.NameFunction, t == chroma.NameBuiltin:
		return chroma.StandardTypes[t]
	case t.InCategory(chroma.Keyword):
		return "k"
	}
	return ""
}
