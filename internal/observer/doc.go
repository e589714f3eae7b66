// Package observer finds the exported methods that show the state of an object, for
// tests that say what a call did in the words of the package's users: Values, Size and
// String rather than unexported fields.
//
// The way of a package's observers:
//  1. [New] lists, for each type, the methods that may observe it: exported, without
//     parameters, with results that are plain data, and proved to change nothing.
//  2. [Table.Subject] names the object that a case is about: the receiver of a call
//     that may change it, or what a constructor returned.
//  3. [Table.After] and [Table.Before] put the observers behind or before the call. The
//     package choose runs these sequences natively.
//  4. [Informative] keeps of the observers those that differed in any run and that no
//     other one implies: a constant is no observation, and one fact is checked once.
//
// Nothing here runs code or knows how tests are written.
//
// A lookup is an observer of one parameter (Contains, Get): it is asked about an argument of the call
// itself, first of all.
//
// Not supported: lookups of other values, observers that return iterators,
// pointers, functions or channels, and observers of objects that a call gets as an
// argument and not as its receiver. What finishes an object before it is asked is known by the names
// Close, Flush and Finish, if it takes nothing and returns an error; runs decide whether it is called.
package observer
