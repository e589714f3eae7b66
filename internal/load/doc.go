// Package load turns package patterns into typed SSA and a list of targets.
//
// One `go list` call answers everything that the go command knows: which packages
// the patterns match, their files under the build constraints in force, vendoring,
// workspaces, and the export data of every dependency. The packages that matched are
// parsed and type-checked from source; dependencies come from export data, which
// takes milliseconds where their source would take a second. When the machine enters
// a function of a dependency, [Program.Body] loads the source of that one package.
//
// Invariants:
//   - A package under test has one identity: packages that import one another are
//     checked in dependency order against each other's source types.
//   - A dependency has up to two: its export data (what the packages under test
//     refer to) and, once entered, its source (its "twin"). Their types and objects
//     have the same canonical names; [Program.Body] and [Program.Global] lead from
//     the first to the second. Whoever compares types across packages compares names.
//   - All SSA is in one ssa.Program, which grows while it is used. Its lookups
//     (LookupMethod, MethodValue, FuncValue) race with that growth; callers that run
//     in parallel use the methods of [Program] of the same names.
//   - Everything is in the order of the source or sorted: nothing depends on maps.
//
// Not supported: packages named by their files, cgo in packages under test (its
// functions are skipped with that reason; dependencies are read as if cgo were off),
// GOPACKAGESDRIVER. Type arguments are searched for among basic types, the package's
// own types and the shapes that the constraint names, not beyond.
//
// To add a hint that is mined from the code, start in package literals; to add a way in
// which a method can be reached by users, in doors.go; a candidate for type
// arguments, in typeargs.go.
package load
