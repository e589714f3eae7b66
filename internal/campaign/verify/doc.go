// Package verify makes sure that the tests which gen writes pass, here and elsewhere.
//
//  1. [Tests] emits the tests. Tests that do not compile are left out (compile.go), and the rest is
//     laid over the package's directory.
//  2. The tests run as go test will run them, twice in one process and in one random order (try.go).
//  3. Tests that fail, do not always pass or disturb other tests are taken out, and the rest is tried
//     again.
//  4. Tests that have passed are doubted: they run in other orders, time zones and environments, and
//     at another time of day (doubt.go, clock.go), in a directory that can be written (writable.go), and
//     with pauses between their statements (paused.go). Tests that fail there are taken out as well,
//     and tests that leave goroutines behind close their objects (goroutines.go).
//  5. If the time is over before that has ended, a few runs tell which tests hold (salvage.go).
//  6. The tests that reproduce findings must compile and fail (verifybugs.go).
//
// Tests that were taken out are reported with the reason, and counted: as rejected if they did not
// compile, which is a bug of ours, and as unreliable otherwise.
package verify
