package boundary

import (
	"go/constant"
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Applied returns the sequences of a case in which the function that its call returned is passed something else: a filter shows
// what it is for by what it lets through and by what it does not. Such a function compares with the constants of the function
// that made it, and with what that one was passed.
func Applied(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	if pkg.Literals == nil {
		return nil
	}
	var out []*testcase.Sequence
	seq, target := c.Seq, c.TargetStmt()
	if target == seq.Len()-1 {
		if seq = called(seq); seq == nil {
			return nil
		}
		out = append(out, seq)
	}
	for i := target + 1; i < seq.Len(); i++ {
		st := seq.At(i)
		if st.Op.Kind != testcase.OpCallValue || st.Args[0].Stmt != target {
			continue
		}
		for _, a := range st.Args[1:] {
			out = append(out, withConstants(seq, a.Stmt, pkg.Literals.ByFunc[c.Target])...)
			out = append(out, withConstants(seq, a.Stmt, passedTo(c))...)
			if isRequest(seq.At(a.Stmt).Op) {
				out = append(out, requested(c, a.Stmt)...)
			}
		}
	}
	return out
}

// called returns a sequence that calls the function which its last call returned. It returns nil if it returned none, or
// one that takes other things than numbers, texts and truths.
func called(s *testcase.Sequence) *testcase.Sequence {
	results := s.ResultTypes()[s.Len()-1]
	if len(results) == 0 {
		return nil
	}
	sig, ok := results[0].Underlying().(*types.Signature)
	if !ok || sig.Params().Len() == 0 || sig.Results().Len() == 0 {
		return nil
	}
	b := &testcase.Builder{}
	args := []testcase.Ref{b.Append(s)}
	for p := range sig.Params().Variables() {
		t, ok := p.Type().Underlying().(*types.Basic)
		if !ok || t.Info()&types.IsConstType == 0 {
			return nil
		}
		args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: p.Type()}))
	}
	b.Add(&testcase.Operation{Kind: testcase.OpCallValue}, args...)
	return b.Sequence()
}

// passedTo returns the texts and whole numbers that a case's own call is passed.
func passedTo(c *testcase.Case) *load.Literals {
	out := &load.Literals{}
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		switch lit := c.Seq.At(a.Stmt).Op.Lit; lit.Kind {
		case testcase.LitString:
			out.Strings = append(out.Strings, lit.Str)
		case testcase.LitInt:
			out.Ints = append(out.Ints, constant.MakeInt64(int64(lit.Bits)))
		}
	}
	return out
}

// isRequest reports whether an operation makes an HTTP request of a method and a URL.
func isRequest(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.Name == "request" || op.Via == nil && op.Func != nil && op.Func.FullName() == "net/http/httptest.NewRequest"
}

// answers are texts that functions about HTTP take, and URLs of requests that may fit them: one text is a path, a host or the
// beginning of a path, two are a key and a value of the query, the whole of it or a part.
var answers = []struct {
	texts []string
	urls  []string
}{
	{[]string{"/users"}, []string{"/users", "/users/ann", "/about"}},
	{[]string{"example.com"}, []string{"http://example.com/", "http://example.org/"}},
	{[]string{"q"}, []string{"/?q=kitten", "/?lang=en"}},
	{[]string{"q", "kitten"}, []string{"/?q=kitten", "/?q=kittens", "/?q=dog", "/?lang=kitten"}},
}

// requested returns the sequences of a case in which the request that a statement makes fits the texts which the case's own call
// takes, and those in which it does not.
func requested(c *testcase.Case, request int) []*testcase.Sequence {
	address := c.Seq.At(request).Args[1].Stmt
	var texts []int
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		op := c.Seq.At(a.Stmt).Op
		if op.Type == nil {
			continue
		}
		if b, ok := op.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && (op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero) {
			texts = append(texts, a.Stmt)
		}
	}
	text := func(s string) testcase.Literal { return testcase.Literal{Kind: testcase.LitString, Str: s} }
	var out []*testcase.Sequence
	for _, of := range answers {
		if len(of.texts) != len(texts) {
			continue
		}
		for _, url := range of.urls {
			lits := map[int]testcase.Literal{address: text(url)}
			for k, at := range texts {
				lits[at] = text(of.texts[k])
			}
			out = append(out, with(c.Seq, lits))
		}
	}
	return out
}
