// Package window builds the context window: what a model will be shown around a place, or
// for a question, out of one snapshot of the workspace.
//
// Invariant: a Window never has more tokens than its budget; the count is exact if the
// model's tokenizer is built in. Every fragment passed the gate, with its secrets replaced.
// The same snapshot and request make the same window, unless a search server is asked.
// Deliberately absent: prompts, models, the network, writes, and state of its own except a
// table of token counts; a window continues from Request.Previous.
//
// A window is a pipeline: the region around the place, and then what the sources of the
// purpose find, each within its share of what is left. A Source finds; the fill decides what
// is shown.
//
//	window.go    Window, Request, Build
//	purpose.go   the sources of each purpose, its budget and shares
//	fill.go      what a window shows so far, within its budget, no line twice
//	place.go     the cursor or selection in its document, and the names near it
//	folder.go    files through the gate, and the definition around a line
//	costs.go     exact token counts, remembered by text
//	region.go    the text around the place, cut at lines that typing does not move
//	memory.go    the next window of a document, which begins with the same text
//	meaning.go   what the names in code mean, by the rules of its language
//
// The sources:
//
//	told.go      rules, diagnostics, recent edits, the map of folders, search hits
//	words.go     the files, places, names and quoted texts in what the user said
//	related.go   declarations, what the place belongs to, what it calls, who calls it, tests
//	found.go     functions that have most of the user's words
//	similar.go   code that resembles the place
package window
