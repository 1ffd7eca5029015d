package assist

import "sync"

// documents are the inline states of the open documents, by URI.
type documents struct {
	mu    sync.Mutex // guards byURI
	byURI map[string]*inlineDoc
}

// of returns the inline state of a document and creates it if needed.
func (d *documents) of(uri string) *inlineDoc {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.byURI[uri]
	if doc == nil {
		doc = &inlineDoc{uri: uri, refused: map[string]bool{}}
		d.byURI[uri] = doc
	}
	return doc
}

// all lists the inline states of now.
func (d *documents) all() []*inlineDoc {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]*inlineDoc, 0, len(d.byURI))
	for _, doc := range d.byURI {
		out = append(out, doc)
	}
	return out
}

func (d *documents) forget(uri string) {
	d.mu.Lock()
	doc := d.byURI[uri]
	delete(d.byURI, uri)
	d.mu.Unlock()
	if doc != nil {
		doc.drop()
	}
}

func (d *documents) busy() bool {
	for _, doc := range d.all() {
		if doc.busy() {
			return true
		}
	}
	return false
}
