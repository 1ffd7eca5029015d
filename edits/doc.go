// Package edits is text and what happens to it: the text store, spans and
// edits, parsing what a model wrote, locating it, diffing, rebasing, checking.
//
// Invariant: everything here is a pure function of its arguments or an
// immutable value. There is deliberately no I/O, clock, goroutine, JSON,
// line-and-column position or knowledge of a workspace in this package;
// what it needs to know of those it asks for through Syntax and Names.
package edits
