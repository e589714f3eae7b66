package emit

import (
	"testing"

	"github.com/goassay/assay/internal/emit/gofile"
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
	w := &writer{Writer: gofile.NewWriter(nil, false, "go1.26", nil, gofile.NewImports())}
	for _, want := range []string{"TestF_good", "TestF_2"} {
		if got := w.testFunc("F", "_whenIs-1", "_good"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
