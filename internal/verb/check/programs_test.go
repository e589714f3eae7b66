package check

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/programs"
)

var (
	soundnessPrograms = flag.Int("soundness-programs", 0, "how many packages of 40 random functions TestSoundnessOfPrograms makes; 0 is a sample of one small one")
	soundnessFirst    = flag.Int("soundness-first", 0, "the seed of the first package of -soundness-programs")
)

// Assertions of random functions that are verified hold in the machine, too, and assertions that are
// verified under assumptions hold where the machine sees that the assumptions hold. Package check compares
// many more of these functions with native runs, which know nothing of assumptions.
func TestSoundnessOfPrograms(t *testing.T) {
	packages, functions := *soundnessPrograms, 40
	if packages == 0 {
		packages, functions = 1, 8
	}
	for seed := range packages {
		seed += *soundnessFirst
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := t.TempDir()
			library := func(src string) string { return strings.Replace(src, "package main", "package p", 1) }
			for name, text := range map[string]string{
				"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": library(programs.Source(uint64(seed), functions)), "runtime.go": library(programs.Runtime),
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			soundness(t, dir)
		})
	}
}
