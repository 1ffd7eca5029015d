package language

import (
	"path"
	"slices"
	"strings"
)

// unknown is the language of a file of which neither name nor text determines
// one.
const unknown = "plaintext"

// OfFile is the language id (as editors name them) of a file, derived from its
// name; "plaintext" when the name does not determine it.
func OfFile(file string) string {
	base := path.Base(file)
	if r, ok := known.byName[base]; ok {
		return r.id
	}
	if r, ok := known.byEnding[strings.ToLower(path.Ext(base))]; ok {
		return r.id
	}
	return unknown
}

// Named returns the name of a document of a language that no file's name says: a file's of that
// language.
func Named(name, id string) string {
	if r, ok := known.byID[id]; ok && OfFile(name) != id {
		ending, _, _ := strings.Cut(r.endings, " ")
		return name + ending
	}
	return name
}

// Scans reports whether definitions are found in a file of some name.
func Scans(file string) bool {
	lang := OfFile(file)
	return slices.ContainsFunc(table, func(r row) bool { return r.id == lang && r.read != nil })
}

// ofText is OfFile, but reads a script's first line when the name does not
// determine the language.
func ofText(file, text string) string {
	id := OfFile(file)
	if id != unknown || !strings.HasPrefix(text, "#!") {
		return id
	}
	line, _, _ := strings.Cut(text[:min(len(text), 200)], "\n")
	for i := range table {
		if command := table[i].commands; command != "" && strings.Contains(line, command) {
			return table[i].id
		}
	}
	return id
}

// Of is the language to read a file as: the editor's language id, unless that
// is "" or none that can be read.
func Of(id, file, text string) string {
	if r, ok := known.byID[id]; ok && r.read != nil {
		return id
	}
	if detected := ofText(file, text); detected != unknown || id == "" {
		return detected
	}
	return id
}

// LastPart is what follows the last dot of a name, all of it without one.
func LastPart(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }
