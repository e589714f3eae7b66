// Package files reads and replaces the files that assay writes into the user's directories.
//
//  1. Earlier finds the files of earlier runs by their names, and learns from the hash in the
//     header of each whether the user has edited it since.
//  2. Writable says, before any work is done, why nothing can be written.
//  3. Replace writes new files to temporary names, renames them into place, and removes
//     earlier ones that nothing replaces.
//
// Invariants: an edited file is neither replaced nor removed. All new content is on disk before the
// first rename, so that a full disk or a missing permission leaves the directory as it was.
package files
