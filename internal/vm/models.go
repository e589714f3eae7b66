package vm

import (
	"embed"
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
)

//go:embed _models/*.go _models/reflect/*.go
var modelSource embed.FS

// modelPath is the import path under which the models are loaded.
const modelPath = "assay/vm/models"

// reflectModelPath is that of the models of package reflect.
const reflectModelPath = modelPath + "/reflect"

// loadModels loads the models' source. The functions are compiled when they are needed.
func (m *Machine) loadModels() error {
	pkg, err := m.loadModelDir("_models", modelPath)
	m.models = pkg
	return err
}

func (m *Machine) loadModelDir(dir, path string) (*ssa.Package, error) {
	entries, err := modelSource.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("the machine's models: %w", err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		b, err := modelSource.ReadFile(dir + "/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("the machine's models: %w", err)
		}
		files[e.Name()] = b
	}
	pkg, err := m.prog.AddSource(path, files)
	if err != nil {
		return nil, fmt.Errorf("the machine's models: %w", err)
	}
	return pkg, nil
}

// reflectModel returns the function that replaces a function of package reflect, or nil. The models of
// reflect are loaded when a program first uses reflection.
func (m *Machine) reflectModel(name string) *ssa.Function {
	switch pkg, _, _ := cutName(name); pkg {
	case "reflect", "internal/abi":
	default:
		return nil
	}
	if m.reflects == nil {
		pkg, err := m.loadModelDir("_models/reflect", reflectModelPath)
		if err != nil {
			panic(unsupported(err.Error()))
		}
		m.reflects = pkg
	}
	return m.reflects.Func(mangle(name))
}

// realPrefix begins the names of functions by which a model calls the very function that it replaces.
const realPrefix = modelPath + ".real_"

// realFunc returns the function for which real_pkg_Name stands.
func (m *Machine) realFunc(name string) (*ssa.Function, error) {
	pkg, fn, _ := strings.Cut(strings.TrimPrefix(name, realPrefix), "_")
	return m.prog.LookupFunc(pkg, fn)
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

// model returns the function that replaces the function with a full name, or nil.
func (m *Machine) model(name string) *ssa.Function {
	if m.models == nil || strings.HasPrefix(name, modelPath) || strings.ContainsAny(name, "$[") {
		return nil
	}
	if fn := m.models.Func(mangle(name)); fn != nil {
		return fn
	}
	return m.reflectModel(name)
}

// modelType returns a type of the models by name.
func (m *Machine) modelType(name string) *Type {
	t := m.models.Type(name)
	if t == nil {
		panic("bug: vm: no model type " + name)
	}
	return m.types.of(t.Type())
}

// isModel reports whether a type, or what it points to, is one of the machine's that stands for a type of the runtime, like that of a
// run-time error.
func (m *Machine) isModel(t *Type) bool {
	named := load.NamedOf(t.Go)
	return named != nil && named.Obj().Pkg() == m.models.Pkg
}
