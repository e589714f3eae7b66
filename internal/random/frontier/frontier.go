// Package frontier says which texts code is waiting for: those that conditions compare something with, of which only the other
// outcome was seen. Random texts rarely have such a word in them, and a word that a condition asks for leads behind it.
//
//	p := frontier.Of(blocks)
//	texts := p.Texts(covered)
//
// Fuzzers find out while a program runs what its comparisons ask for (Aschermann and others, REDQUEEN, NDSS 2019). The source says it as well, where it compares
// with constants.
package frontier

import "github.com/goassay/assay/internal/testcase"

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

// Texts returns the texts that lead to blocks which are not covered, in functions that were entered, in the order of the source and
// each once.
func (p *Places) Texts(covered testcase.Cover) []string {
	var out []string
	seen, entered := make(map[string]bool), make(map[string]bool)
	for _, i := range p.asking {
		b := p.blocks[i]
		if covered.Has(i) {
			continue
		}
		in, known := entered[b.Func]
		if !known {
			for _, j := range p.within[b.Func] {
				in = in || covered.Has(j)
			}
			entered[b.Func] = in
		}
		for _, text := range b.Asks {
			if in && !seen[text] {
				seen[text] = true
				out = append(out, text)
			}
		}
	}
	return out
}
