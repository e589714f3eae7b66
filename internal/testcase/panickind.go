package testcase

import (
	"slices"
	"strings"
)

// panicKinds are the beginnings or parts of the runtime's messages.
var panicKinds = [...]struct{ part, kind string }{
	{"nil pointer dereference", "nil-dereference"},
	{"index out of range", "index-out-of-range"},
	{"slice bounds out of range", "slice-out-of-range"},
	{"integer divide by zero", "division-by-zero"},
	{"interface conversion", "type-assertion"},
	{"assignment to entry in nil map", "nil-map-write"},
	{"makeslice:", "negative-length"},
	{"growslice:", "negative-length"},
	{"makechan:", "negative-length"},
	{"makemap:", "negative-length"},
	{"unsafe.Slice:", "negative-length"},
	{"unsafe.String:", "negative-length"},
	{"negative shift amount", "negative-shift"},
	{"closed channel", "closed-channel"},
	{"close of nil channel", "closed-channel"},
	{"cannot convert slice", "conversion"},
	{"value method ", "nil-dereference"},
}

// plainPanics are the runtime's errors whose text does not begin with "runtime error: ".
var plainPanics = [...]string{"assignment to entry in nil map", "send on closed channel", "close of closed channel", "close of nil channel", "makechan: size out of range"}

// IsRuntimePanic reports whether a panic that ended a process is the runtime's, by the text that the process printed. A panic
// of the code's own with the very text of such an error counts as one, because the text is all that is left of it.
func IsRuntimePanic(text string) bool {
	for _, begin := range []string{"runtime error: ", "interface conversion", "value method "} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return slices.Contains(plainPanics[:], text)
}

// PanicKind classifies a panic by its message and by whether the runtime raised it.
func PanicKind(runtime bool, message string) string {
	if !runtime || strings.HasPrefix(message, "panic called with nil") {
		return "explicit"
	}
	for _, k := range panicKinds {
		if strings.Contains(message, k.part) {
			return k.kind
		}
	}
	return "other"
}
