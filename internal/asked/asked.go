// Package asked says which texts code asks for: those that conditions compare something with. Random texts rarely have such a word in
// them, and a word that a condition asks for leads behind it.
//
//	p := asked.Of(blocks)
//	texts := p.Awaited(covered)              // what leads to what is not covered
//	lists := p.ByFunction(p.Entered(covered)) // what each function asks for, the signs of its grammar
//	document := asked.Compose(rnd, lists[0]) // "[server]\nhost = localhost"
//
// Fuzzers find out while a program runs what its comparisons ask for (Aschermann and others, REDQUEEN, NDSS 2019). The source says it as well, where it compares
// with constants.
package asked

import (
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// Places are the blocks of a package behind comparisons with constant texts.
type Places struct {
	blocks []testcase.Block
	asking []int            // the numbers of blocks behind comparisons
	within map[string][]int // the numbers of all blocks of a function
}

// Of returns the places among the blocks of a package.
func Of(blocks []testcase.Block) *Places {
	p := &Places{blocks: blocks, within: make(map[string][]int)}
	for i, b := range blocks {
		p.within[b.Func] = append(p.within[b.Func], i)
		if len(b.Asks) > 0 {
			p.asking = append(p.asking, i)
		}
	}
	return p
}

// Awaited returns the texts that lead to blocks which are not covered, in functions that were entered, in the order of the source and
// each once.
func (p *Places) Awaited(covered testcase.Cover) []string {
	var out []string
	entered := p.Entered(covered)
	for _, i := range p.asking {
		if b := p.blocks[i]; entered(b.Func) && !covered.Has(i) {
			out = addTexts(out, b.Asks)
		}
	}
	return out
}

// ByFunction returns the texts that each of some functions asks for, whether or not they were seen, in the order of the source. Functions that ask
// for nothing have no list.
func (p *Places) ByFunction(isAmong func(function string) bool) [][]string {
	var out [][]string
	lists := make(map[string]int)
	for _, i := range p.asking {
		b := p.blocks[i]
		if !isAmong(b.Func) {
			continue
		}
		at, known := lists[b.Func]
		if !known {
			at = len(out)
			lists[b.Func], out = at, append(out, nil)
		}
		out[at] = addTexts(out[at], b.Asks)
	}
	return out
}

// Entered returns what reports whether some block of a function is covered.
func (p *Places) Entered(covered testcase.Cover) func(function string) bool {
	known := make(map[string]bool)
	return func(function string) bool {
		entered, ok := known[function]
		if !ok {
			entered = slices.ContainsFunc(p.within[function], covered.Has)
			known[function] = entered
		}
		return entered
	}
}

// addTexts adds the texts to a list that it does not have.
func addTexts(list, texts []string) []string {
	for _, text := range texts {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
