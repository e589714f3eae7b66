package finding

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// badFormat returns the function that a sequence calls with a format which does not fit the arguments behind it, as go vet
// sees it, or nil. go test does not run tests of which go vet says so.
func badFormat(s *testcase.Sequence) *types.Func {
	for i := range s.Len() {
		st := s.At(i)
		format, args, ok := formatted(s, st)
		if !ok {
			continue
		}
		verbs, ok := verbsOf(format)
		if !ok {
			continue // the format counts its arguments itself
		}
		if len(verbs) != len(args) {
			return st.Op.Func
		}
		for k, verb := range verbs {
			if !takes(verb, passedAs(s, args[k])) {
				return st.Op.Func
			}
		}
	}
	return nil
}

// formatted returns the constant format that a call passes and the arguments that stand behind it one by one, and false for
// calls of functions that do not end with a parameter format and any number of values of any type.
func formatted(s *testcase.Sequence, st testcase.Statement) (format string, args []testcase.Ref, ok bool) {
	if st.Op.Func == nil || st.Op.Via != nil || st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod {
		return "", nil, false
	}
	sig := st.Op.Signature()
	n := sig.Params().Len()
	if !gosyntax.TakesFormat(sig) || sig.Params().At(n-2).Name() != "format" {
		return "", nil, false
	}
	at := n - 2
	if st.Op.Kind == testcase.OpMethod {
		at++
	}
	if at >= len(st.Args) {
		return "", nil, false
	}
	op := s.At(st.Args[at].Stmt).Op
	if op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitString {
		return "", nil, false
	}
	if args = st.Args[at+1:]; st.Op.Spread {
		args, ok = spread(s, args)
		return op.Lit.Str, args, ok
	}
	return op.Lit.Str, args, true
}

// spread returns the elements of the list that a call spreads over its last parameter, and false where tests pass a variable: of its elements
// go vet knows nothing.
func spread(s *testcase.Sequence, args []testcase.Ref) ([]testcase.Ref, bool) {
	if len(args) != 1 {
		return nil, false
	}
	switch list := s.At(args[0].Stmt); {
	case list.Op.Kind == testcase.OpZero:
		return nil, true
	case list.Op.Kind == testcase.OpComposite && list.Op.Elems == nil && list.Op.N <= len(list.Args):
		return list.Args, true
	}
	return nil, false
}

// verbsOf returns the verbs of a format in their order, and false for a format that takes widths from arguments or numbers them.
func verbsOf(format string) ([]byte, bool) {
	var out []byte
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return out, true
		}
		rest = strings.TrimLeft(rest, "+-# 0123456789.")
		switch {
		case rest == "":
			return append(out, 0), true // a verb is missing
		case rest[0] == '*' || rest[0] == '[':
			return nil, false
		case rest[0] != '%':
			out = append(out, rest[0])
		}
		format = rest[1:]
	}
}

// passedAs returns the type of a constant that is passed where any value may be, or nil for other values.
func passedAs(s *testcase.Sequence, r testcase.Ref) types.Type {
	op := s.At(r.Stmt).Op
	for op.Kind == testcase.OpConvert && len(s.At(r.Stmt).Args) == 1 {
		r = s.At(r.Stmt).Args[0]
		op = s.At(r.Stmt).Op
	}
	if op.Kind != testcase.OpLiteral {
		return nil
	}
	if named, ok := types.Unalias(op.Type).(*types.Named); ok && named.NumMethods() > 0 {
		return nil // it may have a text of its own
	}
	return op.Type
}

// takes reports whether a verb prints values of a type, which may be nil for one that is not known.
func takes(verb byte, t types.Type) bool {
	if !strings.ContainsRune("vTbcdoOqxXUeEfFgGspt", rune(verb)) {
		return false
	}
	if t == nil || verb == 'v' || verb == 'T' {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return true
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return verb == 't'
	case info&types.IsString != 0:
		return strings.ContainsRune("sqxX", rune(verb))
	case info&types.IsInteger != 0:
		return strings.ContainsRune("bcdoOqxXU", rune(verb))
	case info&types.IsFloat != 0:
		return strings.ContainsRune("beEfFgGxX", rune(verb))
	}
	return true
}
