// Package earlier knows what is in a package's directory before gen works on it: the files of
// earlier runs, and the tests that people have written.
//
//  1. [Find] finds the files of earlier runs. Those that somebody has edited are kept.
//  2. [Start] runs the earlier tests on the code as it is now, while the engines look for new ones.
//     [Rerun.Report] says which of them fail: behaviour has changed, and their files are kept.
//  3. [StartHandWritten] runs the tests by hand meanwhile. What [HandWritten.Count] says they cover is
//     not written again.
//  4. Where a run was cut short, [Files.KeepBetter] keeps the files that show more than it does.
//     Where it is about part of the package, [Files.Carry] takes the tests of the rest over.
package earlier
