package testcase

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// Dump returns the whole sequence as text with one statement on each line. [Parse] reads the text back. Two
// sequences with the same dump do the same.
//
//	literal type="int" lit=int:0x1
//	func func="example.com/m/ringbuffer.New" args=0
//	method func="(*example.com/m/ringbuffer.RingBuffer).Enqueue" args=1,0
func (s *Sequence) Dump() string {
	var b strings.Builder
	for _, st := range s.stmts {
		st.Op.dump(&b)
		if len(st.Args) > 0 {
			b.WriteString(" args=")
			for i, a := range st.Args {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strconv.Itoa(a.Stmt))
				if a.Result > 0 {
					b.WriteString("." + strconv.Itoa(a.Result))
				}
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// litNames are the names of the kinds of literals in dumps.
var litNames = [...]string{LitBool: "bool", LitInt: "int", LitUint: "uint", LitFloat: "float", LitComplex: "complex", LitString: "string"}

func (o *Operation) dump(b *strings.Builder) {
	b.WriteString(o.Kind.String())
	if o.Type != nil {
		fmt.Fprintf(b, " type=%q", typeName(o.Type))
	}
	switch l := o.Lit; l.Kind {
	case 0:
	case LitString:
		fmt.Fprintf(b, " lit=string:%q", l.Str)
	case LitComplex:
		fmt.Fprintf(b, " lit=complex:%#x:%#x", l.Bits, l.Imag)
	default:
		fmt.Fprintf(b, " lit=%s:%#x", litNames[l.Kind], l.Bits)
	}
	if o.Text != "" {
		fmt.Fprintf(b, " text=%q", o.Text)
	}
	if o.Func != nil {
		fmt.Fprintf(b, " func=%q", o.Func.FullName())
	}
	if o.Via != nil {
		fmt.Fprintf(b, " via=%q", o.Via.Key())
	}
	if o.Check != nil {
		fmt.Fprintf(b, " check=%q", o.Check.Key())
	}
	if len(o.TypeArgs) > 0 {
		b.WriteString(" targs=")
		for i, t := range o.TypeArgs {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Quote(typeName(t)))
		}
	}
	if o.Var != nil {
		fmt.Fprintf(b, " var=%q", varName(o.Var))
	}
	for _, l := range []struct {
		name string
		list []int
	}{{"elems", o.Elems}, {"pass", o.Pass}} {
		if l.list == nil {
			continue
		}
		b.WriteString(" " + l.name + "=")
		for i, e := range l.list {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(e))
		}
	}
	if o.N != 0 {
		fmt.Fprintf(b, " n=%d", o.N)
	}
	if o.From != 0 {
		fmt.Fprintf(b, " from=%d", o.From)
	}
	for _, c := range o.Stub {
		fmt.Fprintf(b, " call=%q:%d:%d", c.Method, c.From, c.To)
	}
	if o.Spread {
		b.WriteString(" spread=true")
	}
	if o.Closed {
		b.WriteString(" closed=true")
	}
	if o.Returns {
		b.WriteString(" returns=true")
	}
}

// typeName returns the name of a type with full package paths.
func typeName(t types.Type) string { return types.TypeString(t, nil) }

// varName returns the name of a package-level variable with its package's path. For a field it also returns
// the place, because fields of different structs may share a name.
func varName(v *types.Var) string {
	if v.IsField() {
		return fmt.Sprintf("field %s@%d", v.Name(), v.Pos())
	}
	return v.Pkg().Path() + "." + v.Name()
}

// A Table resolves the names in dumps. It knows the names that the sequences added to it use.
type Table struct {
	types map[string]types.Type
	funcs map[string]*types.Func
	vars  map[string]*types.Var
	check map[string]*Check
	via   map[string]*Helper
	// elsewhere returns a package by its path, for a table that looks names up; see [PackageTable]. It is nil for a
	// table that only knows the names that were added.
	elsewhere func(path string) *types.Package
}

// NewTable returns the table of the names in the sequences.
func NewTable(seqs ...*Sequence) *Table {
	t := &Table{types: map[string]types.Type{}, funcs: map[string]*types.Func{}, vars: map[string]*types.Var{}, check: map[string]*Check{}, via: map[string]*Helper{}}
	for _, s := range seqs {
		for _, st := range s.stmts {
			o := st.Op
			if o.Type != nil {
				t.types[typeName(o.Type)] = o.Type
			}
			for _, a := range o.TypeArgs {
				t.types[typeName(a)] = a
			}
			if o.Func != nil {
				t.funcs[o.Func.FullName()] = o.Func
			}
			if o.Via != nil {
				t.via[o.Via.Key()] = o.Via
			}
			if o.Check != nil {
				t.check[o.Check.Key()] = o.Check
			}
			if o.Var != nil {
				t.vars[varName(o.Var)] = o.Var
			}
		}
	}
	return t
}

// Parse reads a text that [Sequence.Dump] wrote. It returns an error that names the line if the text is
// no dump, refers to a later statement, or uses a name that the table does not know. It checks no
// types.
func Parse(text string, table *Table) (*Sequence, error) {
	var stmts []Statement
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		st, err := parseStatement(line, len(stmts), table)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		stmts = append(stmts, st)
	}
	return NewSequence(stmts...), nil
}

