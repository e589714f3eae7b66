// Package lsp is a language server beside gopls: it shows in an editor what assay knows of the
// code there.
//
//  1. Server (server.go) speaks the Language Server Protocol, of which protocol.go has the part
//     that is used. Notifications are handled in their order, requests at the same time, and each
//     can be cancelled.
//  2. Buffers (buffers.go) are what the editor has not saved; positions are counted as it counts.
//  3. A folder (folder.go) is a package. While one types, static.go analyses the functions that
//     have changed; on save the verb check is run (save.go). What both came to is published as
//     diagnostics. While the code does not compile the last answer stays.
//  4. Lenses, hover, inlay hints (show.go) and actions (actions.go, commands.go) ask the verbs
//     explore, reach, gen and suite.
//
// Invariants: nothing is written but by the command that writes tests and the one that adds to the
// baseline, which refuse to while a buffer is not saved; standard output has the protocol alone;
// what was made for a state of the buffers that is gone is not shown.
//
// Not supported: files outside of modules, cgo, notebooks, workspaces without folders on disk; code
// of dependencies has no lenses. Adopting generated tests into files of one's own.
//
// To add an action, add it to actions.go and its command to the table in commands.go.
package lsp
