package sequence

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/drawing"
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

// Drawing returns the graph as one to draw: calls that were pruned are dashed, states that were retired are
// faint, and several calls from one state to another are one arrow.
func (g *Graph) Drawing() *drawing.Graph {
	out := &drawing.Graph{Name: "states"}
	for _, n := range g.Nodes {
		lines := append([]string{fmt.Sprintf("S%d", n.ID)}, strings.Split(strings.TrimRight(n.Text, "\n"), "\n")...)
		out.Nodes = append(out.Nodes, drawing.Node{Name: fmt.Sprintf("s%d", n.ID), Lines: lines, Faint: n.Retired})
	}
	type arrow struct {
		from, to int
		pruned   bool
	}
	at := map[arrow]int{}
	for _, e := range g.Edges {
		a := arrow{e.From, e.To, e.Pruned}
		i, ok := at[a]
		if !ok {
			i = len(out.Edges)
			at[a] = i
			out.Edges = append(out.Edges, drawing.Edge{From: fmt.Sprintf("s%d", e.From), To: fmt.Sprintf("s%d", e.To), Dashed: e.Pruned})
		}
		if !slices.Contains(out.Edges[i].Lines, e.Call) {
			out.Edges[i].Lines = append(out.Edges[i].Lines, e.Call)
		}
	}
	return out
}

// Dot writes the graph for Graphviz.
func (g *Graph) Dot(w io.Writer) error {
	_, err := io.WriteString(w, g.Drawing().Boxes())
	return err
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
