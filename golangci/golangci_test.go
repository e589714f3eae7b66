package golangci

import (
	"path/filepath"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis/analysistest"
)

// The linter is registered under its name, and reports what go vet -vettool=assay-vet reports.
func TestLinter(t *testing.T) {
	make, err := register.GetPlugin("assay")
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs(filepath.Join("..", "internal", "check", "vet", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		settings any
		pkg      string
	}{{nil, "certain"}, {map[string]any{"unverified": true}, "unverified"}} {
		p, err := make(tt.settings)
		if err != nil {
			t.Fatal(err)
		}
		analyzers, err := p.BuildAnalyzers()
		if err != nil || len(analyzers) != 1 {
			t.Fatalf("%v, %v", analyzers, err)
		}
		analysistest.Run(t, data, analyzers[0], tt.pkg)
	}
	if _, err := make(map[string]any{"unverifed": true}); err == nil {
		t.Error("a setting that there is not is accepted")
	}
}
