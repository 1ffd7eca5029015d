package workspace

import (
	"path/filepath"

	"tandem/edits"
	"tandem/workspace/style"
)

// Style is how the document that name means is written. It is found once a version.
func (s *Snapshot) Style(name string) edits.Style {
	if o, open := s.Overlay(s.Resolve(name)); open {
		return o.style.get(func() edits.Style { return s.StyleOf(name, o.Content()) })
	}
	f, err := s.Unfiltered(name)
	if err != nil || f.Binary() || f.Large() {
		return edits.Style{}
	}
	return s.StyleOf(name, f.Content())
}

// StyleOf is how a text is written that the document at name may have.
func (s *Snapshot) StyleOf(name, text string) edits.Style {
	key := s.Resolve(name)
	abs, ok := PathOf(key)
	v := s.View(key)
	if !ok || v == nil {
		return style.Of(filepath.ToSlash(key), text, nil)
	}
	at, _ := v.Rel(abs)
	return style.At(at.String(), text, func(name string) (string, bool) {
		f, err := s.Unfiltered(v.Abs(name))
		if err != nil || f.Binary() || f.Large() {
			return "", false
		}
		return f.Content(), true
	})
}
