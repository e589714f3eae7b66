package gofile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// Bounds of what a row is called by.
const (
	mostNumbers = 3  // columns, beside texts
	longestCall = 40 // bytes, where numbers are among it
)

// CalledByNumbers does the same as CalledBy for rows that only numbers tell apart, or numbers beside texts:
// `strconv.Itoa(tt.n)`, or `fmt.Sprintf("%d, %d", tt.x, tt.y)`. It takes all columns of numbers that differ, because a reader
// of one would ask for the others.
func (w *Writer) CalledByNumbers(columns []Column) (by string, names []string) {
	var chosen []Column
	var verbs, args []string
	numbers := 0
	for _, c := range varying(columns) {
		verb := "%q"
		if c.Type != "string" {
			if verb = numberVerb(c); verb == "" {
				return "", nil
			}
			numbers++
		}
		chosen, verbs, args = append(chosen, c), append(verbs, verb), append(args, "tt."+c.Name)
	}
	if numbers == 0 || numbers > mostNumbers {
		return "", nil
	}
	names = make([]string, len(chosen[0].Cells))
	for i := range names {
		var parts []string
		for k, c := range chosen {
			part, ok := printed(c, verbs[k], c.Cells[i])
			if !ok {
				return "", nil
			}
			parts = append(parts, part)
		}
		names[i] = strings.Join(parts, ", ")
	}
	if !areApart(names) {
		return "", nil
	}
	switch {
	case len(chosen) > 1:
		return w.Std("fmt") + ".Sprintf(" + strconv.Quote(strings.Join(verbs, ", ")) + ", " + strings.Join(args, ", ") + ")", names
	case chosen[0].Type == "int":
		return w.Std("strconv") + ".Itoa(" + args[0] + ")", names
	}
	return w.Std("fmt") + ".Sprint(" + args[0] + ")", names
}

// NamedBy returns names for the rows of a table made of the constants that the rows pass, as the source has them: Kibibyte,
// or math.MaxInt64, 0. It returns nil if a row passes something else, or if the names do not tell the rows apart.
func NamedBy(columns []Column) []string {
	differ := varying(columns)
	if len(differ) == 0 || len(differ) > mostNumbers {
		return nil
	}
	names := make([]string, len(differ[0].Cells))
	for i := range names {
		var parts []string
		for _, c := range differ {
			if cell := c.Cells[i]; !constantCell.MatchString(cell) || slices.Contains([]string{"nil", "true", "false"}, cell) {
				return nil
			}
			parts = append(parts, c.Cells[i])
		}
		names[i] = strings.Join(parts, ", ")
	}
	if !areApart(names) {
		return nil
	}
	return names
}

// constantCell matches numbers, constants, and sums and products of both.
var constantCell = regexp.MustCompile(`^-?[\w.]+( ?(<<|[-+*/]) ?[\w.]+)*$`)

// varying returns the columns whose cells are not all the same.
func varying(columns []Column) []Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c Column) bool {
		return !slices.ContainsFunc(c.Cells, func(cell string) bool { return cell != c.Cells[0] })
	})
}

// areApart reports whether names are short and differ for go test.
func areApart(names []string) bool {
	seen := make(map[string]bool)
	for _, name := range names {
		as := gosyntax.SubtestName(name)
		if len(name) > longestCall || seen[as] {
			return false
		}
		seen[as] = true
	}
	return true
}

// numberVerb returns the verb that prints the numbers of a column, "" if it is no column of numbers.
func numberVerb(c Column) string {
	switch {
	case c.Type == "float32" || c.Type == "float64":
		return "%v"
	case slices.Contains(numberTypes, c.Type):
		return "%d"
	}
	return ""
}

// printed returns what a verb prints for a cell, and whether the cell is a constant whose value is known.
func printed(c Column, verb, cell string) (string, bool) {
	switch {
	case verb == "%q":
		text, err := strconv.Unquote(cell)
		return strconv.Quote(text), err == nil && !strings.HasPrefix(cell, "'")
	case verb == "%d":
		if n, err := strconv.ParseInt(cell, 10, 64); err == nil {
			return strconv.FormatInt(n, 10), true
		}
		n, err := strconv.ParseUint(cell, 10, 64)
		return strconv.FormatUint(n, 10), err == nil
	case c.Type == "float32":
		f, err := strconv.ParseFloat(cell, 32)
		return fmt.Sprint(float32(f)), err == nil
	}
	f, err := strconv.ParseFloat(cell, 64)
	return fmt.Sprint(f), err == nil
}
