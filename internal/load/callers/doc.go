// Package callers finds the code of a module that uses one of the module's packages: its commands, its examples, its other
// packages and their tests. What these pass is what the package was made for, and often it is written out nowhere else.
//
//  1. [NewIndex] walks the module once and notes which of its files import which packages. Modules in directories below count
//     as well, because examples often have a go.mod of their own.
//  2. [Index.Of] parses the files that import a package, and returns the declarations in them that name it.
//
// Invariants: only the names and the contents of files decide what is found, so that each machine finds the same. Nothing here
// fails; a file that cannot be read or parsed is left out. The number of files, of declarations and their sizes are bounded.
//
// Not supported: files that import the package under the name "."; uses through objects alone, in declarations that do not name
// the package; callers in other modules.
//
// What becomes of the declarations is decided by package oracle (oracle/caller.go).
package callers
