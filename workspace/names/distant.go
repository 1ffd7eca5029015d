package names

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"tandem/edits"
	"tandem/workspace/language"
)

// maxDistant bounds the other files that are read for what a change removes.
const maxDistant = 200

// distant are the errors that a change makes in files which it leaves as they are: these use
// what it removes or declares otherwise. An error that such a file has without the change is
// not one of them.
func (n *Names) distant(list []*change) (out Verdict) {
	after, before := slices.Clone(list), make([]*change, len(list))
	for i, f := range list {
		seen, was := *f, *f
		seen.added, was.added = nil, nil
		was.After, was.AbsentAfter = f.Before, f.AbsentBefore
		after[i], before[i] = &seen, &was
	}
	users := n.users(list)
	if len(users) == 0 {
		return out
	}
	place := func(f edits.Finding) string { return fmt.Sprint(f.Path, f.Span, f.Kind) }
	had := map[string]bool{}
	for _, f := range n.judge(append(before, users...)).Findings {
		had[place(f)] = true
	}
	for _, f := range n.judge(append(after, users...)).Findings {
		if !had[place(f)] && f.Severity == severityError {
			f.Kind, f.Message = kindCallee, f.Message+"; the change removed it or declares it otherwise"
			out.Findings = append(out.Findings, f)
		}
	}
	return out
}

// users are the files outside a change that mention what it removes or declares otherwise,
// each as if all of it were new.
func (n *Names) users(list []*change) (out []*change) {
	seen := map[string]bool{}
	for _, f := range list {
		seen[f.abs] = true
	}
	for _, f := range list {
		ix, root, _ := n.ws.Index(f.abs)
		if ix == nil || f.AbsentBefore || f.Before == "" || codeOnly[f.lang] {
			continue
		}
		for _, name := range withdrawn(f) {
			for _, id := range ix.Users(name) {
				abs := filepath.Join(root, filepath.FromSlash(ix.Path(id)))
				lang := ix.Language(id)
				if seen[abs] || family(lang) != family(f.lang) || len(out) == maxDistant || !n.c.golang.shows(abs) {
					continue
				}
				seen[abs] = true
				text, _, open := n.ws.Overlay(abs)
				if !open {
					data, err := n.c.options.Deps.ReadFile(abs, maxModule)
					if err != nil {
						continue
					}
					text = string(data)
				}
				user := &change{FileChange: edits.FileChange{Path: n.ws.Name(abs), After: text, AbsentBefore: true}, abs: abs, lang: lang}
				if language.Parsable(lang, text) == nil {
					user.added = []edits.Span{{Start: 0, End: len(text)}}
					out = append(out, user)
				}
			}
		}
	}
	return out
}

// withdrawn are the names that a file declares no more, or otherwise.
func withdrawn(f *change) []string {
	declared := func(text string) map[string]string {
		out := map[string]string{}
		for _, d := range language.Scan("", filepath.Base(f.abs), text).Defs {
			if !d.Local {
				key := fmt.Sprint(d.Container, "\x00", d.Kind, d.Name, d.Params, d.MinParams, d.MaxParams, d.Type)
				out[key] = d.Name
			}
		}
		return out
	}
	was, is := declared(f.Before), declared(f.After)
	maps.DeleteFunc(was, func(key, _ string) bool { return is[key] != "" })
	return slices.Compact(slices.Sorted(maps.Values(was)))
}
