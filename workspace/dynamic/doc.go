// Package dynamic reads what the names in a text of Python, JavaScript or TypeScript are bound
// to: the tokens of a text, what each of its statements binds and where that is known, what it
// imports and exports, and its calls.
//
// Invariant: it reads one text by itself and never fails; what a text that is being typed does
// not tell certainly it reads as if it may bind the name. There are deliberately no files, no
// types and no judgement here: workspace/names judges names by what it reads.
package dynamic
