package gofile

import (
	"cmp"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// fileMode returns the mode of a file as people write it, fs.ModeDir | 0755, and false for a mode with bits that have no name.
func (w *Writer) fileMode(v uint64, t, ctx types.Type) (Expr, bool) {
	const permissions = 0o777
	var names []string
	rest := v &^ permissions
	for _, c := range w.kindsOfFiles(t) {
		bit, _ := constant.Uint64Val(c.Val())
		if bit&(bit-1) == 0 && rest&bit != 0 && w.Reachable(c) {
			names = append(names, w.Object(c))
			rest &^= bit
		}
	}
	octal := "0" + strconv.FormatUint(v&permissions, 8)
	switch {
	case rest != 0:
		return Expr{}, false
	case len(names) == 0:
		return w.typed(Primary(octal), types.Int, t, ctx), true
	case v&permissions != 0:
		names = append(names, octal)
	}
	if len(names) == 1 {
		return Primary(names[0]), true
	}
	return Expr{Text: strings.Join(names, " | "), Prec: Binary}, true
}

// kindsOfFiles returns the constants of the type of modes, the highest bit first: those of package os if the package under test imports it, which
// has all of them, and else those of io/fs.
func (w *Writer) kindsOfFiles(t types.Type) []*types.Const {
	kinds := load.ConstantsOf(t)
	if i := slices.IndexFunc(w.Pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "os" }); i >= 0 {
		scope := w.Pkg.Types.Imports()[i].Scope()
		kinds = nil
		for _, name := range scope.Names() {
			if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t) {
				kinds = append(kinds, c)
			}
		}
	}
	slices.SortStableFunc(kinds, func(a, b *types.Const) int {
		x, _ := constant.Uint64Val(a.Val())
		y, _ := constant.Uint64Val(b.Val())
		return cmp.Compare(y, x)
	})
	return kinds
}
