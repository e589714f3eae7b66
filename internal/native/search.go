package native

import (
	"context"
	"fmt"
	"go/types"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/native/rewrite"
	"github.com/goassay/assay/internal/native/rt"
)

// Check is a condition on a structure: a method or function that takes fields of the root.
type Check struct {
	// Func is a method like RepOK, called on the first field. If it has several results the last one counts;
	// an error must be nil.
	Func *types.Func
	// Name is used if Func is nil: the name of a generated function of the package that returns bool.
	// TypeArgs are its type arguments.
	Name     string
	TypeArgs []types.Type
	// Fields are fields of the root, which is a struct. No field is a pointer to the root.
	Fields []int
	// Nilable says that the first field may be nil, and satisfies the condition then; Addr says that Name
	// takes its address.
	Nilable, Addr bool
	// Label is the name of the condition in findings.
	Label  string
	Spread bool // the function is variadic, and gets the last field as its list
}

// ResultCheck is a condition on one result of an operation. A nil result satisfies it.
type ResultCheck struct {
	Func   *types.Func // a method like RepOK of the result
	Result int
	Type   types.Type // of the result: a named type or a pointer to one
	Label  string     // as that of a Check
}

// Search is a space of structures to walk, and says what to do with valid structures.
type Search struct {
	Root   types.Type // a struct, or a named type
	Checks []Check    // a structure is valid if all hold, in their order

	// Without Root and Checks there is nothing to walk. Then only the field Only is used, and Resolved
	// receives the specification of a Finitization of any type.

	// Spec is the space; Types are the types of its numbers. Alternatively Finitization is a function
	// of the package that returns a space, with the argument Size if it takes an int.
	Spec         *candidate.Spec
	Types        []types.Type
	Finitization *types.Func
	Size         int

	Part, Parts int // which part of the space is walked; see candidate.Search

	// Op, if it is not nil, is called on each valid structure, with fields of the root. The conditions in
	// After are checked after the call.
	Op       *types.Func
	TypeArgs []types.Type // the type arguments of Op, or of its receiver
	Fields   []int
	Spread   bool // the last field is passed as "..."
	After    []Check
	// Results are conditions on results of Op, for calls that succeed: the last result is not false and no error.
	Results []ResultCheck

	Max  int64 // bounds the candidates that are explored; 0 is no bound
	All  bool  // report every valid structure
	Only bool  // walk nothing: only the specification is wanted
	// Record asks for the slots that each candidate's check reads: Searched.Reads.
	Record bool

	// Resolved, if it is not nil, receives the specification before anything is found.
	Resolved func(*candidate.Spec, []string)
	// Progress, if it is not nil, receives the counts so far.
	Progress func(explored, valid int64)
	// Found receives structures: all valid ones, or those for which Op fails or covers more.
	Found func(Found)
}

// Found is a valid structure.
type Found struct {
	Vector  []int32 // the number of the value of each slot
	Objects int     // how many objects are reached from the root
	Fresh   bool    // Op covered a block that it did not cover before
	Failure string  // what is wrong after Op, or how Op ended: "RepOK", "ensures ...", "panic ...", "hang"
}

// Searched is the result of a search.
type Searched struct {
	candidate.Result
	Spec  *candidate.Spec
	Types []string // the types that the specification's type numbers denote, with full package paths

	// Died says how the process ended, if it did. Last is the candidate at that moment.
	Died string
	Last []int32
}

// FinitizationError says what is wrong with a finitization, preceded by its place if that is known.
type FinitizationError string

func (e FinitizationError) Error() string { return string(e) }

// searchPatience is how long a predicate or operation may compute without finishing a turn of a loop. The
// turns of loops are counted, and end it earlier.
const searchPatience = 5 * time.Second

