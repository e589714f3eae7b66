package bounded

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/guard"
)

// Enumeration says what to enumerate.
type Enumeration struct {
	Type         string // the name of a type of the package
	Size         int    // the N of the default bounds, and the argument of a finitization
	Finitization string // the name of a function of the package, or "" for the default bounds
	// Part is the number of the part to enumerate, of Parts. If Parts is 0, the whole space is enumerated.
	Part, Parts int
	Workers     int // how many searches run at the same time, 1 or more
	Tags        string
	Confine     guard.Mode        // as in native.Config
	Overlay     map[string][]byte // as in load.Config
	Paper       bool              // explore the candidates in the way of the paper, so that their number is that of the paper
	// Found, if it is not nil, receives each structure. There is only one search then, so that the order is
	// always the same.
	Found func(*Structure)
	// Progress, if it is not nil, receives the counts so far.
	Progress func(explored, valid int64)
}

// Counts is the result of an enumeration.
type Counts struct {
	Explored, Valid int64
	Complete        bool
	Problems        []Problem
	// Lazy says that the structures were counted on Paths executions of the lazy machine, because there are
	// too many candidates to ask the predicate about each. Explored is 0 then.
	Lazy  bool
	Paths int64
	// Eager is the reason why the lazy machine did not count the structures although there are many, or "" if
	// there are few.
	Eager string
	// Space is the space of candidates, or nil if the search did not get that far.
	Space *Space
	// Left are fields that the default bounds leave at zero, with the reason.
	Left []string
}

// Problem is something wrong with the predicate, with a candidate that shows it.
type Problem struct {
	Pos       token.Position // the place of the predicate
	Text      string
	Count     int
	Structure *Structure // nil if it is not known
}

// splitting is how many parts there are for each worker, because parts differ in size.
const splitting = 4

// Enum enumerates structures of a type. A mistake in the type or the bounds is an *Error or a
// FinitizationError. If the context ends, the counts so far come with its error.
func Enum(ctx context.Context, prog *load.Program, pkg *load.Package, e Enumeration) (Counts, error) {
	s, left, err := search(prog, pkg, &e)
	if err != nil {
		return Counts{}, err
	}
	h, err := native.Build(ctx, prog, pkg, native.Config{Tags: e.Tags, Confine: e.Confine, Overlay: e.Overlay, Observe: observed(pkg, s.Checks), Searches: []native.Search{s}})
	if err != nil {
		return Counts{Left: left}, err
	}
	defer h.Close() // the harness's workspace is temporary
	counts := Counts{Left: left}
	if e.Found != nil || e.Paper || e.Parts > 1 {
		if counts.Space, err = spaceOf(ctx, h, pkg, s); err != nil {
			return counts, err
		}
	}
	if e.Found != nil {
		err = where{h, prog, pkg}.enumPart(ctx, s, &e, &counts)
		return counts, err
	}
	if !e.Paper && e.Parts <= 1 {
		// All parts of one enumeration are walked in the same way.
		//
		// In a small space the predicate is asked about every candidate, so that its mistakes show early.
		few := s
		few.Max, few.Record = fewCandidates, true
		if err := (where{h, prog, pkg}).enumPart(ctx, few, &e, &counts); err != nil || counts.Complete || len(counts.Problems) > 0 && counts.Explored < fewCandidates {
			return counts, err
		}
		problems := counts.Problems
		counts = Counts{Left: left, Space: counts.Space}
		if len(problems) > 0 {
			counts.Eager = "the predicate is not sound"
		} else if counts.Eager, err = (where{h, prog, pkg}).countLazily(ctx, s, &e, &counts); counts.Eager == "" {
			return counts, err
		}
	}
	if e.Workers <= 1 {
		err = where{h, prog, pkg}.enumPart(ctx, s, &e, &counts)
	} else {
		err = where{h, prog, pkg}.enumParts(ctx, s, &e, &counts)
	}
	return counts, err
}

// fewCandidates is the number of candidates up to which the predicate is asked about each. If there are more,
// the structures are counted lazily.
const fewCandidates = 1 << 16

// where is the package of an enumeration, with the harness that compiles its predicates.
type where struct {
	h    *native.Harness
	prog *load.Program
	pkg  *load.Package
}

