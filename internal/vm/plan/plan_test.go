package plan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/vm/plan"
)

const source = `package p

type T struct{ n int; next *T }

func (t *T) Asks() int { if t == nil { return 0 }; return t.n }

func (t *T) ByAnother() int { return t.Asks() + 1 }

func (t *T) Captured() func() int { if t == nil { return nil }; return func() int { return t.n } }

func (t *T) CapturedByAnother() func() int { t.Asks(); return func() int { return t.n } }

func (t *T) Other() bool { return t.next == nil }

func (t *T) Never() func() int { return func() int { return t.n } }

func (t T) Value() int { return t.n }
`

// Methods that look whether their receiver is nil are called on nil, also if a function literal uses the receiver.
func TestNilReceiver(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.21\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]bool{"Asks": true, "ByAnother": true, "Captured": true, "CapturedByAnother": true, "Other": false, "Never": false, "Value": false} {
		if _, got := plan.NilReceiver(prog.Packages[0].Target("T." + method)); got != want {
			t.Errorf("%s is called on nil: %t, want %t", method, got, want)
		}
	}
}
