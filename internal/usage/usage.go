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
}

// New returns the rules of a package.
func New(pkg *load.Package) *Rules { return &Rules{Pkg: pkg} }

// The ranks of evidence: what the code declares counts more than what follows from a sibling,
// and that more than what is usual.
const (
	Usual    = 1 // a convention of Go
	Shown    = 2 // what other code of the package does
	Declared = 3 // what the documentation or a contract says
)

// Word is an answer.
type Word struct {
	Allowed  bool
	Evidence string // a clause that says why; "" if there is no reason beyond the rule
	Rank     int    // how strong the evidence is; 0 if there is none
}

// facts returns what is known of a function, nil if it is not declared in the package.
func (r *Rules) facts(fn *types.Func) *facts {
	if fn == nil {
		return nil
	}
	r.once.Do(r.read)
	return r.known[fn.Origin()]
}
