// Package page shows runs as pages of HTML: an index, and one page for each package.
//
//  1. Report.Event collects events by package; Report.Write writes the directory.
//  2. model.go turns a package's events into the content of its page: functions with their paths,
//     cases, tests and findings, and lines of source with their coverage.
//  3. The templates (templates/) write it; colour.go colours Go, package
//     drawing draws states and structures. Styles and the script are in each page.
//  4. trend.go keeps the figures of earlier reports in the directory, for the index to draw.
//
// Invariants: a page needs no network and no other file; text from the code is escaped by
// html/template; no page has more than a few megabytes (sources and lists are bounded, and say so).
//
// Not supported: pages of diff and reduce.
package page
