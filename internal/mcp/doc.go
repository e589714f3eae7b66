// Package mcp offers what assay knows to coding agents, over the Model Context Protocol.
//
//  1. Server (server.go) has the tools and the instructions for models; Run serves one client.
//  2. A call (call.go) finds out which directories the client allows (roots.go), waits for its
//     turn, passes on progress and cancellation, and bounds the answer.
//  3. Each tool (tools.go, tests.go, compare.go) runs a verb on a package and returns its events.
//
// Invariants: only generate_tests with write writes files; code of the packages runs only confined;
// answers are bounded, and say what they leave out; the transport carries nothing but the protocol.
//
// Not supported: writing tests of differences, packages outside of the client's roots, resources of packages.
//
// To add a tool, write its method, with types for its arguments and its answer, and a line in
// Server.addTools.
package mcp
