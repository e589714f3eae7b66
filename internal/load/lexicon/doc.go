// Package lexicon knows which texts the code of a module gives to what is called so: a zone is "example.org.", a bucket "photos", a level
// "debug". A maintainer who writes a test takes such texts without thinking, and no list of ours has those of a domain.
//
// [Module.Of] reads the files around a package, those nearest to it first, and collects literals that are passed to parameters, assigned to
// variables and given to fields, in tests and elsewhere. [Lexicon.Texts] returns the most common ones of a name.
//
// Invariants: only names and contents of files decide, so that each machine finds the same. Nothing here fails; what cannot be read or
// parsed is left out. How many files are read is bounded.
//
// Not supported: types. A parameter is known by its function's name alone, where all functions of that name agree.
package lexicon
