// Package guide turns the results of package check into directions for the symbolic machine: where an
// exploration may end, because no assertion behind that place can be broken, and where it should go first.
//
//  1. [Instruments] reduces a function to its assumptions and assertions. Backwards from the returns
//     it computes, for each point, under which assumptions everything behind it is verified
//     (infer.go). Such conditions are disjunctions of conjunctions (cube.go). Where such
//     a condition changes, the machine gets an instrument: "assume" ends executions, "tryfirst" puts
//     them behind others.
//  2. [For] writes the instruments of a function, and the assumptions and assertions of all others,
//     as a [vm.Guide]. [Order] writes a guide for gen, which
//     only orders the search.
//  3. [Inside] adds assertions at calls of functions in which an exploration has broken something,
//     so that the paths to these calls are not pruned in their callers.
//  4. [Annotate] shows all of this as comments in the source (assay check -annotate).
//
// The modes and the inference are those of Christakis, Müller and Wüstholz (ICSE 2016). Conditions name the
// first 64 assumptions of a function.
package guide
