package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// maxMoves is how often an iterator is moved before it counts as endless. Package finding excuses an iterator that
// numbers have made, or that a large value may keep going for so long.
const maxMoves = "1 << 14"

// movers are the names of methods that move an iterator to its next element, and whose result says whether
// there is one: bufio.Scanner, sql.Rows and reflect.MapIter have them.
func movers() []string { return []string{"Next", "MoveNext", "Scan", "Advance"} }

// ending checks that an iterator comes to an end: after so many moves each call has returned, and the loop of a caller
// has not. The check moves x, so that each x is made for it.
func ending(s *subject) []*testcase.Check {
	var out []*testcase.Check
	for _, name := range movers() {
		f, _ := s.method(name)
		if f == nil || f.Pkg() != s.pkg || !hasSignature(f, nil, []types.Type{boolType}) {
			continue
		}
		out = append(out, s.container(f, "reports whether "+name+" comes to an end. It moves x.", []types.Type{types.NewPointer(s.typ)}, []string{
			`for moves := 0; moves < ` + maxMoves + `; moves++ {`,
			`	if !x.` + name + `() {`,
			`		return nil`,
			`	}`,
			`}`,
			`return «errors».New("` + name + ` never says that there is nothing left")`,
		})...)
	}
	return out
}
