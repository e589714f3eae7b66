package earlier

import (
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/testcase"
)

// If a run was cut short, an earlier file stays if it shows more than the run's new file.
func TestKeepBetter(t *testing.T) {
	for _, tt := range []struct {
		name     string
		covered  int
		findings int
		kept     string
	}{
		{"as much", 0, 2, ""},
		{"less covered", 7, 2, "a_assay_test.go"},
		{"not known", -1, 2, "a_assay_test.go"},
		{"fewer findings", 0, 1, "a_assay_bug_test.go"},
		{"less of both", 7, 0, "a_assay_bug_test.go a_assay_test.go"},
	} {
		e := Files{
			Kept: make(map[string]bool), taken: make(map[string]bool),
			Own: []files.Own{
				{Name: "a_assay_test.go", Content: []byte("package a\n\nfunc TestA() {}\n")},
				{Name: "a_assay_bug_test.go", Content: []byte("package a\n\nfunc TestA_bug1() {}\n\nfunc TestA_bug2() {}\n"), Bug: true},
			},
		}
		var found []*testcase.Finding
		for range tt.findings {
			found = append(found, &testcase.Finding{Severity: testcase.Error, Pos: token.Position{Filename: "a.go"}})
		}
		e.KeepBetter(&Rerun{covered: tt.covered}, nil, nil, found)
		if kept := strings.Join(slices.Sorted(maps.Keys(e.Kept)), " "); kept != tt.kept {
			t.Errorf("%s: kept %q, want %q", tt.name, kept, tt.kept)
		}
	}
}

// What other functions' tests show is not lost by a run over one function, because these tests stay.
func TestKeepBetterOfPart(t *testing.T) {
	e := Files{
		Kept: make(map[string]bool), taken: make(map[string]bool), partly: true,
		mine: func(test string) bool { return strings.HasPrefix(test, "TestB") },
		Own:  []files.Own{{Name: "a_assay_bug_test.go", Content: []byte("package a\n\nfunc TestA_bug1() {}\n\nfunc TestA_bug2() {}\n"), Bug: true}},
	}
	e.KeepBetter(&Rerun{covered: 0}, nil, nil, nil)
	if len(e.Kept) > 0 {
		t.Errorf("kept %v, want nothing", e.Kept)
	}
	e.Own[0].Content = append(e.Own[0].Content, "\nfunc TestB_bug1() {}\n"...)
	e.KeepBetter(&Rerun{covered: 0}, nil, nil, nil)
	if len(e.Kept) != 1 {
		t.Error("the file with a test of a finding that the run has not found is not kept")
	}
}
