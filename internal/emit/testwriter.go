package emit

import (
	"go/token"
	"go/types"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// writer writes one file of tests.
type writer struct {
	*gofile.Writer
	fset      *token.FileSet
	floats    *gofile.FloatFacts
	inputs    phrase.InputsTable
	phrases   *phrase.Phraser                            // describes the cases of the function that is being written
	adds      func(*testcase.Case) bool                  // or nil
	called    map[*testcase.Case]words.Name              // the names of the cases of the function that is being written
	readsOnly func(*testcase.Operation) bool             // or nil
	leaves    func(*testcase.Operation, *types.Var) bool // or nil
	atomics   map[*types.Var]bool                        // fields that package sync/atomic changes; nil until one is asked for
	lacks     func(path, name string) bool               // or nil
	callable  *callable

	// Declarations that the tests of the file share. Each is made once, and only if a test uses it.
	stubTypes    []*stubType
	builderFuncs []*builderFunc
	checkFuncs   []*checkFunc
	viaFuncs     []*viaFunc
}
