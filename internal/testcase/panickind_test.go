package testcase

import "testing"

func TestPanicKind(t *testing.T) {
	for message, want := range map[string]string{
		"runtime error: growslice: len out of range":                "negative-length",
		"runtime error: makeslice: cap out of range":                "negative-length",
		"makechan: size out of range":                               "negative-length",
		"runtime error: unsafe.String: len out of range":            "negative-length",
		"runtime error: index out of range [3] with length 2":       "index-out-of-range",
		"runtime error: hash of unhashable type []int":              "other",
		"panic called with nil argument (use GODEBUG=panicnil=1 to": "explicit",
	} {
		if got := PanicKind(true, message); got != want {
			t.Errorf("PanicKind(true, %q) = %q, want %q", message, got, want)
		}
	}
}
