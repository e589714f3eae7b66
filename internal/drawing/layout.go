package drawing

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Sizes of a drawing, in pixels. Text is in a font of equal widths.
const (
	letterWidth = 8
	lineHeight  = 17
	padding     = 8  // between the border of a node and its text
	gap         = 28 // between nodes of a layer
	layerGap    = 40 // between layers, besides the text of the edges
	margin      = 30 // for edges that lead out of the outermost nodes
)

// maxNodes is how many nodes are drawn.
const maxNodes = 150

// box is a node at its place; x and y are its upper left corner.
type box struct {
	*Node
	layer      int
	x, y, w, h int
	order      float64 // where its neighbours are, while the layer is ordered
}

func (b *box) middle() int { return b.x + b.w/2 }

// layout is a graph with the places of its nodes.
type layout struct {
	boxes         []*box
	by            map[string]*box
	edges         []Edge
	width, height int
	left          int // nodes that are not drawn
}

// sweeps is how often the layers are ordered, down and up.
const sweeps = 6

func layOut(g *Graph) *layout {
	l := &layout{by: make(map[string]*box)}
	for i := range g.Nodes {
		if i == maxNodes {
			l.left = len(g.Nodes) - i
			break
		}
		n := &g.Nodes[i]
		b := &box{Node: n, layer: -1, w: widest(n.Lines)*letterWidth + 2*padding, h: len(n.Lines)*lineHeight + 2*padding}
		l.boxes, l.by[n.Name] = append(l.boxes, b), b
	}
	for _, e := range g.Edges {
		if l.by[e.From] != nil && l.by[e.To] != nil {
			l.edges = append(l.edges, e)
		}
	}
	layers := l.layers()
	for range sweeps {
		for i := 1; i < len(layers); i++ {
			l.sort(layers, i, i-1)
		}
		for i := len(layers) - 2; i >= 0; i-- {
			l.sort(layers, i, i+1)
		}
	}
	l.place(layers)
	return l
}

func widest(lines []string) int {
	n := 0
	for _, s := range lines {
		n = max(n, utf8.RuneCountInString(s))
	}
	return n
}

// layers divides the nodes by their distance from the first one, or from the first one of those that are not
// reached from nodes before.
func (l *layout) layers() [][]*box {
	next := make(map[*box][]*box)
	for _, e := range l.edges {
		next[l.by[e.From]] = append(next[l.by[e.From]], l.by[e.To])
	}
	var out [][]*box
	for _, root := range l.boxes {
		if root.layer >= 0 {
			continue
		}
		root.layer = 0
		for queue := []*box{root}; len(queue) > 0; queue = queue[1:] {
			b := queue[0]
			if b.layer == len(out) {
				out = append(out, nil)
			}
			out[b.layer] = append(out[b.layer], b)
			for _, to := range next[b] {
				if to.layer < 0 {
					to.layer = b.layer + 1
					queue = append(queue, to)
				}
			}
		}
	}
	return out
}

// sort orders layer i by where the neighbours of its nodes are in another layer. A node without neighbours
// there stays where it is.
func (l *layout) sort(layers [][]*box, i, other int) {
	at := make(map[*box]int)
	for k, b := range layers[other] {
		at[b] = k
	}
	sum, count := make(map[*box]int), make(map[*box]int)
	add := func(b, neighbour *box) {
		if k, ok := at[neighbour]; ok && b.layer == i {
			sum[b] += k
			count[b]++
		}
	}
	for _, e := range l.edges {
		from, to := l.by[e.From], l.by[e.To]
		add(from, to)
		add(to, from)
	}
	for k, b := range layers[i] {
		b.order = float64(k)
		if count[b] > 0 {
			b.order = float64(sum[b]) / float64(count[b])
		}
	}
	slices.SortStableFunc(layers[i], func(a, b *box) int { return cmp.Compare(a.order, b.order) })
}

// place puts the layers below each other, each in the middle. Between two layers there is room for the text of
// the edges that leave the upper one.
func (l *layout) place(layers [][]*box) {
	widths := make([]int, len(layers))
	for i, layer := range layers {
		for _, b := range layer {
			widths[i] += b.w + l.loop(b) + gap
		}
		widths[i] -= gap
		l.width = max(l.width, widths[i])
	}
	y := margin
	for i, layer := range layers {
		x, height, text := margin+(l.width-widths[i])/2, 0, 0
		for _, b := range layer {
			b.x, b.y = x, y
			x += b.w + l.loop(b) + gap
			height = max(height, b.h)
		}
		for _, e := range l.edges {
			if l.by[e.From].layer == i {
				text = max(text, len(e.Lines))
			}
		}
		y += height + layerGap + text*lineHeight
	}
	l.width += 2 * margin
	l.height = y
}

// loop is the width that an edge from a node to itself needs beside it.
func (l *layout) loop(b *box) int {
	n := 0
	for _, e := range l.edges {
		if e.From == b.Name && e.To == b.Name {
			n = max(n, loopWidth+widest(e.Lines)*letterWidth)
		}
	}
	return n
}
