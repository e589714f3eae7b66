//go:build !unix

package main

// own reports false: on this system it cannot be found out whose directory it is.
func own(string) bool { return false }
