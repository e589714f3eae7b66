package testcase

import "slices"

// RecordedCalls returns the calls of a stand-in that a case has recorded, in their order and as the recorder writes them: "Get(3)".
// It returns nil if none are recorded, or if it is not known which.
func (c *Case) RecordedCalls(stub *Operation) []string {
	if c.Observed == nil {
		return nil
	}
	made := -1
	var note Ref // where the recorder notes calls
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		switch {
		case st.Op == stub:
			if made >= 0 {
				return nil // two stand-ins with one script
			}
			made = i
		case st.Op.Kind == OpConvert && made >= 0 && st.Args[0].Stmt == made:
			made = i
		case st.Op.Via != nil && st.Op.Via.Sig != nil && st.Op.Via.Sig.Results().Len() == 2 && made >= 0 && slices.Contains(st.Args, Ref{Stmt: made}):
			note = Ref{Stmt: i, Result: 1}
		case st.Op.Kind == OpDeref && note.Stmt > 0 && st.Args[0] == note && i < len(c.Observed.Results) && len(c.Observed.Results[i]) == 1:
			var out []string
			for _, e := range c.Observed.Results[i][0].Elems {
				if e.Kind != String {
					return nil
				}
				out = append(out, e.Str)
			}
			return out
		}
	}
	return nil
}
