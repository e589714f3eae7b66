package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// opposites are pairs of words in the names of functions. The function with the second word undoes the
// function with the first.
func opposites() [][2]string {
	return [][2]string{
		{"Encod", "Decod"}, {"Marshal", "Unmarshal"}, {"Escape", "Unescape"}, {"Quote", "Unquote"}, {"Compress", "Decompress"},
		{"Compress", "Uncompress"}, {"Serialize", "Deserialize"}, {"Pack", "Unpack"}, {"Zip", "Unzip"}, {"Join", "Split"},
	}
}

// inverses returns the checks of a function that writes values which another function of the package reads,
// according to their names and signatures. The second function has to return the value that was passed to the
// first one.
func (s *subject) inverses() []*testcase.Check {
	sig := s.sig
	if sig != s.fn.Signature() || sig.Params().Len() != 1 {
		return nil
	}
	t := sig.Params().At(0).Type()
	comparison := differ(t)
	written, mayFail := oneResult(sig)
	if comparison == "" || written == nil {
		return nil
	}
	var out []*testcase.Check
	for _, w := range opposites() {
		for _, f := range s.funcs {
			if !undoes(s.fn.Name(), f.Name(), w) {
				continue
			}
			back, refuses := oneResult(f.Signature())
			params := f.Signature().Params()
			if back == nil || f.Signature().Variadic() || params.Len() != 1 || !types.Identical(back, t) || !types.Identical(params.At(0).Type(), written) || types.Identical(t, written) && s.fn == f {
				continue
			}
			if w[1] == "Split" && !refuses {
				continue // any text is fine, with any separator in it, and nothing is quoted
			}
			arg := "x"
			if sig.Variadic() {
				arg = "x..."
			}
			var body []string
			if isString(t) {
				// Values that are no valid text need not survive.
				body = append(body, `if !«unicode/utf8».ValidString(string(x)) {`, `	return nil`, `}`)
			}
			body = append(body, plainKeys(t)...)
			body = append(body, called("text", mayFail, `«g»(`+arg+`)`, `nil`)...)
			body = append(body, called("y", refuses, `«f»(text)`, `«errors».New("`+f.Name()+` refuses what `+s.fn.Name()+` returns")`)...)
			body = append(body, `if `+comparison+` {`)
			if isString(t) && isString(written) && arg == "x" {
				body = append(body, anotherSpelling(mayFail)...)
			}
			body = append(body,
				`	return «errors».New("`+f.Name()+` makes something else of what `+s.fn.Name()+` returns")`,
				`}`,
				`return nil`)
			c := s.check(f, "check"+f.Name(), "reports whether "+f.Name()+" undoes "+s.fn.Name()+".", t, 1, body...)
			c[0].Free, c[0].Other = true, s.fn
			out = append(out, c...)
		}
	}
	return out
}

// anotherSpelling returns the statements that leave alone a text which comes back as another one that is written the same: a path without the slash at
// its end, or a name in small letters.
func anotherSpelling(mayFail bool) []string {
	condition := `again := «g»(y); again == text`
	if mayFail {
		condition = `again, err := «g»(y); err == nil && again == text`
	}
	return []string{`	if ` + condition + ` {`, `		return nil // y is another spelling of x`, `	}`}
}

// called returns the statements that call a function with one result, and an error if the function may fail.
// If it fails, the statements return failed.
func called(name string, mayFail bool, call, failed string) []string {
	if !mayFail {
		return []string{name + ` := ` + call}
	}
	return []string{name + `, err := ` + call, `if err != nil {`, `	return ` + failed, `}`}
}

// undoes reports whether the name of one function is the name of another one with the opposite word in it.
func undoes(write, read string, w [2]string) bool {
	if !strings.Contains(write, w[0]) {
		return false
	}
	want := strings.Replace(write, w[0], w[1], 1)
	return read == want || read == strings.Replace(want, "ToString", "String", 1)
}

// oneResult returns the only result of a signature besides an error, and whether there is an error. It
// returns nil if there are other results.
func oneResult(sig *types.Signature) (types.Type, bool) {
	rs := sig.Results()
	switch {
	case rs.Len() == 1 && !types.Identical(rs.At(0).Type(), errorType):
		return rs.At(0).Type(), false
	case rs.Len() == 2 && types.Identical(rs.At(1).Type(), errorType):
		return rs.At(0).Type(), true
	}
	return nil, false
}

// differ returns an expression that says whether x and y of a type differ, or "" if values of the type need
// not survive.
func differ(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsString|types.IsInteger) != 0 {
			return `y != x`
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Info()&(types.IsString|types.IsInteger) != 0 {
			return `len(y)+len(x) > 0 && !«reflect».DeepEqual(y, x)` // nil and empty are the same
		}
	case *types.Map:
		if isString(u.Key()) && isString(u.Elem()) {
			return `len(y)+len(x) > 0 && !«reflect».DeepEqual(y, x)`
		}
	}
	return ""
}

// plainKeys returns the statements that leave maps of texts alone whose keys are no words of ASCII letters, or whose
// values are no valid texts: formats like those of environment files, of INI files and of URL queries restrict their
// keys, while a value may be anything.
func plainKeys(t types.Type) []string {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return nil
	}
	return []string{
		`for k, v := range x {`,
		`	letters := 0`,
		`	for _, r := range string(k) {`,
		`		if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {`,
		`			letters++`,
		`		}`,
		`	}`,
		`	if k == "" || letters < len(k) || !«unicode/utf8».ValidString(` + conversion(m.Elem(), "v") + `) {`,
		`		return nil`,
		`	}`,
		`}`,
	}
}

// conversion returns an expression for a value of a text type as a string.
func conversion(t types.Type, v string) string {
	if types.Identical(t, stringType) {
		return v
	}
	return "string(" + v + ")"
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
