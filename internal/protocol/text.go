package protocol

import (
	"go/types"
	"strings"

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

// roundTrip checks Parse and String, Marshal and Unmarshal, Decode and Encode.
func roundTrip(s *subject) []*testcase.Check {
	var out []*testcase.Check
	if s.typ == nil {
		return s.inverses()
	}
	if str, t := s.method("String"); hasSignature(str, nil, []types.Type{stringType}) && str.Pkg() == s.pkg {
		for _, f := range s.funcs {
			if !strings.HasPrefix(f.Name(), "Parse") || !hasSignature(f, []types.Type{stringType}, []types.Type{nil, errorType}) {
				continue
			}
			r := f.Signature().Results().At(0).Type()
			if !types.Identical(r, s.typ) && !types.Identical(r, types.NewPointer(s.typ)) {
				continue
			}
			out = append(out, s.check(f, "checkParse", "reports whether "+f.Name()+" reads what String writes.", t, 1,
				`y, err := «f»(x.String())`,
				`if err != nil {`,
				`	return «errors».New("`+f.Name()+` refuses what String returns")`,
				`}`,
				`if y.String() != x.String() {`,
				`	return «errors».New("`+f.Name()+` makes something else of what String returns")`,
				`}`,
				`return nil`)...)
		}
	}
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
		out = append(out, s.check(u, "check"+write, "reports whether "+read+" reads what "+write+" writes.", t, 1, append(value,
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