// Search walks a space in a process of its own. Several searches may run at the same time. If there is an
// error, the returned counts are those up to then.
func (h *Harness) Search(ctx context.Context, s Search) (Searched, error) {
	var res Searched
	p, msg, err := h.startSearch(ctx, &s)
	if err != nil {
		return res, err
	}
	defer p.end()
	stop := h.watch(ctx, p, watcher{limit: searchPatience, asleep: 2 * searchPatience})
	defer stop()
	if _, err := p.in.Write(frame(msg)); err != nil {
		return res, err
	}
	for {
		msg, err := p.receive()
		if err != nil {
			if ctx.Err() != nil {
				return res, ctx.Err()
			}
			h.searchDied(p, &res)
			return res, nil
		}
		r := &assayrt.Reader{Buf: msg}
		switch r.Byte() {
		case assayrt.MsgSpec:
			if res.Spec, err = candidate.Parse(r.Str()); err != nil {
				return res, &bugError{"bug: native: " + err.Error()}
			}
			for range r.Count() {
				res.Types = append(res.Types, r.Str())
			}
			if s.Resolved != nil {
				s.Resolved(res.Spec, res.Types)
			}
			if s.Only {
				return res, nil
			}
		case assayrt.MsgCounts:
			res.Explored, res.Valid = int64(r.Uint()), int64(r.Uint())
			if s.Progress != nil {
				s.Progress(res.Explored, res.Valid)
			}
		case assayrt.MsgFound:
			f := Found{Vector: readVector(r), Objects: r.Num(), Fresh: r.Bool(), Failure: h.failure(r.Str())}
			if s.Found != nil && !r.Bad {
				s.Found(f)
			}
		case assayrt.MsgSearched:
			res.Explored, res.Valid, res.Complete = int64(r.Uint()), int64(r.Uint()), r.Bool()
			for range r.Count() {
				pr := candidate.Problem{Kind: r.Str(), Message: r.Str(), Count: r.Num()}
				pr.Vector = readVector(r)
				res.Problems = append(res.Problems, pr)
			}
			res.Reads = []byte(r.Str())
			if r.Bad {
				return res, &bugError{"bug: native: malformed end of a search"}
			}
			return res, nil
		case assayrt.MsgSearchError:
			return res, FinitizationError(r.Str())
		default:
			return res, &bugError{"bug: native: unknown message of a search"}
		}
	}
}

func readVector(r *assayrt.Reader) []int32 {
	v := make([]int32, r.Count())
	for i := range v {
		v[i] = int32(r.Num())
	}
	return v
}

// searchDied says how a process ended in the middle of a search.
func (h *Harness) searchDied(p *process, res *Searched) {
	p.wait()
	d := h.death(p)
	res.Died = d.message
	if res.Spec != nil && hasPage {
		res.Last = p.page.vector(len(res.Spec.Slots()))
	}
}

// failure translates the harness's report of a failed operation to the words of contracts.
func (h *Harness) failure(text string) string {
	if n, ok := strings.CutPrefix(text, "assert "); ok {
		if i, err := strconv.Atoi(n); err == nil && i < len(h.builder.asserts) {
			return h.builder.asserts[i].Broken
		}
	}
	return text
}

// startSearch starts a process for a search and encodes its message.
func (h *Harness) startSearch(ctx context.Context, s *Search) (*process, []byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		panic("bug: native: search on a closed harness")
	}
	n, err := h.reg.searchNumber(s)
	if err != nil {
		return nil, nil, err
	}
	var numbers []int
	for _, t := range s.Types {
		i, err := h.reg.leaf(t)
		if err != nil {
			return nil, nil, err
		}
		numbers = append(numbers, i)
	}
	if h.stale() {
		if err := h.rebuild(ctx); err != nil {
			return nil, nil, err
		}
	}
	p, err := h.begin(ctx, firstRun())
	if err != nil {
		return nil, nil, err
	}
	var w assayrt.Writer
	w.Buf = make([]byte, 4) // frame fills in the length later
	w.Byte(assayrt.MsgSearch)
	w.Num(n)
	w.Num(s.Size)
	if s.Spec != nil {
		w.Str(s.Spec.String())
	} else {
		w.Str("")
	}
	w.Num(len(numbers))
	for _, i := range numbers {
		w.Num(i)
	}
	w.Int(s.Max)
	w.Num(s.Part)
	w.Num(s.Parts)
	want := byte(0)
	for i, on := range []bool{s.All, s.Op != nil, s.Only, s.Record} {
		if on {
			want |= 1 << i
		}
	}
	w.Byte(want)
	return p, w.Buf, nil
}

