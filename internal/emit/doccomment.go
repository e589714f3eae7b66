package emit

import (
	"go/doc"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/testcase"
)

// docComment returns a sentence that says what a straight-line test tests, or "" if its name says everything.
// The script s wrote the test; it is nil if the test asserts a panic.
func (w *writer) docComment(c *testcase.Case, s *script) string {
	if c.Story != nil {
		return c.Story.About
	}
	f := phrase.TargetFunc(c)
	if f == nil {
		return ""
	}
	if o := c.Observed; s == nil && o != nil && o.Panic != nil && !o.Panic.Runtime && strings.Contains(o.Panic.Message, " ") {
		return "" // the code says itself why it panics, and the test has its words
	}
	result := w.phrases.Result(c).Text
	if c.Observed != nil && c.Observed.Status == testcase.Panicked {
		result = "panics"
	}
	switch {
	case s == nil:
	case s.asserted == 0:
		result = "does not panic"
	case result == "" && len(s.changed) == 1:
		result = "sets " + s.changed[0]
	case result == "" && len(s.changed) > 1:
		last := len(s.changed) - 1
		result = "sets " + strings.Join(s.changed[:last], ", ") + " and " + s.changed[last]
	case result == "" && s.shownBy(c.TargetStmt()):
		return "" // the test's assertions on a new object say it best themselves
	}
	var when []string
	if n := w.called[c]; n.Clause != "" && (w.phrases.Cases > 1 || c.Observed.Status == testcase.Panicked) {
		when = append(when, n.Clause)
	}
	if result == "" && len(when) > 0 {
		result = phrase.Object(c)
	}
	if asserts := s != nil && s.asserted > 0; asserts && len(when) == 0 && !phrase.OnNil(c) {
		return "" // only arguments and preparations set this case apart from others, and a reader sees both in the test
	}
	if result == "panics" && len(when) == 0 && !phrase.OnNil(c) {
		return "" // the name of the test says so, and the test says with what
	}
	out := f.Name()
	if result != "" {
		out += " " + result
	}
	switch {
	case phrase.OnNil(c):
		out += " on a nil " + gofile.ShortName(c.Seq.At(c.Seq.At(c.TargetStmt()).Args[0].Stmt).Op.Type)
	case result == "":
		return "" // a condition without a result is no sentence
	case len(when) > 0:
		out += " when " + strings.Join(when, " and ")
	}
	return out + "."
}

// bugComment returns a comment with the cause of a finding and the behaviour that is expected instead.
func (w *writer) bugComment(s *script, fd *testcase.Finding, last int) string {
	o := fd.Case.Observed
	what := s.received(last) + s.Display(last)
	switch {
	case o.Status == testcase.Hung:
		what += " does not return" // the finding has a stack, but only of the place where the call was stopped
	case o.Status == testcase.Deadlock:
		what += " waits forever"
	case o.Panic != nil:
		what += " panics: " + strings.TrimPrefix(gofile.OneLine(o.Panic.Message, 160), "runtime error: ")
	default:
		what += ": " + gofile.OneLine(fd.Message, 160)
	}
	return w.where(what, fd, fd.Pos)
}

// received returns the receiver of a call and a dot if the test writes it into the call, as in Pointer{"-1"}.Eval, and ""
// otherwise: the reader needs it as much as an argument.
func (s *script) received(last int) string {
	st := s.Seq.At(last)
	if st.Op.Kind != testcase.OpMethod || s.IsBeside(last) {
		return ""
	}
	recv := s.Ref(st.Args[0], nil).Text
	if token.IsIdentifier(recv) || len(recv) > 40 || strings.ContainsAny(recv, "\n") {
		return ""
	}
	return recv + "."
}

// promiseComment returns a comment that says which promise was broken, and where.
func (w *writer) promiseComment(s *script, fd *testcase.Finding, p promise, last int) string {
	what := s.Display(last)
	switch {
	case p.cond != nil:
		what += " breaks " + p.text
	case p.object != "":
		what += " breaks the invariant " + p.object
	default:
		what += ": " + gofile.OneLine(fd.Message, 160)
	}
	if p.pos.IsValid() {
		return w.where(what, fd, p.pos)
	}
	return w.where(what, fd, fd.Pos)
}

