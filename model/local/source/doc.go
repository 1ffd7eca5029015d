// Package source is how the parts of the built-in engine read a workspace: the files
// of one folder, the tokens of a line, and what a path means.
//
// Invariant: the tokens of a line, joined, are the line. Deliberately absent: state.
package source
