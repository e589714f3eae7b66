package words

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// longest is how many bytes a name may have.
const longest = 48

// Observation is the result of an exported observer: a method without parameters that changes nothing.
type Observation struct {
	Method *types.Func
	Value  testcase.Value
}

// Call is one executed call of the function: its case, and the results of the receiver's observers
// right before and right after it (nil if none were asked).
type Call struct {
	Case          *testcase.Case
	Before, After []Observation
	// Receiver is the receiver as it was right before the call, Invalid if it was not observed.
	Receiver testcase.Value
	// Member says whether an argument was among the elements of the receiver before the call, as a lookup of the
	// type says; nil if no lookup was asked.
	Member *Member
	// Crossed says that the call has the inputs of two others. It can only refute a name: what it has in common with the
	// call that its inputs come from says nothing for a name of that call.
	Crossed bool
	// Varies is the case of which the call is a variant, with one constant exchanged; nil if it is none. It can only refute
	// what is said of the exchanged input as a name of that case.
	Varies *testcase.Case
}

// Member is what a lookup like Contains says of an argument of a call.
type Member struct {
	Arg int // the argument's number, in which the receiver is number 0
	In  bool
}

// Name is the name of a case.
type Name struct {
	Text string // for the row or subtest: "empty", "amount above reviewAbove", "nil receiver"
	// Returns says what the call returned, or "" if the text would be long. It is for places where Text is
	// just a number.
	Returns string
	// Else is what holds for the row, though for other rows as well, or "". It is for places where nothing else is at hand either.
	Else   string
	Clause string // for a sentence after "when": "the buffer is full", or "" if there is none
	// Proved says that the name holds for no executed call with another outcome. For a row that stands
	// for one side of a comparison it says so of the calls that reach the comparison. A Clause is
	// proved among all calls, except calls on a nil receiver. If all calls have the same outcome, then
	// calls that took another path through the function count as calls with another outcome.
	Proved bool
	// Decides says that the call ends as it does, or takes its way, because the name holds. A name that does not decide only tells
	// the row from others: it writes an input, or says something that is true of it.
	Decides bool
}

// Namer knows all executed calls of a function, and names cases among them.
type Namer struct {
	pkg     *load.Package
	fn      *types.Func
	sig     *types.Signature
	decl    *ast.FuncDecl // nil where there is no syntax
	hasRecv bool
	idle    uint64 // the inputs that decide nothing in the function, as bits by number
	ways    Ways

	calls     []*call
	byCase    map[*testcase.Case]int
	observers []*types.Func
	byMethod  map[*types.Func]int
	subjects  []subject   // the inputs, then the arguments of the constructor that made the receiver
	inputs    int         // how many of the subjects are inputs
	maker     *types.Func // the constructor that made most receivers, or nil if there is none
	seen      []subject   // the observers' results
	params    map[types.Object]int
	mentioned []*types.Const // declared constants that the function mentions
	enums     enumerations
	classes   *classes
	code      *code
	asked     *characters // the characters that the code asks for; nil until the code is read

	preds     []*predicate
	texts     map[string]*predicate
	otherSets map[[3]int]set
	learning  bool // New has not returned yet, so its knowledge may still change
}

// shortenMessages takes away what all messages of the function's errors begin with, and notes which messages are constants of the code.
func (n *Namer) shortenMessages() {
	var all []string
	known := make(map[string]bool)
	if n.pkg.Literals != nil {
		for _, text := range n.pkg.Literals.Strings {
			known[text] = true
		}
	}
	for _, c := range n.calls {
		o := &c.outcome
		o.literal = known[o.message]
		if o.message != "" && !o.panicked {
			all = append(all, o.message)
		}
	}
	begin := beginningOfAll(all)
	for _, c := range n.calls {
		if c.outcome.message == "" || c.outcome.panicked {
			continue
		}
		rest := strings.TrimPrefix(c.outcome.message, begin)
		for _, passed := range c.passed() {
			rest = without(rest, passed)
		}
		if !strings.ContainsFunc(rest, unicode.IsLetter) {
			return // "no such item: " is all that the messages say
		}
	}
	for _, c := range n.calls {
		if !c.outcome.panicked {
			c.outcome.message = strings.TrimPrefix(c.outcome.message, begin)
		}
	}
}

