// Package ignore decides which files of a folder are hidden from models: by git's
// own rules, by the ignore files of other tools, and by a built-in list of files
// that hold secrets or are no source.
//
// Invariant: a Matcher never changes its answers and never runs anything; git's
// metadata is read as data. A rule can only hide files: no ignore file of a
// workspace can show what a built-in rule or another kind of file hides.
package ignore
