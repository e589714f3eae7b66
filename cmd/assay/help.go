package main

const usageText = `assay writes unit tests for Go.

usage:

	assay gen     [flags] [packages]   write tests beside the source
	assay explore [flags] [packages]   show every path of a function; writes nothing
	assay enum    [flags] PACKAGE TYPE show all structures of a type within bounds
	assay check   [flags] [packages]   verify what can be, test what cannot; writes nothing
	assay reduce  [-n] FILE_test.go...  remove what is redundant from earlier output
	assay diff    [flags] [versions] [packages]
	                                   what behaves differently in two versions
	assay adopt   [-n] FILE|FUNC...    move generated tests to the tests by hand
	assay worker  [flags]              do the jobs of gen -server
	assay jobs    [flags] [what]       look after the jobs of workers
	assay merge   [flags] FILE...      unite the events of several runs
	assay cache   [show|trim|verify]   what is kept between runs
	assay solve   FILE.smt2            run the embedded solver on an SMT-LIB 2 script
	assay lsp     [flags]              serve editors over stdio
	assay mcp     [flags]              serve coding agents over stdio
	assay completion SHELL             print a script for bash, zsh or fish
	assay man                          print a manual page
	assay version
	assay help    [verb]

Packages are named as for the go command; none means the one in the current directory.

exit status:

	0    done; a time-out with what was ready included
	1    assay failed for some package: it does not compile, a file is in the way, ...
	2    the command line is wrong, or -run matches nothing
	3    there are findings of severity error, and -fail was given; of check always,
	     unless -exit-zero was; of diff: there are differences that -fail is about
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
	               (as SMT-LIB 2), stats, stages, cover, mutants, rejected,
	               why
`

// shardHelp is about the flag of verbs whose work can be divided over machines.
const shardHelp = `	-shard I/N     only the I-th of N parts of the packages, of about the same size; the same
	               files make the same parts everywhere ("assay merge" unites what they say)
`

// viewsHelp is about the flags of verbs that have findings.
const viewsHelp = `	-html DIR      also write pages to DIR: an index, and one for each package with its source,
	               functions, paths, tests and findings
` + viewsHelpWithoutPages

// viewsHelpWithoutPages is about the views that need nothing but the lines of -json.
const viewsHelpWithoutPages = `	-sarif FILE    also write the findings to FILE, in SARIF 2.1.0
	-junit FILE    also write tests and findings to FILE, in JUnit's form
	-github        also print the findings as annotations for GitHub, and append a summary
	               to the job's (the file that GITHUB_STEP_SUMMARY names)
`

const genHelp = `usage: assay gen [flags] [packages]

Writes x_assay_test.go beside x.go, and tests that reproduce bugs to
x_assay_bug_test.go behind the build tag assay_bugs. What is written has passed
"go test". Files that were edited by hand are left alone, and so are earlier tests
that fail now, unless -update is given.

	-engine LIST   which engines, comma-separated, each for itself: symbolic, sequence,
	               bounded (all small inputs of what has an invariant), random
	               (default: all, and what one finds the others begin with)
	-budget D      a bound on all packages together: -j of them are worked on side by side, each
	               first for 5s or less, then those that gain most for three times as long,
	               and so on up to -timeout; what an interrupt or the end finds ready is written,
	               and a further run goes on from there
	-workers N     have N processes on this machine do the work on packages, and go on if one
	               of them dies; a package that takes them all with it is reported
	-server URL    have the workers of a NATS server with JetStream do it ("assay worker"),
	               on -j packages at the same time (default 16)
	-creds FILE    with -server: credentials of NATS
	-since REV     only functions that lines of Go files which changed since that revision of
	               git are in, or that reach such; earlier tests of the others stay
	-max-tests N   at most N tests for a function (default: no bound)
	-max-lines N   at most N lines in a file, and 41 bytes for each (default: 1000; 0 is
	               no bound); of a source file there are at most four, and the tests that
	               cover and notice most come first
	-update        replace earlier tests although behaviour has changed
	-contracts LIST  of the contracts that types are expected to keep, check these only,
	               or with a minus (-contracts=-roundtrip) all but these: invariant,
	               equal, compare, hash, string, roundtrip, insert, delete, size, clone,
	               idempotent, bytewise, sort, heap, reader, writer, fs, iterator, ends; none
	               checks none
	-ignore-existing  write tests for what the hand-written tests cover, too
	-cache DIR     where results are kept, for packages and functions whose code has not
	               changed since (default: assay in the user's cache directory); off for
	               nowhere
	-mutate=false  do not plant small faults (mutants) into the code to choose tests by
	               those that they notice, and to tell how many they are
	-dry-run       do everything but write
	-unsafe        also test functions that certainly start processes, open sockets,
	               change files or send signals
	-unexported    write tests of functions that users of the package cannot call for their
	               own sake, not only where nothing else reaches a branch
	-fail          exit with status 3 if there are findings of severity error
	-misuse        report as findings, and write tests for, what the users of a package may
	               not do, too: pass nil where nothing allows it, use zero values of types
	               that have constructors, and the like
	-baseline-write  add the findings to the file of those that are known (-baseline)
	-concrete      with -engine sequence: concrete states, as a baseline
	-depth N       with -engine sequence: up to N calls after the constructor (default 6)
	-finitization F  with -engine bounded: the bounds of inputs by a function of the package,
	               func F(size int) *finite.Finitization, of the receiver's or an argument's type,
	               or of a struct with the fields of a function's input, receiver first
	-exhaustive    with -engine bounded: also a test for each function that enumerates
	               all its inputs again; it imports github.com/goassay/assay/finite
	-fuzz-corpus   write what the tests found interesting as seeds of the package's Fuzz
	               functions to testdata/fuzz, and propose a Fuzz function (in
	               x_fuzz_assay_test.go) for functions of text that have none
	-coverprofile FILE  also write a coverage profile: what all tests reach that there are then
` + shardHelp + viewsHelp + commonHelp