// New learns from all executed calls of fn (thousands), and runs none of them again. deciding says for the
// receiver, if there is one, and each parameter whether it may decide anything in fn; nil says that all of
// them may. No name is about an input that decides nothing, except a name that just writes the input. The parameter ways may be nil.
func New(pkg *load.Package, fn *types.Func, deciding []bool, ways Ways, all []Call) *Namer {
	fn = fn.Origin()
	n := &Namer{pkg: pkg, fn: fn, ways: ways, sig: fn.Signature(), byCase: map[*testcase.Case]int{}, byMethod: map[*types.Func]int{}, params: map[types.Object]int{},
		texts: map[string]*predicate{}, otherSets: map[[3]int]set{}, learning: true}
	if n.pkg.Info != nil {
		n.decl = pkg.Func(fn)
	}
	n.hasRecv = n.sig.Recv() != nil
	for i, decides := range deciding {
		if !decides && i < 64 && (i > 0 || !n.hasRecv) {
			n.idle |= 1 << i
		}
	}
	n.enums = newEnumerations(pkg.Types)
	n.classes = newClasses(fn, n.decl, pkg.Info, n.enums)
	n.findObservers(all)
	n.inputSubjects()
	n.observerSubjects()
	n.makerSubjects(all)
	n.mention()
	for _, a := range all {
		if _, twice := n.byCase[a.Case]; twice {
			continue
		}
		c := readCall(a.Case, n.sig)
		if n.hasRecv && a.Receiver.Kind != testcase.Invalid && !isKnown(c.inputs[0]) {
			c.inputs[0] = a.Receiver
		}
		n.readMaker(c)
		c.settings = n.settings(c.c)
		c.before, c.after, c.member, c.crossed, c.varies = n.observed(a.Before), n.observed(a.After), a.Member, a.Crossed, a.Varies
		n.classes.classify(c)
		n.byCase[a.Case] = len(n.calls)
		n.calls = append(n.calls, c)
	}
	n.shortenMessages()
	n.code = n.readCode()
	n.code.evaluate()
	if n.classes.single() {
		n.classifyByPath()
	}
	n.addObservers()
	n.addInputs()
	n.addConditions()
	n.addMembers()
	n.addLookedUp()
	n.addMoves()
	n.addOutcomes()
	n.learning = false
	return n
}

// classifyByPath divides calls of a function that all have the same outcome by their paths.
func (n *Namer) classifyByPath() {
	paths := map[string]int{}
	for i, c := range n.calls {
		var b strings.Builder
		for _, d := range n.code.path(c, i) {
			b.WriteString(d.cond.text + strconv.Itoa(bit(d.way)) + ";")
		}
		id, ok := paths[b.String()]
		if !ok {
			id = len(paths)
			paths[b.String()] = id
		}
		c.outcome.base = id
	}
}

