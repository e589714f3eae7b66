package sequence

import (
	"fmt"
	"io"
	"strings"
)

// Graph is the state space: states and the calls that lead from one to another.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Node is a state.
type Node struct {
	ID, Depth int
	Text      string // the heap and, in the last line, the condition
	Retired   bool
}

// Edge is a call. A call that led to a state which an earlier one subsumes goes to the earlier state and is
// pruned.
type Edge struct {
	From, To int
	Call     string
	Pruned   bool
}

// Dot writes the graph for Graphviz: calls that were pruned are dashed, and several
// calls from one state to another are one arrow.
func (g *Graph) Dot(w io.Writer) error {
	var b strings.Builder
	b.WriteString("digraph states {\n\tnode [shape=box, fontname=\"monospace\"];\n\tedge [fontname=\"monospace\"];\n")
	for _, n := range g.Nodes {
		style := ""
		if n.Retired {
			style = ", style=dotted"
		}
		fmt.Fprintf(&b, "\ts%d [label=%s%s];\n", n.ID, quote(fmt.Sprintf("S%d\n%s", n.ID, n.Text)), style)
	}
	type arrow struct {
		from, to int
		pruned   bool
	}
	labels := map[arrow][]string{}
	var order []arrow
	for _, e := range g.Edges {
		a := arrow{e.From, e.To, e.Pruned}
		if labels[a] == nil {
			order = append(order, a)
		}
		known := false
		for _, l := range labels[a] {
			known = known || l == e.Call
		}
		if !known {
			labels[a] = append(labels[a], e.Call)
		}
	}
	for _, a := range order {
		style := ""
		if a.pruned {
			style = ", style=dashed"
		}
		fmt.Fprintf(&b, "\ts%d -> s%d [label=%s%s];\n", a.from, a.to, quote(strings.Join(labels[a], "\n")), style)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quote writes a label whose lines are aligned to the left.
func quote(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\l`).Replace(strings.TrimRight(s, "\n"))
	return `"` + s + `\l"`
}

// Table writes the iterations as text.
func (r *Result) Table(w io.Writer) error {
	var b strings.Builder
	seeded := len(r.Iterations) > 0 && r.Iterations[0].Faults > 0
	head := ""
	if seeded {
		head = fmt.Sprintf(" %8s", "faults")
	}
	fmt.Fprintf(&b, "%5s %8s %8s %8s %8s %12s %9s%s\n", "calls", "states", "pruned", "retired", "paths", "branches", "seconds", head)
	for _, it := range r.Iterations {
		faults := ""
		if seeded {
			faults = fmt.Sprintf(" %8s", fmt.Sprintf("%d/%d", it.Noticed, it.Faults))
		}
		fmt.Fprintf(&b, "%5d %8d %8d %8d %8d %12s %9.2f%s\n", it.Depth, it.States, it.Pruned, it.Retired, it.Paths,
			fmt.Sprintf("%d/%d", it.Covered, it.Branches), it.Elapsed.Seconds(), faults)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
