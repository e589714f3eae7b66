// Package versions finds the two versions of a module that are to be compared, and has each in
// a directory.
//
//  1. Resolve reads the arguments: revisions of git, two directories, two versions of a module,
//     or nothing (resolve.go).
//  2. A revision is read out of git's objects into a temporary directory, without git's help in
//     checking out: no hook, filter or attribute of the repository has a say (git.go).
//  3. A version of a module comes by the go command and its cache, and is copied into a temporary
//     directory, where its dependencies can be completed (module.go).
//  4. Close removes what was made. The user's tree is never written to.
//
// Not supported: the content of submodules, which are other repositories, and files that git
// keeps elsewhere (LFS); of both nothing is there in a revision.
package versions
