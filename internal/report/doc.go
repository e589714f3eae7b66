// Package report shows the events of the verbs to the user of the command.
//
//  1. The command creates a reporter: [Text] for people, with a line of progress if stderr is a
//     terminal, [JSON] for programs, or [Markdown] for pull requests.
//  2. Event gets each event. Text writes a line for it, or keeps it for the summary of the package
//     (triage.go, table.go, diff.go); JSON writes it as a line.
//  3. Close writes what was kept.
//
// Invariants:
//   - With JSON, stdout has one event on each line and nothing else; with text,
//     stdout has the summaries and paths. Diagnostics and findings are on stderr, as
//     "file:line:col: message", in both.
//   - File names on a terminal are relative to the user's directory; in JSON they are absolute.
//   - A reporter receives one event at a time.
//
// To add a field to an event, add it to package event's type; to add a form of output, write another type
// with an Event method.
package report
