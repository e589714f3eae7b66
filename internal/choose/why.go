package choose

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// noteReasons notes for each kept test why it is kept: the elements that it alone shows. shows are the
// elements of each test; count says in how many of the kept tests each element is.
func (m *mutantChooser) noteReasons(tests []*testcase.Case, drop map[int]bool, shows [][]string, count map[string]int) {
	m.Why = make(map[*testcase.Sequence][]string)
	for i, c := range tests {
		if drop[i] {
			continue
		}
		var why []string
		for _, e := range shows[i] {
			if count[e] == 1 {
				why = append(why, m.reason(e))
			}
		}
		m.Why[c.Seq] = why
	}
}

// reason says in words what an element of a test is.
func (m *mutantChooser) reason(element string) string {
	kind, rest, _ := strings.Cut(element, " ")
	switch kind {
	case "block":
		n, err := strconv.Atoi(rest)
		if blocks := m.bench.Blocks(); err == nil && n < len(blocks) {
			b := blocks[n]
			place := fmt.Sprintf("%s:%d", filepath.Base(b.Pos.Filename), b.Pos.Line)
			if b.Text != "" {
				return fmt.Sprintf("covers %s: %s is %t", place, b.Text, b.Value)
			}
			return "covers " + place
		}
	case "mutant":
		n, err := strconv.Atoi(rest)
		if err == nil && n > 0 && n <= len(m.ofMutants) {
			v := m.ofMutants[n-1].Mutant
			v.Pos.Filename = filepath.Base(v.Pos.Filename)
			return "kills " + v.String()
		}
	case "outcome":
		target, class, _ := strings.Cut(rest, " ")
		return "shows the outcome of " + target + ": " + class
	case "way":
		target, _, _ := strings.Cut(rest, " ")
		return "takes a way of its own through " + target
	case "state":
		target, state, _ := strings.Cut(rest, " ")
		return "calls " + target + " in the state " + state
	case "documented":
		return "is what the documentation says of " + rest
	}
	return element
}
