package sequence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/vm"
)

// describe writes a state for people: its heap, and below that the condition on the symbolic values. These
// are called x0, x1, ... in the order of the heap.
func (e *explorer) describe(st *vm.State, s *state) string {
	name := func(t term.ID) string {
		if i := slices.Index(s.cond.terms, t); i >= 0 {
			return "x" + strconv.Itoa(i)
		}
		return e.ts.String(t)
	}
	text := wrap(e.m.Describe(st, s.recv, name))
	if c := e.conditionText(s.cond); c != "" {
		text += "\n" + c
	}
	return text
}

// maxConjuncts is how many conjuncts of a condition without a zone are written.
const maxConjuncts = 8

// conditionText writes the condition on the symbolic values of a heap: the bounds of the zone if it is
// exact, otherwise the conjuncts of the path about these values and about the values that they are
// computed from. Values that are no longer in the heap are called y0, y1, ...
func (e *explorer) conditionText(c *condition) string {
	if c.exact() || len(c.all) == 0 {
		return c.String()
	}
	others := map[term.ID]string{}
	name := func(t term.ID) string {
		if i := slices.Index(c.terms, t); i >= 0 {
			return "x" + strconv.Itoa(i)
		}
		if !e.ts.IsLeaf(t) {
			return ""
		}
		if _, ok := others[t]; !ok {
			others[t] = "y" + strconv.Itoa(len(others))
		}
		return others[t]
	}
	about := map[term.ID]bool{} // leaves on which the heap's values depend
	note := func(t term.ID) {
		for _, l := range e.ts.Support(t) {
			about[l] = true
		}
	}
	var parts []string
	for i, t := range c.terms {
		note(t)
		if !e.ts.IsLeaf(t) {
			self := t
			parts = append(parts, "x"+strconv.Itoa(i)+" = "+e.ts.StringNamed(t, func(u term.ID) string {
				if u == self {
					return ""
				}
				return name(u)
			}))
		}
	}
	var chosen []term.ID
	for more := true; more; {
		more = false
		for _, k := range c.all {
			if !slices.Contains(chosen, k) && slices.ContainsFunc(e.ts.Support(k), func(l term.ID) bool { return about[l] }) {
				chosen, more = append(chosen, k), true
				note(k)
			}
		}
	}
	for _, k := range c.all {
		if slices.Contains(chosen, k) {
			parts = append(parts, e.ts.StringNamed(k, name))
		}
	}
	if n := len(parts) - maxConjuncts; n > 0 {
		parts = append(parts[:maxConjuncts], fmt.Sprintf("and %d more", n))
	}
	if len(c.array) > 0 {
		parts = append(parts, "and more of what is in arrays")
	}
	return strings.Join(parts, ",\n")
}

// maxLine is how long the heap's text may be on one line.
const maxLine = 40

// wrap breaks the text of a heap before and after parts that have parts themselves.
func wrap(text string) string {
	if len(text) <= maxLine {
		return text
	}
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			b.WriteByte(c)
			i++
			c = text[i]
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && i+2 < len(text) && (text[i-1] == '}' || opens(text[i+2:])):
			b.WriteString(",\n" + strings.Repeat("  ", depth))
			i++
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// opens reports whether a text begins with a field that has parts.
func opens(text string) bool {
	_, value, ok := strings.Cut(text, ": ")
	return ok && strings.HasPrefix(value, "{") && !strings.ContainsAny(text[:len(text)-len(value)], ",{}\"")
}

// String writes the bounds on the placeholders, without those that follow from the others.
func (c *condition) String() string {
	if c.z == nil {
		if len(c.all) == 0 {
			return ""
		}
		return "and more"
	}
	var parts []string
	done := map[[2]int]bool{}
	for i := range c.z.nodes {
		for j := range c.z.nodes {
			w := c.z.at(i, j)
			if i == j || w == inf || done[[2]int{i, j}] || c.z.natural(i, j, w) || c.z.follows(i, j, w) {
				continue
			}
			if c.z.at(j, i) == -w {
				done[[2]int{j, i}] = true
				parts = append(parts, c.relation(i, j, "=", w))
				continue
			}
			parts = append(parts, c.relation(i, j, "<=", w))
		}
	}
	for _, x := range c.z.ne {
		parts = append(parts, c.relation(x.i, x.j, "!=", x.c))
	}
	if c.less {
		parts = append(parts, "and more")
	}
	return strings.Join(parts, ", ")
}

// follows reports whether i - j <= w follows from bounds through a third node.
func (z *zone) follows(i, j int, w int64) bool {
	for k := range z.nodes {
		if k == i || k == j {
			continue
		}
		a, b := z.at(i, k), z.at(k, j)
		if a != inf && b != inf && sum(a, b) <= w && (z.nodes[k].kind == isLeaf || z.nodes[k].kind == isZero) {
			return true
		}
	}
	return false
}

// relation writes i - j op w.
func (c *condition) relation(i, j int, op string, w int64) string {
	a, b := c.name(i), c.name(j)
	if op == "=" && a == "0" {
		a, b, w = b, a, -w // 0 - x = w means x = -w
	}
	if c.z.nodes[i].kind != isLeaf && c.z.nodes[j].kind == isLeaf && op != "=" && op != "!=" {
		// 0 - x <= w means x >= -w.
		a, b, op, w = b, a, map[string]string{"<=": ">="}[op], -w
	}
	switch {
	case b == "0":
		return fmt.Sprintf("%s %s %d", a, op, w)
	case w == 0:
		return fmt.Sprintf("%s %s %s", a, op, b)
	case w == -1 && op == "<=":
		return fmt.Sprintf("%s < %s", a, b)
	case w == 1 && op == ">=":
		return fmt.Sprintf("%s > %s", a, b)
	case w < 0:
		return fmt.Sprintf("%s %s %s - %d", a, op, b, -w)
	}
	return fmt.Sprintf("%s %s %s + %d", a, op, b, w)
}

func (c *condition) name(i int) string {
	switch n := c.z.nodes[i]; n.kind {
	case isZero:
		return "0"
	case isLow:
		return "min"
	case isHigh:
		return "max"
	default:
		return "x" + strconv.Itoa(slices.Index(c.terms, n.leaf))
	}
}
