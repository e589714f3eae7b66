// Package literals finds the constants in the code of a package and in its tests; the engines try them
// as inputs.
//
//  1. [Of] counts the constants of the code and of the hand-written tests; the most frequent come
//     first. The constants of each function are also kept separately.
//  2. calls.go reads from the tests which constants they pass to which function, also through tables.
//  3. rows.go notes which texts stand together in one row of a table or in one test.
//  4. vocabulary.go adds texts that are in no literal: names in struct tags, texts that regular
//     expressions match, lines of small files in testdata.
//  5. corpus.go adds the inputs in testdata/fuzz.
//  6. structs.go notes the structs of constants that the code writes out, listed.go the items of lists in
//     the README, and fenced.go its blocks of examples; shown.go notes those of doc comments,
//     and small files of testdata as a whole.
//  7. flags.go notes which parameters are sets of flags, and of which.
//
// Test files are parsed, and not type-checked: the meaning of a name in them is a guess by its text.
package literals
