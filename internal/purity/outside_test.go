package purity_test

import (
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