// prepare registers a search and the types that it names, so that one build is enough.
func (g *registry) prepare(s *Search) {
	if _, err := g.searchNumber(s); err != nil {
		return // Harness.Search reports the error
	}
	for _, t := range s.Types {
		g.try(g.leaf(t))
	}
}

// searchNumber returns the number of the search in the generated file.
func (g *registry) searchNumber(s *Search) (int, error) {
	text, err := g.searchText(s)
	if err != nil {
		return 0, err
	}
	n, ok := g.searched[text]
	if !ok {
		if g.searched == nil {
			g.searched = map[string]int{}
		}
		n = len(g.searches)
		g.searches = append(g.searches, text)
		g.searched[text] = n
		g.dirty = true
	}
	return n, nil
}

// searchText writes a search in the form of the generated file.
func (g *registry) searchText(s *Search) (string, error) {
	p := g.sp.prefix
	var b strings.Builder
	if s.Root == nil {
		b.WriteString("{")
		err := g.finitization(&b, s.Finitization)
		return b.String() + "}", err
	}
	root, err := g.sp.typ(s.Root)
	if err != nil {
		return "", err
	}
	st, _ := s.Root.Underlying().(*types.Struct)
	fmt.Fprintf(&b, "{Root: %srt.T[%s](), Pred: %srt.On(func(x *%s) %srt.Bool { return true", p, root, p, root, p)
	for _, c := range s.Checks {
		text, err := g.condition(c, st, true)
		if err != nil {
			return "", err
		}
		b.WriteString(" && " + text)
	}
	b.WriteString(" })")
	if s.Op != nil {
		fmt.Fprintf(&b, ", Op: %srt.On(func(x *%s) %srt.String { ", p, root, p)
		call, err := g.operation(s)
		if err != nil {
			return "", err
		}
		names, conditions := s.results()
		b.WriteString(names + call + "; " + conditions)
		for _, c := range s.After {
			text, err := g.condition(c, st, false)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "if !(%s) { return %q }; ", text, c.Label)
		}
		b.WriteString(`return "" })`)
	}
	if f := s.Finitization; f != nil {
		b.WriteString(", ")
		if err := g.finitization(&b, f); err != nil {
			return "", err
		}
	}
	return b.String() + "}", nil
}

// results writes the conditions on the results of a search's operation: what stands in front of the call, and what behind it.
func (s *Search) results() (names, conditions string) {
	if len(s.Results) == 0 {
		return "", ""
	}
	results := s.Op.Signature().Results()
	list := make([]string, results.Len())
	for i := range list {
		list[i] = "_"
	}
	came := ""
	if last := len(list) - 1; last > 0 {
		switch t := results.At(last).Type(); {
		case isBool(t):
			list[last], came = "ok", "ok && "
		case types.Identical(t, types.Universe.Lookup("error").Type()):
			list[last], came = "err", "err == nil && "
		}
	}
	for _, c := range s.Results {
		list[c.Result] = fmt.Sprintf("r%d", c.Result)
		conditions += fmt.Sprintf("if %s!(%s) { return %q }; ", came, c.holds(list[c.Result]), c.Label)
	}
	return strings.Join(list, ", ") + " := ", conditions
}

// holds writes the condition on the result with the given name.
func (c ResultCheck) holds(name string) string {
	text := name + "." + c.Func.Name() + "()"
	if r := c.Func.Signature().Results(); !isBool(r.At(r.Len() - 1).Type()) {
		text += " == nil"
	}
	if rewrite.IsPointer(c.Type) {
		text = name + " == nil || " + text
	}
	return text
}

