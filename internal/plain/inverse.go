package plain

import (
	"cmp"
	"go/types"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
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
		param, ok := readsText(reader.Obj)
		if !ok || !reader.Exported {
			continue
		}
		for _, printer := range pkg.Targets {
			if printed[printer.Name] == nil || !Undoes(reader.Obj, printer.Obj) && !Decodes(reader.Obj, printer.Obj) {
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
			return slices.ContainsFunc(pkg.Targets, func(t *load.Target) bool { return t.Exported && Decodes(t.Obj, f) })
		}
	}
	return true
}

// Decodes reports whether a function that reads a text returns exactly what a function that prints one takes, texts among it,
// and the names of both say that they do so: Decode returns the prefix and the data that Encode takes.
func Decodes(reader, printer *types.Func) bool {
	read, printed := reader.Signature(), printer.Signature()
	if _, ok := readsText(reader); !ok || printed.Results().Len() == 0 || !sameReceiver(read, printed) || !gosyntax.HasVerb(reader.Name(), gosyntax.Decoding) || !gosyntax.HasVerb(printer.Name(), gosyntax.Encoding) {
		return false
	}
	made, takes := yields(reader), printed.Params().Len()
	isAll := len(made) == takes && takes > 0 || len(made) > takes && takes > 1 // what is read may be told of its kind, too
	return isAll && types.Identical(read.Params().At(0).Type(), printed.Results().At(0).Type()) &&
		!slices.ContainsFunc(slices.Collect(printed.Params().Variables()), func(v *types.Var) bool {
			t := made[0]
			made = made[1:]
			return !types.Identical(t, v.Type())
		})
}

// sameReceiver reports whether two functions are no methods, or methods of one type.
func sameReceiver(a, b *types.Signature) bool {
	if a.Recv() == nil || b.Recv() == nil {
		return a.Recv() == b.Recv()
	}
	return types.Identical(pointee(a.Recv().Type()), pointee(b.Recv().Type()))
}

// readsText returns the only parameter of a function, and whether it is a text. A function that takes more reads only a
// part of what it makes from the text.
func readsText(f *types.Func) (*types.Var, bool) {
	params := f.Signature().Params()
	if params.Len() != 1 || !load.IsText(params.At(0).Type()) {
		return nil, false
	}
	return params.At(0), true
}

// Undoes reports whether a function that reads a text returns what a function that prints one takes. Numbers and the
// like are taken and returned by many functions, so for them the name of one of the two has to say that it does so.
func Undoes(reader, printer *types.Func) bool {
	takes := make(map[string]bool)
	sig := printer.Signature()
	if sig.Results().Len() == 0 || !load.IsText(sig.Results().At(0).Type()) {
		return false
	}
	for v := range sig.Params().Variables() {
		takes[pointee(v.Type()).String()] = true
	}
	if r := sig.Recv(); r != nil {
		takes[pointee(r.Type()).String()] = true
	}
	own := false
	found := 0
	made := yields(reader)
	if r := reader.Signature().Recv(); r != nil && gosyntax.HasVerb(reader.Name(), gosyntax.Reading) && !slices.ContainsFunc(made, func(t types.Type) bool { return !load.IsText(t) }) {
		made = []types.Type{r.Type()} // Unmarshal fills its receiver, and returns at most what is left of the text
	}
	for _, t := range made {
		if load.IsText(t) {
			continue // what is left of the text
		}
		if !takes[pointee(t).String()] {
			return false
		}
		_, basic := pointee(t).Underlying().(*types.Basic)
		own = own || !basic || load.NamedOf(t) != nil
		found++
	}
	return found > 0 && (own || gosyntax.HasVerb(reader.Name(), gosyntax.Reading) || gosyntax.HasVerb(printer.Name(), gosyntax.Printing))
}

// yields returns the types of the data that a function returns, or the receiver's if it returns nothing but an error.
func yields(f *types.Func) []types.Type {
	var out []types.Type
	for v := range f.Signature().Results().Variables() {
		if !gosyntax.IsError(v.Type()) {
			out = append(out, v.Type())
		}
	}
	if r := f.Signature().Recv(); r != nil && len(out) == 0 {
		if _, ok := types.Unalias(r.Type()).(*types.Pointer); ok {
			out = append(out, r.Type())
		}
	}
	return out
}

func pointee(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
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
