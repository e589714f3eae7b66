package models

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
