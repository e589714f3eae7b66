// Package lsp is a language server that runs beside gopls. It shows in an editor what assay knows of
// the code.
//
//  1. Server (server.go) speaks the Language Server Protocol; protocol.go has the part of it
//     that is used. Notifications are handled in their order, requests at the same time, and each
//     request can be cancelled.
//  2. Buffers (buffers.go) are texts that the editor has not saved; positions are counted as the
//     editor counts them.
//  3. The folders of the workspace bound what is run and written (roots.go).
//  4. A folder (folder.go) is a package. While the user types, static.go analyses the functions that
//     have changed; on save the verb check runs (save.go). The results are published as
//     diagnostics. While the code does not compile the last results stay.
//  5. Lenses (lens.go), hover and inlay hints (hover.go) and actions (actions.go, commands.go) run the verbs
//     explore, reach, gen and suite.
//
// Invariants: only the commands that write tests, adopt tests and add to the baseline write files, and
// tests only if all buffers are saved; standard output carries nothing but the protocol; results for an
// earlier state of the buffers are not shown.
//
// Not supported: files outside of modules, cgo, notebooks, workspaces without folders on disk; lenses
// for code of dependencies.
//
// To add an action, add it to actions.go and its command to the table in commands.go.
package lsp
