package check

import (
	"go/types"

	"github.com/goassay/assay/internal/gosyntax"
	"golang.org/x/tools/go/ssa"
)

// result adds known facts about the result of a call.
func (a *analysis) result(s *state, v ssa.Value, c *ssa.CallCommon, i int) {
	callee := c.StaticCallee()
	if callee == nil || s.bottom {
		return
	}
	x := a.symbol(v)
	if a.p.neverNil(callee, i) {
		s.facts[x] = nonNil
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return
	}
	if i == 0 && gosyntax.MakerOf(obj.FullName()).NeverNil {
		s.facts[x] = nonNil
	}
	for _, k := range knownResults(obj.FullName()) {
		if k.result != i {
			continue
		}
		n := x.value()
		if k.length {
			n = x.length()
		}
		s.restrict(n, interval{k.lo, k.hi})
		if k.of > 0 && k.of <= len(c.Args) {
			below := k.below
			if k.sought > 0 && k.sought <= len(c.Args) {
				if l, ok := a.lengthOf(s, c.Args[k.sought-1]); ok && s.intervalOf(l).lo > 0 {
					below--
				}
			}
			if l, ok := a.lengthOf(s, c.Args[k.of-1]); ok {
				s.atMost(operand{n: n}, l, below)
			}
		}
	}
}

// knownResult is a promise of a standard-library function about a number that it returns, or about the length of what it
// returns. Which functions never return nil is in the table of makers (gosyntax.MakerOf).
type knownResult struct {
	result int
	length bool // the other fields are about the length of the result
	lo, hi int64
	of     int   // if positive, the result is at most the length of argument of-1 ...
	below  int64 // ... minus this number
	sought int   // if positive, the result is one less if argument sought-1 is not empty
}

// knownResults returns promises of a function of the standard library, as its documentation makes them.
// Checks of bounds rely on them.
func knownResults(name string) []knownResult {
	switch name {
	case "strings.IndexByte", "strings.IndexRune", "strings.IndexAny", "strings.IndexFunc",
		"strings.LastIndexByte", "strings.LastIndexAny", "strings.LastIndexFunc",
		"bytes.IndexByte", "bytes.IndexRune", "bytes.IndexAny", "bytes.IndexFunc",
		"bytes.LastIndexByte", "bytes.LastIndexAny", "bytes.LastIndexFunc":
		return []knownResult{{lo: -1, hi: noUpper, of: 1, below: -1}}
	case "strings.Index", "strings.LastIndex", "bytes.Index", "bytes.LastIndex":
		return []knownResult{{lo: -1, hi: noUpper, of: 1, sought: 2}}
	case "strings.TrimSpace", "strings.Trim", "strings.TrimLeft", "strings.TrimRight", "strings.TrimPrefix", "strings.TrimSuffix",
		"strings.TrimFunc", "strings.TrimLeftFunc", "strings.TrimRightFunc",
		"bytes.TrimSpace", "bytes.Trim", "bytes.TrimLeft", "bytes.TrimRight", "bytes.TrimPrefix", "bytes.TrimSuffix":
		return []knownResult{{length: true, lo: 0, hi: noUpper, of: 1}}
	case "strings.Fields", "strings.Repeat":
		return []knownResult{{length: true, lo: 0, hi: noUpper}}
	case "unicode/utf8.DecodeRuneInString", "unicode/utf8.DecodeRune", "unicode/utf8.DecodeLastRuneInString", "unicode/utf8.DecodeLastRune":
		return []knownResult{{result: 0, lo: 0, hi: 0x10FFFF}, {result: 1, lo: 0, hi: 4, of: 1}}
	case "unicode/utf8.RuneCountInString", "unicode/utf8.RuneCount":
		return []knownResult{{lo: 0, hi: noUpper, of: 1}}
	case "unicode/utf8.RuneLen":
		return []knownResult{{lo: -1, hi: 4}}
	case "math/bits.Len", "math/bits.Len64", "math/bits.OnesCount", "math/bits.OnesCount64", "math/bits.LeadingZeros", "math/bits.LeadingZeros64",
		"math/bits.TrailingZeros", "math/bits.TrailingZeros64":
		return []knownResult{{lo: 0, hi: 64}}
	case "math/bits.Len32", "math/bits.OnesCount32", "math/bits.LeadingZeros32", "math/bits.TrailingZeros32":
		return []knownResult{{lo: 0, hi: 32}}
	case "math/bits.Len8", "math/bits.OnesCount8", "math/bits.LeadingZeros8", "math/bits.TrailingZeros8":
		return []knownResult{{lo: 0, hi: 8}}
	}
	return nil
}

// maxReturnDepth is how many calls deep neverNil looks.
const maxReturnDepth = 4

// neverNil reports whether result i of a function with a body is certainly not nil.
func (p *Program) neverNil(fn *ssa.Function, i int) bool { return neverNil(fn, i, maxReturnDepth) }

func neverNil(fn *ssa.Function, i, depth int) bool {
	if len(fn.Blocks) == 0 || depth == 0 || fn.Recover != nil || i >= fn.Signature.Results().Len() || !isReference(fn.Signature.Results().At(i).Type()) {
		return false
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if ok && !madeHere(ret.Results[i], depth) {
			return false
		}
	}
	return true
}

// madeHere reports whether the instruction that makes a value shows that the value is not nil.
func madeHere(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.MakeClosure, *ssa.MakeInterface, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Function, *ssa.Global:
		return true
	case *ssa.ChangeType:
		return madeHere(v.X, depth)
	case *ssa.ChangeInterface:
		return madeHere(v.X, depth)
	case *ssa.Call:
		if callee := v.Call.StaticCallee(); callee != nil {
			return neverNil(callee, 0, depth-1)
		}
	}
	return false
}