const exploreHelp = `usage: assay explore [flags] [packages]

Shows every path of each function: its condition, inputs that take it, and what
comes out. Writes no test.

	-fail          exit with status 3 if a path panics, other than by the code's own word
	-count         only count the paths, by how they end; ends with the timeout
	-max-runs N    follow at most N paths of a function (default 10000; all with -count)
	-type T        instead, the state space of a type: for each number of calls after
	               the constructor the different states, how many were pruned because
	               an earlier one covers them, the branches taken, and the time; with
	               -json as "iteration" events
	-depth N       up to N calls (default 6)
	-concrete      concrete states, with 1 to N as arguments, to compare with
	-faults N      plant N small faults into what the methods do, run the sequences with
	               each, and say how many of them so many calls notice
	-dot           the states and calls as a graph for Graphviz
	-html DIR      also write pages to DIR: the paths of each function, or with -type a
	               drawing of the states and calls
` + commonHelp

const enumHelp = `usage: assay enum [flags] PACKAGE TYPE

Counts all structures of a type within bounds for which its predicate holds, one of
each isomorphism class. The predicate is a method RepOK() bool or CheckInvariants()
error, or //assay:invariant. Says how large the space is, and its fields in the order
in which the predicate reads them, on which the search backtracks.

	-size N        default bounds: N objects of each struct type, integers 0 to N
	               (default 4)
	-finitization F  bounds by a function of the package, func F(size int)
	               *finite.Finitization
	-skeleton      print such a function, to be made specific
	-print         show the structures, as Go expressions (with -json, as data)
	-dot           show them as graphs for Graphviz
	-html DIR      also write pages to DIR, with drawings of the first 200
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
	-compare       instead, explore each exported function in all five ways, and report the
	               tests of each: failing, not redundant, redundant, and the time; with -v
	               for each function, with -json as "guided" events
	-max-runs N    explore at most N paths of a function (default 2000; 30 with -compare)
	-max-branches N  follow no path further than N decisions with two outcomes (default: no
	               bound)
	-max-stack N   follow no call deeper than N (default 2000)
	-max-steps N   execute at most N instructions of a function (default 1500000; 500000
	               with -compare)
	-max-solver N  of the solver for one question, in propagations (default 600000; 100000
	               with -compare)
	-max-interrupts N  put off at most N states of a function for -guide must and both
	               (default 4)
	-unsafe        also test functions that certainly start processes, open sockets,
	               change files or send signals
	-exit-zero     exit with status 0 although there are findings
` + shardHelp + viewsHelp + commonHelp

const reduceHelp = `usage: assay reduce [-n] FILE_test.go...

Removes what is redundant from test files that "assay gen" wrote: tests and rows of
tables that are equal once what is dead and pure is gone, or that cover nothing and
kill no mutant that the others do not; of the tests that reproduce bugs those that
fail for the same cause. What is left covers the same and kills the same mutants, or
nothing is written. Files that were edited by hand are refused.

	-n             say what is redundant, and write nothing
` + commonHelp

