package lockstep

import (
	"go/token"
	"go/types"
	"strings"
)

// Where a condition holds that a value equals a constant, the value is that constant: returning an error behind
// "err == nil" is returning nil.

// putConstants replaces values by the constants that they are known to be, in the blocks to which only one way leads
// from a condition. A value is computed before the condition, so it is the same value in all of these blocks.
func (c *code) putConstants() {
	dominators := c.dominators()
	for _, b := range c.blocks {
		if b.end != branches || b.succs[0] == b.succs[1] {
			continue
		}
		x, constant := equalsConstant(resolve(b.args[0]))
		if x == nil {
			continue
		}
		begin := b.succs[0]
		if len(begin.preds) != 1 || c.isRoot(begin) {
			continue
		}
		with := map[*value]*value{x: constant}
		for _, in := range c.blocks {
			if !dominators[in][begin] {
				continue
			}
			for _, e := range in.events {
				replaceAll(e.args, with)
			}
			replaceAll(in.args, with)
			for _, s := range in.succs {
				for i, p := range s.preds {
					if p == in {
						for _, phi := range s.phis {
							phi.args[i] = replaced(phi.args[i], with)
						}
					}
				}
			}
		}
	}
}

func replaceAll(list []*value, with map[*value]*value) {
	for i, v := range list {
		list[i] = replaced(v, with)
	}
}

// equalsConstant returns the operands of a comparison of a value with a constant that it is identical with if it is
// equal to it. Floats are not among these, since zero has two signs.
func equalsConstant(cond *value) (x, constant *value) {
	if cond.op != pure || cond.name != token.EQL.String() {
		return nil, nil
	}
	x, constant = resolve(cond.args[0]), resolve(cond.args[1])
	if !isConstant(constant) {
		x, constant = constant, x
	}
	if !isConstant(constant) || isConstant(x) {
		return nil, nil
	}
	switch t := x.typ.Underlying().(type) {
	case *types.Basic:
		if t.Info()&(types.IsInteger|types.IsString|types.IsBoolean) == 0 {
			return nil, nil
		}
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		if constant.name != nilConstant {
			return nil, nil
		}
	default:
		return nil, nil
	}
	if isTypeParam(x.typ) || !types.Identical(x.typ, constant.typ) {
		return nil, nil
	}
	return x, constant
}

// dominators returns the blocks that are on each way to a block, with itself.
func (c *code) dominators() map[*block]map[*block]bool {
	out := map[*block]map[*block]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range c.blocks {
			d := map[*block]bool{}
			if !c.isRoot(b) {
				first := true
				for _, p := range b.preds {
					of, known := out[p]
					if !known {
						continue
					}
					if first {
						for x := range of {
							d[x] = true
						}
						first = false
						continue
					}
					for x := range d {
						if !of[x] {
							delete(d, x)
						}
					}
				}
				if first {
					continue // not reached so far
				}
			}
			d[b] = true
			if old, ok := out[b]; !ok || len(old) != len(d) {
				out[b], changed = d, true
			}
		}
	}
	return out
}

func isConstant(v *value) bool {
	return v.op == pure && len(v.args) == 0 && (v.name == nilConstant || strings.HasPrefix(v.name, constantPrefix))
}
