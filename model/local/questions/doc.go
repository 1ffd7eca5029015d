// Package questions answers questions about where things are, from the index.
//
// Invariant: every place that an answer cites is a file of the index; a question that
// the index cannot answer is refused, never guessed. Deliberately absent: models and
// prose about what code does.
package questions
