package pair

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// Hunk is a range of lines in which a declaration differs from its earlier version.
type Hunk struct {
	Decl string // the key of the new version, or of the old one if the declaration was removed
	// Old and New are the removed and the added lines. A stretch without lines stands before its First.
	Old, New Stretch
	// Says is what has changed about New if not its lines.
	Says string
}

// Stretch is a range of lines of a file, without its end.
type Stretch struct {
	File       string // absolute; "" if this version has no such declaration
	First, End int
	Text       []string // the lines
}

// Empty reports whether the stretch has no lines.
func (s Stretch) Empty() bool { return s.First >= s.End }

// Has reports whether lines of a file overlap the stretch.
func (s Stretch) Has(file string, first, last int) bool {
	return file == s.File && !s.Empty() && first < s.End && last >= s.First
}

// String says in a line what has changed.
func (h Hunk) String() string {
	show := func(s Stretch) string {
		var lines []string
		for _, l := range s.Text {
			if t := strings.TrimSpace(l); t != "" && t != "}" && !strings.HasPrefix(t, "//") {
				lines = append(lines, t)
			}
		}
		switch len(lines) {
		case 0:
			return strings.TrimSpace(strings.Join(s.Text, " "))
		case 1:
			return lines[0]
		}
		return lines[0] + " …"
	}
	old, new := show(h.Old), show(h.New)
	place := fmt.Sprintf("%s:%d", filepath.Base(h.New.File), h.New.First)
	switch {
	case h.Says != "":
		return fmt.Sprintf("%s: `%s` %s", place, new, h.Says)
	case h.New.File == "":
		return fmt.Sprintf("`%s` is gone (%s:%d before)", old, filepath.Base(h.Old.File), h.Old.First)
	case new == "":
		return fmt.Sprintf("%s: `%s` is gone", place, old)
	case old == "":
		return fmt.Sprintf("%s: `%s` is new", place, new)
	}
	return fmt.Sprintf("%s: `%s`, was `%s`", place, new, old)
}

func rank(d load.Declaration) int {
	if strings.HasPrefix(d.Text, funcPrefix) {
		return 0
	}
	return 1
}

// hunks compares the changed declarations line by line.
func (p *Pairing) hunks() ([]Hunk, error) {
	var out []Hunk
	// Of two that explain the same, the first counts, and a statement says more than a declaration.
	changed := slices.SortedFunc(maps.Keys(p.changes.own), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(p.names.new[a]), rank(p.names.new[b])), cmp.Compare(a, b))
	})
	for _, key := range changed {
		if strings.HasPrefix(key, packagePrefix) || !has(p.names.new, key) {
			continue
		}
		was := p.names.old[p.names.from[key]]
		list, err := p.hunksOf(key, was.Pieces, p.names.new[key].Pieces)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	for _, key := range slices.Sorted(maps.Keys(p.names.old)) {
		if p.names.to[key] != "" || strings.HasPrefix(key, packagePrefix) {
			continue
		}
		list, err := p.hunksOf(key, p.names.old[key].Pieces, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return p.addBrought(out)
}

func (p *Pairing) hunksOf(key string, old, new []load.Piece) ([]Hunk, error) {
	var out []Hunk
	for i := range max(len(old), len(new)) {
		a, err := stretch(p.Old.Prog, old, i)
		if err != nil {
			return nil, err
		}
		b, err := stretch(p.New.Prog, new, i)
		if err != nil {
			return nil, err
		}
		for _, h := range compareLines(a, b) {
			h.Decl = key
			out = append(out, h)
		}
	}
	return out, nil
}

// stretch returns the lines of piece i, none if there is no such piece.
func stretch(prog *load.Program, pieces []load.Piece, i int) (Stretch, error) {
	if i >= len(pieces) {
		return Stretch{}, nil
	}
	src, err := prog.Source(pieces[i].File)
	if err != nil {
		return Stretch{}, err
	}
	if pieces[i].To > len(src) {
		return Stretch{}, fmt.Errorf("%s was changed while it was read", pieces[i].File)
	}
	lines := strings.Split(string(src[pieces[i].From:pieces[i].To]), "\n")
	return Stretch{pieces[i].File, pieces[i].Line, pieces[i].Line + len(lines), lines}, nil
}

// compareLines finds the ranges in which two texts differ: the lines outside of a longest common
// subsequence. Layout, empty lines and comments do not count.
func compareLines(a, b Stretch) []Hunk {
	plain := func(lines []string) []string {
		out := make([]string, len(lines))
		for i, l := range lines {
			if l = strings.Join(strings.Fields(l), " "); !strings.HasPrefix(l, "//") {
				out[i] = l
			}
		}
		return out
	}
	x, y := plain(a.Text), plain(b.Text)
	// common[i][j] is the length of the longest common subsequence of x[i:] and y[j:].
	common := make([][]int, len(x)+1)
	for i := range common {
		common[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []Hunk
	cut := func(s Stretch, from, to int) Stretch {
		c := Stretch{File: s.File, First: s.First + from, End: s.First + to}
		if s.File != "" {
			c.Text = s.Text[from:to]
		}
		return c
	}
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		if i < len(x) && j < len(y) && x[i] == y[j] {
			i, j = i+1, j+1
			continue
		}
		fromI, fromJ := i, j
		for (i < len(x) || j < len(y)) && !(i < len(x) && j < len(y) && x[i] == y[j]) {
			if j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		if says(x[fromI:i]) || says(y[fromJ:j]) {
			if !alike(x[fromI:i], y[fromJ:j]) {
				out = append(out, Hunk{Old: cut(a, fromI, i), New: cut(b, fromJ, j)})
				continue
			}
			for n := range i - fromI {
				out = append(out, Hunk{Old: cut(a, fromI+n, fromI+n+1), New: cut(b, fromJ+n, fromJ+n+1)})
			}
		}
	}
	return out
}

// alike reports whether lines are new versions of others, one by one: they begin with the same word. Then each is a
// change of its own.
func alike(old, new []string) bool {
	if len(old) != len(new) {
		return false
	}
	for i, l := range old {
		was, _, _ := strings.Cut(l, " ")
		is, _, _ := strings.Cut(new[i], " ")
		if was == "" || was != is {
			return false
		}
	}
	return true
}

// says reports whether any of the lines has text.
func says(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return l != "" })
}

// Closes reports whether a hunk has nothing but the ends of blocks.
func (h Hunk) Closes() bool {
	return !slices.ContainsFunc(slices.Concat(h.Old.Text, h.New.Text), func(l string) bool {
		l, _, _ = strings.Cut(l, "//")
		return strings.Trim(l, "})] \t,") != ""
	})
}

// opened returns how many more brackets a hunk leaves open than it did.
func (h Hunk) opened() int {
	n := 0
	for i, lines := range [][]string{h.Old.Text, h.New.Text} {
		sign := 2*i - 1
		for _, l := range lines {
			n += sign * (strings.Count(l, "{") + strings.Count(l, "(") - strings.Count(l, "}") - strings.Count(l, ")"))
		}
	}
	return n
}

// Balanced returns a hunk together with those of its declaration that close what it opens, or open what it closes, by their
// numbers. Without them its lines cannot be taken back.
func (p *Pairing) Balanced(hunk int) []int {
	out := []int{hunk}
	left := p.Hunks[hunk].opened()
	step := 1
	if left < 0 {
		step = -1
	}
	for i := hunk + step; left != 0; i += step {
		if i < 0 || i >= len(p.Hunks) || p.Hunks[i].Decl != p.Hunks[hunk].Decl {
			return nil
		}
		if n := p.Hunks[i].opened(); n != 0 {
			left += n
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}
