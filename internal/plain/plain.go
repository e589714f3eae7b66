// Package plain proposes values for the inputs of a test that a person would have written: small, distinct
// and not zero. Solvers and reducers mostly end with 0, "" and {}. With such values a test cannot tell a
// computed value from a zero value, nor one argument from another.
//
// The steps ([Steps]):
//  1. what a stand-in would return to calls that never happen is left out (scripts.go); a list without elements that is spread over
//     a variadic parameter becomes nothing (answers.go); where a value of any type may
//     be passed and nobody chose one, a constant is passed (anything.go); calls on objects that have nothing to do with
//     the case's own call are left out (related.go); values that calls computed are written as literals, if they are
//     data (literal.go); the beginning of a text that is known becomes the whole text (variants.go);
//  2. fields that are set one by one become part of their literal (fields.go);
//  3. if a type has constants, one of them takes the place of a value that none of them has (constants.go); a set of
//     flags loses the flags that do not matter; a struct of another package is made by a function of that package
//     (foreign.go); a constructor without parameters takes the place of an empty literal, and a variable that the
//     package declares for its users takes the place of a struct that is written out (declared.go);
//  4. errors get a text each; constants that the documentation passes to a function take the place of
//     those of the case, also where it passes them to another function with
//     parameters of these names (borrowed.go); others become what the names of their parameters ask
//     for, like 404 for a status or .01 for a tolerance (named.go), nanoseconds become milliseconds, and durations that nobody
//     can read some of the same units (dates.go);
//  5. addresses and masks of networks become some of one network (addresses.go); bytes that do not print become letters, the same in all texts of a case (bytes.go); texts get the form of texts that people write, like "HTTPServer" for "IPa" (shaped.go), or lose
//     unreadable and repeated parts, and get words where any text would do, the same words in all
//     texts of the case (text.go);
//  6. literals get other values (distinct.go), in the first of these ways that fits: each literal gets a value of
//     its own ({3, 5}.Add({7, 11})); equal literals stay equal and their order stays, with gaps
//     between them (a tree of {-1, 0, 1} becomes one of {2, 4, 6}); only the arguments of the case's
//     own call get values of their own. Floats are whole numbers if these are enough to notice
//     what the case notices; otherwise they end in .5;
//  7. literals that still look unchosen are changed one after the other, because a call that rejects
//     its first argument may accept another; an object that the call takes in two places is made twice, with
//     another number, or as it is where the call compares the two (apart.go); elements that are all one text become different ones (bytes.go);
//  8. zero bytes that separate become hyphens (bytes.go); stand-ins for functions return something,
//     nothing beside an error, and what is there beside a truth that says so (answers.go);
//  9. lists of bytes that nobody chose become sentences or words, and empty lists of constants get elements
//     (bytes.go); lists are put in order where the documentation asks for sorted ones (named.go), and formats
//     mention the arguments behind them (shaped.go); parameters that the function does not read are passed nothing (related.go).
//
// Before these steps the caller passes only those words of a text that matter, where somebody changed a document's text in one
// place ([Shorter]). After them it passes what only all tests together know: structs of constants as the package's code
// writes them ([Written]), and texts that the package prints to the functions that read them (inverse.go).
//
// A proposal may be wrong for its case: the caller runs it and sees whether it still shows what the case is
// for. Literals that look chosen (numbers beyond -2 to 2, texts of more than one byte) stay.
//
// Not supported: values of enumerations and single bytes, because each such value has a meaning; the
// exception is a zero byte for a parameter whose name says that it is a separator.
package plain

