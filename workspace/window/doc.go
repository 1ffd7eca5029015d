// Package window builds the context window: what a model will be shown around a place, or
// for a question, out of one snapshot of the workspace.
//
// Invariant: a Window never has more tokens than its budget; its count is exact where the
// model's tokenizer is here. Every fragment passed the gate, with its secrets replaced.
// The same snapshot and request make the same window, if no search server is used, once
// the folder's code has been read. There is deliberately no prompt, model or network here,
// nothing is written, and no state outlives a window but what its successor is given as
// Request.Previous, and a table of token counts.
//
// A window is made by types that each know one thing: a place (where), a folder (what code
// there is) and a builder (what is shown so far, and what still fits). The first two stay as
// they are; those that choose what to show, in the order of addContext, hold all three and nothing
// of each other.
//
//	window.go    Window, Request, Build, and the order in which a window is made
//	purpose.go   what a window is for, and the budget and shares of each purpose
//	place.go     the cursor or selection in its document, and the names near it
//	folder.go    files through the gate, definitions and what holds a line
//	builder.go   what a window shows so far, within its budget
//	choice.go    the lines of code chosen so far, each line once
//	section.go   fragments below the headings of their files
//	costs.go     exact token counts, remembered by text
//	region.go    the text around the place, cut at lines that typing does not move
//	memory.go    the window after the one before: it begins with the same text
//	parts.go     rules, diagnostics, recent edits, dependencies, search hits
//	words.go     the files, places, names and quoted texts in what the user said
//	enclosing.go what the place and the changes belong to, imports, what the place uses
//	map.go       the folders and files of the repository
//	found.go     code that the user's words are about where they name nothing
//	related.go   what the request's definitions call, who calls them, their tests
//	callees.go   what the names in code mean, by the rules of its language
//	reach.go     whether a name in one file can mean a definition in another
//	select.go    showing the related code that is worth most, and code that resembles the place
//	reason.go    the words that similar code shares with the place
package window
