package names

import (
	"maps"
	"slices"

	"tandem/edits"
)

// findings are what a text has of findings, wherever it has them.
type findings map[string]bool

// keyOf is what two findings at different places share.
func keyOf(f edits.Finding) string { return f.Kind + " " + f.Message }

func findingsOf(list []edits.Finding) findings {
	out := findings{}
	for _, f := range list {
		out[keyOf(f)] = true
	}
	return out
}

// aboutOf is the name that a text must mention to have a finding; "" if it may have it
// without.
func aboutOf(f edits.Finding) string {
	if f.Kind == kindArguments {
		return ""
	}
	return f.Name
}

// earlier is the change whose new text is one from before f, new at some places.
func (f *change) earlier(text string, places []edits.Span) *change {
	out := *f
	out.After, out.added = text, places
	return &out
}

// findingsBefore returns what the text before an edit has of some findings, and maybe of
// others. The functions that it shares with the base are checked once while the base is
// usable, the others each time. ok is false where it differs from the base in more than bodies.
func (k *cachedLoader) findingsBefore(ws Workspace, f *change, b *goBase, wanted []edits.Finding) (out findings, ok bool) {
	differ, ok := b.changedBodies(f.Before)
	if !ok {
		return nil, false
	}
	from, to := len(b.bodies), len(b.bodies) // those of the base that the text has not
	if len(differ) > 0 {
		from = slices.IndexFunc(b.bodies, func(g goBody) bool { return g.start == differ[0].start })
		to = from + len(differ)
	}
	k.fill(ws, f, b, wanted)
	out = findings{}
	maps.Copy(out, b.declared)
	for _, found := range slices.Concat(b.found[:from], b.found[to:]) {
		maps.Copy(out, found)
	}
	if len(differ) > 0 {
		var spans []edits.Span
		for _, g := range differ {
			spans = append(spans, g.span())
		}
		before := f.earlier(f.Before, spans)
		maps.Copy(out, k.findingsIn(ws, before, b.check(f.abs, f.Before, differ)))
	}
	return out, true
}

func (g goBody) span() edits.Span { return edits.Span{Start: g.start, End: g.end} }

// findingsIn are the findings of a text that was checked.
func (k *cachedLoader) findingsIn(ws Workspace, f *change, r goResult) findings {
	return findingsOf(k.verdict(ws, f, r.briefly()).Findings)
}

// fill checks what was not checked yet of a base's own text and may have one of some
// findings: functions, and all that is in no body.
func (k *cachedLoader) fill(ws Workspace, f *change, b *goBase, wanted []edits.Finding) {
	if b.faulty && b.declared == nil {
		all := f.earlier(b.text, []edits.Span{{Start: 0, End: len(b.text)}})
		b.declared = k.findingsIn(ws, all, k.loader.whole(false, f.earlier(b.text, nil))[0])
	}
	wanted = slices.DeleteFunc(slices.Clone(wanted), func(n edits.Finding) bool { return b.sought[aboutOf(n)] })
	if len(wanted) == 0 {
		return
	}
	for _, n := range wanted {
		b.sought[aboutOf(n)] = true
	}
	var asked []int
	var spans []edits.Span
	places := mentions(b.text, wanted)
	slices.SortFunc(places, func(x, y edits.Span) int { return x.Start - y.Start })
	for i, next := 0, 0; i < len(b.bodies); i++ {
		for next < len(places) && places[next].End < b.bodies[i].start {
			next++
		}
		if b.found[i] == nil && next < len(places) && places[next].Start <= b.bodies[i].end {
			asked, spans = append(asked, i), append(spans, b.bodies[i].span())
			b.found[i] = findings{}
		}
	}
	if len(asked) == 0 {
		return
	}
	before := f.earlier(b.text, spans)
	list := k.verdict(ws, before, k.loader.whole(false, before)[0].briefly()).Findings
	slices.SortFunc(list, func(x, y edits.Finding) int { return x.Span.Start - y.Span.Start })
	at := 0
	for _, found := range list {
		for at < len(asked)-1 && b.bodies[asked[at]].end <= found.Span.Start {
			at++
		}
		b.found[asked[at]][keyOf(found)] = true
	}
}
