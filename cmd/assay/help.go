package main

const usageText = `assay writes unit tests for Go.

usage:

	assay gen     [flags] [packages]   write tests beside the source files
	assay explore [flags] [packages]   show every path through a function; writes nothing
	assay enum    [flags] PACKAGE TYPE count and show all objects of a type within bounds
	assay check   [flags] [packages]   prove that code cannot fail, and test what is not
	                                   proved; writes nothing
	assay reduce  [-n] FILE_test.go...  remove redundant tests from generated test files
	assay diff    [flags] [versions] [packages]
	                                   show what two versions of packages do differently
	assay adopt   [-n] FILE|FUNC...    move generated tests to the hand-written test files
	assay worker  [flags]              work on packages for "assay gen -server"
	assay jobs    [flags] [what]       show, retry or drop the jobs of workers
	assay merge   [flags] FILE...      combine the -json output of several runs
	assay cache   [show|trim|verify]   look after the results that are kept between runs
	assay solve   FILE.smt2            run the embedded solver on an SMT-LIB 2 script
	assay lsp     [flags]              serve an editor over standard input and output
	assay mcp     [flags]              serve a coding agent over standard input and output
	assay completion SHELL             print a script that completes commands and flags
	assay man                          print a manual page
	assay version                      print the version of assay
	assay help    [command]            describe a command and its flags

Packages are named as for the go command. If none is named, assay works on the package in
the current directory.

exit status:

	0    done; also if the time was up, and assay has written what was ready
	1    assay failed for some package: it does not compile, an edited file is in the
	     way, ...
	2    the command line is wrong, or -run matches no function
	3    gen -fail, merge -fail: there are findings of severity error
	     check: there are findings of severity error, and -exit-zero was not given
	     explore -fail: a path panics
	     diff -fail: there are differences of the kind that -fail names
	130  interrupted; assay has written what was ready
`

const commonHelp = `
flags of every command that works on packages:

	-run RE        work only on functions whose name matches the regular expression RE
	               ("Func" or "Type.Method")
	-timeout D     the time that one package may take, everything included (default 3m0s).
	               On a busy machine gen may take half as long again to verify its tests;
	               for gen, compiling the imports for the first time does not count
	-seed N        the seed of all random choices (default 1). Two runs with the same seed
	               over the same code write the same files
	-j N           explore N functions at the same time (default: one for each CPU)
	-tags LIST     build tags, comma-separated
	-C DIR         work as if started in DIR
	-baseline FILE the file of findings that are known and not reported, a line for each:
	               PACKAGE FUNCTION KIND: REASON (default: assay.baseline beside go.mod)
	-confine MODE  assay confines the code that it runs: the code may read its module, the
	               modules that it depends on and the Go tree, may write to temporary
	               directories, and may do nothing else outside of its process. MODE says
	               what happens on a system that cannot confine it: best (default) runs only
	               packages that cannot reach files, processes or the network; require fails;
	               off never confines anything, on any system
	-json          print one event on each line of standard output
	-v             print more
	-debug LIST    print what happens inside, comma-separated: mismatches, states, queries
	               (as SMT-LIB 2), stats, stages, cover, mutants, rejected, why, native
`

// shardHelp is about the flag of verbs whose work can be divided over machines.
const shardHelp = `	-shard I/N     divide the packages into N parts of about the same size, and work on the
	               I-th only. The same files make the same parts on every machine; "assay
	               merge" combines the -json output of the parts
`

// viewsHelp is about the flags of verbs that have findings.
const viewsHelp = `	-html DIR      also write HTML pages to DIR: an index, and a page for each package with
	               its source, functions, paths, tests and findings
` + viewsHelpWithoutPages

// viewsHelpWithoutPages is about the views that need nothing but the lines of -json.
const viewsHelpWithoutPages = `	-sarif FILE    also write the findings to FILE, as SARIF 2.1.0
	-junit FILE    also write tests and findings to FILE, as JUnit XML
	-github        also print the findings as annotations for GitHub, and append a summary
	               to the summary of the job (the file that GITHUB_STEP_SUMMARY names)
`