// finitization writes the user's function in the form that a search calls.
func (g *registry) finitization(b *strings.Builder, f *types.Func) error {
	name, err := g.sp.object(f)
	if err != nil {
		return err
	}
	arg := ""
	if f.Signature().Params().Len() == 1 {
		arg = "n"
	}
	p := g.sp.prefix
	fmt.Fprintf(b, "Finitization: func(n %srt.Int) %srt.Any { return %s(%s) }", p, p, name, arg)
	return nil
}

// condition writes a condition over the root x. If the condition's reads are observed, the fields that it
// takes are noted as read.
func (g *registry) condition(c Check, st *types.Struct, observed bool) (string, error) {
	field := func(i int) string {
		text := "x." + st.Field(i).Name()
		_, slice := st.Field(i).Type().Underlying().(*types.Slice)
		_, array := st.Field(i).Type().Underlying().(*types.Array)
		_, structure := st.Field(i).Type().Underlying().(*types.Struct)
		switch {
		case !observed || array || structure:
			return text // the reads are observed where the value is used
		case slice:
			return g.sp.prefix + "cd.All(" + text + ")"
		}
		return "(*" + g.sp.prefix + "cd.Read(&" + text + "))"
	}
	args := make([]string, len(c.Fields))
	for i, f := range c.Fields {
		args[i] = field(f)
	}
	if c.Spread && len(args) > 0 {
		args[len(args)-1] += "..."
	}
	if len(args) == 0 {
		args = []string{"x"}
	}
	nilable := args[0]
	if c.Func != nil && observed && !rewrite.IsPointer(c.Func.Signature().Recv().Type()) {
		// A receiver passed by value is a copy, and copying reads all of it.
		if st == nil || len(c.Fields) == 0 || rewrite.IsPointer(st.Field(c.Fields[0]).Type()) {
			args[0] = "(*" + g.sp.prefix + "cd.Read(" + args[0] + "))"
		} else {
			args[0] = "(*" + g.sp.prefix + "cd.Read(&" + args[0] + "))"
		}
	}
	if c.Func != nil {
		text := args[0] + "." + c.Func.Name() + "(" + strings.Join(args[1:], ", ") + ")"
		if r := c.Func.Signature().Results(); !isBool(r.At(r.Len() - 1).Type()) {
			text = "(" + text + ") == nil"
		}
		if c.Nilable {
			text = "(" + nilable + " == nil || " + text + ")"
		}
		return text, nil
	}
	if c.Addr {
		args[0] = "&" + args[0]
	}
	inst, err := g.instance(c.TypeArgs)
	return c.Name + inst + "(" + strings.Join(args, ", ") + ")", err
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// instance writes a list of type arguments, "" for none.
func (g *registry) instance(args []types.Type) (string, error) {
	if len(args) == 0 {
		return "", nil
	}
	var list []string
	for _, a := range args {
		s, err := g.sp.typ(a)
		if err != nil {
			return "", err
		}
		list = append(list, s)
	}
	return "[" + strings.Join(list, ", ") + "]", nil
}

// operation writes the call of a search's operation. If the operation has a contract, the call goes through
// it.
func (g *registry) operation(s *Search) (string, error) {
	st := s.Root.Underlying().(*types.Struct)
	args := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		args[i] = "x." + st.Field(f).Name()
	}
	spread := ""
	if s.Spread {
		spread = "..."
	}
	run := g.pkg.Checked(s.Op)
	if run == "" && s.Op.Signature().Recv() != nil {
		return args[0] + "." + s.Op.Name() + "(" + strings.Join(args[1:], ", ") + spread + ")", nil
	}
	if run == "" {
		name, err := g.sp.object(s.Op)
		if err != nil {
			return "", err
		}
		run = name
	} else if recv := s.Op.Signature().Recv(); recv != nil {
		// The receiver is passed as the method declares it.
		switch have := rewrite.IsPointer(st.Field(s.Fields[0]).Type()); {
		case have && !rewrite.IsPointer(recv.Type()):
			args[0] = "*" + args[0]
		case !have && rewrite.IsPointer(recv.Type()):
			args[0] = "&" + args[0]
		}
	}
	inst, err := g.instance(s.TypeArgs)
	return run + inst + "(" + strings.Join(args, ", ") + spread + ")", err
}
