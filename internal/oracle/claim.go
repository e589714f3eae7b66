package oracle

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/testcase"
)

// Contract is the name of the contract that holds if the documentation is right.
const Contract = testcase.DocumentationContract

// Bounds of the claims that are read from a package's documentation.
const (
	maxClaims      = 300
	maxOfFunction  = 12
	maxText        = 256 << 10 // bytes of a documentation file that are read
	maxLine        = 1000      // bytes of a line
	maxStatements  = 60        // statements of a block of code
	maxBlocks      = 40        // earlier blocks of a text that one may continue
	maxComposites  = 64        // elements of a literal
	maxConsidered  = 4000      // texts that look like calls
	maxTableCells  = 12
	maxTokensValue = 64
)

// A Claim is what the documentation says about the result of a call.
type Claim struct {
	Target string             // the name of the called function, as in Case.Target
	Seq    *testcase.Sequence // the sequence, which ends with the call
	// Checks make the call and compare one of its results with the claim: their last statement is an
	// OpCheck of Contract.
	Checks []*testcase.Sequence
	// Source names the text that makes the claim, for rows: "README", "documentation", "ExampleSize".
	Source string
	// Says is the text of the claim on one line, and Pos is its place.
	Says string
	Pos  token.Position
	// Soft marks texts that may not be claims. If the code differs from such a text, that is no finding.
	Soft bool
	// Runs says that go test makes the comparison already, because the claim comes from an example with its
	// output.
	Runs bool
}

// Vocabulary has the constants that calls in the documentation pass, by function as Case.Target names it.
// There is a list of arguments for each call. The Value of an argument is nil if the argument is no constant.
type Vocabulary map[string][][]constant.Value

// Documentation is everything that the documentation of a package says about its functions.
type Documentation struct {
	Claims []*Claim
	Uses   []*Use     // calls that no claim is about
	Passed Vocabulary // arguments of calls, including those of calls that could not be translated as a whole
	// Structs are the structs of constants that code elsewhere in the module writes out.
	Structs []literals.Struct
}

// Of reads the documentation of a package.
func Of(prog *load.Program, pkg *load.Package) Documentation {
	if pkg.Types == nil || pkg.Info == nil {
		return Documentation{}
	}
	r := &reader{
		prog: prog, pkg: pkg, scope: newScope(prog, pkg), seen: make(map[string]bool), count: make(map[string]int),
		used: make(map[string]bool), usesOf: make(map[string]int),
	}
	for _, p := range passages(prog, pkg) {
		r.passage(p)
	}
	for _, c := range prog.Callers(pkg) {
		r.caller(c)
	}
	uses := slices.DeleteFunc(r.uses, func(u *Use) bool { return r.seen[u.Seq.Key()] })
	return Documentation{Claims: r.claims, Uses: uses, Passed: r.scope.passed, Structs: r.structs}
}

// Operations returns the operations that claims and uses need, for building a harness with them.
func Operations(claims []*Claim, uses []*Use) (ops []*testcase.Operation, checks []*testcase.Check) {
	for _, u := range uses {
		for i := range u.Seq.Len() {
			ops = append(ops, u.Seq.At(i).Op)
		}
	}
	for _, c := range claims {
		for _, s := range c.Checks {
			for i := range s.Len() {
				op := s.At(i).Op
				if op.Kind == testcase.OpCheck {
					checks = append(checks, op.Check)
					continue
				}
				ops = append(ops, op)
			}
		}
	}
	return ops, checks
}

// reader collects claims.
type reader struct {
	prog        *load.Program
	pkg         *load.Package
	scope       *scope
	here        *scope // the scope of the passage, with the constants that its code has named so far
	named       map[string]types.TypeAndValue
	imports     map[string]string // what the code of the passage has imported so far, by name
	withMethods map[string]bool   // the types that code of the passage declares methods of
	blocks      []*snippet        // the blocks of statements of the passage, which later ones may continue
	own         []string          // variables that the paragraph declares which is being read
	claims      []*Claim
	seen        map[string]bool // calls with a claim
	count       map[string]int  // the number of claims, by function
	uses        []*Use
	used        map[string]bool // calls with a use
	usesOf      map[string]int  // the number of uses, by function
	structs     []literals.Struct
	declared    int // the number of names that code has declared
	// considered counts the texts that were checked. There is a bound, because a hostile file can have many.
	considered int
}

// passage reads one text of the documentation.
func (r *reader) passage(p passage) {
	r.named, r.imports = make(map[string]types.TypeAndValue), make(map[string]string)
	r.blocks = nil
	r.withMethods = p.typesWithMethods()
	r.here = r.fresh(p, nil)
	if p.example != nil {
		r.example(p)
		return
	}
	for _, b := range p.blocks() {
		r.own = nil
		switch {
		case b.foreign:
		case b.code && r.code(p, b):
		case b.table:
			r.table(p, b)
		default:
			r.prose(p, b)
		}
	}
}

// fresh returns a scope for a piece of a passage.
func (r *reader) fresh(p passage, imports map[string]string) *scope {
	s := r.scope.fresh(imports, p.outside)
	for name, tv := range r.named {
		if s.env.Scope().Lookup(name) == nil {
			s.env.Scope().Insert(types.NewConst(token.NoPos, s.env, name, tv.Type, tv.Value))
		}
	}
	return s
}

