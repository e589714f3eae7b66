package solver

import "github.com/goassay/assay/internal/term"

func (x *Context) repair(p *PathCond, c term.ID, q []term.ID, m *term.Model) *term.Model { return nil }
