package models

import (
	"runtime"
	"unsafe"
)

// runtimeError is the value that recover returns for a run-time error.
type runtimeError struct{ s string }

func (e runtimeError) Error() string { return e.s }

// RuntimeError makes runtimeError a runtime.Error.
func (e runtimeError) RuntimeError() {}

// TypeAssertionError is a failed type assertion.
type TypeAssertionError struct{ s string }

func (e TypeAssertionError) Error() string { return e.s }

// RuntimeError makes TypeAssertionError a runtime.Error.
func (e TypeAssertionError) RuntimeError() {}

// vmCallers stores the program counters of the frames on the stack, without the innermost skip frames.
// The innermost frame is that of the model which calls vmCallers.
func vmCallers(skip int, pcs []uintptr) int

// vmFrame describes the function and the line at a program counter. The result entry is 0 if no
// function is there; params says whether the function has parameters.
func vmFrame(pc uintptr) (name, file string, line int, entry uintptr, params bool)

func runtime_Callers(skip int, pcs []uintptr) int { return vmCallers(skip, pcs) }

func runtime_Caller(skip int) (pc uintptr, file string, line int, ok bool) {
	var pcs [1]uintptr
	if vmCallers(skip+1, pcs[:]) == 0 {
		return 0, "", 0, false
	}
	_, file, line, _, _ = vmFrame(pcs[0] - 1)
	return pcs[0], file, line, true
}

// runtime_Stack writes the trace of the running goroutine only, because the machine keeps no trace of
// the other goroutines. It leaves out arguments and offsets, on which no program can depend.
func runtime_Stack(buf []byte, all bool) int {
	vmApproximate()
	s := "goroutine 1 [running]:\n"
	var pcs [100]uintptr
	for _, pc := range pcs[:vmCallers(1, pcs[:])] {
		name, file, line, _, params := vmFrame(pc - 1)
		if file != "" {
			args := "()"
			if params {
				args = "(...)"
			}
			s += name + args + "\n\t" + file + ":" + decimal(line) + " +0x1d\n"
		} else if name == "runtime.gopanic" {
			s += "panic(...)\n\truntime/panic.go:1 +0x1d\n"
		}
	}
	return copy(buf, s)
}

// vmApproximate notes that a number which differs between processes was read, so that nothing is predicted
// from then on.
func vmApproximate()

func decimal(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + decimal(n%10)
}

// frames is runtime.Frames.
type frames struct{ pcs []uintptr }

func runtime_CallersFrames(pcs []uintptr) *frames { return &frames{pcs} }

// runtime_Frames_Next leaves out what is the counter of no function, as the runtime does.
func runtime_Frames_Next(f *frames) (runtime.Frame, bool) {
	f.skip()
	if len(f.pcs) == 0 {
		return runtime.Frame{}, false
	}
	pc := f.pcs[0] - 1
	f.pcs = f.pcs[1:]
	f.skip()
	name, file, line, entry, _ := vmFrame(pc)
	return runtime.Frame{PC: pc, Func: (*runtime.Func)(unsafe.Pointer(vmFunc(entry))), Function: name, File: file, Line: line, Entry: entry}, len(f.pcs) > 0
}

func (f *frames) skip() {
	for len(f.pcs) > 0 && vmFunc(f.pcs[0]-1) == nil {
		f.pcs = f.pcs[1:]
	}
}

// function is runtime.Func.
type function struct{ entry uintptr }

func runtime_FuncForPC(pc uintptr) *function {
	return vmFunc(pc)
}

// vmFunc returns the function at a program counter, or nil. The result is the same pointer for the same
// function, as in package runtime.
func vmFunc(pc uintptr) *function

func runtime_Func_Name(f *function) string {
	if f == nil {
		return ""
	}
	name, _, _, _, _ := vmFrame(f.entry)
	return name
}

func runtime_Func_Entry(f *function) uintptr { return f.entry }

func runtime_Func_FileLine(f *function, pc uintptr) (string, int) {
	_, file, line, _, _ := vmFrame(pc)
	return file, line
}
