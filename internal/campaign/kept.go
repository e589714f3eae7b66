package campaign

import "encoding/json"

// Kept describes an entry of the cache.
type Kept struct {
	Package             string
	Covered, Statements int
	Tests, Findings     int
	Cut                 bool // with more time the result may be better
}

// Describe describes an entry of the cache. It returns false if gen did not write the entry.
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
