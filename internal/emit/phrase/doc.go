// Package phrase says in a few words what a case is about, for names and comments of tests:
// "TestPush_whenFull", "Push returns ErrFull when the queue is full".
//
//  1. [New] reads the branches that all cases of a function take. Only those count that decide on
//     the inputs as the test hands them over (inputs.go): a reader of the test sees nothing else.
//  2. Phraser.conditions says the branches of a case. Those that few other cases of the function
//     take come into names.
//  3. [Phraser.Result] and [Phraser.State] say what the call returned and what it left behind.
//  4. [Phraser.Suffixes] makes endings for the name of a test from all of these.
//
// The names of rows and subtests come from package words, which proves them against all executed
// calls. Phrases are not proved, and only stand where a name is needed besides.
package phrase
