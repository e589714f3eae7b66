// Package literals finds the constants that the code of a package and its tests have, for the
// engines, which try them as inputs.
//
//  1. [Of] counts the constants of the code and of the hand-written tests; the most frequent come
//     first. Those of each function are also kept by themselves.
//  2. calls.go reads from the tests which constants they pass to which function, out of tables too.
//  3. rows.go notes which texts stand together in one row of a table or in one test.
//  4. vocabulary.go adds texts that no literal has: names in struct tags, what regular expressions
//     match, lines of small files in testdata.
//  5. corpus.go adds the inputs in testdata/fuzz.
//
// Test files are parsed, and not type-checked: what a name in them means is a guess by its text.
package literals