// parseStatement reads the line of statement number i.
func parseStatement(line string, i int, table *Table) (Statement, error) {
	kind, rest, _ := strings.Cut(line, " ")
	op := &Operation{}
	for k, name := range opNames {
		if name == kind && OpKind(k) != OpInvalid {
			op.Kind = OpKind(k)
		}
	}
	if op.Kind == OpInvalid {
		return Statement{}, fmt.Errorf("unknown operation %q", kind)
	}
	st := Statement{Op: op}
	for rest != "" {
		key, after, ok := strings.Cut(rest, "=")
		if !ok {
			return st, fmt.Errorf("%q is no key=value", rest)
		}
		var err error
		if rest, err = st.parseField(key, after, i, table); err != nil {
			return st, fmt.Errorf("%s: %w", key, err)
		}
		if rest != "" && rest[0] != ' ' {
			return st, fmt.Errorf("%s: %q after its value", key, rest)
		}
		rest = strings.TrimPrefix(rest, " ")
	}
	return st, nil
}

// parseField reads the value of a key from the front of text and returns the rest.
func (st *Statement) parseField(key, text string, i int, table *Table) (rest string, err error) {
	o := st.Op
	switch key {
	case "type", "func", "var", "check", "via":
		name, rest, err := quoted(text)
		if err != nil {
			return "", err
		}
		known := false
		switch key {
		case "type":
			o.Type, known = table.typeNamed(name)
		case "func":
			o.Func, known = table.funcNamed(name)
		case "var":
			o.Var, known = table.varNamed(name)
		case "via":
			o.Via, known = table.via[name]
		case "check":
			o.Check, known = table.check[name]
		}
		if !known {
			return "", fmt.Errorf("unknown name %q", name)
		}
		return rest, nil
	case "text":
		text, rest, err := quoted(text)
		o.Text = text
		return rest, err
	case "targs":
		for {
			name, rest, err := quoted(text)
			if err != nil {
				return "", err
			}
			t, ok := table.typeNamed(name)
			if !ok {
				return "", fmt.Errorf("unknown name %q", name)
			}
			o.TypeArgs = append(o.TypeArgs, t)
			if !strings.HasPrefix(rest, ",") {
				return rest, nil
			}
			text = rest[1:]
		}
	case "call":
		name, rest, err := quoted(text)
		if err != nil {
			return "", err
		}
		word, rest := cutWord(strings.TrimPrefix(rest, ":"))
		from, to, _ := strings.Cut(word, ":")
		c := StubCall{Method: name}
		if c.From, err = number(from); err != nil {
			return "", err
		}
		if c.To, err = number(to); err != nil {
			return "", err
		}
		o.Stub = append(o.Stub, c)
		return rest, nil
	case "lit":
		return o.Lit.parse(text)
	}
	word, rest := cutWord(text)
	switch key {
	case "args":
		for _, a := range strings.Split(word, ",") {
			stmt, result, has := strings.Cut(a, ".")
			var r Ref
			if r.Stmt, err = number(stmt); err != nil {
				return "", err
			}
			if has {
				if r.Result, err = number(result); err != nil {
					return "", err
				}
			}
			if r.Stmt >= i {
				return "", fmt.Errorf("%d is not earlier", r.Stmt)
			}
			st.Args = append(st.Args, r)
		}
	case "elems", "pass":
		list := []int{}
		for _, e := range strings.Split(word, ",") {
			if word == "" {
				break
			}
			n, err := strconv.Atoi(e)
			if err != nil || n < -1 || n < 0 && key == "elems" {
				return "", fmt.Errorf("%q is no list of numbers", word)
			}
			list = append(list, n)
		}
		if key == "elems" {
			o.Elems = list
		} else {
			o.Pass = list
		}
	case "n":
		o.N, err = number(word)
	case "from":
		o.From, err = number(word)
	case "spread":
		o.Spread, err = strconv.ParseBool(word)
	case "returns":
		o.Returns = true
	case "closed":
		o.Closed, err = strconv.ParseBool(word)
	default:
		err = fmt.Errorf("unknown key")
	}
	return rest, err
}

// parse reads a literal from the front of text and returns the rest.
func (l *Literal) parse(text string) (rest string, err error) {
	kind, text, ok := strings.Cut(text, ":")
	for k, name := range litNames {
		if name == kind && name != "" {
			l.Kind = LitKind(k)
		}
	}
	if !ok || l.Kind == 0 {
		return "", fmt.Errorf("unknown kind of literal %q", kind)
	}
	if l.Kind == LitString {
		l.Str, rest, err = quoted(text)
		return rest, err
	}
	word, rest := cutWord(text)
	bits, imag, has := strings.Cut(word, ":")
	if l.Bits, err = strconv.ParseUint(bits, 0, 64); err != nil {
		return "", err
	}
	if has {
		l.Imag, err = strconv.ParseUint(imag, 0, 64)
	}
	return rest, err
}

// quoted cuts a quoted string from the front of text.
func quoted(text string) (s, rest string, err error) {
	q, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", fmt.Errorf("no quoted string")
	}
	s, err = strconv.Unquote(q)
	return s, text[len(q):], err
}

// cutWord splits a text before the first space; the rest begins with that space.
func cutWord(text string) (word, rest string) {
	if i := strings.IndexByte(text, ' '); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// number reads a small number that is not negative.
func number(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}
