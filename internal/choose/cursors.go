package choose

import (
	"context"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// This file goes through cursors as their users do, in a loop until there is nothing left: over lines of a log, rows of a table,
// tokens of a text. An engine calls their methods one by one, and sees after each call only a part of what the cursor has to give.

// Bounds of what is gone through.
const (
	mostGoneThrough = 40 // objects of one type
	mostKnownTexts  = 20 // texts of several lines that the package and its documents spell out
	mostJoined      = 4  // texts with an element each that are joined in pairs
	mostRead        = 12 // ways to read one object to its end, beside the usual number of samples
)

// joints stand between two texts that are joined.
var joints = [...]string{"\n", "", " ", ","}

// goThrough runs and keeps cases that go through all elements of cursors.
func (s *sampling) goThrough(ctx context.Context, cases []*testcase.Case) error {
	fit, err := s.run(ctx, s.goneThrough(cases), s.most+mostCrossed+mostRead)
	if err != nil {
		return err
	}
	_, err = s.run(ctx, s.joined(fit), s.most+mostCrossed)
	return err
}

// loops are the objects of one type that are gone through.
type loops struct {
	op      *testcase.Operation
	of      *testcase.Case // a case that the new ones are like
	objects []object
}

// object makes a cursor, at last with a call through the helper. Its text has so many lines, none if it is made of no text.
type object struct {
	seq   *testcase.Sequence
	text  int // the statement that makes the text, -1 if there is none
	lines int
	// strange says that the text is longer than a reader looks at, or has characters that do not print.
	strange bool
}

// goneThrough returns cases that go through all elements of the cursors that calls were made on: of those that are made of texts
// first, the texts of many lines before the others, and with texts that people write and those of several lines that the package spells out.
func (s *sampling) goneThrough(cases []*testcase.Case) []*testcase.Case {
	known := make(map[types.Object]*loops)
	seen := make(map[string]bool)
	var order []*loops
	for _, c := range cases {
		st := c.Seq.At(c.TargetStmt())
		if c.Observed == nil || c.Observed.Status != testcase.Returned || st.Op.Kind != testcase.OpMethod || len(st.Args) == 0 {
			continue
		}
		object := st.Args[0]
		for c.Seq.At(object.Stmt).Op.Kind == testcase.OpAssert {
			object = c.Seq.At(object.Stmt).Args[0] // what a function returns may be an interface
		}
		if c.Seq.At(object.Stmt).Op.Kind != testcase.OpFunc {
			continue
		}
		of, op := s.passage(st.Op.Func, c.Seq.ResultTypes()[object.Stmt][object.Result])
		if of == nil {
			continue
		}
		l := known[of]
		if l == nil {
			l = &loops{op: op()}
			known[of] = l
			if l.op != nil {
				d := *c
				d.Target, d.Whole, d.Documented, d.Shows = testcase.TargetName(l.op.Func), false, "", nil
				l.of, order = &d, append(order, l)
			}
		}
		if l.op == nil {
			continue
		}
		// What was written into a buffer before a reader of it was made belongs to the object.
		seq := reduce.Clean(c.Seq.Prefix(object.Stmt+1).Extend(testcase.Statement{Op: l.op, Args: []testcase.Ref{object}}), s.ch.how.Pure)
		if o := s.objectOf(seq); !o.strange && !seen[o.seq.Key()] {
			seen[o.seq.Key()] = true
			l.objects = append(l.objects, o)
		}
	}
	var out []*testcase.Case
	for _, l := range order {
		slices.SortStableFunc(l.objects, func(a, b object) int { return b.lines - a.lines })
		var seqs []*testcase.Sequence
		if len(l.objects) == 0 {
			continue
		}
		if first := l.objects[0]; first.text >= 0 {
			for _, text := range slices.Concat(s.severalLines(), sampleTexts[:]) {
				if seq, ok := plain.WithText(first.seq, first.text, text); ok {
					seqs = append(seqs, seq)
				}
			}
		}
		for _, o := range l.objects[:min(len(l.objects), mostGoneThrough)] {
			seqs = append(seqs, o.seq)
		}
		out = append(out, s.unknown(l.of, seqs)...)
	}
	return out
}

// passage returns what an object of type t is, on which a method was called, and how it is gone through: a reader, if it was read, or else a
// cursor. The first result is nil if it is neither.
func (s *sampling) passage(called *types.Func, t types.Type) (of types.Object, op func() *testcase.Operation) {
	if called.Pkg() == s.ch.Pkg.Types && observer.IsRead(called) {
		if name := testcase.TargetName(called); slices.ContainsFunc(s.ch.Findings, func(f *testcase.Finding) bool { return f.Case != nil && f.Case.Target == name }) {
			return nil, nil // what is read may be what the finding is about
		}
		return called, func() *testcase.Operation { return observer.Whole(called, t, s.ch.Prog.Imported) }
	}
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != s.ch.Pkg.Types || !named.Obj().Exported() {
		return nil, nil
	}
	return named.Obj(), func() *testcase.Operation { return observer.Cursor(s.ch.Pkg, named) }
}

// objectOf looks at a sequence whose last statement goes through what the one before has made.
func (s *sampling) objectOf(seq *testcase.Sequence) object {
	o := object{seq: seq, text: -1}
	for _, a := range seq.At(seq.Last().Args[0].Stmt).Args {
		if at, ok := plain.TextBehind(s.ch.Pkg, seq, a); ok && o.text < 0 {
			text, _ := plain.TextOf(s.ch.Pkg, seq, at)
			o.text, o.lines = at, 1+strings.Count(text, "\n")
			o.strange = len(text) > longestSeed || strings.ContainsFunc(text, func(r rune) bool { return r == unicode.ReplacementChar || r != '\n' && !unicode.IsPrint(r) })
		}
	}
	return o
}

// severalLines returns texts of several lines that the package, its tests and its documents spell out.
func (s *sampling) severalLines() []string {
	known := s.ch.Pkg.Literals
	if known == nil {
		return nil
	}
	var out []string
	for _, shown := range known.Shown {
		out = append(out, shown.Text)
	}
	for _, f := range known.Fenced {
		out = append(out, f.Text)
	}
	out = append(out, known.Strings...)
	out = slices.DeleteFunc(out, func(text string) bool { return strings.Count(strings.TrimSpace(text), "\n") == 0 || len(text) > 1000 })
	return out[:min(len(out), mostKnownTexts)]
}

// joined returns cases with two texts behind one another, each of which alone had one element.
func (s *sampling) joined(fit []*testcase.Case) []*testcase.Case {
	single := make(map[string][]*testcase.Case)
	var order []string
	for _, c := range fit {
		if elems := elementsOf(c); len(elems) == 1 && len(single[c.Target]) < mostJoined && s.objectOf(c.Seq).text >= 0 {
			if single[c.Target] == nil {
				order = append(order, c.Target)
			}
			single[c.Target] = append(single[c.Target], c)
		}
	}
	var out []*testcase.Case
	for _, target := range order {
		var seqs []*testcase.Sequence
		for _, first := range single[target] {
			for _, second := range single[target] {
				o, p := s.objectOf(first.Seq), s.objectOf(second.Seq)
				one, _ := plain.TextOf(s.ch.Pkg, o.seq, o.text)
				other, _ := plain.TextOf(s.ch.Pkg, p.seq, p.text)
				for _, joint := range joints {
					if seq, ok := plain.WithText(o.seq, o.text, one+joint+other); ok && one != other {
						seqs = append(seqs, seq)
					}
				}
			}
		}
		out = append(out, s.unknown(single[target][0], seqs)...)
	}
	return out
}

// elementsOf returns the elements that a case goes through, none for other cases.
func elementsOf(c *testcase.Case) []testcase.Value {
	at := c.TargetStmt()
	if !c.Seq.At(at).Op.Loops() || c.Observed == nil || at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return nil
	}
	return c.Observed.Results[at][0].Elems
}

