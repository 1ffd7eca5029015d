// Package next offers the one edit that probably comes next.
//
// Invariant: an offer is about the text that it was made for and follows the user's edits or
// ends; what was rejected is not offered again at its place. There is deliberately no search for
// places here: model/local/nextedit finds them, or a model.
package next
