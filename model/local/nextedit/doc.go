// Package nextedit finds where else the user's last changes apply: the places of a
// change that was made at least twice, or once in a text that has copies, those that lack
// lines which were added at two others, the uses of a definition that was renamed, and the
// calls of a function whose parameters changed.
//
// Invariant: an edit it offers is for the text that Corpus.Text returns. What may mean
// another definition, and what only the user can write, is a place to go to. How sure an edit must be was learned from
// the history of repositories (weights.go). Deliberately absent: types, learning from the
// user, the network, the disk and every go statement.
package nextedit
