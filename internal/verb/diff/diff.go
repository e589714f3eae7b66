// Package diff is the verb diff: it shows what two versions of a package do differently.
//
//  1. Run loads both versions and pairs their packages (load.go).
//  2. compare takes one package through: pairing functions, harnesses of both versions,
//     engines on both sides, differences, tests that notice them (compare.go).
//  3. explore.go lets the engines look for cases in each version; exchange.go translates each
//     case to the other version and runs it in both; flip.go follows the cases that reach
//     changed code and takes their decisions the other way.
//  4. product.go executes both versions of a function symbolically on the same inputs: it asks
//     for an input on which they differ, or proves that there is none. It has a little time before
//     the engines, and what is left of its work behind them. Functions whose code does the same
//     (package lockstep) are proved equal and take part in none of this.
//  5. judge.go confirms differences by repeated runs, makes their inputs as small as possible, and groups them by the
//     changed place that causes them; causes.go takes changed places back to see which of them do.
//  6. costs.go measures whether functions take far longer or far more memory than they did.
//  7. added.go shows what functions do that only the new version has.
//  8. notice.go runs the hand-written tests in both versions; write.go writes tests.
//  9. remember.go keeps the report on two versions, and repeats it if neither has changed.
//  10. elsewhere.go has workers compare the packages, and compares one at a worker.
//
// A difference is reported only if native runs show it again. Equality is proved only if every path of both
// versions was followed to its end.
package diff

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/versions"
)

// Config says what to compare, and what to do with the differences. Its zero value compares the working
// tree with the last commit and only shows the differences.
type Config struct {
	// Args are the versions and packages, in the form that versions.Resolve reads.
	Args []string
	// Write makes diff write tests of the new behaviour or, if KeepOld is set, of the old behaviour.
	Write, KeepOld bool
	// Fail says which differences make the run fail.
	Fail Fail
	// Cache keeps the results of comparisons; nil keeps nothing. Program identifies the running program,
	// because another version may have other results.
	Cache   *cache.Dir
	Program string
	// Remote, unless it is nil, has workers compare the packages, AtOnce of them at the same time.
	Remote Remote
	AtOnce int
}

// Fail says which differences make a run fail.
type Fail int

// The values of Fail.
const (
	FailNever   Fail = iota
	FailWorse        // the new version is worse for every user
	FailChanged      // any difference
)

// ParseFail reads a value of -fail.
func ParseFail(s string) (Fail, bool) {
	for i, name := range FailNames() {
		if name == s {
			return Fail(i), true
		}
	}
	return FailNever, false
}

// FailNames returns the names that ParseFail reads.
func FailNames() []string { return []string{"never", "worse", "changed"} }

// counts reports whether a difference makes the run fail.
func (f Fail) counts(k difference.Kind) bool {
	return f == FailChanged || f == FailWorse && k.Worse()
}

// Run compares two versions of the packages that how names, and reports the differences. Differences
// that how.Fail selects count as findings of severity error in the result.
func Run(ctx context.Context, cfg session.Config, how Config) (session.Result, error) {
	two, err := versions.Resolve(ctx, cfg.Dir, how.Args)
	if err != nil {
		var mistake versions.Mistake
		switch {
		case ctx.Err() != nil:
			return session.Result{Interrupted: true}, nil
		case errors.As(err, &mistake):
			err = session.UsageError(mistake)
		}
		return session.Result{}, err
	}
	if how.Write && two.New.Temporary() {
		err := fmt.Errorf("%s is in no directory of yours, so there is nowhere to write tests to: compare with the working tree, or with a directory", two.New.Name)
		return session.Result{}, errors.Join(session.UsageError(err.Error()), two.Close())
	}
	result, err := runOn(ctx, cfg, how, two)
	if err != nil && ctx.Err() != nil {
		result.Interrupted, err = true, nil // whatever was under way says that it was ended
	}
	var usage session.UsageError
	if err != nil && !errors.As(err, &usage) {
		err = renamedError{err, ofVersion(err, two)}
	}
	return result, errors.Join(err, two.Close())
}

// ofVersion returns the text of an error with the name of its version. Errors of the old version have it already.
func ofVersion(err error, two *versions.Two) string {
	text := two.New.Replace(err.Error())
	if strings.HasPrefix(text, "the old version (") || !two.New.Temporary() {
		return text
	}
	return fmt.Sprintf("the new version (%s): %s", two.New.Name, text)
}

// renamedError is an error in which files in temporary directories have the names that the user knows.
type renamedError struct {
	error
	text string
}

// Error implements error.
func (e renamedError) Error() string { return e.text }

// Unwrap returns the error with the names of the temporary directories.
func (e renamedError) Unwrap() error { return e.error }

// runOn does the work of Run once both versions are there.
func runOn(ctx context.Context, cfg session.Config, how Config, two *versions.Two) (session.Result, error) {
	events := &event.Stream{Sink: cfg.Events}
	named := false
	cfg.Events = func(e event.Event) {
		if _, ok := e.(event.Versions); ok { // said of each package that is compared
			if named {
				return
			}
			named = true
		}
		events.Send(renamed(e, two))
	}
	for _, v := range []versions.Version{two.Old, two.New} {
		for _, name := range v.Left {
			events.Send(event.Diagnostic{Warning: true, Message: v.Name + ": the submodule " + name + " is not in it"})
		}
	}
	cfg.Patterns = nil
	for _, p := range two.Patterns {
		if isThere(two.New.Dir, p) {
			cfg.Patterns = append(cfg.Patterns, p)
		} else if !isThere(two.Old.Dir, p) {
			return session.Result{}, session.UsageError(p + ": neither version has this directory")
		}
	}
	old := startLoading(ctx, cfg, two)
	cfg.Dir = two.New.Dir
	r := &run{how: how, two: two, old: old}
	if len(cfg.Patterns) == 0 {
		<-old.done
		r.reportGone(events)
		return session.Result{}, old.err
	}
	result, err := r.each(ctx, cfg)
	<-old.done
	if err == nil && !result.Interrupted {
		r.reportGone(events)
	}
	return result, err
}

// renamed returns an event in which files in temporary directories have the names that the user knows. That a package is
// left out is said in the words of this verb.
func renamed(e event.Event, two *versions.Two) event.Event {
	if s, ok := e.(event.Skip); ok && s.Func == "" {
		return event.Unpaired{Package: s.Package, Reason: "not compared: " + s.Reason}
	}
	d, ok := e.(event.Diagnostic)
	if !ok {
		return e
	}
	for _, v := range []versions.Version{two.Old, two.New} {
		d.Pos.Filename = v.Show(d.Pos.Filename)
		d.Message = v.Replace(d.Message)
	}
	return d
}