const adoptHelp = `usage: assay adopt [-n] [-C DIR] [-tags LIST] FILE_assay_test.go|FUNC...

Moves tests that "assay gen" wrote to the test file of their source by hand (x_test.go for
x.go; it is made if it is not there): all of a file, or those in the current directory of a
function, a method ("Tree.Remove") or a type, or one by its name ("TestParse_errors"). The
helpers that they use go with them, unless the tests by hand have the same already. From then
on they are yours: gen does not write them again, and what they cover and notice counts as
tested. Files that do not build with them are left as they are.

	-n             say what would be moved, and write nothing
	-C DIR         work as if started in DIR
	-tags LIST     build tags, comma-separated
`

const workerHelp = `usage: assay worker [flags]

Does jobs of "assay gen -server", one at a time, until it is interrupted. It needs Go and the
modules that the code requires (its module cache, GOPROXY, or a vendor directory of the
module's), and nothing of the module itself. What it is sent runs as confined as gen runs it.
Workers, and all that use them, have to be the same program.

	-server URL    of a NATS server with JetStream (default: what ASSAY_SERVER says)
	-creds FILE    credentials of NATS
	-j N           functions explored at the same time (default: one per CPU)
	-confine MODE  best (default), require or off, as for gen
	-name NAME     what "assay jobs" calls it (default: the host's name and the process)
	-dir DIR       where modules are unpacked (default: one in the user's cache directory)
	-json          log as JSON
	-quiet         log nothing
`

const jobsHelp = `usage: assay jobs [flags] [list|retry|drop|reset] [JOB...]

Shows the jobs of workers that wait, run or are dead: tried in vain several times, or lost with
every worker that had them. JOB is the beginning of a job's name.

	retry          put dead jobs, or those named, into the queue again
	drop           forget the jobs that are named, or all that are dead
	reset          have the server forget everything, so that another version may use it
	-server URL    of a NATS server with JetStream (default: what ASSAY_SERVER says)
	-creds FILE    credentials of NATS
	-all           list those that are done, too
`

const mergeHelp = `usage: assay merge [flags] FILE...

Unites what runs over parts of the packages said (with -json, a file for each run; "-" is
standard input) into what one run over all of them would have said, and reports it. Of a
package that is in several files the last one named counts. Exits with status 1 if a file is
cut off or a shard is missing: then what there is has been reported all the same.

	-json          one event a line on stdout, as the runs print them, with one sum
	-fail          exit with status 3 if there are findings of severity error
	-v             say more
` + viewsHelpWithoutPages + `
What -html and -coverprofile show is in no event; ask each run for it.
`

const cacheHelp = `usage: assay cache [show|trim|verify] [flags]

Shows what "assay gen" keeps between runs: for each package what it came to, how much room
that takes, and when it was used last. Nothing in a cache is needed; what is removed costs the
next run its time. Entries are authenticated (ASSAY_CACHE_SECRET), and any number of
processes may use one directory.

	trim           remove what nobody has used for long, and what is too much
	verify         read every entry, and fail if there are any that are damaged or were
	               made with another secret; no run uses such
	-cache DIR     the directory (default: assay in the user's cache directory)
	-age D         with trim: what nobody has used for so long (default 720h)
	-size N        with trim: those used longest ago beyond N megabytes (default 512)
	-remove        with verify: remove them
`

const solveHelp = `usage: assay solve FILE.smt2

Runs the embedded solver on an SMT-LIB 2 script (QF_BV) and prints what the script
asks for. "-" is standard input.
`

const lspHelp = `usage: assay lsp [flags]

Serves an editor over standard input and output, by the Language Server Protocol, beside
gopls: what is proved and what is not while one types, what runs show on save, lenses with
the paths of functions, actions that write tests, hints at what cannot be reached. See
docs/editors.md for how editors are told. Nothing is written but by its commands.

	-timeout D     bound on a run over a package (default 1m0s)
	-tags LIST     build tags, comma-separated, where the client names none
	-confine MODE  as for the other commands: best, require or off
	-stdio         accepted, since editors give it
`

const completionHelp = `usage: assay completion SHELL

Prints a script that completes commands and flags, for bash, zsh or fish:

	source <(assay completion bash)
`

const mcpHelp = `usage: assay mcp [flags]

Serves a coding agent over standard input and output, by the Model Context Protocol: tools
that explore functions, find inputs, check assertions, list the faults that tests do not
notice, judge proposed tests and generate tests. Nothing is written but by generate_tests
when its call says so. The server ends when its input does.

	-root DIR      packages must be in DIR (default: the current directory); may be given
	               more than once. Roots that the client names take its place
	-timeout D     bound on a call that names none (default 1m0s)
	-confine MODE  as for the other commands: best, require or off
`
