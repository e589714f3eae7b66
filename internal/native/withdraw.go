package native

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// registered has the lengths of a registry's lists at some time.
type registered struct{ types, funcs, vars, stubs int }

func (g *registry) registered() registered {
	return registered{len(g.types), len(g.funcs), len(g.vars), len(g.stubs)}
}

// harnessFile returns the name under which the compiler knows the generated file.
func (b *builder) harnessFile() string {
	return b.replace[b.pkg.Dir+string(os.PathSeparator)+b.prefix+"harness_test.go"]
}

// withdraw removes the entries of the registry that the compiler complains about or, if these are not known,
// all entries that were added since good. It reports whether there were any. If so, another build may
// succeed. Numbers stay the same: each removed entry is replaced by a place holder.
func (g *registry) withdraw(good registered, be *BuildError, file string) bool {
	lines := map[string]bool{}
	if src, err := os.ReadFile(file); err == nil {
		text := strings.Split(string(src), "\n")
		for _, d := range be.Diagnostics {
			if n := d.Pos.Line; strings.HasSuffix(d.Pos.Filename, "harness_test.go") && n > 0 && n <= len(text) {
				lines[strings.TrimSuffix(strings.TrimSpace(text[n-1]), ",")] = true
			}
		}
	}
	why := unspellable("it does not compile in the package: " + be.Error())
	var imports []string // names of packages that cannot be imported
	for path, name := range g.sp.imports {
		if lines["import "+name+" "+strconv.Quote(path)] {
			imports = append(imports, name+".")
		}
	}
	withdrawn := g.withdrawIf(why, func(letter byte, i int, text string) bool {
		if letter == 's' {
			text = g.decls[i]
			for line := range lines {
				if line != "" && line != "}" && strings.Contains(text, line) {
					return true
				}
			}
		}
		if letter == 'c' {
			k := g.checkOf(text)
			text = g.checks[k]
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); line != "" && line != "}" && lines[line] {
					return true
				}
			}
		}
		for _, name := range imports {
			if strings.Contains(text, name) {
				return true
			}
		}
		return lines[text]
	})
	if withdrawn || good == (registered{}) {
		return withdrawn
	}
	return g.withdrawIf(why, func(letter byte, i int, text string) bool {
		switch letter {
		case 't':
			return i >= good.types
		case 'v':
			return i >= good.vars
		case 's':
			return i >= good.stubs
		}
		return i >= good.funcs
	})
}

// checkOf returns the check whose helper code declares a function.
func (g *registry) checkOf(name string) int {
	return slices.IndexFunc(g.checks, func(text string) bool { return strings.HasPrefix(text, "func "+name+"(") })
}

// withdrawIf withdraws the entries for which bad is true.
func (g *registry) withdrawIf(why error, bad func(letter byte, i int, text string) bool) bool {
	any := false
	p := g.sp.prefix
	for key, i := range g.keys {
		var list []string
		var holder string
		switch key[0] {
		case 't':
			list, holder = g.types, p+"rt.T["+p+"rt.Any]()"
		case 'v':
			list, holder = g.vars, "new("+p+"rt.Any)"
		case 's':
			list, holder = g.stubs, p+"rt.NoStub"
		default:
			list, holder = g.funcs, "func() {}"
		}
		if list[i] == holder || !bad(key[0], i, list[i]) {
			continue
		}
		any = true
		if key[0] == 'c' {
			g.checks[g.checkOf(list[i])] = ""
		}
		list[i] = holder
		if key[0] == 's' {
			g.decls[i] = ""
		}
		delete(g.keys, key)
		g.refused[key] = why
	}
	if any {
		g.errs = slices.DeleteFunc(g.errs, func(i int) bool { return strings.HasPrefix(g.vars[i], "new(") })
	}
	return any
}
