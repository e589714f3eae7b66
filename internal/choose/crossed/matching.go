package crossed

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Matching returns sequences of a case with words in the exported texts of one struct, and arguments that are equal to the fields of
// their names, two at least: FindPassword(hostname, port, database, username) is called for what an Entry says, and finds it. Arguments that a
// solver chooses are equal to nothing, or empty as the fields are. Behind the first sequence there is one for each argument in which that argument
// alone is another one. It returns none for other cases.
func Matching(c *testcase.Case) []*testcase.Sequence {
	st := c.Seq.At(c.TargetStmt())
	if st.Op.Func == nil || st.Op.Via != nil {
		return nil
	}
	args := st.Args
	if st.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	params := st.Op.Func.Signature().Params()
	for i := range c.TargetStmt() {
		words, object, ok := filled(c.Seq, i)
		if !ok {
			continue
		}
		with := map[int]plain.Part{i: object}
		var matched []int // the numbers of the arguments
		for k := range min(params.Len(), len(args)) {
			own := c.Seq.At(args[k].Stmt).Op
			if _, taken := with[args[k].Stmt]; taken {
				continue // one constant for two arguments
			}
			if word := wordFor(words, params.At(k)); len(word) > 0 && (own.Kind == testcase.OpLiteral || own.Kind == testcase.OpZero) {
				with[args[k].Stmt] = constant(params.At(k).Type(), word[0])
				matched = append(matched, k)
			}
		}
		const fewest = 2
		if len(matched) < fewest {
			continue
		}
		var out []*testcase.Sequence
		add := func() {
			if seq, ok := plain.Replaced(c.Seq, with); ok {
				out = append(out, seq)
			}
		}
		add()
		for _, k := range matched {
			was := with[args[k].Stmt]
			with[args[k].Stmt] = constant(params.At(k).Type(), wordFor(words, params.At(k))[1])
			add()
			with[args[k].Stmt] = was
		}
		return out
	}
	return nil
}

// wordFor returns the words for the field that is called like a parameter, nil if there is none.
func wordFor(words map[string][]string, param *types.Var) []string {
	if !isString(param.Type()) {
		return nil
	}
	return words[strings.ToLower(param.Name())]
}

// constant returns a constant text as what stands in place of another statement.
func constant(t types.Type, s string) plain.Part {
	var b testcase.Builder
	value := literal(&b, t, s)
	return plain.Part{Seq: b.Sequence(), Value: value}
}

// filled returns a struct that a statement makes with a word in each exported text, and the words for these by the names of the fields in small
// letters, of which the struct has the first. It returns false for other statements, and for structs with fields of other kinds, which would be lost.
func filled(s *testcase.Sequence, i int) (words map[string][]string, object plain.Part, ok bool) {
	op := s.At(i).Op
	if op.Kind != testcase.OpComposite && op.Kind != testcase.OpZero || op.Type == nil {
		return nil, plain.Part{}, false
	}
	st, isStruct := op.Type.Underlying().(*types.Struct)
	if !isStruct {
		return nil, plain.Part{}, false
	}
	for _, a := range s.At(i).Args {
		if !isString(s.ResultTypes()[a.Stmt][a.Result]) {
			return nil, plain.Part{}, false
		}
	}
	words = make(map[string][]string)
	var b testcase.Builder
	var fields []testcase.Ref
	var numbers []int
	for n := range st.NumFields() {
		f := st.Field(n)
		if !f.Exported() || !isString(f.Type()) {
			continue
		}
		texts := wordsFor(f.Name())
		words[strings.ToLower(f.Name())] = texts[:]
		fields, numbers = append(fields, literal(&b, f.Type(), texts[0])), append(numbers, n)
	}
	if len(fields) < 2 {
		return nil, plain.Part{}, false
	}
	made := *op
	made.Kind, made.Elems, made.N = testcase.OpComposite, numbers, 0
	value := b.Add(&made, fields...)
	return words, plain.Part{Seq: b.Sequence(), Value: value}, true
}

// literal adds a constant text.
func literal(b *testcase.Builder, t types.Type, s string) testcase.Ref {
	return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}
