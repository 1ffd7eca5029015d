// Package redact replaces secrets in text by placeholders before the text is sent
// from the machine, and puts them back into the answers. What may leave is a Text, and
// this package has the only ways to make one.
//
// Invariant: a placeholder stands for exactly the bytes it replaced, two
// different secrets never share one, and text that merely looks like a
// placeholder is itself replaced, so Restore undoes Redact byte for byte.
// There is deliberately no I/O, no learned model and no verdict about
// whether a key still works.
package redact
