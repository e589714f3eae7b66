package report

import (
	"fmt"
	"io"

	"github.com/goassay/assay/internal/event"
)

// space writes how large a state space is, and a line for each field in the order in which the
// predicate reads them.
func space(e event.Space, out io.Writer) {
	fmt.Fprintf(out, "%s: a space of %s candidates; fields in the order in which the predicate reads them:\n", e.Type, e.Candidates)
	for _, f := range e.Fields {
		read := ""
		if !f.Read {
			read = ", not read"
		}
		fmt.Fprintf(out, "\t%s.%s: %s, %s%s\n", f.Type, f.Field, plural(f.Values, "value"), plural(f.Objects, "object"), read)
	}
}
