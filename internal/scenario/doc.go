// Package scenario makes the first test that a person writes for a type: one object from start to end. Two things are put
// into it, both are asked for, and one that is not there; one is taken out again, and both are asked for once more.
//
// A test of one call on a small object covers the code and says little of what the type is for. Which calls belong together is
// not told by names but learnt by execution, on a fresh object each time:
//
//  1. A method is a change if, behind a call of it, other methods return something else than before: these show the change.
//     Arguments of the same name or type are the same value: what Set was given as the key is what Get is asked for.
//  2. The change that most methods show is the main one of the type.
//  3. A method undoes the change if a method that shows it then returns what it returned before the change.
//  4. Change twice, with other values, ask, undo, ask (story.go). The whole is run, and shortened if it does not end well.
//
// Where a method is handed functions as any value, there is a story of each such method (heard.go): another method has the function called, which
// notes what it hears, and hears no more once a third one has taken it back. Which methods these are is learnt by runs, too.
//
// A method may prepare something for later: it takes a function, or returns a channel, and nothing happens. Its story (fired.go) is the call of
// another method of the object with which the function is called, or something comes from the channel: Add of a clock that a test sets, Close of what
// closes the channel of Done.
//
// Randoop (Pacheco and Ernst, 2007) finds such sequences by chance and cannot say which call shows what; here each assertion
// is one that a run has shown to depend on the calls before it.
//
// Objects come from calls that made some in executed cases, also behind an interface of the package if a pointer is in it, or are
// zero values of types that no function makes.
//
// Not supported: structs behind interfaces, and what is behind interfaces of other packages; methods that return a changed copy;
// arguments that are neither made by their names (values.go) nor ready-made; functions that hand functions over and are no methods. Of each
// type one change is told.
package scenario
