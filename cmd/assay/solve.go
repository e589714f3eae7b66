package main

import (
	"fmt"
	"io"
	"os"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/solver/smtlib"
	"github.com/goassay/assay/internal/term"
)

// solve runs "assay solve": the embedded solver on a script.
func (c *command) solve(args []string) int {
	if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		return c.help([]string{"solve"})
	}
	if len(args) != 1 {
		return c.usage("assay solve: want one file, got %d", len(args))
	}
	name := args[0]
	var in io.Reader = os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			fmt.Fprintf(c.stderr, "assay solve: %v\n", err)
			return exitFailed
		}
		defer f.Close() // the file is only read, so nothing can be lost
		in = f
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("assay solve: a bug of assay's: %v", p)
			}
		}()
		done <- smtlib.Run(in, name, c.stdout, smtlib.Config{
			NewSolver: func(st *term.Store) solver.Solver { return bitblast.New(st, bitblast.Config{}) },
		})
	}()
	select {
	case err := <-done:
		if err != nil {
			fmt.Fprintln(c.stderr, err)
			return exitFailed
		}
		return exitDone
	case <-c.ctx.Done():
		return exitInterrupted
	}
}