// receiver returns the receiver as a subject of names.
func (n *Namer) receiver() subject {
	word := "receiver"
	if n.hasRecv {
		t := types.Unalias(n.sig.Recv().Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if named, ok := t.(*types.Named); ok {
			ws := splitWords(named.Obj().Name())
			word = ws[len(ws)-1]
		}
	}
	return subject{clause: "the " + word, one: "element", many: "elements"}
}

// inputSubjects finds the names of the inputs.
func (n *Namer) inputSubjects() {
	if n.hasRecv {
		s := n.receiver()
		if basicIs(n.sig.Recv().Type(), types.IsString) {
			s.one, s.many = "byte", "bytes"
		}
		n.subjects = append(n.subjects, s)
		n.params[n.sig.Recv()] = 0
	}
	count := n.sig.Params().Len()
	for i := range count {
		v := n.sig.Params().At(i)
		s := subject{name: v.Name(), clause: v.Name()}
		if v.Name() == "" || v.Name() == "_" {
			s.name, s.clause = "", "the argument"
			if count > 1 {
				s.name = "argument " + strconv.Itoa(i+1)
				s.clause = s.name
			}
		}
		s.alone = count == 1 && (!n.hasRecv || len(v.Name()) <= 1)
		switch {
		case basicIs(v.Type(), types.IsString), isBytes(v.Type()):
			s.one, s.many = "byte", "bytes"
		case isRunes(v.Type()):
			s.one, s.many = "character", "characters"
		case elemOf(v.Type()) != nil:
			s.one, s.many = nouns(v.Name())
		}
		n.params[v] = len(n.subjects)
		n.subjects = append(n.subjects, s)
	}
	n.inputs = len(n.subjects)
	for i := range n.subjects {
		sort := func(k int) string { return n.subjects[k].one }
		n.subjects[i].lone = sort(i) == "byte"
		for k := range n.subjects {
			if k != i && sort(k) == sort(i) {
				n.subjects[i].lone = false
			}
		}
	}
}

// constructor returns the statement that made the receiver of a case by calling a function; ok is false
// if there is none.
func constructor(c *testcase.Case) (st testcase.Statement, ok bool) {
	if c.Seq == nil || c.Seq.Len() == 0 {
		return st, false
	}
	target := c.Seq.At(c.TargetStmt())
	if target.Op.Kind != testcase.OpMethod || len(target.Args) == 0 {
		return st, false
	}
	st = c.Seq.At(target.Args[0].Stmt)
	return st, st.Op.Kind == testcase.OpFunc && !st.Op.Signature().Variadic()
}

// makerSubjects finds the constructor that made most receivers. Its arguments can name a case, too, if
// their names differ from those of the call's arguments.
func (n *Namer) makerSubjects(all []Call) {
	if !n.hasRecv {
		return
	}
	count := map[*types.Func]int{}
	for _, a := range all {
		if st, ok := constructor(a.Case); ok {
			f := st.Op.Func.Origin()
			count[f]++
			if m := n.maker; m == nil || count[f] > count[m] || count[f] == count[m] && f.FullName() < m.FullName() {
				n.maker = f
			}
		}
	}
	if n.maker == nil {
		return
	}
	ps := n.maker.Signature().Params()
	for i := range ps.Len() {
		v := ps.At(i)
		s := subject{name: v.Name(), clause: n.receiver().clause + "'s " + v.Name()}
		for _, t := range slices.Concat(n.subjects[:n.inputs], n.seen) {
			if t.name == v.Name() {
				s.name = n.maker.Name() + "'s " + v.Name()
			}
		}
		if s.name == "" || s.name == "_" {
			s.name = "argument of " + n.maker.Name()
		}
		switch {
		case basicIs(v.Type(), types.IsString):
			s.one, s.many = "byte", "bytes"
		case isRunes(v.Type()):
			s.one, s.many = "character", "characters"
		case elemOf(v.Type()) != nil:
			s.one, s.many = nouns(v.Name())
		}
		n.subjects = append(n.subjects, s)
	}
}

// readMaker reads the arguments of the constructor that made the receiver of a call.
func (n *Namer) readMaker(c *call) {
	extra := len(n.subjects) - n.inputs
	if extra == 0 {
		return
	}
	c.inputs = append(c.inputs, make([]testcase.Value, extra)...)
	c.stubs = append(c.stubs, make([]*stub, extra)...)
	st, ok := constructor(c.c)
	if !ok || st.Op.Func.Origin() != n.maker || len(st.Args) != extra {
		c.madeOtherwise = c.inputs[0].Kind == testcase.Nil || ok
		return
	}
	at := c.c.Seq.At(c.c.TargetStmt()).Args[0].Stmt
	for i, ref := range st.Args {
		c.inputs[n.inputs+i] = argument(c.c, ref, at)
		c.stubs[n.inputs+i] = readStub(c.c, ref)
	}
}

// input returns the number of the input that a variable is, or -1 if it is no input.
func (n *Namer) input(obj types.Object) int {
	if i, ok := n.params[obj]; ok && i < 64 {
		return i
	}
	return -1
}

// inputType returns the type of an input.
func (n *Namer) inputType(i int) types.Type {
	if i >= n.inputs {
		return n.maker.Signature().Params().At(i - n.inputs).Type()
	}
	if n.hasRecv {
		if i == 0 {
			return n.sig.Recv().Type()
		}
		i--
	}
	return n.sig.Params().At(i).Type()
}

// byValue reports whether the receiver is a value that a reader sees in the row, and not a pointer.
func (n *Namer) byValue() bool {
	_, ptr := n.sig.Recv().Type().Underlying().(*types.Pointer)
	return !ptr
}

// mention finds the declared constants of the package that the function mentions.
func (n *Namer) mention() {
	if n.decl == nil || n.decl.Body == nil {
		return
	}
	found := map[*types.Const]bool{}
	ast.Inspect(n.decl.Body, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			if c, ok := n.pkg.Info.Uses[id].(*types.Const); ok && c.Pkg() == n.pkg.Types && c.Parent() == c.Pkg().Scope() && !found[c] {
				found[c] = true
				n.mentioned = append(n.mentioned, c)
			}
		}
		return true
	})
	sortByPos(n.mentioned, func(c *types.Const) (token.Pos, string) { return c.Pos(), c.Name() })
}

