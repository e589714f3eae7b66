package campaign

import "encoding/json"

// Kept is what an entry of the cache holds, in short.
type Kept struct {
	Package             string
	Covered, Statements int
	Tests, Findings     int
	Cut                 bool // more time may come to more
}

// Describe says what an entry of the cache holds. It reports false where that is nothing of gen's.
func Describe(data []byte) (Kept, bool) {
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil || m.Summary.Package == "" {
		return Kept{}, false
	}
	k := Kept{Package: m.Summary.Package, Covered: m.Covered, Statements: m.Statements, Cut: m.Pass != pass{}}
	if m.Summary.Tests != nil {
		k.Tests = *m.Summary.Tests
	}
	if m.Summary.Findings != nil {
		k.Findings = *m.Summary.Findings
	}
	return k, true
}
