package assayrt

import (
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// panicMessage returns the runtime's text for a panic's value: the text behind "panic: ".
func panicMessage(v any) (msg string) {
	defer func() {
		if recover() != nil {
			msg = "(" + reflect.TypeOf(v).String() + ") whose method panics"
		}
	}()
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case interface{ String() string }:
		return v.String()
	}
	r := reflect.ValueOf(v)
	var s string
	switch r.Kind() {
	case reflect.Bool:
		s = strconv.FormatBool(r.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s = strconv.FormatInt(r.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		s = strconv.FormatUint(r.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		s = strconv.FormatFloat(r.Float(), 'e', 6, 64)
	case reflect.String:
		if r.Type() == reflect.TypeFor[string]() {
			return r.String()
		}
		s = strconv.Quote(r.String())
	default:
		return "(" + r.Type().String() + ")" // the runtime prints an address, too
	}
	if r.Type().PkgPath() == "" {
		return s
	}
	return r.Type().String() + "(" + s + ")"
}

// stackTable numbers the different stacks of panics.
type stackTable struct{ seen map[string]int }

// send writes the stack of the panic that is being recovered, or of the goroutine that is being ended: its number, followed
// by its frames if the number is new. Only the deferred function may call it.
func (t *stackTable) send(w *Writer) {
	var pcs [64]uintptr
	n := runtime.Callers(2, pcs[:])
	var kw Writer
	for _, pc := range pcs[:n] {
		kw.Uint(uint64(pc))
	}
	if t.seen == nil {
		t.seen = map[string]int{}
	}
	id, ok := t.seen[string(kw.Buf)]
	if !ok {
		id = len(t.seen)
		t.seen[string(kw.Buf)] = id
	}
	w.Num(id)
	w.Bool(!ok)
	if ok {
		return
	}
	frames := userFrames(pcs[:n])
	w.Num(len(frames))
	for _, f := range frames {
		w.Str(f.Function)
		w.Str(f.File)
		w.Num(f.Line)
	}
}

// userFrames returns the frames from the panic to the harness's call, without frames of the runtime.
func userFrames(pcs []uintptr) []runtime.Frame {
	var out []runtime.Frame
	frames := runtime.CallersFrames(pcs)
	panicked := false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case !panicked:
			// Frames of the deferred function that recovered, and of the runtime's panicking, come first.
			panicked = strings.HasPrefix(f.Function, "runtime.") && strings.Contains(f.Function, "panic") || f.Function == "runtime.Goexit"
		case strings.HasPrefix(f.Function, "assayrt.(*executor)"):
			return trimCall(out)
		case strings.HasPrefix(f.Function, "assayrt."):
			out = trimCall(out) // the frames of a closure's call
		case strings.HasSuffix(f.File, "_harness_test.go"):
			// The frame belongs to a helper, or to a function that calls one.
		case strings.HasPrefix(f.Function, "runtime.") || f.Function == "reflect.makeFuncStub" || f.Function == "reflect.callReflect":
		default:
			out = append(out, f)
		}
	}
	return trimCall(out)
}

// trimCall removes the frames of the reflective call from the end of a stack.
func trimCall(out []runtime.Frame) []runtime.Frame {
	for len(out) > 0 && strings.HasPrefix(out[len(out)-1].Function, "reflect.Value.") {
		out = out[:len(out)-1]
	}
	return out
}
