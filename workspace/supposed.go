package workspace

import (
	"maps"

	"tandem/edits"
)

// Supposing returns a snapshot in which documents have other texts, as if they
// were open with them: for text that comes with a request, and for the steps of
// a task, which read what the steps before them wrote. Keys are what Resolve
// takes. The session does not know this snapshot.
func (s *Snapshot) Supposing(texts map[string]edits.Text) *Snapshot {
	next := *s
	next.cause = CauseOverlay
	next.read = &reads{cache: s.read.cache, files: map[string]*diskFile{}, allow: map[string]verdict{}}
	for name, text := range maps.All(texts) {
		next.suppose(s.Resolve(name), text)
	}
	return &next
}

func (s *Snapshot) suppose(key string, text edits.Text) {
	if o, ok := s.overlays[key]; ok {
		s.overlays = s.overlays.with(o.with(o.Version, text))
		s.reindex(key)
		return
	}
	uri := key
	if path, ok := PathOf(key); ok {
		uri = URIOf(path)
	}
	s.open(Opened{URI: uri, Text: text})
}
