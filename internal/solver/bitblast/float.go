package bitblast

import "github.com/goassay/assay/internal/term"

func (b *Blaster) blastFloat(t term.ID, op term.Op, x, y word) word {
	panic("bug: no encoding of " + op.String())
}
