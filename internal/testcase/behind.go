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

// UpToBreaking returns the case without what it takes out of the result of its own call, where an object is broken that the call made: the call has
// broken it, and not what reads it.
func (c *Case) UpToBreaking() *Case {
	if c.Broken == nil || c.Observed.Status != Returned {
		return c
	}
	end := c.Seq.Len()
	for end-1 > max(c.TargetStmt(), c.Broken.Object.Stmt) {
		switch c.Seq.At(end - 1).Op.Kind {
		case OpIndex, OpField, OpDeref, OpLiteral, OpZero:
			end--
			continue
		}
		return c
	}
	if end == c.Seq.Len() {
		return c
	}
	d := *c
	d.Seq = c.Seq.Prefix(end)
	return &d
}
