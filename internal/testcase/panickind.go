package testcase

import "strings"

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
