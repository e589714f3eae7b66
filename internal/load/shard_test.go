package load

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shards are disjoint, together they have all packages, they have about the same size, and they are the same
// in every run.
func TestShard(t *testing.T) {
	var archive strings.Builder
	var all []string
	lines, total := make(map[string]int), 0
	for i := range 9 {
		fmt.Fprintf(&archive, "-- p%d/p.go --\npackage p%d\n\n%s\nfunc F() {}\n", i, i, strings.Repeat("// Text.\n", 1+i*i))
		all = append(all, fmt.Sprintf("example.com/m/p%d", i))
		lines[all[i]] = 1 + i*i
		total += lines[all[i]]
	}
	dir := module(t, archive.String())
	for _, n := range []int{1, 2, 3, 12} {
		var got []string
		for i := range n {
			p, err := Load(t.Context(), Config{Dir: dir, Shard: Shard{i + 1, n}}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			var part []string
			for _, pkg := range p.Packages {
				part = append(part, pkg.Path)
			}
			if p.Others != len(all)-len(part) {
				t.Errorf("%d/%d: %d packages, and %d others", i+1, n, len(part), p.Others)
			}
			size := 0
			for _, path := range part {
				size += lines[path]
			}
			if n < 4 && (size < total/n-total/10 || size > total/n+total/10) {
				t.Errorf("%d/%d: %d lines of %d", i+1, n, size, total)
			}
			got = append(got, part...)
		}
		slices.Sort(got)
		if !slices.Equal(got, all) {
			t.Errorf("%d parts have %v", n, got)
		}
	}
}

func TestParseShard(t *testing.T) {
	for _, bad := range []string{"", "1", "0/2", "3/2", "1/2/3", "-1/2", "01/2", "1/0", "a/b"} {
		if s, err := ParseShard(bad); err == nil {
			t.Errorf("ParseShard(%q) = %v", bad, s)
		}
	}
	if s, err := ParseShard("2/4"); err != nil || s != (Shard{2, 4}) {
		t.Errorf("ParseShard(2/4) = %v, %v", s, err)
	}
}
