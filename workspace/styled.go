package workspace

import (
	"path"
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
	return s.StyleOf(name, f.Raw().String())
}

// StyleOf is how a text is written that the document at name may have.
func (s *Snapshot) StyleOf(name, text string) edits.Style {
	key := s.Resolve(name)
	return style.Of(filepath.ToSlash(key), text, s.configured(key))
}

// configured is what the .editorconfig files of a folder of the workspace say of a file.
func (s *Snapshot) configured(key string) style.Properties {
	abs, ok := PathOf(key)
	v := s.View(key)
	if !ok || v == nil {
		return nil
	}
	at, _ := v.Rel(abs)
	name := at.String()
	var texts, below []string
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if f, err := s.Unfiltered(v.Abs(path.Join(dir, ".editorconfig"))); err == nil && !f.Binary() && !f.Large() {
			within, _ := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(name))
			texts, below = append(texts, f.Raw().String()), append(below, filepath.ToSlash(within))
		}
		if dir == "." || dir == "/" {
			return style.Configured(texts, below)
		}
	}
}
