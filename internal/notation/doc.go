// Package notation knows the notations that Go packages read and write (JSON, URLs, dates, Markdown and the like), and
// texts in them as people write them into tests, each with a name for what it shows. A solver or a mutator ends with
// texts that take a path and mean nothing; a reader of a parser's tests wants to see documents.
//
//  1. [For] finds the notation that a parameter asks for: by the parameter's own name, or, where that says only that it is a text, by
//     the names of the function, its type and its package, and by what the function's documentation mentions.
//  2. The texts come from the table (table.go): first what readers of the notation accept, the plainest first, then what
//     they refuse. Package load puts what the package's README shows in the same notation before them.
//
// The table is common knowledge and about no package. Where a notation is guessed wrongly, the texts are texts like any
// others: every case that has one is run before anything is said about it.
package notation
