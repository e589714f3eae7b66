// Package earlier knows the tests that are in a package's directory before gen works on it: files of
// earlier runs, and hand-written tests.
//
//  1. [Find] finds the files of earlier runs. Files that somebody has edited are kept.
//  2. [Start] runs the earlier tests on the code as it is now, while the engines look for new ones.
//     [Rerun.Report] says which of them fail: behaviour has changed, and their files are kept.
//  3. [StartHandWritten] runs the hand-written tests meanwhile. The blocks that they cover
//     ([HandWritten.Count]) need no other tests.
//  4. If a run was cut short, [Files.KeepBetter] keeps the files that show more than the run found.
//     If the run is about part of the package, [Files.Carry] takes over the tests of the rest.
package earlier
