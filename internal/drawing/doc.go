// Package drawing draws graphs of nodes with text: states and the calls between them, structures and the
// pointers between their objects.
//
//  1. Graph has what is drawn; graph.go also writes it for Graphviz.
//  2. layout.go puts each node into the layer of its distance from the first node, orders the layers so
//     that few edges cross, and gives nodes their places.
//  3. svg.go writes the drawing as an element of a page, whose style sheet colours it.
//
// The layers are those of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
// structures", 1981, without points in between: an edge leads at most one layer down, because layers
// are distances.
//
// Invariant: the same graph gives the same bytes.
//
// Not supported: more than a few hundred nodes, which nobody would read (the rest is left out, and said),
// and clusters.
package drawing
