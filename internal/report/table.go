package report

import (
	"fmt"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// terminal describes the terminal; nil means that there is none.
type terminal struct {
	width  int
	colour bool
}

// Terminal makes the reporter write for a terminal of so many columns: severities in colour, unless the
// user has set NO_COLOR or the terminal has no colours, and a table of packages at the end.
func (t *Text) Terminal(width int) {
	t.term = &terminal{width: width, colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// severity returns the word for a severity, coloured if the terminal has colours.
func (t *Text) severity(s testcase.Severity) string {
	if t.term == nil || !t.term.colour || t.progress == nil { // stderr may be a file
		return string(s)
	}
	style := lipgloss.NewStyle().Bold(true)
	switch s {
	case testcase.Error:
		style = style.Foreground(lipgloss.Red)
	case testcase.Warning:
		style = style.Foreground(lipgloss.Yellow)
	default:
		style = style.Foreground(lipgloss.Blue)
	}
	return style.Render(string(s))
}

// column is a column of the table of packages.
type column struct {
	head string
	cell func(event.Summary) string
}

// columns are the columns of the table; the first is the name. On a narrow terminal the last ones are
// left out.
func columns() []column {
	count := func(of func(event.Summary) *int) func(event.Summary) string {
		return func(s event.Summary) string {
			if n := of(s); n != nil {
				return fmt.Sprint(*n)
			}
			return ""
		}
	}
	percent := func(of func(event.Summary) *float64) func(event.Summary) string {
		return func(s event.Summary) string {
			if p := of(s); p != nil {
				return fmt.Sprintf("%.1f %%", *p)
			}
			return ""
		}
	}
	return []column{
		{"package", func(s event.Summary) string {
			if s.Package == "" {
				return "all"
			}
			return s.Package
		}},
		{"findings", count(func(s event.Summary) *int { return s.Findings })},
		{"tests", count(func(s event.Summary) *int { return s.Tests })},
		{"proved", count(func(s event.Summary) *int { return s.Proved })},
		{"refuted", count(func(s event.Summary) *int { return s.Refuted })},
		{"unknown", count(func(s event.Summary) *int { return s.Unknown })},
		{"covered", percent(func(s event.Summary) *float64 { return s.Coverage })},
		{"mutants killed", percent(func(s event.Summary) *float64 { return s.Mutation })},
		{"functions", count(func(s event.Summary) *int { return s.Functions })},
		{"seconds", func(s event.Summary) string { return fmt.Sprintf("%.1f", s.ElapsedS) }},
	}
}

// minName is the least room that the names of packages get.
const minName = 20

// packageTable is a table of the packages of a run, with the sum, no wider than the terminal.
func packageTable(packages []event.Summary, total event.Summary, width int) string {
	all := append(packages[:len(packages):len(packages)], total)
	var heads []string
	rows := make([][]string, len(all))
	used := minName + 4
	for i, c := range columns() {
		cells := make([]string, len(all))
		some, widest := false, lipgloss.Width(c.head)
		for k, s := range all {
			cells[k] = c.cell(s)
			some = some || cells[k] != ""
			widest = max(widest, lipgloss.Width(cells[k]))
		}
		if !some {
			continue
		}
		if i > 0 {
			if used += widest + 3; used > width {
				break
			}
		}
		heads = append(heads, c.head)
		for k := range all {
			rows[k] = append(rows[k], cells[k])
		}
	}
	room := width - 4
	for i := 1; i < len(heads); i++ {
		widest := lipgloss.Width(heads[i])
		for _, r := range rows {
			widest = max(widest, lipgloss.Width(r[i]))
		}
		room -= widest + 3
	}
	for _, r := range rows {
		r[0] = shortenLeft(r[0], max(room, minName))
	}
	t := table.New().Border(lipgloss.NormalBorder()).Headers(heads...).Rows(rows...).StyleFunc(func(row, col int) lipgloss.Style {
		style := lipgloss.NewStyle().Padding(0, 1)
		if col > 0 {
			style = style.Align(lipgloss.Right)
		}
		return style
	})
	return t.String() + "\n"
}

// shortenLeft cuts off the beginning of a name that is too long, because the end tells packages apart.
func shortenLeft(s string, width int) string {
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	return "…" + strings.TrimLeft(string(r[len(r)-width+1:]), "/")
}
