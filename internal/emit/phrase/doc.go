// Package phrase describes a case in a few words, for names and comments of tests: "TestPush_whenFull",
// "Push returns ErrFull when the queue is full".
//
//  1. [New] reads the branches that all cases of a function take. It keeps only branches that
//     depend on the inputs as the test passes them (inputs.go), because a reader of the test sees
//     nothing else.
//  2. Phraser.conditions describes the branches of a case. Branches that few other cases of the
//     function take are used in names.
//  3. [Phraser.Result] describes what the call returned.
//  4. [Phraser.Suffixes] makes endings for the name of a test from all of these.
//  5. [ByFields] calls cases that differ in fields of structs after these fields.
//  6. [Titles] calls cases that go through a helper by what the helper is told: a request's method and URL.
//
// The names of rows and subtests come from package words, which proves them against all executed calls.
// Phrases are not proved; they are used where a name is needed and words has none.
package phrase
