package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/wholefile"
)

// trendFile has the figures of earlier reports in a directory.
const trendFile = "trend.json"

// maxTrend is how many reports are kept for a package.
const maxTrend = 50

// figures are the figures of one report over a package.
type figures struct {
	Tests    int     `json:"tests"`
	Findings int     `json:"findings"`
	Coverage float64 `json:"coverage"`
	Mutation float64 `json:"mutation"`
}

// trend is the development of a package's figures over the reports.
type trend struct {
	Package string
	Last    figures
	Points  string // the coverage, as points of a drawing of 100 by 20
	Mutants string // the mutation score, in the same form
	Count   int
}

// updateTrends adds the figures of this report to those in the directory, and returns the figures over
// time of packages that have more than one. A file that cannot be understood is begun anew.
func updateTrends(dir string, packages []*pkg) ([]trend, error) {
	all := make(map[string][]figures)
	data, err := os.ReadFile(filepath.Join(dir, trendFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil && json.Unmarshal(data, &all) != nil {
		all = make(map[string][]figures)
	}
	for _, p := range packages {
		s := p.Summary
		if s.Coverage == nil {
			continue // the package was checked only, or the run was cut short
		}
		f := figures{Coverage: *s.Coverage}
		if s.Tests != nil {
			f.Tests = *s.Tests
		}
		if s.Findings != nil {
			f.Findings = *s.Findings
		}
		if s.Mutation != nil {
			f.Mutation = *s.Mutation
		}
		list := append(all[p.Path], f)
		all[p.Path] = list[max(0, len(list)-maxTrend):]
	}
	if data, err = json.MarshalIndent(all, "", " "); err != nil {
		return nil, err
	}
	if err := wholefile.Replace(filepath.Join(dir, trendFile), data); err != nil {
		return nil, err
	}
	var out []trend
	for path, list := range all {
		if len(list) > 1 {
			out = append(out, trend{
				Package: path, Last: list[len(list)-1], Count: len(list),
				Points:  points(list, func(f figures) float64 { return f.Coverage }),
				Mutants: points(list, func(f figures) float64 { return f.Mutation }),
			})
		}
	}
	slices.SortFunc(out, func(a, b trend) int { return strings.Compare(a.Package, b.Package) })
	return out, nil
}

// points returns the corners of a line for percentages, drawn from the bottom up.
func points(list []figures, of func(figures) float64) string {
	var parts []string
	for i, f := range list {
		parts = append(parts, fmt.Sprintf("%.1f,%.1f", 100*float64(i)/float64(len(list)-1), 20-of(f)/5))
	}
	return strings.Join(parts, " ")
}
