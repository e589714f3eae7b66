package emit

import (
	"testing"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/statement"
)

func TestTestName(t *testing.T) {
	for target, want := range map[string]string{"Parse": "TestParse", "parse": "Test_parse", "Tree.Add": "TestTree_Add", "tree.add": "Test_tree_add"} {
		if got := TestName(target); got != want {
			t.Errorf("TestName(%q) = %q, want %q", target, got, want)
		}
	}
}

// TestNameOfTest: a suffix that makes no identifier is passed over.
func TestNameOfTest(t *testing.T) {
	w := &writer{File: &statement.File{Writer: gofile.NewWriter(nil, false, "go1.26", nil, gofile.NewImports())}}
	for _, want := range []string{"TestF_good", "TestF_2"} {
		if got := w.testFunc("F", "_whenIs-1", "_good"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Keys are in one order, whichever of them are numbers.
func TestSortKey_compare(t *testing.T) {
	number := func(n float64, text string) sortKey { return sortKey{number: n, isNumber: true, text: text} }
	ordered := []sortKey{number(0, "0"), number(7, "7"), number(-7, "-7"), number(100000, "100000"), number(1e9, "1e9"), {text: "nil"}, {text: "abcd"}}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := a.compare(b); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("compare(%s, %s) = %d", a.text, b.text, got)
			}
		}
	}
}