// enumParts runs searches over the parts of a space at the same time.
func (w where) enumParts(ctx context.Context, s native.Search, e *Enumeration, counts *Counts) error {
	parts := max(e.Parts, 1)
	var mu sync.Mutex
	var wait sync.WaitGroup
	var first error
	next := 0
	all := parts * e.Workers * splitting
	sums := map[int][2]int64{}
	problems := make([][]Problem, all)
	complete := true
	total := func() (x, v int64) {
		for _, s := range sums {
			x, v = x+s[0], v+s[1]
		}
		return x, v
	}
	for range e.Workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				mu.Lock()
				// Part i of n is parts i, i+n, i+2n, ... of a multiple of n.
				part := e.Part + parts*next
				next++
				stop := first != nil
				mu.Unlock()
				if part >= all || stop {
					return
				}
				own := *e
				own.Progress = func(explored, valid int64) {
					mu.Lock()
					defer mu.Unlock()
					sums[part] = [2]int64{explored, valid}
					if e.Progress != nil {
						e.Progress(total())
					}
				}
				mine := s
				mine.Part, mine.Parts = part, all
				var c Counts
				err := w.enumPart(ctx, mine, &own, &c)
				mu.Lock()
				sums[part] = [2]int64{c.Explored, c.Valid}
				problems[part] = c.Problems
				complete = complete && c.Complete
				if err != nil && first == nil {
					first = err
				}
				mu.Unlock()
			}
		}()
	}
	wait.Wait()
	counts.Explored, counts.Valid = total()
	counts.Complete = complete && first == nil
	for _, list := range problems {
		for _, p := range list {
			counts.add(p)
		}
	}
	return first
}

// add adds a problem to those with the same text.
func (c *Counts) add(p Problem) {
	for i := range c.Problems {
		if c.Problems[i].Text == p.Text {
			c.Problems[i].Count += p.Count
			return
		}
	}
	c.Problems = append(c.Problems, p)
}

// search makes the search of an enumeration. It also returns the fields that stay zero.
func search(prog *load.Program, pkg *load.Package, e *Enumeration) (native.Search, []string, error) {
	var s native.Search
	t, err := typeNamed(prog, pkg, e.Type)
	if err != nil {
		return s, nil, err
	}
	at := prog.Fset.Position(t.Obj().Pos())
	if err := notPredicate(prog, t); err != nil {
		return s, nil, err
	}
	s.Checks = invariants(pkg, t)
	if len(s.Checks) == 0 {
		return s, nil, &Error{at, fmt.Sprintf("%s has no predicate: want a method RepOK() bool or CheckInvariants() error, or //assay:invariant", e.Type)}
	}
	s.Root, s.Size, s.Part, s.Parts = t, e.Size, e.Part, e.Parts
	if e.Finitization != "" {
		s.Finitization, err = finitization(prog, pkg, e.Finitization)
		return s, nil, err
	}
	b := boundsOf(pkg, t, 0)
	if len(b.fields) == 0 {
		return s, nil, &Error{at, fmt.Sprintf("%s has no fields that can be enumerated: %s", e.Type, strings.Join(b.left, "; "))}
	}
	s.Spec, s.Types = b.spec(e.Size)
	return s, b.left, nil
}

// finitization returns the user's function with the given name.
func finitization(prog *load.Program, pkg *load.Package, name string) (*types.Func, error) {
	f, ok := pkg.Types.Scope().Lookup(name).(*types.Func)
	if !ok {
		return nil, &Error{Message: fmt.Sprintf("package %s has no function %s", pkg.Path, name)}
	}
	sig := f.Signature()
	good := sig.Results().Len() == 1 && sig.TypeParams().Len() == 0 &&
		types.TypeString(sig.Results().At(0).Type(), nil) == "*github.com/goassay/assay/finite.Finitization"
	switch sig.Params().Len() {
	case 0:
	case 1:
		good = good && types.Identical(sig.Params().At(0).Type(), types.Typ[types.Int])
	default:
		good = false
	}
	if !good {
		return nil, &Error{prog.Fset.Position(f.Pos()), fmt.Sprintf("%s is no finitization: want func() *finite.Finitization or func(size int) *finite.Finitization", name)}
	}
	return f, nil
}

// enumPart runs one search and adds its result.
func (w where) enumPart(ctx context.Context, s native.Search, e *Enumeration, c *Counts) error {
	var shape *Shape
	var bad error
	s.Resolved = func(spec *candidate.Spec, names []string) { shape, bad = shapeOf(w.pkg, s.Root, spec, names) }
	if e.Found != nil {
		s.All = true
		s.Found = func(f native.Found) {
			if st := shape.structure(f.Vector); st != nil {
				e.Found(st)
			}
		}
	}
	s.Progress = e.Progress
	res, err := w.h.Search(ctx, s)
	c.Explored, c.Valid, c.Complete = res.Explored, res.Valid, res.Complete
	if bad != nil {
		return bad
	}
	if s.Record && shape != nil {
		c.Space = shape.space(res.Reads)
	}
	at := predicatePos(w.prog, w.pkg, s.Checks)
	for _, p := range res.Problems {
		c.add(Problem{at, problemText(p), p.Count, shape.structure(p.Vector)})
	}
	if res.Died != "" {
		p := Problem{Pos: at, Text: "it ends the process: " + res.Died, Count: 1}
		p.Structure = shape.structure(res.Last)
		c.add(p)
	}
	return err
}

func problemText(p candidate.Problem) string {
	if p.Kind == "panic" {
		return "it panics: " + p.Message
	}
	return p.Message
}

// IsUserError reports whether an error of Enum is a mistake in the type or the bounds.
func IsUserError(err error) bool {
	var e *Error
	var f native.FinitizationError
	return errors.As(err, &e) || errors.As(err, &f)
}
