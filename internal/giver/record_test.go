package giver_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/giver"
)

const listeners = `package p

import "context"

type Level int

func (l Level) String() string { return "level" }

type Sink interface {
	Write(ctx context.Context, to string, level Level, lines ...string) (int, error)
	Flush()
	Len() int
}

type Quiet interface{ Len() int }

type Named interface{ Named(s string) }

func F(s Sink, q Quiet, onEvent func(level Level, err error), less func(a, b *int) bool, n Named) {}
`

// Calls are noted as text. Numbers and texts in them are written by their kind, whatever methods they have.
// Methods that only look at their receiver are not noted.
func TestRecorders_Of(t *testing.T) {
	_, pkg := open(t, "1.24", listeners)
	params := pkg.Target("F").Obj.Signature().Params()
	tests := []struct {
		name   string
		param  int
		locked bool
		want   []string // parts of the text
	}{
		{"interface", 0, false, []string{
			"func «.»(next «example.com/m».Sink) («example.com/m».Sink, *[]string) {",
			"type «.recordedSink» struct {\n\t«example.com/m».Sink\n\tcalls []string\n}",
			"Write(ctx «context».Context, to string, level «example.com/m».Level, lines ...string) (int, error) {",
			"r.calls = append(r.calls, «fmt».Sprintf(\"Write(_, %q, %d, %q)\", to, int(level), []string(lines)))",
			"return r.Sink.Write(ctx, to, level, lines...)",
			"r.calls = append(r.calls, \"Flush()\")",
		}},
		{"interface of which calls tell nothing", 1, false, nil},
		{"function", 2, false, []string{"calls = append(calls, «fmt».Sprintf(\"onEvent(%d, %v)\", int(level), err))"}},
		{"with goroutines", 2, true, []string{"var mu «sync».Mutex", "mu.Lock()"}},
		{"function of pointers", 3, false, nil},
		{"interface with a method of its own name", 4, false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := params.At(tt.param)
			h := giver.NewRecorders(pkg.Types, tt.locked).Of(p.Type(), p.Name())
			if (h != nil) != (tt.want != nil) {
				t.Fatalf("Of(%s) = %v", p, h)
			}
			if h == nil {
				return
			}
			for _, part := range tt.want {
				if !strings.Contains(h.Text, part) {
					t.Errorf("Of(%s) lacks %s:\n%s", p, part, h.Text)
				}
			}
			if strings.Contains(h.Text, "Len()") {
				t.Errorf("Of(%s) notes Len, which takes nothing:\n%s", p, h.Text)
			}
		})
	}
}
