package plain

import (
	"cmp"
	"go/types"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/inverse"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Printed knows texts that functions of a package print, by the parameters that take such texts: what Encode
// returns for the hash that Decode reads. A text that another function printed is one that the package's users
// have, and what it means is known from the call that printed it.
type Printed struct {
	byParam map[string][]string // by function and parameter, and by parameter alone where its name says enough
}

// Bounds of the texts that Printed knows.
const (
	mostPrinted    = 6   // texts for a parameter
	longestPrinted = 160 // bytes of a text
	shortestParam  = 3   // bytes of the name of a parameter that takes the same texts in all functions
)

// PrintedBy returns what the calls of the tests and of other executed cases printed, for the functions that read it. A
// function reads what another one prints if it returns, or fills its receiver with, what the other one takes. What tests
// print comes first, because their inputs are plain, and then the texts with the most different characters.
func PrintedBy(pkg *load.Package, tests, executed []*testcase.Case) Printed {
	p := Printed{byParam: make(map[string][]string)}
	type output struct {
		text          string
		strange, rich int
	}
	outputs := make(map[string][]output) // by the name of the function that prints
	for i, c := range slices.Concat(tests, executed) {
		text, ok := prints(pkg, c)
		if !ok || slices.ContainsFunc(outputs[c.Target], func(o output) bool { return o.text == text }) {
			continue
		}
		rich := make(map[rune]bool)
		for _, r := range text {
			rich[r] = true
		}
		strange := math.MaxInt
		if i < len(tests) {
			strange = Strangeness(pkg, c)
		}
		outputs[c.Target] = append(outputs[c.Target], output{text, strange, len(rich)})
	}
	printed := make(map[string][]string)
	for name, of := range outputs {
		slices.SortStableFunc(of, func(a, b output) int { return cmp.Or(cmp.Compare(a.strange, b.strange), b.rich-a.rich) })
		for _, o := range of[:min(len(of), mostPrinted)] {
			printed[name] = append(printed[name], o.text)
		}
	}
	for _, reader := range pkg.Targets {
		param, ok := inverse.ReadsText(reader.Obj)
		if !ok || !reader.Exported {
			continue
		}
		for _, printer := range pkg.Targets {
			if printed[printer.Name] == nil || !inverse.Undoes(reader.Obj, printer.Obj) && !inverse.Decodes(reader.Obj, printer.Obj) {
				continue
			}
			keys := []string{reader.Name + " " + param.Name()}
			if len(param.Name()) >= shortestParam {
				keys = append(keys, param.Name())
			}
			for _, key := range keys {
				p.add(key, printed[printer.Name])
			}
		}
	}
	return p
}

// add adds texts for a parameter.
func (p Printed) add(key string, texts []string) {
	for _, text := range texts {
		if has := p.byParam[key]; len(has) < mostPrinted && !slices.Contains(has, text) {
			p.byParam[key] = append(has, text)
		}
	}
}

// prints returns the text that the call of a case returned, if its function prints and the call ended well.
func prints(pkg *load.Package, c *testcase.Case) (string, bool) {
	at := c.TargetStmt()
	if c.Observed == nil || c.Observed.Status != testcase.Returned || c.Observed.Unstable || at >= len(c.Observed.Results) || !IsPrinter(pkg, c) || refused(c) || len(c.Observed.Results[at]) == 0 {
		return "", false
	}
	v := c.Observed.Results[at][0]
	held, _ := v.Bytes()
	text := string(held)
	if v.Cut || text == "" || len(text) > longestPrinted || strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) && r != '\n' && r != '\t' || r == unicode.ReplacementChar
	}) {
		return "", false
	}
	return text, true
}

// IsPrinter reports whether the function of a case returns a text and takes none, or encodes what another function of the
// package decodes.
func IsPrinter(pkg *load.Package, c *testcase.Case) bool {
	f := c.Seq.At(c.TargetStmt()).Op.Func
	if f == nil || f.Signature().Results().Len() == 0 || !load.IsText(f.Signature().Results().At(0).Type()) {
		return false
	}
	for v := range f.Signature().Params().Variables() {
		if load.IsText(v.Type()) {
			return slices.ContainsFunc(pkg.Targets, func(t *load.Target) bool { return t.Exported && inverse.Decodes(t.Obj, f) })
		}
	}
	return true
}

// IsReader reports whether the name of a case's function says that it makes something of a text.
func IsReader(c *testcase.Case) bool {
	f := c.Seq.At(c.TargetStmt()).Op.Func
	return f != nil && Reads(f.Name())
}

// Reads reports whether a function's name says that it makes something of a text.
func Reads(function string) bool { return gosyntax.HasVerb(function, gosyntax.Reading) }