// where returns the comment of a finding. The comment says the cause (what happens, in which function,
// because of which value), and what is expected according to the function's own documentation and the
// evidence. It gives no line numbers, because the next change of the file would make them wrong.
func (w *writer) where(what string, fd *testcase.Finding, pos token.Position) string {
	o, in := fd.Case.Observed, ""
	if o.Panic != nil && len(o.Panic.Stack) > 0 {
		in = raisedIn(w.Pkg.Path, o.Panic.Stack)
		if !pos.IsValid() {
			pos = o.Panic.Stack[0].Pos
		}
	} else if f := phrase.TargetFunc(fd.Case); f != nil {
		in = f.FullName()
		if r := f.Type().(*types.Signature).Recv(); r != nil {
			in = "(" + gofile.ShortName(r.Type()) + ")." + f.Name()
		}
	}
	out := "Cause: " + strings.TrimSuffix(what, ".")
	if in != "" {
		out += ",\nin " + localFunc(in)
		if pos.IsValid() {
			out += " (" + filepath.Base(pos.Filename) + ")"
		}
		if o.Panic != nil {
			out += calledBelow(w.Pkg.Path, o.Panic.Stack)
		}
	}
	out += rootText(fd) + "."
	if expected := w.expectation(fd); expected != "" {
		out += "\nExpected: " + expected
	}
	if fd.Evidence != "" {
		out += "\n" + judgement[fd.Severity] + " " + wrap(strings.TrimSuffix(fd.Evidence, "."), 80) + "."
	}
	return out
}

// judgement begins the sentence with a finding's evidence.
var judgement = map[testcase.Severity]string{
	testcase.Error: "It is a defect since", testcase.Warning: "It may be a defect:", testcase.Note: "It may be a defect:", testcase.Misuse: "Misuse:",
}

// raisedIn returns the innermost function of the package on the stack of a panic, whose file and line readers
// are shown, or the innermost one of all if none is of the package.
func raisedIn(pkg string, stack []testcase.Frame) string {
	for _, f := range stack {
		if strings.HasPrefix(f.Func, pkg+".") {
			return f.Func
		}
	}
	return stack[0].Func
}

// calledBelow says which function of another package that function has called, if the panic comes from there.
func calledBelow(pkg string, stack []testcase.Frame) string {
	for i, f := range stack {
		if strings.HasPrefix(f.Func, pkg+".") {
			if i == 0 {
				return ""
			}
			called := stack[i-1].Func
			return ", which calls " + called[strings.LastIndexByte(called, '/')+1:]
		}
	}
	return ""
}

// rootText says which value makes the code panic, if that is known.
func rootText(fd *testcase.Finding) string {
	switch {
	case fd.FaultOf != "" && fd.FaultOf != fd.Func && (fd.Kind == "hang" || fd.Kind == "deadlock"):
		return ":\n" + fd.FaultOf + " has left the lock held"
	case fd.FaultOf != "" && fd.FaultOf != fd.Func:
		return ":\n" + fd.FaultOf + " goes on where it is told to stop"
	case fd.Root == "":
		return ""
	case fd.Kind == "nil-dereference", fd.Kind == "nil-map-write":
		return ":\n" + fd.Root + " is nil"
	case fd.Kind == "division-by-zero":
		return ":\n" + fd.Root + " is 0"
	}
	return ":\nnothing looks at " + fd.Root + " before"
}

// expectation returns the first sentence of the documentation of the function that a finding is about, as a
// quotation, or "" if there is no documentation.
func (w *writer) expectation(fd *testcase.Finding) string {
	f := phrase.TargetFunc(fd.Case)
	if f == nil {
		return ""
	}
	decl := w.Pkg.Func(f)
	if decl == nil {
		return ""
	}
	synopsis := new(doc.Package).Synopsis(decl.Doc.Text())
	if synopsis == "" {
		return ""
	}
	return wrap("“"+strings.TrimSuffix(gofile.OneLine(synopsis, 200), ".")+".”", 80)
}

// wrap breaks text into lines of about so many characters.
func wrap(text string, width int) string {
	var b strings.Builder
	n := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case n+1+len(word) > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String()
}

// localFunc returns the runtime's name of a function without its package.
func localFunc(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if strings.HasPrefix(name, "(") {
		return name
	}
	if _, rest, ok := strings.Cut(name, "."); ok {
		return rest
	}
	return name
}