const genHelp = `usage: assay gen [flags] [packages]

Writes tests of the functions in x.go to x_assay_test.go, and tests that reproduce bugs
to x_assay_bug_test.go, behind the build tag assay_bugs. Every test in x_assay_test.go
has passed "go test". Generated files that somebody has edited are left alone. So are
generated tests of an earlier run that fail now, unless -update is given.

	-engine LIST   use only these engines, comma-separated, each by itself: symbolic,
	               sequence, bounded (all small inputs of types with an invariant), random
	               (default: all of them together, each starting from what others found)
	-budget D      the time that all packages together may take. assay works on -j packages
	               at a time, in passes: the first pass over a package takes 5s or less, and
	               the packages that gain most get further passes, each three times as long,
	               up to -timeout; where there is no time for that, passes go on from what
	               was found. When the time is up or the run is interrupted, the tests that
	               are ready are written; another run continues from there
	-workers N     do the work in N processes on this machine. If one of them dies, the
	               others continue; a package that makes all of them die is reported
	-server URL    let the workers of a NATS server with JetStream do the work ("assay
	               worker"), on -j packages at the same time (default: as many as there
	               are workers, and 16 at least)
	-creds FILE    with -server: the file with NATS credentials
	-recheck N     with -server or -workers: run the tests of one package in N, and of the first
	               one, once more here before they are written (0: none; default 8)
	-urgent        with -server: workers take the packages of this run before those of others,
	               for instance because somebody waits for a pull request
	-since REV     work only on functions that have changed since the git revision REV, and
	               on functions that reach a changed one. Earlier tests of other functions
	               stay
	-max-tests N   write at most N tests for each function (default: no limit)
	-max-lines N   write at most N lines, and 41 bytes for each of these lines, into a file
	               (default 1000; 0 is no limit), and at most four files for a source file.
	               If there are more tests, those that cover and notice most are written
	-update        replace the tests of earlier runs although they fail now because
	               behaviour has changed
	-contracts LIST  check only these of the contracts that types are expected to keep, or,
	               with a minus before each name (-contracts=-roundtrip), all but these:
	               invariant, equal, compare, hash, string, roundtrip, insert, delete, size,
	               clone, idempotent, bytewise, sort, heap, reader, writer, fs, iterator,
	               ends; none checks no contract
	-ignore-existing  also write tests of code that the hand-written tests cover
	-cache DIR     the directory in which results are kept, so that code which has not
	               changed is not tested again (default: assay in the user's cache
	               directory); off keeps no results. With -server results are also kept
	               there, for all who use the server
	-mutate=false  do without mutants. By default assay plants small faults (mutants) into
	               the code, chooses tests that notice them, and reports how many of the
	               mutants the tests notice
	-dry-run       do everything, but write no files
	-unsafe        also test functions that certainly start processes, open sockets,
	               change files or send signals
	-unexported    also test unexported functions for their own sake. By default they get
	               tests only for branches that tests of exported functions do not reach
	-fail          exit with status 3 if there are findings of severity error
	-misuse        also report as findings, and write tests of, misuse: failures after the
	               user of a package did something that is not allowed, such as passing nil
	               where nothing allows nil, or using the zero value of a type with a
	               constructor
	-baseline-write  add the findings of this run to the file of known findings (-baseline)
	-concrete      with -engine sequence: explore concrete states instead of symbolic ones,
	               for comparison
	-depth N       with -engine sequence: make up to N calls after the constructor
	               (default 6)
	-finitization F  with -engine bounded: the function of the package that bounds the
	               inputs, func F(size int) *finite.Finitization. Its bounds are of the type
	               of the receiver, of the type of an argument, or of a struct with the
	               inputs as fields, receiver first
	-exhaustive    with -engine bounded: also write a test for each function that enumerates
	               all inputs; the test imports github.com/goassay/assay/finite
	-fuzz-corpus   write interesting inputs as seeds of the package's Fuzz functions to
	               testdata/fuzz, and propose Fuzz functions for functions that take text
	               and have none (in x_fuzz_assay_test.go)
	-coverprofile FILE  also write a coverage profile of all tests, generated and
	               hand-written
` + shardHelp + viewsHelp + commonHelp

const exploreHelp = `usage: assay explore [flags] [packages]

Shows every path through each function: the condition of the path, inputs that take it,
and the outcome. Writes no tests.

	-fail          exit with status 3 if a path panics, unless the code itself calls panic
	-count         only count the paths, by the way in which they end. -timeout ends the
	               counting
	-max-runs N    follow at most N paths of a function (default 10000; with -count all)
	-type T        show the states of objects of type T instead. For each number of calls
	               after the constructor: how many different states there are, how many
	               were dropped because an earlier state covers them, the branches taken,
	               and the time (with -json as "iteration" events)
	-depth N       with -type: make up to N calls (default 6)
	-concrete      with -type: explore concrete states instead of symbolic ones, with
	               arguments from 1 to the N of -depth, for comparison
	-faults N      with -type: plant N small faults into what the methods do, run the
	               sequences of calls on each fault, and show how many faults are noticed
	               after how many calls
	-dot           with -type: print the states and calls as a graph for Graphviz
	-html DIR      also write HTML pages to DIR: the paths of each function or, with -type,
	               a drawing of the states and calls
` + commonHelp

