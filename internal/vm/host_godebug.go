package vm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/version"
	"os"
	"strconv"
	"strings"
)

// The standard library behaves as an older version of Go did where the go.mod of the main module asks for that
// version: crypto/rsa takes short keys before Go 1.24. It asks the package internal/godebug for settings, whose
// values follow from a table in the toolchain's sources.

// godebugValue is (*godebug.Setting).Value for a process without a variable GODEBUG.
func godebugValue(m *Machine, st *State, c *call) ([]Value, signal) {
	setting := m.types.of(c.fn.ssa.Signature.Recv().Type()).Elem
	f := setting.field("name")
	name := make([]Value, f.Type.Size)
	p := c.args[0]
	p.Bits += uint64(f.Off)
	m.load(st, p, f.Type, name)
	s, ok := m.concreteString(st, name[0], name[1])
	if !ok || m.pkg == nil {
		return make([]Value, c.result.Size), sigNext
	}
	if m.settings == nil {
		m.settings = map[string]string{}
		if lookup, err := m.prog.LookupFunc("internal/godebugs", "Lookup"); err == nil && lookup != nil {
			m.settings = oldSettings(m.prog.Fset.Position(lookup.Pos()).Filename, m.pkg.GoVersion)
		}
	}
	return m.newString(st, m.settings[strings.TrimPrefix(s, "#")]), sigNext
}

// oldSettings returns the settings that a main module of the given version of Go gets, beside the empty ones,
// from the source of the table internal/godebugs.All. There are none without that source (before Go 1.21).
func oldSettings(file, goVersion string) map[string]string {
	out := map[string]string{}
	src, err := os.ReadFile(file)
	if err != nil || goVersion == "" {
		return out
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	language := "go" + goVersion
	if version.Compare(language, "go1.20") < 0 {
		language = "go1.20" // the oldest version that the toolchain imitates
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || lit.Type != nil {
			return true
		}
		fields := map[string]string{}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if basic, ok := kv.Value.(*ast.BasicLit); ok {
					fields[kv.Key.(*ast.Ident).Name] = basic.Value
				}
			}
		}
		name, _ := strconv.Unquote(fields["Name"])
		old, _ := strconv.Unquote(fields["Old"])
		if fields["Changed"] != "" && version.Compare(language, "go1."+fields["Changed"]) < 0 {
			out[name] = old
		}
		return true
	})
	return out
}

// boolToUint8 makes a number of a truth value. The compiler has it built in.
func boolToUint8(m *Machine, _ *State, c *call) ([]Value, signal) {
	b := c.args[0]
	if b.Term == 0 {
		return []Value{{Bits: b.Bits}}, sigNext
	}
	return []Value{m.value(m.ts.Ite(b.Term, m.ts.Const(8, 1), m.ts.Const(8, 0)))}, sigNext
}
