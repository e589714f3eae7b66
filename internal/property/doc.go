// Package property finds properties that Go programmers know and that all executed calls of a package's functions have. A test
// of a property is worth more than its rows: it says why they are right.
//
// The only property so far is the round trip: what a function reads from a text is printed, and read again, and is the same
// ([RoundTrips]). The inputs are texts of tests that were chosen before, so that it is known what each of them is for.
//
// A property that does not hold for one of the inputs is none. That may be a defect, or a text in another form than the one
// that is printed; nothing is said of it.
//
// To add a property: a function like RoundTrips that returns cases with the Property set, and the body of their test in
// property.go of package emit.
package property
