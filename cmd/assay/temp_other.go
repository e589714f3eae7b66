//go:build !unix

package main

// own returns false, because it is not known here to whom a directory belongs.
func own(string) bool { return false }
