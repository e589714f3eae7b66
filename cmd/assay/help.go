package main

const usageText = `assay writes unit tests for Go.

usage:

	assay gen     [flags] [packages]   write tests beside the source
	assay explore [flags] [packages]   show every path of a function; writes nothing
	assay enum    [flags] PACKAGE TYPE show all structures of a type within bounds
	assay check   [flags] [packages]   verify what can be, test what cannot; writes nothing
	assay reduce  [-n] FILE_test.go...  remove what is redundant from earlier output
	assay solve   FILE.smt2            run the embedded solver on an SMT-LIB 2 script
	assay version
	assay help    [verb]

Packages are named as for the go command; none means the one in the current directory.

exit status:

	0    done; a time-out with what was ready included
	1    assay failed for some package: it does not compile, a file is in the way, ...
	2    the command line is wrong, or -run matches nothing
	3    there are findings of severity error, and -fail was given; of check always,
	     unless -exit-zero was
	130  interrupted; what was ready is written
`

const commonHelp = `
flags of every command over packages:

	-run RE        only functions whose name matches ("Func" or "Type.Method")
	-timeout D     bound on each package, everything included (default 3m0s); on a busy
	               machine gen may take half as long again to verify what it has found
	-seed N        seed of everything random (default 1); the same seed, the same bytes
	-j N           functions explored at the same time (default: one per CPU)
	-tags LIST     build tags, comma-separated
	-C DIR         work as if started in DIR
	-baseline FILE findings that are known and not reported, a line each: PACKAGE
	               FUNCTION KIND: REASON (default: assay.baseline beside go.mod)
	-confine MODE  what is run may read its module, what that depends on and the Go tree, may
	               write to temporary directories, and nothing else. Where the system cannot
	               see to that: best (default) runs only packages that cannot reach files,
	               processes or the network, require fails, off confines nothing anywhere
	-json          one event a line on stdout
	-v             say more
	-debug LIST    show what goes on inside: mismatches, states, queries
	               (as SMT-LIB 2), stats, stages, cover, mutants
`

const genHelp = `usage: assay gen [flags] [packages]

Writes x_assay_test.go beside x.go, and tests that reproduce bugs to
x_assay_bug_test.go behind the build tag assay_bugs. What is written has passed
"go test". Files that were edited by hand are left alone, and so are earlier tests
that fail now, unless -update is given.

	-engine LIST   which engines, comma-separated, each for itself: symbolic, sequence,
	               bounded (all small inputs of what has an invariant), random
	               (default: all, and what one finds the others begin with)
	-since REV     only functions that lines of Go files which changed since that revision of
	               git are in, or that reach such; earlier tests of the others stay
	-max-tests N   at most N tests for a function (default: no bound)
	-max-lines N   at most N lines in a file, and 41 bytes for each (default: 500; 0 is
	               no bound); of a source file there are at most four, and the tests that
	               cover and notice most come first
	-update        replace earlier tests although behaviour has changed
	-contracts LIST  of the contracts that types are expected to keep, check these only,
	               or with a minus (-contracts=-roundtrip) all but these: invariant,
	               equal, compare, hash, string, roundtrip, insert, delete, size, clone,
	               idempotent, bytewise, sort, heap, reader, writer, fs, iterator; none checks none
	-ignore-existing  write tests for what the hand-written tests cover, too
	-cache DIR     where results are kept, for packages and functions whose code has not
	               changed since (default: assay in the user's cache directory); off for
	               nowhere
	-mutate=false  do not plant small faults (mutants) into the code to choose tests by
	               those that they notice, and to tell how many they are
	-dry-run       do everything but write
	-unsafe        also test functions that certainly start processes, open sockets,
	               change files or send signals
	-fail          exit with status 3 if there are findings of severity error
	-misuse        report as findings, and write tests for, what the users of a package may
	               not do, too: pass nil where nothing allows it, use zero values of types
	               that have constructors, and the like
	-baseline-write  add the findings to the file of those that are known (-baseline)
	-concrete      with -engine sequence: concrete states, as a baseline
	-exhaustive    with -engine bounded: also a test for each function that enumerates
	               all its inputs again; it imports github.com/goassay/assay/finite
	-fuzz-corpus   write what the tests found interesting as seeds of the package's Fuzz
	               functions to testdata/fuzz, and propose a Fuzz function (in
	               x_fuzz_assay_test.go) for functions of text that have none
` + commonHelp

const exploreHelp = `usage: assay explore [flags] [packages]

Shows every path of each function: its condition, inputs that take it, and what
comes out. Writes no test.

	-fail          exit with status 3 if a path panics, other than by the code's own word
	-count         only count the paths, by how they end; ends with the timeout
	-type T        instead, the state space of a type: for each number of calls after
	               the constructor the different states, how many were pruned because
	               an earlier one covers them, and the branches taken
	-depth N       up to N calls (default 6)
	-dot           the states and calls as a graph for Graphviz
` + commonHelp

const enumHelp = `usage: assay enum [flags] PACKAGE TYPE

Counts all structures of a type within bounds for which its predicate holds, one of
each isomorphism class. The predicate is a method RepOK() bool or CheckInvariants()
error, or //assay:invariant.

	-size N        default bounds: N objects of each struct type, integers 0 to N
	               (default 4)
	-finitization F  bounds by a function of the package, func F(size int)
	               *finite.Finitization
	-skeleton      print such a function, to be made specific
	-print         show the structures, as Go expressions (with -json, as data)
	-dot           show them as graphs for Graphviz
	-range I/N     only the I-th of N parts of the space; all parts are the whole
	-paper         follow the search of Korat's paper, so that the candidates explored
	               are those of the original
` + commonHelp

const checkHelp = `usage: assay check [flags] [packages]

Verifies by static analysis what cannot go wrong, and under which assumptions, and
tests the rest. Each assertion (nil dereferences, bounds, divisions, type assertions,
explicit panics, assay.Assert, contracts, ...) gets a verdict: proved, assumed (proved
under assumptions that no test could break), refuted (a test breaks it) or unknown,
with the reason. Shown are those that are not proved, the worst first. Exits with
status 3 if a finding of severity error refutes one. Writes no file.

	-guide MODE    how verification results guide the tests: none, annotated, may, must
	               or both (default)
	-static        the analysis alone: nothing is executed
	-annotate      print the source with the annotations as comments, and do no more
	-no-assume LIST  kinds of assumptions that are not made, comma-separated: overflow,
	               conversion, alias, callee, receiver, interface, race, declared
	-conversions   also check that conversions between integer types keep the value
	-facts FILE    verification results of other tools: assertion events, as -json has them
	-unsafe        also test functions that certainly start processes, open sockets,
	               change files or send signals
	-exit-zero     exit with status 0 although there are findings
` + commonHelp

const reduceHelp = `usage: assay reduce [-n] FILE_test.go...

Removes what is redundant from test files that "assay gen" wrote: tests and rows of
tables that are equal once what is dead and pure is gone, or that cover nothing and
kill no mutant that the others do not; of the tests that reproduce bugs those that
fail for the same cause. What is left covers the same and kills the same mutants, or
nothing is written. Files that were edited by hand are refused.

	-n             say what is redundant, and write nothing
` + commonHelp

const solveHelp = `usage: assay solve FILE.smt2

Runs the embedded solver on an SMT-LIB 2 script (QF_BV) and prints what the script
asks for. "-" is standard input.
`
