package giver_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
)

// cobra is as much of the library as the driver of its commands needs.
const cobra = `package cobra

import "io"

type Command struct {
	Use string
	Run func(cmd *Command, args []string)
}

func (c *Command) SetOut(io.Writer)      {}
func (c *Command) SetErr(io.Writer)      {}
func (c *Command) SetArgs([]string)      {}
func (c *Command) Execute() error        { return nil }
func (c *Command) AddCommand(...*Command) {}
func (c *Command) Flags() *FlagSet       { return nil }

type FlagSet struct{}

func (*FlagSet) BoolVarP(p *bool, name, short string, value bool, usage string) {}
func (*FlagSet) Duration(name string, value int, usage string)                  {}
`

// Commands are run by a helper, with the commands and flags that the package's code has as command lines.
func TestExecute(t *testing.T) {
	for _, prints := range []bool{false, true} {
		body := ""
		if prints {
			body = `println(); fmt.Println("served")`
		}
		src := `package p

import (
	"fmt"

	"github.com/spf13/cobra"
)

var _ = fmt.Sprint()

func New() *cobra.Command {
	var verbose bool
	root := &cobra.Command{Use: "app"}
	serve := &cobra.Command{Use: "serve [address]", Run: func(*cobra.Command, []string) { ` + body + ` }}
	serve.Flags().BoolVarP(&verbose, "verbose", "v", false, "say more")
	serve.Flags().Duration("timeout", 0, "for how long")
	root.AddCommand(serve)
	return root
}
`
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod":         "module example.com/m\n\ngo 1.24\n\nrequire github.com/spf13/cobra v1.8.0\n\nreplace github.com/spf13/cobra => ./cobra\n",
			"p.go":           src,
			"cobra/go.mod":   "module github.com/spf13/cobra\n\ngo 1.24\n",
			"cobra/cobra.go": cobra,
		} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
		if err != nil {
			t.Fatal(err)
		}
		pkg := prog.Packages[0]
		room, err := giver.New(prog, pkg)
		if err != nil {
			t.Fatal(err)
		}
		run, helper := room.Execute(pkg.Target("New").Obj.Signature().Results().At(0).Type())
		if run == nil || run.Name() != "Execute" || helper == nil {
			t.Fatalf("Execute = %v, %v; want the method and its driver", run, helper)
		}
		if got := strings.Contains(helper.Text, "os»"); got != prints {
			t.Errorf("the driver captures the standard output: %t, want %t, as the code prints there\n%s", got, prints, helper.Text)
		}
		for _, line := range []string{"", "--help", "serve", "serve --verbose", "serve --timeout=5s", "serve abc"} {
			if !slices.Contains(helper.Values[0], line) {
				t.Errorf("the line %q is not among %q", line, helper.Values[0])
			}
		}
		if f, h := room.Execute(pkg.Target("New").Obj.Type()); f != nil || h != nil {
			t.Errorf("a function is taken for a command")
		}
	}
}
