// Package local is the built-in engine, which serves users who have configured no
// model, have no network or have reached a spending limit: inline completion
// (package complete), next edits and the propagation of changes (package nextedit),
// over what they share (package source).
//
// Invariant: it only composes these packages. Deliberately absent: knowledge of any
// kind.
package local
