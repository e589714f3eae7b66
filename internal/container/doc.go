// Package container makes objects of a type in the states that a person tests: without elements, with
// several, and full. Engines and reducers keep the shortest object that covers something, which has one
// element. Its first element is also its last, so a test of it cannot tell a queue from a stack, nor a list
// that forgets elements from one that does not.
//
// The way of a type:
//  1. [Fillers] lists, for each method of the type that may add an element and each way to make an
//     object, a [Filler].
//  2. [Filler.Probes] returns sequences that make the object with none, one, two and three elements, and
//     ask its observers. The caller runs them and passes the outcomes to [Filler.Fills], which says
//     whether the method adds an element with each call.
//  3. [Filler.Cases] returns calls of each method of the type on its objects, in each state: with the
//     first element, with others, and with one that the object does not contain.
//
// Two collections that are written out, lists and maps that one call takes, come in pairs with some elements in common, with none, and
// one within the other ([Pair]).
//
// The elements are 4, 2 and 6: distinct, in no order, with gaps between them for missing values; with 1, 3, 5
// and 7 they make a balanced tree. Nothing here runs code.
//
// Not supported: elements that are neither numbers, texts nor any; methods that take functions, interfaces or
// other structs.
package container
