// Package giver has ready-made values for types of the standard library, made as a person makes them in a
// test: requests and recorders, readers that fail, clients that answer, file systems in memory. Engines use
// these values because a stub of such an interface would show little.
//
// The way of a package's givers:
//
//  1. The families (one file each) are a table: for each type Go code that makes a value, and
//     the helpers that the code calls. [Families] lists it for the documentation.
//
//  2. [New] keeps the families whose types the package's functions take, and has Go's type checker
//     read their code, so that the functions that make a value belong to the same packages as the
//     package's own types. Code that needs a newer Go than this module's is left out.
//
//  3. compile.go turns each value's code into a sequence of operations; helpers become
//     [testcase.Helper].
//
//  4. [Room.Values] returns the sequences for a type. [Room.Driver] returns the helper that calls a
//     function of a certain shape and returns the effects of the call as data.
//
//  5. web.go reads in the package what its handlers ask of requests: patterns, keys of headers and
//     queries, types that are decoded. These become values of the driver's parameters.
//
//  6. [Recorders] makes helpers that wrap implementations of the package's own interfaces, and
//     functions, and note each call of them (record.go).
//
//  7. commands.go has drivers that run the commands which a package makes, with command lines made of its code.
//
//  8. package called has functions for code that takes any value and calls it by reflection, and says where that is.
//
//  9. answers.go has requests answered that the package sends; conn.go says what comes from connections; flags.go sets the
//     process's command line.
//
// Invariants: nothing here runs code; the same package has the same givers in the same order.
//
// Not supported: givers of a user's own; values that need sockets, files or the environment; what a database that
// somebody set up would answer; requests of clients that have a transport of their own, and answers that are no JSON.
//
// To add a giver, add it to the table of its family, and its line to docs/givers.md, which a test compares
// with the table.
package giver