// Knows reports whether a case is among the calls that New learnt from.
func (n *Namer) Knows(c *testcase.Case) bool {
	_, ok := n.byCase[c]
	return ok
}

// Names returns a name for each row of one test; all names differ. Rows are cases among the calls that
// New learnt from.
func (n *Namer) Names(rows []*testcase.Case) []Name {
	at := make([]int, len(rows))
	for i, c := range rows {
		k, ok := n.byCase[c]
		if !ok {
			panic("bug: words: a row that was not among the executed cases of " + n.fn.Name())
		}
		at[i] = k
	}
	// Predicates made for these rows are dropped afterwards, so that the names of a test depend on its
	// own rows alone.
	preds, texts := len(n.preds), n.texts
	defer func() { n.preds, n.texts = n.preds[:preds], texts }()
	n.texts = make(map[string]*predicate, len(texts))
	for text, p := range texts {
		n.texts[text] = p
	}
	for _, i := range at {
		n.special(i, at)
	}
	var all []candidate
	lists := make([][]candidate, len(rows))
	provers := make([]*prover, len(rows))
	out := make([]Name, len(rows))
	always := len(n.calls) > 1 && !slices.ContainsFunc(n.calls, func(c *call) bool { return !c.outcome.panicked })
	for i := range at {
		p := n.prover(i, at)
		provers[i] = p
		lists[i] = n.distinguishing(p, at)
		if !always { // where each call panicked, no input is the reason
			out[i].Clause = p.clause(lists[i])
		}
		all = append(all, lists[i]...)
	}
	taken := n.withoutPredicates(at, out)
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.total, b.total), cmp.Compare(a.row, b.row))
	})
	for i, k := range at {
		if text := n.madeBy(k, at); out[i].Text == "" && text != "" && len(at) > 1 && !taken[text] {
			out[i].Text, taken[text] = text, true
		}
	}
	n.nameFailing(at, out, lists, taken)
	picked := make([]*predicate, len(rows))
	for _, c := range all {
		if name := &out[c.row]; name.Text == "" && !taken[c.text] {
			name.Text, name.Proved = c.text, c.proved
			taken[c.text], picked[c.row] = true, c.predicate
		}
	}
	spellVague(out, picked, lists, taken)
	n.nameBoth(at, out, picked, taken)
	n.exactly(at, out, taken)
	n.answers(at, out, picked, taken)
	n.nameExpressions(at, out, taken)
	for i := range out {
		out[i].Decides = out[i].Text != "" // what gave it another name than a predicate speaks of the outcome, or of options
		if k := slices.IndexFunc(lists[i], func(c candidate) bool { return c.text == out[i].Text }); k >= 0 {
			out[i].Decides = provers[i].decides(lists[i][k].predicate)
		}
		out[i].Returns = n.returned(at[i])
		for _, text := range []string{n.ownAnswer(at[i], at), n.ownMaker(at[i], at), n.fieldsSet(at[i]), n.ownStep(at[i], at)} {
			if out[i].Text == "" && text != "" && !taken[text] {
				out[i].Text = text
				taken[text] = true
			}
		}
		if out[i].Text == "" {
			out[i].Else = n.elseOf(provers[i], taken)
		}
		for k := 1; out[i].Text == ""; k++ { // no predicate gave the row a name
			if text := "case " + strconv.Itoa(k); !taken[text] {
				out[i].Text = text
				taken[text] = true
			}
		}
	}
	return out
}

