// Package observer finds the exported methods that show the state of an object. Tests use them to say what a call
// did in the words of the package's users: by Values, Size and String rather than by unexported fields.
//
// The way of a package's observers:
//  1. [New] lists, for each type, the methods that may observe it: exported, without
//     parameters, with results that are plain data, and proved to change nothing.
//  2. [Table.Subject] names the object that a case is about: the receiver of a call
//     that may change it, or the object that a constructor returned.
//  3. [Table.Behind] and [Table.Before] put the observers behind or before the call. The
//     package choose runs these sequences natively.
//  4. [Informative] keeps the observers whose results differed between runs, because a constant
//     result says nothing. Of several observers that always change together it keeps one, so that one
//     fact is checked once.
//
// Nothing here runs code or knows how tests are written.
//
// A lookup is an observer with one parameter (Contains, Get). It is asked about an argument of the case's own
// call.
//
// An object of another package, or one behind an interface, is asked by the methods that take nothing and return
// data ([Describing]); runs show whether they say the same twice. What a reader wants to know of an object of the standard library
// is known beforehand ([Told]).
//
// Where no method of a container returns all elements, [Table.Elements] makes an observer that does: a helper
// beside the test goes through the container by its methods (Len and At, an iterator, Each, Pop). Runs decide
// which helper works, and [Derived] finds the observers whose results follow from the helper's.
//
// Not supported: of an object of another package, methods whose names begin with a verb of something that is done
// (the list acts), and methods with parameters; lookups of other values; observers that return pointers, functions or channels, or an iterator
// over pairs; observers of objects that a call gets as an argument and not as its receiver. A method that finishes
// an object before it is observed is known by the names Close, Flush and Finish, if it takes nothing and returns
// an error; runs decide whether the method is called.
package observer
