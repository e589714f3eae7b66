package main

import "fmt"

// solve runs "assay solve".
func (c *command) solve([]string) int {
	fmt.Fprintln(c.stderr, "assay solve: not available yet in this version")
	return exitUsage
}
