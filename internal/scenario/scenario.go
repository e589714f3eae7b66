package scenario

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/giver/called"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Run executes sequences, each in a fresh state, and returns their outcomes in the same order, fewer if the time ends.
type Run func(context.Context, []*testcase.Sequence) ([]*testcase.Outcome, error)

// Ready returns statements that make the n-th ready-made value of a type, another one if there are fewer, or nil if there is none.
type Ready func(t types.Type, n int) *testcase.Sequence

// Bounds of what is tried for one type.
const (
	mostMethods = 16 // of a type, in the order of the source
	mostMakers  = 3  // ways to make an object, the best first
)

// A Teller tells what objects do from start to end.
type Teller struct {
	Pkg *load.Package
	// Try runs each sequence once, and Run twice, so that what differs from run to run is known.
	Try, Run Run
	// Makers returns sequences whose last statements make objects of a type, the shortest first.
	Makers func(types.Type) []*testcase.Sequence
	// Ready makes values of types that are neither numbers nor texts; ReadsOnly reports whether a call changes nothing that
	// outlives it.
	Ready     Ready
	ReadsOnly func(*testcase.Operation) bool
	// Called is where the package calls any value by reflection, nil if it does not, and Recorders wrap the functions that are
	// passed there.
	Called    *called.Places
	Recorders *giver.Recorders
}

// Cases returns one case for each type of the package that users have objects of and that has a change which other methods show, one
// for each method that is handed a function which another method calls, one for a channel from which comes what is put in, and one for each
// method that takes a function, or returns a channel, for what another method has happen.
// The cases have run and returned.
func (tell Teller) Cases(ctx context.Context) ([]*testcase.Case, error) {
	var out []*testcase.Case
	seen := make(map[string]bool)
	for _, t := range tell.Pkg.Targets {
		if t.Recv == nil || !t.Exported || seen[gosyntax.Pointed(t.Recv).String()] {
			continue
		}
		seen[gosyntax.Pointed(t.Recv).String()] = true
		subjects := tell.subjects(gosyntax.Pointed(t.Recv))
		relayed := "" // the method from whose channel comes what another one is given
		for _, s := range subjects {
			if tell.Called == nil {
				break
			}
			told, err := s.hearings(ctx)
			out = append(out, told...)
			if err != nil {
				return out, fmt.Errorf("functions that %s calls: %w", s.typ, err)
			}
			if len(told) > 0 {
				break
			}
		}
		for _, s := range subjects {
			c, err := s.relays(ctx)
			if err != nil {
				return out, fmt.Errorf("channels of %s: %w", s.typ, err)
			}
			if c != nil {
				out, relayed = append(out, c), c.Story.Methods[0]
				break
			}
		}
		for _, s := range subjects {
			told, err := s.armings(ctx, relayed)
			out = append(out, told...)
			if err != nil {
				return out, fmt.Errorf("what comes later of %s: %w", s.typ, err)
			}
			if len(told) > 0 {
				break
			}
		}
		for _, s := range subjects {
			c, err := s.tell(ctx)
			if err != nil {
				return out, fmt.Errorf("scenarios of %s: %w", s.typ, err)
			}
			if c != nil {
				out = append(out, c)
				break
			}
		}
	}
	return out, nil
}

// A subject is a type, with one way to make an object of it.
type subject struct {
	Teller
	typ     types.Type         // without its pointer
	make    *testcase.Sequence // its last statement makes the object
	methods []*load.Target
	values  values
}

// subjects returns the ways to make objects of a type: the zero value of a type that no function makes, or else the shortest
// makers, each with arguments by their names first.
func (tell Teller) subjects(t types.Type) []*subject {
	v := values{pkg: tell.Pkg, ready: tell.Ready}
	var makers []*testcase.Sequence
	for _, made := range slices.Concat(tell.Makers(types.NewPointer(t)), tell.Makers(t)) {
		if named := v.named(made); named != nil {
			makers = append(makers, named)
		}
		makers = append(makers, withRoom(made))
	}
	if _, isStruct := t.Underlying().(*types.Struct); len(makers) == 0 && isStruct && isExported(t) && !tell.isMade(t) {
		b := &testcase.Builder{}
		b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(t)}, b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t}))
		makers = append(makers, b.Sequence())
	}
	var out []*subject
	seen := make(map[string]bool)
	for _, made := range makers {
		if !seen[made.Key()] && len(out) < mostMakers {
			seen[made.Key()] = true
			out = append(out, &subject{Teller: tell, typ: t, make: made, methods: methodsOf(tell.Pkg, t), values: v})
		}
	}
	return out
}

// isMade reports whether an exported function of the package returns a type or pointers to it.
func (tell Teller) isMade(t types.Type) bool {
	return slices.ContainsFunc(tell.Pkg.Targets, func(target *load.Target) bool {
		if target.Recv != nil || !target.Exported || target.Obj == nil {
			return false
		}
		results := (&testcase.Operation{Kind: testcase.OpFunc, Func: target.Obj, TypeArgs: target.TypeArgs}).Signature().Results()
		return results.Len() > 0 && types.Identical(gosyntax.Pointed(results.At(0).Type()), t)
	})
}

// isExported reports whether users can name a type.
func isExported(t types.Type) bool {
	named := load.NamedOf(t)
	return named != nil && named.Obj().Exported()
}

// methodsOf returns the exported methods of a type that is no pointer, in the order of the source.
func methodsOf(pkg *load.Package, t types.Type) []*load.Target {
	var out []*load.Target
	for _, target := range pkg.Targets {
		if target.Recv == nil || !target.Exported || target.Skip != "" || target.IsGenerated() || len(out) == mostMethods {
			continue
		}
		if types.Identical(gosyntax.Pointed(target.Recv), t) {
			out = append(out, target)
		}
	}
	return out
}

// tell returns the case that tells the type's main change, or nil if no call shows a change.
func (s *subject) tell(ctx context.Context) (*testcase.Case, error) {
	c, err := s.learnInTime(ctx)
	if err != nil || c == nil {
		return nil, err
	}
	if err := s.learnUndoing(ctx, c); err != nil || len(c.shown) == 0 {
		return nil, err
	}
	return s.compose(ctx, c)
}
