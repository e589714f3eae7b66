package random_test

import (
	"go/constant"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// Calls with the constants of a change are cases although they cover nothing that others do not: as the tests
// have them, each text for each parameter and for all of them, and inside of other arguments.
func TestOpenings(t *testing.T) {
	s := open(t, source(`package p

func Join(a, b string) string { return a + b }

func Count(texts []string) int { return len(texts) }

func Half(n int) int { return n / 2 }
`))
	h, err := native.Build(t.Context(), s.prog, s.pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	change := &load.Literals{
		Strings: []string{"mended"}, Ints: []constant.Value{constant.MakeInt64(90210)}, Rows: [][]string{{"left", "right"}},
		Calls: map[string][][]constant.Value{"Join": {{constant.MakeString("as"), constant.MakeString("tested")}}},
	}
	var calls []string
	res, err := random.Run(t.Context(), random.Subject{Prog: s.prog, Pkg: s.pkg, Harness: h}, random.Config{
		Ops: 20_000, Change: change, Targets: func(name string) bool { return name != "Half" },
	}, func(*testcase.Case) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range res.Opened {
		calls = append(calls, c.Seq.Inline())
		if c.Target == "Half" {
			t.Errorf("%s: no cases are wanted of it", c.Seq)
		}
	}
	all := strings.Join(calls, "\n")
	for _, want := range []string{`Join("as", "tested")`, `Join("mended", "mended")`, `Join("left", "right")`, `Join("mended", `, `, "mended")`, `Count([]string{"mended"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
}
