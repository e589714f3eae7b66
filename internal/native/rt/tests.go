package assayrt

import (
	"runtime"
	"strconv"
	"strings"
)

// Tests of the package that are compiled into the harness register themselves here before it starts. This is
// package-level state, because a harness's process serves one package.
var tests []func() bool

// AddTest registers the i-th test: a function that runs it and reports whether it
// passed.
func AddTest(i int, run func() bool) {
	for len(tests) <= i {
		tests = append(tests, nil)
	}
	tests[i] = run
}

// AnyTest matches every test whatever the pattern that the harness was started with.
func AnyTest(pattern, name string) (bool, error) { return true, nil }

// TestFailed begins the panic of RunTest; the test's own panic follows.
const TestFailed = "assay: the test failed"

// RunTest runs the i-th test and panics if it fails.
func RunTest(i int) {
	failure = ""
	if !tests[i]() {
		panic(TestFailed + failure)
	}
}

// failure is the panic of the running test with its place, or "" if the test did not panic.
var failure string

// RecoverTest is deferred in a test. If the test panics, RecoverTest fails the test, so that the process need
// not end. The parameter is a *testing.T, which this package cannot name.
func RecoverTest(t interface{ Errorf(string, ...any) }) {
	if r := recover(); r != nil {
		if failure == "" {
			failure = ": " + panicMessage(r) + panicPlace()
		}
		t.Errorf("panic: %v", r)
	}
}

// panicPlace returns the frames between the panic that is being recovered and the test, without frames of the
// runtime.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var b strings.Builder
	for {
		f, more := frames.Next()
		if f.Function == "testing.tRunner" || strings.HasSuffix(f.File, "_test.go") {
			break
		}
		if !strings.HasPrefix(f.Function, "runtime.") && f.Function != "" {
			b.WriteString(" in " + f.Function + ":" + strconv.Itoa(f.Line))
		}
		if !more {
			break
		}
	}
	return b.String()
}
