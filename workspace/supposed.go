package workspace

import (
	"cmp"
	"maps"

	"tandem/edits"
)

// Supposing returns a snapshot in which documents have other texts, as if they
// were open with them: for text that comes with a request, and for the steps of
// a task, which read what the steps before them wrote. Keys are what Resolve
// takes. The session does not know this snapshot.
func (s *Snapshot) Supposing(texts map[string]edits.Text) *Snapshot {
	next := *s
	next.read, next.named = newReads(s.read.cache), cmp.Or(s.named, s)
	for name, text := range maps.All(texts) {
		draft{&next}.suppose(s.Resolve(name), text)
	}
	return &next
}

func (s draft) suppose(key string, text edits.Text) {
	if o, ok := s.overlays[key]; ok {
		supposed := o.with(o.Version, text)
		supposed.Generation = 0
		s.overlays = s.overlays.with(supposed)
		s.reindex(key)
		return
	}
	uri := key
	if path, ok := PathOf(key); ok {
		uri = URIOf(path)
	}
	s.open(Opened{URI: uri, Text: text})
	s.overlays[key].Generation = 0
}
