package assayrt

// Tests of the package that are compiled into the harness register themselves here
// before it starts. That is state of the harness's process, which serves one package.
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

// TestFailed is what RunTest panics with.
const TestFailed = "assay: the test failed"

// RunTest runs the i-th test and panics if it fails.
func RunTest(i int) {
	if !tests[i]() {
		panic(TestFailed)
	}
}

// RecoverTest fails the test that it is deferred in if that panics, so that the
// process need not end. The parameter is a *testing.T, which this package cannot name.
func RecoverTest(t interface{ Errorf(string, ...any) }) {
	if r := recover(); r != nil {
		t.Errorf("panic: %v", r)
	}
}
