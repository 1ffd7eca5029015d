// Package index records what a workspace defines and where its names are used:
// definitions with their exact line ranges, members, parameters, imports and
// the files that use each identifier, for every file of one folder.
//
// Invariant: an Index never changes. With returns the next one, which shares
// all but the changed files with it, so readers need no lock and a snapshot can
// hold its index for as long as it likes. Deliberately absent: type inference,
// any order of definitions and any decision about what a model is shown.
package index
