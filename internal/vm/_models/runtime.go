package models

import (
	"runtime"
	"unsafe"
)

// runtimeError is a run-time error, as recover returns it.
type runtimeError struct{ s string }

func (e runtimeError) Error() string { return e.s }

// RuntimeError makes it a runtime.Error.
func (e runtimeError) RuntimeError() {}

// TypeAssertionError is a failed type assertion.
type TypeAssertionError struct{ s string }

func (e TypeAssertionError) Error() string { return e.s }

// RuntimeError makes it a runtime.Error.
func (e TypeAssertionError) RuntimeError() {}

// vmCallers stores the program counters of the frames on the stack but for the
// innermost skip ones, of which the first is the model's that calls it.
func vmCallers(skip int, pcs []uintptr) int

// vmFrame says what is at a program counter; entry is 0 if there is no function.
func vmFrame(pc uintptr) (name, file string, line int, entry uintptr)

func runtime_Callers(skip int, pcs []uintptr) int { return vmCallers(skip, pcs) }

func runtime_Caller(skip int) (pc uintptr, file string, line int, ok bool) {
	var pcs [1]uintptr
	if vmCallers(skip+1, pcs[:]) == 0 {
		return 0, "", 0, false
	}
	_, file, line, _ = vmFrame(pcs[0] - 1)
	return pcs[0], file, line, true
}

// frames is runtime.Frames.
type frames struct{ pcs []uintptr }

func runtime_CallersFrames(pcs []uintptr) *frames { return &frames{pcs} }

func runtime_Frames_Next(f *frames) (runtime.Frame, bool) {
	if len(f.pcs) == 0 {
		return runtime.Frame{}, false
	}
	pc := f.pcs[0] - 1
	f.pcs = f.pcs[1:]
	name, file, line, entry := vmFrame(pc)
	return runtime.Frame{PC: pc, Func: (*runtime.Func)(unsafe.Pointer(&function{entry})), Function: name, File: file, Line: line, Entry: entry}, len(f.pcs) > 0
}

// function is runtime.Func.
type function struct{ entry uintptr }

func runtime_FuncForPC(pc uintptr) *function {
	_, _, _, entry := vmFrame(pc)
	if entry == 0 {
		return nil
	}
	return &function{entry}
}

func runtime_Func_Name(f *function) string {
	if f == nil {
		return ""
	}
	name, _, _, _ := vmFrame(f.entry)
	return name
}

func runtime_Func_Entry(f *function) uintptr { return f.entry }

func runtime_Func_FileLine(f *function, pc uintptr) (string, int) {
	_, file, line, _ := vmFrame(pc)
	return file, line
}
