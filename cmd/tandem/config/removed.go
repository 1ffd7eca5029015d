package config

import (
	"fmt"
	"slices"
	"strings"
)

// A RemovedKind is what a removed word was.
type RemovedKind int

// The kinds of removed words.
const (
	RemovedSetting RemovedKind = iota // its dotted name
	RemovedValue                      // a setting's dotted name, " = " and the word
	RemovedFeature                    // a value of policy.disable
	RemovedCommand
	RemovedFlag // its command and the flag, with the placeholder of its value
)

// A Removed is a word that earlier versions knew. It stays known for two minor versions: where
// it is written it is ignored, and named with what to do instead.
type Removed struct {
	Kind    RemovedKind
	Name    string
	Since   string // the first version without it
	Instead string
}

// Removals lists the removed words. A word leaves the list two minor versions after Since.
var Removals = []Removed{
	{RemovedFeature, "record", "0.2.0", "sessions are no longer recorded, so take the word out"},
	{RemovedCommand, "replay", "0.2.0", "`tandem serve --log FILE` writes a session's messages, and nothing replays them"},
	{RemovedFlag, "serve --record FILE", "0.2.0", "write --log FILE for the messages without texts"},
	{RemovedFlag, "serve --record-text", "0.2.0", "write --log FILE --log-texts for the messages with texts"},
	{RemovedFlag, "eval --edits", "0.2.0", "try tandem edit with each edit_format"},
	{RemovedFlag, "eval --next-edits", "0.2.0", "lines alone are replayed"},
	{RemovedFlag, "eval --budgets TOKENS", "0.2.0", "the configured budget counts; a profile holds another one"},
	{RemovedFlag, "eval --lines N", "0.2.0", "at most 10 lines of each commit are replayed"},
}

// Written is the word as it is written.
func (r *Removed) Written() string {
	switch r.Kind {
	case RemovedFeature:
		return fmt.Sprintf("policy.disable = [%q]", r.Name)
	case RemovedCommand, RemovedFlag:
		return "tandem " + r.Name
	}
	return r.Name
}

// Said returns one sentence without a full stop: since when the word has no effect, and what
// to do.
func (r *Removed) Said() string {
	ignored := " and is ignored"
	if r.Kind == RemovedCommand {
		ignored = ""
	}
	return fmt.Sprintf("%s was removed in version %s%s; %s", r.Written(), r.Since, ignored, r.Instead)
}

// removed finds a removed word, nil for none.
func removed(kind RemovedKind, name string) *Removed {
	i := slices.IndexFunc(Removals, func(r Removed) bool { return r.Kind == kind && r.Name == name })
	if i < 0 {
		return nil
	}
	return &Removals[i]
}

// removedValue finds the removed word of a setting, nil for none.
func removedValue(s *Setting, word string) *Removed {
	return removed(RemovedValue, strings.Replace(s.Name, "editor.language.*", "editor", 1)+" = "+word)
}

// removedSetting finds the removed setting that path names or is inside; length is that of
// the removed path.
func removedSetting(path []string) (r *Removed, length int) {
	if len(path) > 3 && path[0] == "editor" && path[1] == "language" {
		r, length = removedSetting(append([]string{"editor"}, path[3:]...))
		return r, length + 2
	}
	for n := 1; n <= len(path); n++ {
		for i := range Removals {
			s := Setting{Name: Removals[i].Name}
			if exact, _ := s.match(path[:n]); exact && Removals[i].Kind == RemovedSetting {
				return &Removals[i], n
			}
		}
	}
	return nil, 0
}
