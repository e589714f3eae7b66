// Package load turns package patterns into typed SSA and a list of targets.
//
//  1. One `go list` call answers everything that the go command knows: which packages the
//     patterns match, their files under the build constraints in force, vendoring, workspaces,
//     and the export data of every dependency (golist.go).
//  2. The matching packages are parsed and type-checked from source, and built as SSA (load.go).
//     Dependencies come from export data, which takes milliseconds where their source would take
//     a second.
//  3. Functions and methods become targets (targets.go, doors.go, typeargs.go); constants of the
//     code and its tests become hints (package literals).
//  4. When the machine enters a function of a dependency, [Program.Body] loads the source of that
//     one package (deps.go).
//
// Invariants:
//   - A package under test has one identity: packages that import one another are
//     checked in dependency order against each other's source types.
//   - A dependency has up to two: its export data, which the packages under test
//     refer to, and, once the machine enters it, its source, called its twin. Their types and
//     objects have the same canonical names; [Program.Body] and [Program.Global] lead from the
//     first to the second. Code that compares types across packages compares names.
//   - All SSA is in one ssa.Program, which grows while it is used. Its lookups
//     (LookupMethod, MethodValue, FuncValue) race with that growth; callers that run
//     in parallel use the methods of [Program] of the same names.
//   - Everything is in the order of the source or sorted: nothing depends on maps.
//
// Not supported: packages named by their files, cgo in packages under test (its functions are skipped
// with that reason; dependencies are read as if cgo were off), GOPACKAGESDRIVER. Type arguments are
// searched for only among basic types, the package's own types and the shapes that the constraint
// names.
//
// To add a hint that is mined from the code, start in package literals; to add a way in which users can
// reach a method, in doors.go; a candidate for type arguments, in typeargs.go.
package load
