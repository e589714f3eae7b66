package crossed

import (
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/asked"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the documents that a case is tried with.
const (
	mostKnown    = 12 // of the documentation
	mostComposed = 60 // composed of words and signs
	mostLookedIn = 24 // documents that a call looks something up in, or finds in a file
	mostLookups  = 6  // words of one document that a call is passed
)

// Documents returns sequences of a case with documents in place of the text that it reads: its own call, or else the last call before it that makes
// something of a text. There they are those of the documentation, or else documents composed of words and of the signs that code asks for: asks
// returns a list for each function that a function reaches. What engines leave is the shortest text that goes the same way, "[]\na", of which no
// reader sees what it stands for. Where a call looks something up in what was made of a document, it is passed words of the document.
// It returns none for other cases.
func Documents(pkg *load.Package, c *testcase.Case, asks func(*types.Func) [][]string) []*testcase.Sequence {
	at, stmt, param, ok := reading(pkg, c)
	if !ok {
		return nil
	}
	own := at == c.TargetStmt()
	var looked []int // the statements of texts that the own call is passed
	if !own {
		if looked = lookups(pkg, c); len(looked) == 0 {
			return nil
		}
	}
	var out []*testcase.Sequence
	f := c.Seq.At(at).Op.Func
	var texts []string
	if n := pkg.Notated(f, param); n != nil {
		for _, text := range n.Accepted[:min(len(n.Accepted), mostKnown)] {
			texts = append(texts, text.Value)
		}
	}
	if len(texts) == 0 { // nobody says what such a document looks like
		texts = composed(asks(f))
	}
	if !own {
		texts = texts[:min(len(texts), mostLookedIn)]
	}
	for _, text := range texts {
		seq, ok := plain.WithText(c.Seq, stmt, text)
		switch {
		case ok && own:
			out = append(out, seq)
			continue
		case !ok || seq.Len() != c.Seq.Len():
			continue
		}
		words := wordsOf(text)
		for n := range min(mostLookups, len(words)) {
			with := make(map[int]plain.Part)
			for k, l := range looked {
				with[l] = constant(c.Seq.At(l).Op.Type, words[(n+k)%len(words)])
			}
			if other, ok := plain.Replaced(seq, with); ok {
				out = append(out, other)
			}
		}
	}
	return out
}

// reading returns the last call up to a case's own one that makes something of a text, the statement of the text, and which parameter takes it.
func reading(pkg *load.Package, c *testcase.Case) (at, stmt, param int, ok bool) {
	for i := c.TargetStmt(); i >= 0; i-- {
		st := c.Seq.At(i)
		if st.Op.Func == nil || st.Op.Via != nil || st.Op.Func.Pkg() != pkg.Types || st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod {
			continue
		}
		params := st.Op.Signature().Params()
		found := 0
		for k := st.Op.FirstParam(); k < min(len(st.Args), st.Op.FirstParam()+params.Len()); k++ {
			v := params.At(k - st.Op.FirstParam())
			text, isText := plain.TextBehind(pkg, c.Seq, st.Args[k])
			if isText && !(load.IsText(v.Type()) && load.NamesPlace(v)) {
				stmt, param, found = text, k-st.Op.FirstParam(), found+1
			}
		}
		isReader := found == 1 && load.IsNamed(params.At(param).Type(), "io", "Reader")
		if found == 1 && (isReader || gosyntax.ReturnsError(st.Op.Signature())) {
			return i, stmt, param, true
		}
	}
	return 0, 0, 0, false
}

// lookups returns the statements of the constant texts that a case's own call is passed.
func lookups(pkg *load.Package, c *testcase.Case) []int {
	st := c.Seq.At(c.TargetStmt())
	if st.Op.Kind != testcase.OpMethod {
		return nil
	}
	var out []int
	for _, a := range st.Args[1:] {
		op := c.Seq.At(a.Stmt).Op
		if (op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero) && op.Type != nil && isString(op.Type) {
			out = append(out, a.Stmt)
		}
	}
	return out
}

// Contents returns what files are tried with that a function of a package reads: examples of the README in a language of its own, and composed documents.
func Contents(pkg *load.Package, lists [][]string) []string {
	var out []string
	if pkg.Literals != nil {
		for _, example := range pkg.Literals.Fenced {
			if !notation.IsLanguage(example.Language) && len(out) < mostKnown {
				out = append(out, example.Text)
			}
		}
	}
	out = append(out, composed(lists)...)
	return out[:min(len(out), mostLookedIn)]
}

// composed returns documents composed of words and the signs in some lists.
func composed(lists [][]string) []string {
	if len(lists) == 0 {
		return nil
	}
	var out []string
	rnd := rand.New(rand.NewPCG(1, 1))
	for range mostComposed {
		if text := asked.Compose(rnd, asked.Some(rnd, lists)); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// wordsOf returns the words of a text, each once. Hyphens and underscores are parts of words.
func wordsOf(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
	}) {
		if word = strings.Trim(word, "-_"); word != "" && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}
