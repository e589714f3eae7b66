//go:build !unix

package main

// own reports that a directory may be somebody else's: nobody can tell here.
func own(string) bool { return false }
