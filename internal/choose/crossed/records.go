package crossed

import (
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// mostRecords is how many texts are made of one.
const mostRecords = 6

// Records returns sequences of a case that takes a text apart, with a text in which each part is a word for the field that it comes into. A
// solver finds that four colons make a record of five fields, and leaves the fields empty, so that a test of the fields would not see two
// exchanged. The struct is one that the call returns, or that leads from there, with as many exported texts as the line has parts. With the one
// record there is a text of two. It returns none for other cases.
func Records(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if c.Observed == nil || c.Observed.Status != testcase.Returned || c.CallFailed() || st.Op.Func == nil {
		return nil
	}
	records := recordsOf(pkg, st.Op.Func.Signature())
	if len(records) == 0 {
		return nil
	}
	var out []*testcase.Sequence
	for _, a := range st.Args {
		stmt, ok := plain.TextBehind(pkg, c.Seq, a)
		if !ok {
			continue
		}
		text, _ := plain.TextOf(pkg, c.Seq, stmt)
		for _, made := range withWords(text, records) {
			if seq, ok := plain.WithText(c.Seq, stmt, made); ok && len(out) < mostRecords {
				out = append(out, seq)
			}
		}
	}
	return out
}

// record is what a struct's exported texts are called.
type record []string

// recordsOf returns the records that a function's results lead to.
func recordsOf(pkg *load.Package, sig *types.Signature) []record {
	var out []record
	seen := make(map[types.Type]bool)
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			visit(u.Elem())
		case *types.Slice:
			visit(u.Elem())
		case *types.Map:
			visit(u.Elem())
		case *types.Struct:
			if named := load.NamedOf(t); named == nil || named.Obj().Pkg() != pkg.Types {
				return
			}
			var r record
			for f := range u.Fields() {
				if f.Exported() && isString(f.Type()) {
					r = append(r, f.Name())
				}
				visit(f.Type())
			}
			if len(r) > 1 {
				out = append(out, r)
			}
		}
	}
	for v := range sig.Results().Variables() {
		if !gosyntax.IsError(v.Type()) {
			visit(v.Type())
		}
	}
	return out
}

// withWords returns texts with words for the fields of records in place of the parts of the first line that has as many.
func withWords(text string, records []record) []string {
	lines := strings.Split(text, "\n")
	var out []string
	for i, line := range lines {
		for _, sep := range separators(line) {
			for _, r := range records {
				if strings.Count(line, sep)+1 != len(r) {
					continue
				}
				first, second := r.line(sep, 0), r.line(sep, 1)
				if first == "" || second == "" {
					continue
				}
				around := func(with ...string) string { return strings.Join(slices.Concat(lines[:i], with, lines[i+1:]), "\n") }
				out = append(out, around(first), around(first, second))
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// separators returns the signs of a line, in their order and each once.
func separators(line string) []string {
	var out []string
	for _, r := range line {
		if sign := string(r); (unicode.IsPunct(r) || unicode.IsSymbol(r) || r == '\t' || r == ' ') && !slices.Contains(out, sign) {
			out = append(out, sign)
		}
	}
	return out
}

// line returns the n-th words for the fields with a separator between them, "" if one of them has the separator in itself or two are equal.
func (r record) line(sep string, n int) string {
	var words []string
	for _, name := range r {
		word := wordsFor(name)[n]
		if strings.Contains(word, sep) || slices.Contains(words, word) {
			return ""
		}
		words = append(words, word)
	}
	return strings.Join(words, sep)
}

// wordsFor returns two different texts for a field.
func wordsFor(name string) [2]string {
	texts := everyday.OfField(name, false)
	if len(texts) == 0 {
		texts = []string{strings.ToLower(name)}
	}
	if len(texts) > 1 {
		return [2]string{texts[0], texts[1]}
	}
	if n, err := strconv.Atoi(texts[0]); err == nil {
		return [2]string{texts[0], strconv.Itoa(n + 1)}
	}
	return [2]string{texts[0], texts[0] + "2"}
}