import (
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A Way returns the sequence of a case with plainer values, or false if it would change nothing in the case.
type Way func(*load.Package, *testcase.Case) (*testcase.Sequence, bool)

// each returns the ways that a function makes of the numbers below n.
func each(n int, way func(int) Way) []Way {
	out := make([]Way, n)
	for i := range out {
		out[i] = way(i)
	}
	return out
}

// Steps returns the ways to make a case plainer, by step. The caller takes the first way of each step that
// fits, and tries the ways of the next step on the result.
func Steps() [][]Way {
	with := func(choose func(*load.Package, *testcase.Case) choice, only func(*testcase.Case) func(int) bool) Way {
		return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
			return rewrite(pkg, c, choose(pkg, c), only(c))
		}
	}
	all := func(*testcase.Case) func(int) bool { return nil }
	documented, shown, numbers := each(mostDocumented, Documented), each(mostShown, Shown), each(MostNumbered, Numbered)
	borrowed, shaped := each(mostBorrowed, Borrowed), each(mostShaped, Shaped)
	steps := [][]Way{{Scripts}, each(mostScripted, func(n int) Way { return Scripted(n, true) })}
	for _, way := range slices.Concat(each(mostMethods, func(n int) Way { return Scripted(n, false) }), each(mostDroppedFlags, WithoutFlag)) {
		steps = append(steps, []Way{way})
	}
	steps = append(steps, [][]Way{
		{OnlyFlags},
		{Direct},
		{Readers},
		{Once},
		append([]Way{Destination}, AnythingElse()...),
		{Related},
		{Nothing},
		{Whole},
		{Calm},
		{Zones},
		{Literals},
		{Fields},
		{Enumerated(0), Enumerated(1), Enumerated(2)},
		{MixedUnits},
		{Foreign},
		{Constructors},
		{Declared(0), Declared(1)},
		{Values},
		{Errors},
		{Dates(anyDate), Dates(otherDate), Dates(sameTime), Dates(sameDate)},
		documented,
		shown,
		borrowed,
		{Named},
		{NamedBytes},
		{Called},
		numbers,
		{Fractions(0), Fractions(1)},
		{Durations},
		{Composed(true), Composed(false)},
		{Addresses(inNetwork), Addresses(elsewhere)},
		{SpelledAll(between), Spelled(between)},
		{Relettered(true), Relettered(false)},
		{Readable("x"), Readable("-"), Readable(" ")},
		{Renamed},
		{SpelledAll(uniform)},
		{Spelled(collapsed), Spelled(once)},
		{SpelledAll(lettered), Spelled(lettered)},
		{Spelled(filled), Spelled(worded)},
		{SpelledAll(bracketed), Spelled(bracketed)},
		{SpelledAll(toldApart), SpelledAll(named), SpelledAll(initialed)},
		shaped,
		{Missing},
		{with(distinct(whole), all), with(distinct(half), all), with(ordered(whole), all), with(ordered(half), all), with(distinct(whole), ownArguments)},
	}...)
	return append(steps, stepsOne()...)
}

// stepsOne returns the steps from 7 on, which change one thing after the other.
func stepsOne() [][]Way {
	var steps [][]Way
	for n := range mostLiterals {
		steps = append(steps, []Way{alone(n)})
	}
	for n := range mostAddresses {
		steps = append(steps, []Way{address(n, inNetwork), address(n, elsewhere)})
	}
	for n := range 1 + mostImplemented {
		steps = append(steps, []Way{Implemented(n - 1)})
	}
	for n := range 1 + mostNested {
		steps = append(steps, []Way{Nested(n - 1)})
	}
	for n := range mostParted {
		steps = append(steps, []Way{Parted(n)})
	}
	steps = append(steps, []Way{Elements}, []Way{Fresh}, []Way{Apart}, []Way{Twice}, []Way{Answers}, []Way{Found}, []Way{Failures}, []Way{Separators})
	steps = append(steps, []Way{Sentence, Bytes(-1, false), Bytes(-1, true)})
	for n := range mostLists {
		steps = append(steps, []Way{Bytes(n, false), Bytes(n, true)}, []Way{Lists(n)})
	}
	return append(steps, []Way{Filled, FilledArguments}, []Way{Ascending}, []Way{Bounds}, []Way{Formats}, []Way{Formatted}, []Way{Unread})
}

// Telling returns, by step, the ways to give a case larger values where small values show too little. A
// number that is cut into bit fields is an example: only the last field of the number 3 is not zero.
func Telling() [][]Way {
	steps := [][]Way{{Spelled(counted)}, {True}}
	for n := range mostTelling {
		steps = append(steps, []Way{large(n)})
	}
	return steps
}

// mostTelling is how many numbers of a case are made large, one by one.
const mostTelling = 2
