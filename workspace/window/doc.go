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
// The files, in the order in which a window is made:
//
//	window.go   Window, Request, Build and the builder that its parts share
//	purpose.go  what a window is for, and the budget and shares of each purpose
//	memory.go   the window after the one before: it begins with the same text
//	region.go   the text around the place, cut at lines that typing does not move
//	parts.go    rules, diagnostics, recent edits, dependencies, search hits
//	words.go    the files, places, names and quoted texts in what the user said
//	review.go   the definitions that a diff changes, or that the place is in
//	related.go  what encloses the place, what it imports, who calls it, its tests
//	callees.go  what the names in code mean, by the rules of its language
//	reach.go    whether a name in one file can mean a definition in another
//	map.go      the folders and files of the repository
//	select.go   choosing the code worth most for its tokens
//	queue.go    the candidates, the densest in front
//	found.go    code that the user's words are about where they name nothing
//	reason.go   the words that similar code shares with the place
//	ahead.go    reading files while the window is being made
//	file.go     a file through the gate, its lines without secrets
//	choice.go   the lines chosen so far, each line once
//	section.go  fragments below the headings of their files
//	costs.go    exact token counts, remembered by text
package window
