package earlier

import (
	"reflect"
	"testing"

	"github.com/goassay/assay/internal/event"
)

// The output of a failing test tells what a call returned before and what it returns now.
func TestChanges(t *testing.T) {
	tests := []struct {
		name   string
		output []string
		want   []event.Changed
	}{
		{"a row of a table", []string{
			"=== RUN   TestClassify/small", `    m_assay_test.go:18: Classify(3) = "little", want "small"`, "--- FAIL: TestClassify (0.00s)",
		}, []event.Changed{{Call: "Classify(3)", After: `"little"`, Before: `"small"`}}},
		{"two results", []string{`m_assay_test.go:9: Parse("a = b") = 0, nil; want 1, nil`},
			[]event.Changed{{Call: `Parse("a = b")`, After: "0, nil", Before: "1, nil"}}},
		{"testify", []string{"=== RUN   TestBest/nil", "    a_assay_test.go:12: ", "        	Error Trace:	a_assay_test.go:12", "        	Error:      	Not equal: ",
			"        	            	expected: 1", "        	            	actual  : 2", "        	Test:       	TestBest/nil"},
			[]event.Changed{{Call: "TestBest/nil", After: "2", Before: "1"}}},
		{"a panic", []string{"panic: index out of range [3]", "FAIL"}, []event.Changed{{After: "panic: index out of range [3]"}}},
		{"many", []string{"F(1) = 1, want 2", "F(2) = 1, want 2", "F(3) = 1, want 2", "F(4) = 1, want 2", "F(5) = 1, want 2", "F(6) = 1, want 2"},
			[]event.Changed{
				{Call: "F(1)", After: "1", Before: "2"}, {Call: "F(2)", After: "1", Before: "2"}, {Call: "F(3)", After: "1", Before: "2"},
				{Call: "F(4)", After: "1", Before: "2"}, {Call: "F(5)", After: "1", Before: "2", More: true},
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := changes(tt.output); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("changes(%q) = %+v, want %+v", tt.output, got, tt.want)
			}
		})
	}
}
