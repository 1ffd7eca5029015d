package window

import "tandem/workspace/redact"

// file returns a file of the view through the gate, or nil when nothing of it may
// be shown.
func (b *builder) file(rel string) *redact.Source {
	if f, known := b.opened[rel]; known {
		return f
	}
	f := b.readFile(rel)
	b.opened[rel] = f
	return f
}

func (b *builder) readFile(rel string) *redact.Source {
	if b.view == nil || b.withheld(rel) {
		return nil
	}
	h, err := b.snap.FileIn(b.view.Abs(rel), b.folders)
	if err != nil || h.Binary() || h.Large() {
		return nil
	}
	return h.Source()
}
