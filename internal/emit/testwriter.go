package emit

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/emit/statement"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// writer writes one file of tests.
type writer struct {
	*statement.File
	fset    *token.FileSet
	floats  *gofile.FloatFacts
	inputs  phrase.InputsTable
	phrases *phrase.Phraser                            // describes the cases of the function that is being written
	called  map[*testcase.Case]words.Name              // the names of the cases of the function that is being written
	leaves  func(*testcase.Operation, *types.Var) bool // or nil
	atomics map[*types.Var]bool                        // fields that package sync/atomic changes; nil until one is asked for
	lacks   func(path, name string) bool               // or nil
	rests   func(*testcase.Case) bool                  // see Config.Rests
	named   func(*testcase.Case) bool                  // see Config.Named
}

// enclosed returns the statements of a case's test, in a bubble where the case belongs into one.
func (w *writer) enclosed(c *testcase.Case, body string) string {
	if w.inside(c) {
		return w.inBubble(body)
	}
	return body
}

// inside reports whether a case's test runs in a bubble.
func (w *writer) inside(c *testcase.Case) bool {
	return w.Bubbles.Hold(c.Seq) && (w.rests == nil || !w.rests(c))
}

// inBubble returns statements of a test that run in a bubble of testing/synctest.
func (w *writer) inBubble(body string) string {
	begin, end := w.bubble()
	return begin + strings.TrimRight(body, "\n") + "\n" + end
}

// bubble returns what stands before and behind the statements of a test that runs in a bubble.
func (w *writer) bubble() (begin, end string) {
	return w.Std("testing/synctest") + ".Test(t, func(t *" + w.Std("testing") + ".T) {\n", "})\n"
}
