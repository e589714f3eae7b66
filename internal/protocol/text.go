package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// stringer checks that methods which fmt calls do not panic, and that methods which fmt would call if it did
// not prefer another one do not panic either.
func stringer(s *subject) []*testcase.Check {
	var out []*testcase.Check
	for _, name := range []string{"Format", "Error", "String", "GoString"} {
		f, t := s.method(name)
		if f == nil || f.Pkg() != s.pkg {
			continue
		}
		if name == "Format" {
			if sig := f.Signature(); sig.Params().Len() != 2 || sig.Params().At(0).Type().String() != "fmt.State" {
				continue
			}
		} else if !hasSignature(f, nil, []types.Type{stringType}) {
			continue
		}
		if out == nil {
			out = s.check(f, "checkFormat", "reports whether fmt can print x.", t, 1,
				`for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {`,
				`	if «strings».Contains(«fmt».Sprintf(verb, x), "(PANIC=") {`,
				`		return «errors».New("printing it panics")`,
				`	}`,
				`}`,
				`return nil`)
			continue
		}
		out = append(out, s.check(f, "check"+name, "reports whether "+name+" returns.", t, 1,
			`panics := func() (yes bool) {`,
			`	defer func() { yes = recover() != nil }()`,
			`	_ = x.`+name+`()`,
			`	return false`,
			`}`,
			`if panics() {`,
			`	return «errors».New("`+name+` panics")`,
			`}`,
			`return nil`)...)
	}
	return out
}

// parsers checks that Parse reads what String writes, and ParseBase32 what Base32 writes. Parse says by an error or by false what it
// refuses.
func (s *subject) parsers() []*testcase.Check {
	isWriter := func(f *types.Func) bool {
		return f != nil && hasSignature(f, nil, []types.Type{stringType}) && f.Pkg() == s.pkg
	}
	type pair struct {
		read, write *types.Func
		of          types.Type // the type whose method writes: a struct or the pointer to it
	}
	var pairs []pair
	formats := false // the type has several notations, each with a function of its own that reads it
	for _, f := range s.funcs {
		rest, ok := strings.CutPrefix(f.Name(), "Parse")
		if !ok || !hasSignature(f, []types.Type{stringType}, []types.Type{nil, errorType}) && !saysWhether(f) {
			continue
		}
		if r := f.Signature().Results().At(0).Type(); !types.Identical(r, s.typ) && !types.Identical(r, types.NewPointer(s.typ)) {
			continue
		}
		write, t := s.method("String")
		if own, ownType := s.method(rest); rest != "" && isWriter(own) {
			write, t = own, ownType
			formats = formats || rest != "String"
		}
		if isWriter(write) {
			pairs = append(pairs, pair{f, write, t})
		}
	}
	var out []*testcase.Check
	for _, p := range pairs {
		rest := strings.TrimPrefix(p.read.Name(), "Parse")
		if formats && p.write.Name() != rest && rest != "" && rest != load.NamedOf(s.typ).Obj().Name() {
			continue // nobody says which notation it reads
		}
		read, write := p.read.Name(), p.write.Name()
		said, refused := `err`, `err != nil`
		if saysWhether(p.read) {
			said, refused = `ok`, `!ok`
		}
		out = append(out, s.check(p.read, "checkParse", "reports whether "+read+" reads what "+write+" writes.", p.of, 1, append(s.unlessInvalid(),
			`y, `+said+` := «f»(x.`+write+`())`,
			`if `+refused+` {`,
			`	return «errors».New("`+read+` refuses what `+write+` returns")`,
			`}`,
			`if y.`+write+`() != x.`+write+`() {`,
			`	return «errors».New("`+read+` makes something else of what `+write+` returns")`,
			`}`,
			`return nil`)...)...)
	}
	return out
}

// unlessInvalid returns the beginning of a check that is about valid objects only, where the type has a method that says which of
// its objects are: what is written of the others nobody has to read.
func (s *subject) unlessInvalid() []string {
	for _, name := range []string{"Valid", "IsValid", "Validate"} {
		f, _ := s.method(name)
		switch {
		case f == nil || !f.Exported():
		case hasSignature(f, nil, []types.Type{boolType}):
			return []string{`if !x.` + name + `() {`, `	return nil`, `}`}
		case hasSignature(f, nil, []types.Type{errorType}):
			return []string{`if x.` + name + `() != nil {`, `	return nil`, `}`}
		}
	}
	return nil
}

// saysWhether reports whether a function returns, beside a value that it makes of a text, a truth that says whether it could. A truth with
// another name may say something else of the text.
func saysWhether(f *types.Func) bool {
	if !hasSignature(f, []types.Type{stringType}, []types.Type{nil, boolType}) {
		return false
	}
	switch f.Signature().Results().At(1).Name() {
	case "", "_", "ok", "valid", "success":
		return true
	}
	return false
}

// roundTrip checks Parse and String, Marshal and Unmarshal, Decode and Encode.
func roundTrip(s *subject) []*testcase.Check {
	var out []*testcase.Check
	if s.typ == nil {
		return s.inverses()
	}
	out = append(out, s.parsers()...)
	for _, pair := range [][2]string{{"MarshalText", "UnmarshalText"}, {"MarshalBinary", "UnmarshalBinary"}, {"MarshalJSON", "UnmarshalJSON"}, {"GobEncode", "GobDecode"}} {
		write, read := pair[0], pair[1]
		differ := `!«bytes».Equal(again, data)`
		var value []string
		if write == "MarshalJSON" {
			if list, ok := s.typ.Underlying().(*types.Slice); ok && types.Identical(list.Elem(), types.Typ[types.Byte]) {
				continue // a value is JSON that somebody has written, or should be, as with json.RawMessage and sqlx' JSONText
			}
			// The text of a value may have other escapes, so values are compared.
			differ = `!«reflect».DeepEqual(value(again), value(data))`
			value = []string{
				`value := func(data []byte) (v interface{}) {`,
				`	if «encoding/json».Unmarshal(data, &v) != nil {`,
				`		return string(data)`,
				`	}`,
				`	return v`,
				`}`}
		}
		m, t := s.method(write)
		u, _ := s.method(read)
		if !hasSignature(m, nil, []types.Type{bytesType, errorType}) || !hasSignature(u, []types.Type{bytesType}, []types.Type{errorType}) {
			continue
		}
		out = append(out, s.check(u, "check"+write, "reports whether "+read+" reads what "+write+" writes.", t, 1, append(append(s.unlessInvalid(), value...),
			`data, err := x.`+write+`()`,
			`if err != nil {`,
			`	return nil`,
			`}`,
			`var y «0»`,
			`if y.`+read+`(data) != nil {`,
			`	return «errors».New("`+read+` refuses what `+write+` returns")`,
			`}`,
			`again, err := y.`+write+`()`,
			`if err != nil || `+differ+` {`,
			`	return «errors».New("`+read+` makes something else of what `+write+` returns")`,
			`}`,
			`return nil`)...)...)
	}
	return out
}
