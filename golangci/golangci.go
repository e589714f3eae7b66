// Package golangci makes the static part of "assay check" a linter of golangci-lint, by its module plugin
// system: a golangci-lint that is built with this package has the linter assay. See docs/ci.md for how to
// build one.
package golangci

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/goassay/assay/internal/check/vet"
)

// A linter registers itself when its package is initialised, as the plugin system requires.
func init() { register.Plugin("assay", New) }

// settings are the linter's settings in the configuration of golangci-lint.
type settings struct {
	// Unverified reports all assertions that are not verified, and not only those that are broken in
	// every execution that reaches them.
	Unverified bool `json:"unverified"`
}

// plugin implements register.LinterPlugin.
type plugin struct{ settings settings }

// New makes the linter with the settings in the configuration.
func New(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[settings](conf)
	if err != nil {
		return nil, fmt.Errorf("assay: %w", err)
	}
	return plugin{s}, nil
}

// BuildAnalyzers implements register.LinterPlugin.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	a := vet.New()
	if err := a.Flags.Set("unverified", fmt.Sprint(p.settings.Unverified)); err != nil {
		return nil, err
	}
	return []*analysis.Analyzer{a}, nil
}

// GetLoadMode implements register.LinterPlugin.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
