// Package versions finds the two versions of a module to compare, and puts each into a directory.
//
//  1. Resolve reads the arguments: revisions of git, two directories, two versions of a module,
//     or nothing (resolve.go).
//  2. A revision is read from git's objects into a temporary directory. git does not check it out,
//     so no hook, filter or attribute of the repository runs (git.go).
//  3. A version of a module comes from the go command and its cache, and is copied into a temporary
//     directory, where its dependencies can be completed (module.go).
//  4. Close removes the temporary directories. The user's tree is never written to.
//
// Not supported: the content of submodules, which are other repositories, and files that git keeps
// elsewhere (LFS). A revision contains neither.
package versions
