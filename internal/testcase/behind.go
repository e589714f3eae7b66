package testcase

import "slices"

// Behind returns a case that begins with other statements and then does what c does. The numbers of c's own statements are
// greater in it, also where the case says what to compare and what to close. What was predicted of c is not predicted of it.
func (c *Case) Behind(stmts []Statement) *Case {
	d := *c
	d.Seq = NewSequence(c.Seq.AppendTo(slices.Clone(stmts))...)
	d.Predicted, d.Path = nil, nil
	if c.Fields != nil {
		d.Fields = make(map[FieldRef]bool, len(c.Fields))
		for f, chosen := range c.Fields {
			if f.Stmt >= 0 {
				f.Stmt += len(stmts)
			}
			d.Fields[f] = chosen
		}
	}
	d.Closes = slices.Clone(c.Closes)
	for i := range d.Closes {
		d.Closes[i].Object.Stmt += len(stmts)
	}
	return &d
}
