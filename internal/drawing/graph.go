package drawing

import (
	"fmt"
	"strings"
)

// Graph is a graph to draw. The first node is the one that the others are reached from.
type Graph struct {
	Name  string
	Nodes []Node
	Edges []Edge
}

// Node is a node. Edges refer to it by its name.
type Node struct {
	Name  string
	Lines []string // its text
	Faint bool     // it is there, but of little interest
}

// Edge is an edge from one node to another.
type Edge struct {
	From, To string
	Lines    []string // the text beside it
	Dashed   bool
}

// Records writes the graph for Graphviz with records as nodes: one field for each line.
func (g *Graph) Records() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n\tnode [shape=record];\n", g.Name)
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "{", `\{`, "}", `\}`, "<", `\<`, ">", `\>`)
	for _, n := range g.Nodes {
		fields := make([]string, len(n.Lines))
		for i, l := range n.Lines {
			fields[i] = escape.Replace(l)
		}
		fmt.Fprintf(&b, "\t%s [label=\"{%s}\"];\n", n.Name, strings.Join(fields, " | "))
		for _, e := range g.Edges {
			if e.From == n.Name {
				fmt.Fprintf(&b, "\t%s -> %s [label=%q];\n", e.From, e.To, strings.Join(e.Lines, "\n"))
			}
		}
	}
	return b.String() + "}\n"
}

// Boxes writes the graph for Graphviz with boxes as nodes, whose lines are aligned to the left.
func (g *Graph) Boxes() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n\tnode [shape=box, fontname=\"monospace\"];\n\tedge [fontname=\"monospace\"];\n", g.Name)
	style := func(is bool, name string) string {
		if is {
			return ", style=" + name
		}
		return ""
	}
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "\t%s [label=%s%s];\n", n.Name, aligned(n.Lines), style(n.Faint, "dotted"))
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "\t%s -> %s [label=%s%s];\n", e.From, e.To, aligned(e.Lines), style(e.Dashed, "dashed"))
	}
	return b.String() + "}\n"
}

// aligned quotes lines as a label.
func aligned(lines []string) string {
	s := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(strings.TrimRight(strings.Join(lines, "\n"), "\n"))
	return `"` + strings.ReplaceAll(s, "\n", `\l`) + `\l"`
}
