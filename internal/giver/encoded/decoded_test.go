package encoded

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
)

// From the calls of a decoder it is known which types a package decodes. There are texts with all fields of
// a type and without one of them, and none for a package that decodes into an any.
func TestAll(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": `package m

import (
	"encoding/json"
	"io"
)

type state struct {
	Count int
	Names []string
}

type event struct{ At int }

type other struct{ Unused string }

func Load(data []byte) error {
	var s state
	return json.Unmarshal(data, &s)
}

func Read(r io.Reader) (e event, err error) {
	err = json.NewDecoder(r).Decode(&e)
	return e, err
}

func Any(data []byte, v any) error { return json.Unmarshal(data, v) }

func Write(o other) ([]byte, error) { return json.Marshal(o) }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	got := Values(All(prog.Packages[0], requests.JSON))
	for _, want := range []string{`{"Count":4,"Names":["abc"]}`, `{"Names":["abc"]}`, `{"At":4}`, `{}`} {
		if !slices.Contains(got, want) {
			t.Errorf("All = %q, want %q among them", got, want)
		}
	}
	for _, text := range got {
		if text == `{"Unused":"abc"}` {
			t.Errorf("All has %q, which is only written", text)
		}
	}
}
