//go:build !linux

package main

// unconfinable is for scripts that only run on Linux. Elsewhere assay is so anyway.
func unconfinable() { main() }
