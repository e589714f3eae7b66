package vm

import (
	"embed"
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"
)

//go:embed _models/*.go
var modelSource embed.FS

// modelPath is the import path under which the models are loaded.
const modelPath = "assay/vm/models"

// loadModels loads the models' source; their functions are compiled when they are
// needed.
func (m *Machine) loadModels() error {
	entries, err := modelSource.ReadDir("_models")
	if err != nil {
		return fmt.Errorf("the machine's models: %w", err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		b, err := modelSource.ReadFile("_models/" + e.Name())
		if err != nil {
			return fmt.Errorf("the machine's models: %w", err)
		}
		files[e.Name()] = b
	}
	pkg, err := m.prog.AddSource(modelPath, files)
	if err != nil {
		return fmt.Errorf("the machine's models: %w", err)
	}
	m.models = pkg
	return nil
}

// mangle turns a function's full name into the name of its model.
func mangle(name string) string {
	name = strings.TrimPrefix(name, "(*")
	name = strings.TrimPrefix(name, "(")
	name = strings.Replace(name, ").", ".", 1)
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

// model returns the function that stands for the one with a full name, or nil.
func (m *Machine) model(name string) *ssa.Function {
	if m.models == nil || strings.HasPrefix(name, modelPath) || strings.ContainsAny(name, "$[") {
		return nil
	}
	return m.models.Func(mangle(name))
}

// modelType returns a type of the models by name.
func (m *Machine) modelType(name string) *Type {
	t := m.models.Type(name)
	if t == nil {
		panic("bug: vm: no model type " + name)
	}
	return m.types.of(t.Type())
}
