package observer

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file says what a reader wants to know of an object of the standard library. Which of its fields notices most mutants
// is another question: Method may notice that a request is there at all, and says nothing of where the request goes. To add a
// type, add a row to the table. Of objects of other packages it says whether they are read like a file (ReadThrough), and which
// methods of an interface say what is behind it (AskedBehind).

// A Part is one thing that tells what an object is.
type Part struct {
	// Path is how a test reads the part, as fields and methods: URL.String(). If it is "", the part is the object.
	Path string
	// Usual is a text that says nothing where all objects have it.
	Usual string

	kind kind
}

// kind says what is done with what a path leads to.
type kind uint8

const (
	isSelected kind = iota // nothing
	isRead                 // it is read to its end
	isListed               // its elements are listed, from Front on
	isReceived             // a value is received from it
)

// parts are the paths of a row of which no more is to say.
func parts(paths ...string) []Part {
	var out []Part
	for _, p := range paths {
		out = append(out, Part{Path: p})
	}
	return out
}

// read is the part that reading what a path leads to gives.
func read(path string) []Part { return []Part{{Path: path, kind: isRead}} }

// tellingParts are the types that have a row, and what tells of their objects, in the order in which a test says it. Left out is what
// the machine or the time decides (the path of a command), and what follows from the other parts.
var tellingParts = map[string][]Part{
	"net/http.Request":  slices.Concat([]Part{{Path: "Method", Usual: "GET"}}, parts("URL.String()", "Header"), read("Body")),
	"net/http.Response": slices.Concat(parts("StatusCode", "Header"), read("Body")),
	"net/http.Header":   parts(""), // in a field of something else
	"net/url.Values":    parts(""),
	"net/http.Cookie":   parts("String()"),
	"net/http.Server":   parts("Addr", "ReadTimeout", "WriteTimeout", "IdleTimeout"),
	"net/url.URL":       parts("String()"),
	"net/mail.Address":  parts("String()"),
	"net.IPNet":         parts("String()"),
	"net.TCPAddr":       parts("String()"),
	"net.UDPAddr":       parts("String()"),
	"net/netip.Addr":    parts("String()"), "net/netip.AddrPort": parts("String()"), "net/netip.Prefix": parts("String()"),

	"crypto/tls.Config":      parts("ServerName", "InsecureSkipVerify", "MinVersion", "NextProtos"),
	"os/exec.Cmd":            parts("Args", "Dir", "Env"),
	"log.Logger":             parts("Prefix()", "Flags()"),
	"flag.FlagSet":           parts("Name()", "Args()"),
	"regexp.Regexp":          parts("String()"),
	"text/template.Template": parts("Name()"),
	"html/template.Template": parts("Name()"),
	"time.Location":          parts("String()"),
	"math/big.Int":           parts("String()"), "math/big.Rat": parts("String()"), "math/big.Float": parts("String()"),
	"container/list.List": {{kind: isListed}},

	"bytes.Buffer": parts("String()"), "strings.Builder": parts("String()"),
	"io.Reader": read(""), "io.ReadCloser": read(""), "io.ReadSeeker": read(""), "io.ReadSeekCloser": read(""), "io.LimitedReader": read(""), "io.SectionReader": read(""),
	"bytes.Reader": read(""), "strings.Reader": read(""), "bufio.Reader": read(""),
}

// HasRow reports whether the table says what tells of the objects of a type. What is data in fields needs no telling elsewhere.
func HasRow(t types.Type) bool {
	own := row(t)
	return len(own) > 0 && own[0] != (Part{})
}

// ReadThrough returns the part of an object that is read like a file, if users see nothing else of it: what comes out of it is what it
// was made for. It returns nil for other objects, and for those that take deadlines.
func ReadThrough(t types.Type) []Part {
	named := load.NamedOf(t)
	if named == nil || HasRow(t) {
		return nil
	}
	if waits, _, _ := types.LookupFieldOrMethod(t, true, nil, "SetDeadline"); waits != nil {
		return nil // of a connection nobody knows when it ends
	}
	if st, ok := named.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Exported() {
				return nil
			}
		}
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "Read")
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Params().Len() != 1 || f.Signature().Results().Len() != 2 || !load.IsText(f.Signature().Params().At(0).Type()) || !gosyntax.IsError(f.Signature().Results().At(1).Type()) {
		return nil
	}
	return read("")
}

func row(t types.Type) []Part {
	if _, ok := Receivable(t); ok {
		return []Part{{kind: isReceived}}
	}
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return nil
	}
	return tellingParts[named.Obj().Pkg().Path()+"."+named.Obj().Name()]
}

// mostAnswers is how many methods of an interface a test calls to learn what is behind it.
const mostAnswers = 2

// AskedBehind returns the methods of an exported interface, of no standard package, that are asked for data: they take nothing and return
// one or two things, perhaps with an error, and their names do not say that they wait or take something away. Users see nothing else of what
// such an interface holds. A test writes them as it writes observers.
func AskedBehind(t types.Type) []Part {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return nil
	}
	i, ok := named.Underlying().(*types.Interface)
	if !ok || !named.Obj().Exported() || gosyntax.IsError(named) || gosyntax.IsStandard(named.Obj().Pkg().Path(), "") {
		return nil
	}
	var out []Part
	for m := range i.Methods() {
		results := m.Signature().Results()
		words := gosyntax.Words(m.Name())
		if !m.Exported() || m.Signature().Params().Len() > 0 || len(words) == 0 || slices.Contains(moving, words[0]) || isInvariant(m) || m.Name() == "Error" {
			continue
		}
		isData := func(v *types.Var) bool { return plain(v.Type(), 0) }
		all := slices.Collect(results.Variables())
		if n := len(all); n > 1 && gosyntax.IsError(all[n-1].Type()) {
			all = all[:n-1]
		}
		if len(all) == 0 || len(all) >= mostResults || slices.ContainsFunc(all, func(v *types.Var) bool { return !isData(v) }) {
			continue
		}
		if out = append(out, Part{Path: m.Name() + "()"}); len(out) == mostAnswers {
			break
		}
	}
	return out
}