// Inverse returns a way that passes the n-th text which the package prints for a parameter in place of a text that
// nobody chose. A call that refuses its text gets one that is changed in a place: cut off, or with a character
// of the refused text.
func (p Printed) Inverse(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if len(p.byParam) == 0 {
			return nil, false
		}
		target := c.TargetStmt()
		for k := target; k >= 0; k-- {
			st := c.Seq.At(k)
			if !ownCall(pkg, st.Op) {
				continue
			}
			args, params := st.Args, st.Op.Func.Signature().Params()
			if st.Op.Kind == testcase.OpMethod {
				args = args[1:]
			}
			for i := range min(len(args), params.Len()) {
				text, ok := TextOf(pkg, c.Seq, args[i].Stmt)
				if !ok {
					text, ok = madeText(pkg, c, args[i])
				}
				if !ok || IsSpelledOut(pkg, text) {
					continue
				}
				texts := p.textsFor(st.Op.Func, params.At(i), text, k == target && refused(c))
				if n < len(texts) && !slices.Contains(texts[:n+1], text) { // those that come first are plainer
					return WithText(c.Seq, args[i].Stmt, texts[n])
				}
			}
		}
		return nil, false
	}
}

// madeText returns the text that a call of the package has made for one call of a case.
func madeText(pkg *load.Package, c *testcase.Case, arg testcase.Ref) (string, bool) {
	st := c.Seq.At(arg.Stmt)
	if !ownCall(pkg, st.Op) || arg.Result != 0 || !onlyData(c.Seq, arg.Stmt, 0) || arg.Stmt >= len(c.Observed.Results) || len(c.Observed.Results[arg.Stmt]) == 0 {
		return "", false
	}
	if made := st.Op.Func.Signature().Results(); made.Len() != 1 || !load.IsText(made.At(0).Type()) {
		return "", false
	}
	text, ok := c.Observed.Results[arg.Stmt][0].Bytes()
	return string(text), ok
}

// MostInverse is for how many numbers [Printed.Inverse] has a way.
const MostInverse = 2*mostPrinted + 8

// textsFor returns what may be passed for a parameter in place of a text: printed texts, then their first halves; or
// spoiled ones if the call refuses the text.
func (p Printed) textsFor(f *types.Func, param *types.Var, text string, isRefused bool) []string {
	texts := p.byParam[testcase.TargetName(f)+" "+param.Name()]
	if texts == nil && !gosyntax.HasVerb(f.Name(), gosyntax.Printing) { // what prints may take the text to which it appends
		texts = p.byParam[param.Name()]
	}
	if isRefused {
		return spoiled(texts, text)
	}
	out := slices.Clone(texts)
	if len(texts) > 0 {
		out = slices.Insert(out, 1, telling(texts[0])...)
	}
	for _, t := range texts {
		if half := []rune(t); len(half) > 3 {
			out = append(out, string(half[:len(half)/2]))
		}
	}
	return out
}

// telling returns a text of lines with more behind it, or with a larger number: of 7 nobody can say in which base it is written.
func telling(text string) []string {
	if !strings.HasSuffix(text, "\n") {
		return nil
	}
	out := []string{text + "more\n", text + "x"}
	for line := range strings.Lines(text) {
		if n := strings.TrimSuffix(line, "\n"); len(n) == 1 && n >= "0" && n <= "9" {
			out = append(out, strings.Replace("\n"+text, "\n"+line, "\n42\n", 1)[1:])
		}
	}
	return out
}

// refused reports whether the call of a case returned an error or panicked.
func refused(c *testcase.Case) bool {
	if c.Observed.Status != testcase.Returned {
		return true
	}
	at := c.TargetStmt()
	return at < len(c.Observed.Results) && slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool { return v.Err != nil })
}

// withoutPart returns a text of several lines, or of parts between signs, with one of them changed: left out, empty, or something
// else. What is wrong with such a text is wrong in one place.
func withoutPart(text string) []string {
	const most = 4 // parts
	sep := "\n"
	if !strings.Contains(strings.TrimSuffix(text, "\n"), sep) {
		i := strings.IndexAny(text, ":/,;=|@-. ")
		if i < 0 {
			return nil
		}
		sep = text[i : i+1]
	}
	end := ""
	if strings.HasSuffix(text, sep) {
		text, end = strings.TrimSuffix(text, sep), sep
	}
	parts := strings.Split(text, sep)
	if len(parts) > most {
		return nil
	}
	var out []string
	for _, other := range []string{"", "x", "-1", "a"} {
		for i := range parts {
			changed := slices.Clone(parts)
			changed[i] = other
			out = append(out, strings.Join(changed, sep)+end)
		}
	}
	for i := range parts {
		out = append(out, strings.Join(slices.Delete(slices.Clone(parts), i, i+1), sep)+end)
	}
	return out
}

// spoiled returns texts made of the first of the given ones that a reader may refuse for the reason for which it
// refused another text.
func spoiled(texts []string, other string) []string {
	if len(texts) == 0 || other == "" {
		return nil
	}
	good := []rune(texts[0])
	half := len(good) / 2
	out := withoutPart(texts[0])
	for _, r := range other {
		if !slices.Contains(good, r) {
			out = append(out, string(good[:half])+string(r)+string(good[min(len(good), half+1):]))
			break
		}
	}
	return append(out, string(good[:len(good)-1]), string(good[:half]), string(good)+string(good))
}
