// Package report shows the events of the verbs: as text for people ([Text]), with a line of progress if
// stderr is a terminal, or as JSON for programs ([JSON]).
//
// Invariants:
//   - With JSON, stdout has one event on each line and nothing else; with text,
//     stdout has the summaries and paths. Diagnostics and findings are on stderr, as
//     "file:line:col: message", in both.
//   - File names on a terminal are relative to the user's directory; in JSON they are absolute.
//   - A reporter receives one event at a time.
//
// To add a field to an event, add it to package event's type; to add a form of output, write another
// type with an Event method.
package report
