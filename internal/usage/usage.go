package usage

import (
	"go/types"
	"sync"

	"github.com/goassay/assay/internal/load"
)

// Rules answers questions about one package. It may be used by several goroutines.
type Rules struct {
	Pkg *load.Package

	once  sync.Once
	known map[*types.Func]*facts
	all   []*facts                   // in the order of the source
	made  map[*types.TypeName]string // the function that makes values of a type for users
	nodes map[*types.TypeName]bool   // kinds of nodes of trees that the package parses
}

// New returns the rules of a package.
func New(pkg *load.Package) *Rules { return &Rules{Pkg: pkg} }

// The ranks of evidence. A declaration counts more than what other code of the package does, and that counts
// more than what is usual in Go.
const (
	Usual    = 1 // a convention of Go
	Shown    = 2 // other code of the package does the same
	Declared = 3 // the documentation or a contract says so
)

// Word is an answer to a question about what users may do.
type Word struct {
	Allowed  bool
	Evidence string // a clause that says why, or "" if the only reason is the rule that users may not do what nothing allows
	Rank     int    // how strong the evidence is; 0 if there is none
}

// facts returns the facts about a function, or nil if it is not declared in the package.
func (r *Rules) facts(fn *types.Func) *facts {
	if fn == nil {
		return nil
	}
	r.once.Do(r.read)
	return r.known[fn.Origin()]
}