// readsSeveral reports whether a case has read more than a single byte to the end.
func readsSeveral(c *testcase.Case) bool {
	results := c.Observed.Results[c.TargetStmt()]
	return observer.IsRead(c.Seq.At(c.TargetStmt()).Op.Func) && len(results) > 0 && len(results[0].Str) > 1
}

// dropSteps drops tests that call nothing but a method for which there are tests that call it until there is nothing left, if those
// execute as much: what one step shows a loop shows better.
func (ch *chooser) dropSteps(gone []*testcase.Case) {
	covered, several := make(map[string]testcase.Cover), make(map[string]bool)
	for _, c := range gone {
		if c.Seq.At(c.TargetStmt()).Op.Loops() {
			cover := covered[c.Target]
			cover.Union(c.Observed.Cover)
			covered[c.Target] = cover
			several[c.Target] = several[c.Target] || len(elementsOf(c)) > 1 || readsSeveral(c)
		}
	}
	ch.Tests = slices.DeleteFunc(slices.Clone(ch.Tests), func(c *testcase.Case) bool {
		if c.Keep || !several[c.Target] || c.Observed.Status != testcase.Returned || c.Seq.At(c.TargetStmt()).Op.Loops() {
			return false
		}
		return callsOnly(c) && covered[c.Target].Contains(ch.own(c))
	})
}

// callsOnly reports whether a case's own call is the only call of a method on its object. Of a reader the calls before it may read, too.
func callsOnly(c *testcase.Case) bool {
	own := c.Seq.At(c.TargetStmt())
	calls := 0
	for i := range c.Seq.Len() {
		if st := c.Seq.At(i); st.Op.Kind == testcase.OpMethod && st.Args[0] == own.Args[0] && (i == c.TargetStmt() || !observer.IsRead(own.Op.Func) || st.Op.Func != own.Op.Func) {
			calls++
		}
	}
	return calls == 1
}
