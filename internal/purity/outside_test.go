package purity_test

import (
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
)

// TestOutside checks for some packages which import lets them reach files, processes or the network.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(`
-- go.mod --
module m

go 1.24
-- pure/p.go --
package pure

import (
	"fmt"
	"net/url"
	"sort"
	"strings"
	"time"
)

var _ = fmt.Sprint(url.Parse, sort.Ints, strings.Join, time.Now)
-- pure/p_test.go --
package pure_test

import (
	"strings"
	"testing"
	_ "m/pure"
)

func Test(*testing.T) { _ = strings.ToUpper }
-- files/p.go --
package files

import _ "os"
-- commands/p.go --
package commands

import _ "os/exec"
-- web/p.go --
package web

import _ "net/http/httptest"
-- through/p.go --
package through

import _ "m/files"
-- templates/p.go --
package templates

import _ "text/template"
-- tests/p.go --
package tests
-- tests/p_test.go --
package tests

import (
	_ "path/filepath"
	"testing"
)

func Test(*testing.T) {}
-- unknown/p.go --
package unknown
-- unknown/p_test.go --
package unknown

import (
	_ "m/pure"
	"testing"
)

func Test(*testing.T) {}
`)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"m/pure": "", "m/files": "m/files imports os", "m/commands": "m/commands imports os/exec", "m/web": "m/web imports net/http/httptest",
		"m/through": "m/files imports os", "m/templates": "m/templates imports text/template", "m/tests": "its tests import path/filepath",
		"m/unknown": "its tests import m/pure",
	}
	if len(prog.Packages) != len(want) {
		t.Errorf("%d packages", len(prog.Packages))
	}
	for _, pkg := range prog.Packages {
		if got := purity.Outside(prog, pkg); got != want[pkg.Path] {
			t.Errorf("%s: %q, want %q", pkg.Path, got, want[pkg.Path])
		}
		// A confined process may read the module and the Go tree.
		for _, root := range prog.Readable(pkg) {
			if real, err := filepath.EvalSymlinks(dir); !strings.HasPrefix(root, dir) && (err != nil || !strings.HasPrefix(root, real)) {
				if _, err := os.Stat(filepath.Join(root, "src", "fmt")); err != nil {
					t.Errorf("%s may read %s", pkg.Path, root)
				}
			}
		}
	}
}

// TestProcesses checks which functions of another package are said to start a process, and that a method of an interface is asked about, too.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.24\n",
		"tool/tool.go": `package tool

import (
	"context"
	"net"
	"os/exec"
)

func Listen(addr string) (net.Listener, error) {
	var lc net.ListenConfig
	return lc.Listen(context.Background(), "tcp", addr)
}

func Later(addr string) func() { return func() { _, _ = net.Listen("tcp", addr) } }

type Entry interface{ Name() string }

type Git struct{}

func (Git) Status() error { return exec.Command("git", "status").Run() }

func Find() string { return found() }

func found() string { p, _ := exec.LookPath("git"); return p }

func Title() string { return "git" }
`,
		"p/p.go": `package p

import "m/tool"

func Of(e tool.Entry) string { return e.Name() + tool.Title() }
`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, "./p")
	if err != nil {
		t.Fatal(err)
	}
	processes := purity.NewProcesses(prog, prog.Packages[0])
	scope := prog.Packages[0].Types.Imports()[0].Scope()
	method := func(typ string) *types.Func {
		named := load.NamedOf(scope.Lookup(typ).Type())
		if i, ok := named.Underlying().(*types.Interface); ok {
			return i.Method(0)
		}
		return named.Method(0)
	}
	for _, c := range []struct {
		of   *types.Func
		want bool
	}{
		{method("Entry"), false},
		{method("Git"), true},
		{scope.Lookup("Find").(*types.Func), true},
		{scope.Lookup("Title").(*types.Func), false},
		{scope.Lookup("Listen").(*types.Func), true},
		{scope.Lookup("Later").(*types.Func), false},
	} {
		if got := processes.Starts(c.of); got != c.want {
			t.Errorf("Starts(%s) = %t, want %t", c.of.FullName(), got, c.want)
		}
	}
}
