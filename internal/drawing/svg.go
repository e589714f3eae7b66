package drawing

import (
	"fmt"
	"html"
	"strings"
)

// loopWidth is how far an edge from a node to itself leads away from it.
const loopWidth = 26

// SVG returns the drawing as an element of a page. The parameter id tells drawings of a page apart. Colours come
// from the page: nodes have the class "n", edges "e", faint nodes and dashed edges "d" as well.
func (g *Graph) SVG(id string) string {
	l := layOut(g)
	var b strings.Builder
	label := fmt.Sprintf("%s: %s, %s", g.Name, counted(len(l.boxes), "node"), counted(len(l.edges), "edge"))
	if l.left > 0 {
		label += fmt.Sprintf("; %d more nodes are not drawn", l.left)
	}
	fmt.Fprintf(&b, `<svg class="graph" role="img" aria-label="%s" width="%d" height="%d" viewBox="0 0 %d %d">`, html.EscapeString(label), l.width, l.height, l.width, l.height)
	fmt.Fprintf(&b, `<marker id="%s" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`, id)
	for _, e := range l.edges {
		d, x, y := l.curve(e)
		fmt.Fprintf(&b, `<path class="%s" d="%s" marker-end="url(#%s)"/>`, class("e", e.Dashed), d, id)
		text(&b, x, y, e.Lines)
	}
	for _, n := range l.boxes {
		fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="4"/>`, class("n", n.Faint), n.x, n.y, n.w, n.h)
		text(&b, n.x+padding, n.y+padding, n.Lines)
	}
	b.WriteString("</svg>")
	return b.String()
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func class(name string, faint bool) string {
	if faint {
		return name + " d"
	}
	return name
}

// text writes lines of text below each other; x and y are their upper left corner.
func text(b *strings.Builder, x, y int, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, `<text xml:space="preserve" y="%d">`, y)
	for i, s := range lines {
		fmt.Fprintf(b, `<tspan x="%d" y="%d">%s</tspan>`, x, y+i*lineHeight+lineHeight-4, html.EscapeString(s))
	}
	b.WriteString("</text>")
}

// curve returns the path of an edge and the place of its text. Edges lead down from one layer to the next,
// round the side of a node back to itself, or up and across beside their nodes.
func (l *layout) curve(e Edge) (path string, x, y int) {
	from, to := l.by[e.From], l.by[e.To]
	switch {
	case from == to:
		right, mid := from.x+from.w, from.y+from.h/2
		path = fmt.Sprintf("M%d %dC%d %d %d %d %d %d", right, mid-8, right+loopWidth, mid-20, right+loopWidth, mid+20, right, mid+8)
		return path, right + loopWidth, mid - len(e.Lines)*lineHeight/2
	case to.layer > from.layer:
		x1, y1, x2, y2 := from.middle(), from.y+from.h, to.middle(), to.y
		path = fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1, (y1+y2)/2, x2, (y1+y2)/2, x2, y2)
		return path, (x1+x2)/2 + 6, (y1 + y2 - len(e.Lines)*lineHeight) / 2
	}
	// Up, or across: out of the left side, and into the left side of the other.
	x1, y1, x2, y2 := from.x, from.y+from.h/3, to.x, to.y+2*to.h/3
	out := max(min(x1, x2)-margin+4, 4)
	path = fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, out, y1, out, y2, x2, y2)
	return path, (x1+x2+6*out)/8 + 6, (y1 + y2 - len(e.Lines)*lineHeight) / 2
}