// distinguishing returns the candidates for the name of a row without those that tell it from no other row: those that are not proved
// and speak of nothing but inputs which are the same in all rows, or hold for another row as well; and where all calls ended alike, so
// that there was nothing to prove a name against, those that hold for a row with other results. The parameter at has the rows' calls.
// That a key has an upper-case letter says nothing where it is the key of all rows.
func (n *Namer) distinguishing(p *prover, at []int) []candidate {
	varies := func(k int) bool {
		mine := n.calls[at[p.row]].inputs
		return slices.ContainsFunc(at, func(i int) bool {
			other := n.calls[i].inputs
			return k >= len(mine) || k >= len(other) || !mine[k].Equal(other[k])
		})
	}
	alike := p.others.count() == 0
	return slices.DeleteFunc(slices.Clone(p.candidates()), func(c candidate) bool {
		if c.predicate == nil || len(at) < 2 || c.place == placeOutcome {
			return false
		}
		if alike && !c.outcome && slices.ContainsFunc(at, func(i int) bool { return i != p.call && c.holds.has(i) && !n.sameResults(i, p.call) }) {
			return true
		}
		if c.own && slices.ContainsFunc(at, func(i int) bool { return i != at[p.row] && c.holds.has(i) }) {
			return true // so do the code's own variables: they say something only of the row that they tell from the others
		}
		if c.proved || c.inputs == 0 || c.observers != 0 {
			return false
		}
		if slices.ContainsFunc(at, func(i int) bool { return i != at[p.row] && c.holds.has(i) }) {
			return true
		}
		for rest := c.inputs; rest != 0; rest &= rest - 1 {
			if varies(bits.TrailingZeros64(rest)) {
				return false
			}
		}
		return true
	})
}

// elseOf returns the best name of a row that no other row has, whether or not it holds for these.
func (n *Namer) elseOf(p *prover, taken map[string]bool) string {
	best := candidate{total: math.MaxInt}
	for _, c := range p.candidates() {
		if c.total < best.total && !taken[c.text] {
			best = c
		}
	}
	if best.predicate == nil {
		return ""
	}
	taken[best.text] = true
	return best.text
}

// sameResults reports whether two calls returned the same.
func (n *Namer) sameResults(i, j int) bool {
	results := func(c *testcase.Case) []testcase.Value {
		if at := c.TargetStmt(); c.Observed != nil && at < len(c.Observed.Results) {
			return c.Observed.Results[at]
		}
		return nil
	}
	return slices.EqualFunc(results(n.calls[i].c), results(n.calls[j].c), testcase.Value.Equal)
}
