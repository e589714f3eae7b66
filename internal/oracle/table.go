package oracle

import (
	"regexp"
	"strings"
)

// table reads the rows of a table: a call in one cell and its result in the next, or inputs and results in
// columns, where the header of the result is a call with the names of the inputs:
//
//	| s    | Size(s) |        | call         | result |
//	|------|---------|        |--------------|--------|
//	| "1k" | 1024    |        | `Size("1k")` | 1024   |
func (r *reader) table(p passage, b block) {
	header := cells(b.lines[0].text)
	for i, l := range b.lines {
		row := cells(l.text)
		if len(row) > maxTableCells || i == 0 && len(b.lines) > 1 {
			continue
		}
		for k, c := range row {
			start, end, ok := nextCall(c, 0)
			if ok && start == 0 && end == len(c) && k+1 < len(row) {
				if r.considered++; r.considered > maxConsidered {
					return
				}
				r.quoted(p, l.number, strings.TrimSpace(l.text), c, row[k+1])
			}
		}
		r.columns(p, l, header, row)
	}
}

// columns reads a row in which a result stands below a header that is a call with the names of other columns.
func (r *reader) columns(p passage, l textLine, header, row []string) {
	if len(row) != len(header) {
		return
	}
	for k, h := range header {
		start, end, ok := nextCall(h, 0)
		if !ok || start != 0 || end != len(h) {
			continue
		}
		open := strings.IndexByte(h, '(')
		args := strings.Split(h[open+1:end-1], ",")
		for i, a := range args {
			at := -1
			for j, name := range header {
				if j != k && name == strings.TrimSpace(a) && isName.MatchString(name) {
					at = j
				}
			}
			if at < 0 {
				return
			}
			args[i] = row[at]
		}
		if r.considered++; r.considered > maxConsidered {
			return
		}
		r.quoted(p, l.number, strings.TrimSpace(l.text), h[:open]+"("+strings.Join(args, ", ")+")", row[k])
	}
}

var isName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// cells returns the cells of a row, without the quotes around code.
func cells(row string) []string {
	row = strings.TrimSpace(row)
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	var out []string
	for _, c := range strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|") {
		c = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
		if len(c) > 1 && c[0] == '`' && c[len(c)-1] == '`' && strings.Count(c, "`") == 2 {
			c = c[1 : len(c)-1]
		}
		out = append(out, c)
	}
	return out
}