const enumHelp = `usage: assay enum [flags] PACKAGE TYPE

Counts the objects of a type within bounds for which the predicate of the type holds;
objects that differ only in the identity of their parts (isomorphic ones) count once. The
predicate is a method RepOK() bool or CheckInvariants() error, or the directive
//assay:invariant. Also shows how large the space is, and its fields in the order in which
the predicate reads them, which is the order in which the search goes back.

	-size N        default bounds: N objects of each struct type, and integers from 0 to N
	               (default 4)
	-finitization F  use the bounds of a function of the package, func F(size int)
	               *finite.Finitization
	-skeleton      print a function with the default bounds, as a start for one of your own
	-print         show the objects, as Go expressions (with -json, as data)
	-dot           show the objects as graphs for Graphviz
	-html DIR      also write HTML pages to DIR, with drawings of the first 200 objects
	-range I/N     divide the space into N parts, and search the I-th only
	-workers N, -server URL, -creds FILE, -urgent
	               let workers search the parts, as for gen; only counts are shown
	-paper         search as the paper about Korat does, so that the number of candidates
	               can be compared with the paper
` + commonHelp

const checkHelp = `usage: assay check [flags] [packages]

Proves by static analysis that assertions hold, and tests those that it cannot prove.
Assertions are: nil is not dereferenced, indexes are within bounds, divisors are not zero,
types are as asserted, panic is not called, assay.Assert and contracts hold, and so on. Each
gets a verdict: proved; assumed (proved under assumptions, and no test shows that one of
them is wrong); refuted (a test breaks the assertion); or unknown, with the reason. Shown
are the assertions that are not proved, the worst first. If a finding of severity error
refutes an assertion, the exit status is 3. Writes no files.

	-guide MODE    how the results of the analysis guide the tests: none, annotated, may,
	               must or both (default)
	-static        do only the static analysis: execute no code
	-annotate      only print the source with the results of the analysis as comments
	-no-assume LIST  do not make these kinds of assumptions, comma-separated: overflow,
	               conversion, alias, callee, receiver, interface, race, declared
	-conversions   also check that conversions between integer types keep the value
	-facts FILE    verification results of other tools: assertion events, as -json prints
	               them
	-compare       explore each exported function in each of the five modes of -guide, and
	               show how many tests each mode made (failing, not redundant, redundant)
	               and how long it took; with -v for each function, with -json as "guided"
	               events
	-max-runs N    explore at most N paths of a function (default 2000; with -compare 30)
	-max-branches N  follow a path for at most N decisions between two outcomes (default: no
	               limit)
	-max-stack N   follow calls at most N deep (default 2000)
	-max-steps N   execute at most N instructions of a function (default 1500000; with
	               -compare 500000)
	-max-solver N  let the solver work on one question for at most N propagations (default
	               600000; with -compare 100000)
	-max-interrupts N  with -guide must or both: put off at most N states of a function
	               (default 4)
	-unsafe        also test functions that certainly start processes, open sockets,
	               change files or send signals
	-exit-zero     exit with status 0 although there are findings
	-workers N, -server URL, -creds FILE, -urgent
	               let workers do the work, as for gen
` + shardHelp + viewsHelp + commonHelp

const reduceHelp = `usage: assay reduce [-n] FILE_test.go...

Removes redundant tests and rows of tables from test files that "assay gen" wrote. A test
is redundant if another test is equal to it once statements without effect are gone, or if
it covers nothing and notices no mutant that the other tests do not. Of several tests that
reproduce bugs and fail for the same cause, one stays. The remaining tests cover the same
code and notice the same mutants; otherwise nothing is written. Files that somebody has
edited are refused.

	-n             show what is redundant, and write nothing
` + commonHelp

const adoptHelp = `usage: assay adopt [-n] [-C DIR] [-tags LIST] FILE_assay_test.go|FUNC...

Moves tests that "assay gen" wrote to the hand-written test file of their source: from
x_assay_test.go to x_test.go, which is made if there is none. An argument names a generated
file (all its tests are moved), or, in the current directory, a function, a method
("Tree.Remove"), a type, or a single test ("TestParse_errors"). The helpers that the tests
use are moved with them, unless the hand-written tests declare the same helpers. From then
on the tests are yours: gen does not write them again, and treats what they cover and notice
as tested. If the tests would not build in the new place, nothing changes.

	-n             show what would be moved, and write nothing
	-C DIR         work as if started in DIR
	-tags LIST     build tags, comma-separated
`

