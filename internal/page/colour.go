package page

import (
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"html/template"
	"strings"
)

// colour returns Go source as HTML.
func colour(src string) template.HTML {
	if src == "" {
		return ""
	}
	var lines []string
	for _, l := range coloured(src) {
		lines = append(lines, string(l))
	}
	return template.HTML(strings.Join(lines, "\n"))
}

// coloured returns the lines of Go source as HTML. The scanner of the standard library finds the words,
// because a package for many languages takes longer to be initialised than this whole program otherwise, and
// each process in which code under test runs begins as this program. The source may be a part of a file: what
// is no Go has no colour.
func coloured(src string) []template.HTML {
	src = strings.ReplaceAll(src, "\r", "") // the scanner leaves them out of comments and texts
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var b strings.Builder
	at, declares := 0, false
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		from := file.Offset(pos)
		if tok == token.SEMICOLON && text == "\n" || from < at {
			continue // the scanner has inserted it
		}
		if text == "" {
			text = tok.String()
		}
		end := min(from+len(text), len(src))
		b.WriteString(template.HTMLEscapeString(src[at:from]))
		writeToken(&b, classOf(tok, text, declares, strings.HasPrefix(strings.TrimLeft(src[end:], " "), "(")), src[from:end])
		at, declares = end, tok == token.FUNC
	}
	b.WriteString(template.HTMLEscapeString(src[at:]))
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

// classOf returns the class of a token, for which the style sheet has a colour, or "". The parameter declares
// says that the keyword func stands before the token, and called that a parenthesis follows.
func classOf(tok token.Token, text string, declares, called bool) string {
	switch {
	case tok == token.COMMENT:
		return "c1"
	case tok == token.STRING, tok == token.CHAR:
		return "s"
	case tok == token.INT, tok == token.FLOAT, tok == token.IMAG:
		return "m"
	case tok.IsKeyword():
		return "k"
	case tok == token.IDENT:
		switch types.Universe.Lookup(text).(type) {
		case *types.TypeName:
			return "kt"
		case *types.Const, *types.Nil:
			return "kc"
		case *types.Builtin:
			return "nb"
		}
		if declares || called {
			return "nf"
		}
	}
	return ""
}
