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

// Text of the runtime's own errors, some of which do not say that they are, and of panics that only look alike.
func TestIsRuntimePanic(t *testing.T) {
	for text, want := range map[string]string{
		"runtime error: index out of range [3] with length 2":       "index-out-of-range",
		"interface conversion: interface {} is string, not int":     "type-assertion",
		"assignment to entry in nil map":                            "nil-map-write",
		"send on closed channel":                                    "closed-channel",
		"close of nil channel":                                      "closed-channel",
		"value method p.T.Get called using nil *T pointer":          "nil-dereference",
		"broker: send on closed channel":                            "explicit",
		"runtime errors: 3":                                         "explicit",
		"no value method was found, assignment to entry in nil map": "explicit",
	} {
		if got := PanicKind(IsRuntimePanic(text), text); got != want {
			t.Errorf("PanicKind(IsRuntimePanic(%q)) = %q, want %q", text, got, want)
		}
	}
}
