// Package testfile knows the files of tests that assay writes, as text: where they are, how to tell
// them from hand-written files, and which parts they have.
//
//  1. [TestPath] and [SourceConstraint] say where the tests of a source file are and for which
//     systems they are built.
//  2. [Seal] puts the header in front of a file, with a hash of everything behind it. [Verify]
//     reads from the header whether assay has written a file and whether somebody has edited it
//     since; an edited file is not overwritten.
//  3. [Merge] adds the tests of an earlier file to a new one. [ReadContent] takes a file apart for
//     code that moves its tests elsewhere.
package testfile
