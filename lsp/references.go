package lsp

import (
	"context"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/assist/next"
	"tandem/workspace"
)

// A referencesParams is what the editor's other language servers answered for the references
// of a declared name.
type referencesParams struct {
	URI       string         `json:"uri"`
	Version   *int32         `json:"version"`
	Range     wireRange      `json:"range"` // of the name, or around it
	Name      string         `json:"name"`
	Locations []wireLocation `json:"locations"`
}

// A wireLocation has the texts that a rename writes beside the new name where that is known.
type wireLocation struct {
	URI    string    `json:"uri"`
	Range  wireRange `json:"range"`
	Prefix *string   `json:"prefixText"`
	Suffix *string   `json:"suffixText"`
}

func (l *wireLocation) affixes() *next.Affixes {
	if l.Prefix == nil || l.Suffix == nil {
		return nil
	}
	return &next.Affixes{Prefix: *l.Prefix, Suffix: *l.Suffix}
}

// maxLocations bounds the places of one declaration.
const maxLocations = 2000

// references keeps them for the edits that follow a change of the declaration. They are about
// the texts as they are now; those of the document that declares it may be of the version for
// which the client asked what is declared.
func (n *nextEdits) references(p *referencesParams) error {
	snap := n.session.Snapshot()
	o, err := openDocument(snap, p.URI)
	if err != nil || len(p.Locations) > maxLocations {
		return nil // closed meanwhile, or a name of everything
	}
	if p.Version != nil && *p.Version != o.Version {
		var asked bool
		if o, asked = n.use.NextEdits.Asked(o, *p.Version); !asked {
			return nil
		}
	}
	span := n.enc.rangeSpan(o.Text, p.Range)
	around := max(span.End, o.Text.LineEnd(o.Text.LineOf(span.Start)))
	at := edits.IndexWord(o.Text.Slice(edits.Span{Start: span.Start, End: around}), p.Name, 0)
	if at < 0 {
		return nil
	}
	span = edits.Span{Start: span.Start + at, End: span.Start + at + len(p.Name)}
	n.use.Engine.During(o, "read the references", func(ctx context.Context) {
		known := next.References{Document: o, Declaration: next.Reference{URI: o.URI, Span: span}, Name: p.Name}
		texts := map[string]edits.Text{}
		for _, l := range p.Locations {
			text, read := texts[l.URI]
			if workspace.Key(l.URI) == workspace.Key(o.URI) {
				text = o.Text
			} else if f, err := snap.File(snap.Resolve(l.URI)); !read && err == nil {
				text = f.Raw()
			}
			texts[l.URI] = text
			known.Uses = append(known.Uses, next.Reference{URI: l.URI, Span: n.enc.rangeSpan(text, l.Range), Affixes: l.affixes()})
			if ctx.Err() != nil {
				return
			}
		}
		n.use.NextEdits.Know(snap, known)
	})
	return nil
}

type declaration struct {
	Name  string    `json:"name"`
	Range wireRange `json:"range"`
}

// declarations are the names that a line declares, whose references the client may ask the
// editor's other language servers for.
func (n *nextEdits) declarations(p *placeParams) (any, work, error) {
	snap := n.session.Snapshot()
	o, offset, err := n.document(snap, p)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(context.Context) (any, error) {
		out := []declaration{}
		for _, span := range n.use.NextEdits.Declarations(snap, core.Place{URI: o.URI, Offset: offset}) {
			out = append(out, declaration{o.Text.Slice(span), n.enc.spanRange(o.Text, span)})
		}
		return map[string]any{"declarations": out}, nil
	}, nil
}
