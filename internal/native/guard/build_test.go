package guard

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGoEnv checks that GoEnv keeps the settings that say what is built, drops those that make the build run
// a program, and returns the dropped ones.
func TestGoEnv(t *testing.T) {
	file := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(file, []byte("GOPROXY=off\nGOFLAGS=-mod=mod -toolexec=evil\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		env            []string
		flags, dropped string
	}{
		{[]string{"GOENV=off"}, "", ""},
		{[]string{"GOENV=off", "GOFLAGS=-mod=vendor --tags=a,b -p=2"}, "-mod=vendor --tags=a,b -p=2", ""},
		{[]string{"GOENV=off", "GOFLAGS=-toolexec=x -mod=mod -exec=y -overlay=z -vet=off -ldflags=-X"}, "-mod=mod", "-toolexec=x -exec=y -overlay=z -vet=off -ldflags=-X"},
		{[]string{"GOENV=off", `GOFLAGS='-toolexec=a b' "-tags=c"  -trimpath`}, `"-tags=c" -trimpath`, `'-toolexec=a b'`},
		{[]string{"GOENV=off", "GOFLAGS=-buildvcs=true"}, "", ""},
		{[]string{"GOENV=" + file}, "-mod=mod", "-toolexec=evil"},
		{[]string{"GOENV=" + file, "GOFLAGS="}, "-mod=mod", "-toolexec=evil"},
		{[]string{"GOENV=" + file, "GOFLAGS=-p=1"}, "-p=1", ""},
		{[]string{"GOENV=off", "GOFLAGS=-toolexec=x", "GOFLAGS=-p=3"}, "-p=3", ""},
	} {
		got, dropped := GoEnv(tt.env)
		want := strings.TrimSpace("-buildvcs=false " + tt.flags)
		if v := lookup(got, "GOFLAGS"); v != want {
			t.Errorf("%q: GOFLAGS is %q, want %q", tt.env, v, want)
		}
		if s := strings.Join(dropped, " "); s != tt.dropped {
			t.Errorf("%q: dropped is %q, want %q", tt.env, s, tt.dropped)
		}
		for _, v := range []string{"CGO_ENABLED=0", "GOTOOLCHAIN=local"} {
			if !slices.Contains(got, v) {
				t.Errorf("%q: no %s", tt.env, v)
			}
		}
	}
}

// TestGoEnv_collector checks that the pace of the garbage collector is set only where the environment leaves it
// open.
func TestGoEnv_collector(t *testing.T) {
	for _, tt := range []struct {
		env         []string
		gogc, limit string
	}{
		{[]string{"GOENV=off"}, "400", "1GiB"},
		{[]string{"GOENV=off", "GOGC=50"}, "50", ""},
		{[]string{"GOENV=off", "GOMEMLIMIT=8GiB"}, "", "8GiB"},
	} {
		got, _ := GoEnv(tt.env)
		if gogc, limit := lookup(got, "GOGC"), lookup(got, "GOMEMLIMIT"); gogc != tt.gogc || limit != tt.limit {
			t.Errorf("%q: GOGC is %q and GOMEMLIMIT %q, want %q and %q", tt.env, gogc, limit, tt.gogc, tt.limit)
		}
	}
}

// TestFailure checks that a failure of the shim is told from a failure of the program that the shim runs.
func TestFailure(t *testing.T) {
	for _, tt := range []struct {
		status       int
		output, want string
	}{
		{exitFailed, failedMark + "exec: no such file\n", "guard: exec: no such file"},
		{exitFailed, "words\n" + failedMark + "why\nexit status 98\n", "guard: why"},
		{exitFailed, "the program's own status", ""},
		{1, failedMark + "the program says so", ""},
	} {
		got, ok := Failure(tt.status, tt.output)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%d %q: %q, %v", tt.status, tt.output, got, ok)
		}
	}
}

// TestModes reads what the flag may say.
func TestModes(t *testing.T) {
	for _, name := range ModeNames() {
		if m, ok := ParseMode(name); !ok || m.String() != name {
			t.Errorf("%s is %v, %v", name, m, ok)
		}
	}
	if _, ok := ParseMode("Best"); ok {
		t.Error("there is a mode Best")
	}
	if m, _ := ParseMode(""); m != Best {
		t.Error("the default is not best")
	}
}