// remember makes the named constants of a snippet known to later texts. A README may name a text in a block
// of code, and say below what the functions return for this text.
func (r *reader) remember(s *snippet) {
	for name, unique := range s.local {
		v, ok := s.scope.env.Scope().Lookup(unique).(*types.Var)
		if !ok {
			continue
		}
		if value := constantOf(s.stmts[s.vars[v].Stmt].Op); value != nil {
			r.named[name] = types.TypeAndValue{Type: v.Type(), Value: value}
		}
	}
	r.here = r.fresh(s.p, nil)
}

// add adds a claim about a call that stands in a line of a passage, unless there is one about the same call
// already.
func (r *reader) add(p passage, line int, says string, call called, w wanted) {
	call.seq = pruned(call.seq)
	key := call.seq.Key()
	if len(w.checks) == 0 || leavesProcess(call.seq) || r.seen[key] || len(r.claims) >= maxClaims || r.count[call.target] >= maxOfFunction {
		return
	}
	r.seen[key] = true
	r.count[call.target]++
	c := &Claim{Target: call.target, Seq: call.seq, Source: p.source, Pos: p.at(line), Soft: w.soft || hasNameless(call.seq), Runs: p.example != nil,
		Says: strings.Join(strings.Fields(says), " ")}
	for _, s := range w.checks {
		s = pruned(s)
		check := *s.Last().Op.Check
		check.Target, check.Evidence = call.target, c.Evidence()
		last := s.Last()
		op := *last.Op
		op.Check = &check
		c.Checks = append(c.Checks, s.Prefix(s.Len()-1).Extend(testcase.Statement{Op: &op, Args: last.Args}))
	}
	r.claims = append(r.claims, c)
}

// hasNameless reports whether a sequence makes a struct without a name. It stands for one that the documentation declares, and
// the code may do something else with a type that has a name, and methods.
func hasNameless(s *testcase.Sequence) bool {
	for i := range s.Len() {
		if op := s.At(i).Op; op.Kind == testcase.OpComposite || op.Kind == testcase.OpZero {
			if _, ok := types.Unalias(op.Type).(*types.Struct); ok {
				return true
			}
		}
	}
	return false
}

// Evidence returns the sentence of the claim with its place, for findings.
func (c *Claim) Evidence() string {
	const most = 120
	says := []rune(c.Says)
	if len(says) > most {
		says = append(says[:most-3], []rune("...")...)
	}
	name := c.Pos.Filename[strings.LastIndexAny(c.Pos.Filename, `/\`)+1:]
	return fmt.Sprintf("%s:%d says “%s”", name, c.Pos.Line, string(says))
}

// pruned returns a sequence without the statements that its last statement does not need, because a piece of
// documentation often shows several unrelated calls. Calls on objects that are needed stay, because they may
// change these objects. Calls that return nothing stay as well.
func pruned(s *testcase.Sequence) *testcase.Sequence { return without(s, keepNeeded) }

// methodsOnly is pruned, but what objects are passed to is left out as well, unless it is needed: only calls of their own methods
// stay. In code that uses the package an object is handed to many that do not change it.
func methodsOnly(s *testcase.Sequence) *testcase.Sequence {
	return without(s, func(s *testcase.Sequence, keep []bool) {
		for i := s.Len() - 1; i >= 0; i-- {
			st := s.At(i)
			keep[i] = keep[i] || i == s.Len()-1 || st.Op.Kind == testcase.OpSetGlobal
			if !keep[i] && (st.Op.Kind == testcase.OpMethod || st.Op.Kind.Assigns()) && len(st.Args) > 0 {
				keep[i] = keep[st.Args[0].Stmt]
			}
			if keep[i] {
				for _, a := range st.Args {
					keep[a.Stmt] = true
				}
			}
		}
	})
}

// without returns a sequence with the statements alone that are marked as needed, once nothing more is.
func without(s *testcase.Sequence, mark func(*testcase.Sequence, []bool)) *testcase.Sequence {
	keep := make([]bool, s.Len())
	// A kept call may return the object itself, which later calls change: b.Set(1).Set(2).
	for before := -1; before != kept(keep); {
		before = kept(keep)
		mark(s, keep)
	}
	out, ok := s.Keep(keep)
	if !ok {
		panic("bug: oracle: a statement needs what was left out")
	}
	return out
}

// kept counts the statements that are kept.
func kept(keep []bool) (n int) {
	for _, k := range keep {
		if k {
			n++
		}
	}
	return n
}

// keepNeeded keeps the statements that the kept ones need, and the calls that may change their objects.
func keepNeeded(s *testcase.Sequence, keep []bool) {
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		prints := st.Op.Func != nil && st.Op.Func.Pkg() != nil && st.Op.Func.Pkg().Path() == "fmt"
		keep[i] = keep[i] || i == s.Len()-1 || st.Op.Kind == testcase.OpSetGlobal || st.Op.Kind == testcase.OpFunc && st.Op.Func.Signature().Results().Len() == 0
		if !keep[i] && !prints && (st.Op.Func != nil || st.Op.Kind.Assigns()) {
			keep[i] = slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return keep[a.Stmt] && !s.IsConstant(a) })
		}
		if keep[i] {
			for _, a := range st.Args {
				keep[a.Stmt] = true
			}
		}
	}
}

// called is a call that was translated.
type called struct {
	target string
	seq    *testcase.Sequence // the sequence, which ends with the call
}
