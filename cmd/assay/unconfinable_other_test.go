//go:build !linux

package main

// unconfinable is for scripts that only run on Linux. On other systems no process can be confined in any
// case.
func unconfinable() { main() }
