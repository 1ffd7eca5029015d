// Package language reads code: it names the language of a file, splits a text
// into tokens, and finds definitions with their exact line ranges, imports and
// identifiers, for every language in one way. The table in table.go is the list
// of languages; docs/adding-a-language.md describes how to add one.
//
// Invariant: any text is read, whatever is wrong with it, in time in proportion
// to its length. Deliberately absent: types, name resolution, and what the
// files of a workspace have to do with each other.
package language