const workerHelp = `usage: assay worker [flags]

Works on packages for "assay gen -server", one at a time, until it is interrupted. A worker
needs Go and the modules that the code requires (in its module cache, from GOPROXY, or in
the module's vendor directory); the module itself is sent to it. Code runs as confined as it
runs in gen. The workers and all that send work to them must be the same version of assay.

	-server URL    the NATS server with JetStream (default: the value of ASSAY_SERVER)
	-creds FILE    the file with NATS credentials
	-j N           explore N functions at the same time (default: one for each CPU)
	-confine MODE  best (default), require or off, as for gen
	-memory N      give up a package for which assay needs more than N megabytes; the worker
	               goes on, and "assay jobs" shows the package if no worker has enough
	               (default 0, any)
	-name NAME     the worker's name in "assay jobs" (default: the names of the host and the
	               process)
	-dir DIR       the directory in which modules are unpacked (default: one in the user's
	               cache directory)
	-metrics ADDR  answer HTTP requests for /metrics at this address, for Prometheus:
	               "127.0.0.1:9090", ":9090" (default: none)
	-json          write the log as JSON
	-quiet         write no log
`

const jobsHelp = `usage: assay jobs [flags] [list|retry|drop|reset] [JOB...]

Shows the jobs of workers that are waiting, running or dead. A job is dead if it failed
several times, or if all workers that had it were lost. JOB is the beginning of a job's
name.

	retry          put the named jobs, or all dead jobs, into the queue again
	drop           forget the named jobs, or all dead jobs
	reset          make the server forget everything, so that another version of assay may
	               use it
	-server URL    the NATS server with JetStream (default: the value of ASSAY_SERVER)
	-creds FILE    the file with NATS credentials
	-all           also show the jobs that are done
	-watch         show a table of workers and jobs every two seconds, until interrupted
`

const mergeHelp = `usage: assay merge [flags] FILE...

Combines the -json output of runs over parts of the packages, one file for each run ("-" is
standard input), and reports what one run over all packages would have reported. If several
files have results of one package, those in the last file count. If a file is incomplete or
a shard is missing, the rest is reported, and the exit status is 1.

	-json          print one event on each line of standard output, with one summary of all
	-fail          exit with status 3 if there are findings of severity error
	-v             print more
` + viewsHelpWithoutPages + `
The output of -html and -coverprofile cannot be combined; give these flags to each run.
`

const cacheHelp = `usage: assay cache [show|trim|verify] [flags]

Shows the results that "assay gen" keeps between runs: for each package the result, its
size, and when it was used last. No result in a cache is needed; if one is removed, the next
run works on that package again. Results are authenticated (ASSAY_CACHE_SECRET), and any
number of processes may use one directory.

	trim           remove results that nobody has used for long, or that take too much space
	verify         read every result, and fail if there are results that are damaged or were
	               made with another secret; runs do not use these
	-cache DIR     the directory (default: assay in the user's cache directory)
	-age D         with trim: remove results that nobody has used for the time D (default
	               720h)
	-size N        with trim: keep at most N megabytes, those used last (default 512)
	-remove        with verify: remove the results that fail
`

const solveHelp = `usage: assay solve FILE.smt2

Runs the embedded solver on an SMT-LIB 2 script (logic QF_BV), and prints the answers to its
commands. If FILE is "-", the script is read from standard input.
`

const lspHelp = `usage: assay lsp [flags]

Serves an editor over standard input and output, by the Language Server Protocol, beside
gopls. It shows which assertions are proved and which are not while you type, findings of a
run when you save, paths of functions as lenses, actions that write tests, and hints at code
that cannot be reached. docs/editors.md says how to set up editors. Only the commands write
files.

	-timeout D     the time that a run over a package may take (default 1m0s)
	-tags LIST     build tags, comma-separated, if the editor names none
	-confine MODE  best (default), require or off, as for gen
	-stdio         accepted and ignored, because editors pass it
`

const completionHelp = `usage: assay completion SHELL

Prints a script that completes commands and flags, for bash, zsh or fish:

	source <(assay completion bash)
`

const mcpHelp = `usage: assay mcp [flags]

Serves a coding agent over standard input and output, by the Model Context Protocol. Its
tools explore functions, find inputs, check assertions, list faults that the tests do not
notice, judge proposed tests, and generate tests. Only generate_tests writes files, and only
if the call asks for it. The server ends when its input ends.

	-root DIR      work only on packages in DIR (default: the current directory); may be
	               given more than once. If the client names roots, these count instead
	-timeout D     the time that a call may take if it names none (default 1m0s)
	-confine MODE  best (default), require or off, as for gen
`
