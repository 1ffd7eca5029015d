// Package gotypes type-checks Go packages from source: the one loader of packages, for
// the checks of names and for the users of a definition. It has a file's condition (its
// platform and build tags), the packages of a folder and what they import, each checked
// once and dropped when its files change.
//
// It deliberately has no disk, no module resolution and no open documents: a Source has
// them. It does not run the go command.
//
// **Invariant:** a package that is returned was checked from files that all match one
// Platform, and everything that it imports is kept as long as it is.
package gotypes
