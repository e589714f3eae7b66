package drawing

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// tree is a graph of nodes in so many layers, each with two below it, an edge from each to itself, and one
// from each leaf to the root.
func tree(layers int) *Graph {
	g := &Graph{Name: "tree <1> & \"more\""}
	n := 1<<layers - 1
	for i := range n {
		g.Nodes = append(g.Nodes, Node{Name: fmt.Sprintf("n%d", i), Lines: []string{fmt.Sprintf("S%d", i), strings.Repeat("x", i%7)}, Faint: i%2 == 1})
		g.Edges = append(g.Edges, Edge{From: fmt.Sprintf("n%d", i), To: fmt.Sprintf("n%d", i), Lines: []string{"Stay"}, Dashed: true})
		for _, to := range []int{2*i + 1, 2*i + 2} {
			if to >= n {
				to = 0
			}
			g.Edges = append(g.Edges, Edge{From: fmt.Sprintf("n%d", i), To: fmt.Sprintf("n%d", to), Lines: []string{"a < b", "Go"}})
		}
	}
	return g
}

// Nodes are in the layers of their distances, do not overlap, and lie within the drawing.
func TestLayout(t *testing.T) {
	l := layOut(tree(5))
	for i, a := range l.boxes {
		want := 0
		for n := i; n > 0; n = (n - 1) / 2 {
			want++
		}
		if a.layer != want {
			t.Errorf("node %d is in layer %d, want %d", i, a.layer, want)
		}
		if a.x < 0 || a.y < 0 || a.x+a.w > l.width || a.y+a.h > l.height {
			t.Errorf("node %d is outside of the drawing", i)
		}
		for k, b := range l.boxes[:i] {
			if a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
				t.Errorf("nodes %d and %d overlap", i, k)
			}
		}
	}
}

// In a tree whose nodes come in the wrong order no edges cross after the layers are ordered.
func TestOrder(t *testing.T) {
	g := &Graph{Nodes: []Node{{Name: "r"}, {Name: "a"}, {Name: "b"}, {Name: "b1"}, {Name: "a1"}, {Name: "b2"}, {Name: "a2"}, {Name: "alone"}}}
	for _, e := range []string{"r a", "r b", "a a1", "a a2", "b b1", "b b2", "r gone"} {
		from, to, _ := strings.Cut(e, " ")
		g.Edges = append(g.Edges, Edge{From: from, To: to})
	}
	l := layOut(g)
	for _, pair := range []string{"a b", "a1 b1", "a2 b1", "a1 b2", "a2 b2"} {
		left, right, _ := strings.Cut(pair, " ")
		if l.by[left].x > l.by[right].x {
			t.Errorf("%s is to the right of %s", left, right)
		}
	}
	if l.by["alone"].layer != 0 || len(l.edges) != 6 {
		t.Errorf("a node of its own is in layer %d; %d edges, want 6", l.by["alone"].layer, len(l.edges))
	}
}

// The drawing is well-formed, says what it shows, is the same each time, and says what it leaves out.
func TestSVG(t *testing.T) {
	svg := tree(8).SVG("a1")
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{`aria-label="tree &lt;1&gt; &amp; &#34;more&#34;: 150 nodes, `, "; 105 more nodes are not drawn", `class="n d"`, `class="e d"`, ">a &lt; b<", `marker-end="url(#a1)"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s", want)
		}
	}
	if svg != tree(8).SVG("a1") {
		t.Error("drawn twice it differs")
	}
	if empty := (&Graph{Name: "nothing"}).SVG("x"); !strings.Contains(empty, "nothing: 0 nodes, 0 edges") {
		t.Errorf("an empty graph: %s", empty)
	}
}

func TestGraphviz(t *testing.T) {
	g := &Graph{Name: "T 1", Nodes: []Node{{Name: "a", Lines: []string{"T", `s = "{x}"`}}, {Name: "b", Lines: []string{"U", ""}, Faint: true}}, Edges: []Edge{{From: "a", To: "b", Lines: []string{"next"}, Dashed: true}}}
	if got, want := g.Records(), "digraph \"T 1\" {\n\tnode [shape=record];\n\ta [label=\"{T | s = \\\"\\{x\\}\\\"}\"];\n\ta -> b [label=\"next\"];\n\tb [label=\"{U | }\"];\n}\n"; got != want {
		t.Errorf("records:\n%s\nwant\n%s", got, want)
	}
	g.Name = "states"
	if got, want := g.Boxes(), "digraph states {\n\tnode [shape=box, fontname=\"monospace\"];\n\tedge [fontname=\"monospace\"];\n\ta [label=\"T\\ls = \\\"{x}\\\"\\l\"];\n\tb [label=\"U\\l\", style=dotted];\n\ta -> b [label=\"next\\l\", style=dashed];\n}\n"; got != want {
		t.Errorf("boxes:\n%s\nwant\n%s", got, want)
	}
}