// moving are words with which names of methods begin that wait, or change what they are asked of.
var moving = []string{"wait", "recv", "receive", "next", "read", "accept", "close", "stop", "run", "start", "pop", "dequeue", "take", "poll", "reset", "clear", "flush", "commit", "open", "shutdown", "scan", "advance", "inc", "increment", "dec", "decrement", "rollback", "begin", "generate", "new",
	"remove", "delete", "drain", "shift", "unshift", "consume", "push", "save", "store", "send", "write", "sync", "exec", "execute", "apply", "publish", "acquire", "release", "lock", "unlock", "try",
	"refresh", "rotate", "renew", "load", "fetch", "connect", "ping", "cancel", "abort", "finish", "end", "update", "rewind", "skip", "discard", "process", "handle", "do"}

// Received reports whether the part is what comes from a channel.
func (p Part) Received() bool { return p.kind == isReceived }

// Told returns what tells of the objects of a type: what its row says, or, of a struct without a row, what the rows of its
// exported fields say. A reader in a field is not read, because nobody knows whom it waits for.
func Told(t types.Type) []Part {
	if HasRow(t) {
		return row(t)
	}
	named := load.NamedOf(t)
	if named == nil {
		return nil
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []Part
	for f := range st.Fields() {
		for _, p := range row(f.Type()) {
			if f.Exported() && (p.Path != "" || p.kind == isSelected || p.kind == isReceived) {
				p.Path = strings.TrimSuffix(f.Name()+"."+p.Path, ".")
				out = append(out, p)
			}
		}
	}
	return out
}

// Steps returns the operations that lead from an object to a part of it, each on the result of the one before. It returns
// nothing if the type does not have the part, as with an older standard library. The parameter imported returns a function
// of a package.
func (p Part) Steps(t types.Type, imported func(path, name string) (*types.Func, error)) []*testcase.Operation {
	var out []*testcase.Operation
	if p.Path != "" {
		for name := range strings.SplitSeq(p.Path, ".") {
			name, _ = strings.CutSuffix(name, "()")
			obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name) // a method of pointers is none of a value's
			switch obj := obj.(type) {
			case *types.Var:
				out = append(out, &testcase.Operation{Kind: testcase.OpField, Var: obj, Type: obj.Type()})
				t = obj.Type()
			case *types.Func:
				out = append(out, &testcase.Operation{Kind: testcase.OpMethod, Func: obj})
				t = obj.Signature().Results().At(0).Type()
			default:
				return nil
			}
		}
	}
	switch p.kind {
	case isReceived:
		out = append(out, Receive(t))
	case isRead:
		f, err := imported("io", "ReadAll")
		if err != nil || !types.AssignableTo(t, f.Signature().Params().At(0).Type()) {
			return nil
		}
		out = append(out, &testcase.Operation{Kind: testcase.OpFunc, Func: f})
	case isListed:
		if _, isPointer := types.Unalias(t).(*types.Pointer); !isPointer {
			return nil
		}
		const body = "var out []«e»\n\tfor e := «0».Front(); e != nil; e = e.Next() {\n\t\tout = append(out, e.Value)\n\t}\n\treturn out"
		out = append(out, listing{elementsName, "l", t, types.Universe.Lookup("any").Type()}.helper("returns the elements of «0» from Front on.", body))
	}
	return out
}

// Tells reports whether a statement behind a case's own call reads a part of an object that this call returned, or that a call
// of the function did which it returned. The result is the statement that returned the object. A method that is no part, like
// an observer of the package's own, tells nothing in this sense.
func Tells(c *testcase.Case, i int) (from int, ok bool) {
	target := c.TargetStmt()
	last, path := c.Seq.At(i).Op, ""
	for i > target {
		st := c.Seq.At(i)
		if len(st.Args) != 1 || st.Op.Kind != testcase.OpField && !st.Op.IsCall() {
			return 0, false
		}
		switch st.Op.Kind {
		case testcase.OpField:
			path = strings.TrimSuffix(st.Op.Var.Name()+"."+path, ".")
		case testcase.OpMethod:
			path = strings.TrimSuffix(st.Op.Func.Name()+"()."+path, ".")
		}
		of := st.Args[0]
		if Returns(c, of.Stmt) {
			t := c.Seq.ResultTypes()[of.Stmt][of.Result]
			return of.Stmt, slices.ContainsFunc(slices.Concat(Told(t), ReadThrough(t)), func(p Part) bool { return p.isReadBy(path, last) })
		}
		i = of.Stmt
	}
	return 0, false
}

// isReadBy reports whether the fields and methods of a path, the last of which is read by an operation, lead to the part, or to
// a field that is nil on the way to it.
func (p Part) isReadBy(path string, last *testcase.Operation) bool {
	if last.Kind == testcase.OpField && strings.HasPrefix(p.Path, path+".") {
		return true
	}
	ends := last.Kind == testcase.OpFunc // a function that reads or lists it
	return path == p.Path && (ends == (p.kind != isSelected) || last.Kind == testcase.OpField)
}

// Returns reports whether a statement is a case's own call, or behind it the call of a function that it returned.
func Returns(c *testcase.Case, i int) bool {
	target := c.TargetStmt()
	st := c.Seq.At(i)
	return i == target || i > target && st.Op.Kind == testcase.OpCallValue && st.Args[0].Stmt == target
}
