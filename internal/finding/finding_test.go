package finding

import (
	"go/token"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A panic of a goroutine ends the process during some later call. Findings of different calls then have one cause: the
// place where the goroutine panicked.
func TestDied(t *testing.T) {
	pkg := &load.Package{Path: "m"}
	frame := func(fn string, line int) testcase.Frame {
		return testcase.Frame{Func: fn, Pos: token.Position{Filename: "m.go", Line: line}}
	}
	tests := []struct {
		name      string
		message   string
		panicKind string
		stack     []testcase.Frame
		wantKind  string
		wantLine  int
	}{
		{"a goroutine of the package panics", "panic: runtime error: index out of range [1] with length 1", "index-out-of-range", []testcase.Frame{frame("m.run.func1", 7)}, "index-out-of-range", 7},
		{"it panics further in", "panic: non-positive interval for NewTicker", "explicit", []testcase.Frame{frame("time.NewTicker", 30), frame("m.run.func1", 9)}, "other", 9},
		{"it refuses what nobody can recover", "panic: late", "explicit", []testcase.Frame{frame("m.Late.func1", 5)}, "fatal", 5},
		{"a goroutine of another package panics", "panic: closed", "explicit", []testcase.Frame{frame("other.serve", 3)}, "fatal", 0},
		{"the runtime ends the process", "fatal error: concurrent map writes", "fatal", []testcase.Frame{frame("m.Set", 3)}, "fatal", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := &testcase.Outcome{Status: testcase.Died, Message: tt.message, Panic: &testcase.Panic{Kind: tt.panicKind, Stack: tt.stack}}
			f := &testcase.Finding{}
			died(f, pkg, o)
			if f.Kind != tt.wantKind || f.Pos.Line != tt.wantLine {
				t.Errorf("died: kind %q, line %d; want %q, %d", f.Kind, f.Pos.Line, tt.wantKind, tt.wantLine)
			}
		})
	}
}
