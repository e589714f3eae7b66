// Package event has the messages of the verbs as data. The command prints events as text or as lines of
// JSON, and the cache keeps those of a run to repeat them.
//
//  1. A verb makes an event (event.go has the types; their JSON tags are the fields that -json
//     prints).
//  2. Stream.Send (stream.go) passes it to the one receiver, one event at a time, from any
//     goroutine.
//  3. Summary (summary.go) collects the counts of a package while it is worked on; AddUp adds
//     packages to the summary of the whole run.
//
// To add a field, give it to the type in event.go. Encode (decode.go) then writes it to the lines of -json; package report decides
// whether and how it is printed as text.
package event
