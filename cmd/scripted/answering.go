package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// maxCited is how many places an answer names at most.
const maxCited = 4

// explain answers a question with the places that hold its words.
func explain(p *page) string {
	about := p.request
	if p.chosen {
		about += " " + p.region
	}
	found := p.cite(about)
	if len(found) == 0 {
		return "The code shown does not hold the answer: none of it mentions " + or(strings.Join(asked(about), ", "), "what the question is about") + "."
	}
	first := found[0]
	var b strings.Builder
	if m := declares.FindStringSubmatch(first.text); m != nil {
		fmt.Fprintf(&b, "`%s` is declared at %s", m[1], first.name())
	} else {
		fmt.Fprintf(&b, "See %s, `%s`", first.name(), short(first.text))
	}
	for i, at := range found[1:] {
		if i == 0 {
			b.WriteString("; see also")
		} else {
			b.WriteString(",")
		}
		b.WriteString(" " + at.name())
	}
	b.WriteString(".\n")
	for _, at := range found {
		fmt.Fprintf(&b, "\n- %s: `%s`", at.name(), short(at.text))
	}
	return b.String() + "\n"
}

func short(line string) string {
	line = strings.ReplaceAll(strings.TrimSpace(line), "`", "'")
	if r := []rune(line); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return line
}

// asked are the words of a question that code could hold.
func asked(question string) []string {
	common := strings.Fields("the and that this what which where how why does did for from with are was is in of to a an it file files owns own code function method please explain would could should there here who when")
	var words []string
	for _, w := range identifier.FindAllString(question, -1) {
		if len(w) > 2 && !slices.Contains(common, strings.ToLower(w)) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// cite ranks the lines shown by how many of the words they hold; declarations
// count more than uses, rare words more than frequent ones.
func (p *page) cite(question string) []place {
	words, places := asked(question), p.places()
	lower := make([]string, len(places))
	for i, at := range places {
		lower[i] = strings.ToLower(at.text)
	}
	score := make([]float64, len(places))
	for _, w := range words {
		w = strings.ToLower(w)
		var hits []int
		for i := range lower {
			if strings.Contains(lower[i], w) {
				hits = append(hits, i)
			}
		}
		for _, i := range hits {
			score[i] += 1 / float64(1+len(hits))
			if m := declares.FindStringSubmatch(places[i].text); m != nil && strings.Contains(strings.ToLower(m[1]), w) {
				score[i] += 1
			}
		}
	}
	order := make([]int, 0, len(places))
	for i := range places {
		if score[i] > 0 {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return score[order[a]] > score[order[b]] })
	var out []place
	cited := map[string]bool{}
	for _, i := range order {
		if at := places[i]; len(out) < maxCited && !cited[at.name()] {
			cited[at.name()] = true
			out = append(out, at)
		}
	}
	return out
}

var clauses = regexp.MustCompile(`(?i)\s*(?:;|\n|,? and then |, then |,? and )\s*`)

// plan splits the request into steps: simple ones go to the fast lane.
func plan(p *page) string {
	where := p.path
	if where == "" {
		if at := p.places(); len(at) > 0 {
			where = at[0].path
		}
	}
	request, _, _ := strings.Cut(p.request, "\n\nThe user added")
	var b strings.Builder
	for _, clause := range clauses.Split(strings.TrimRight(strings.TrimSpace(request), "."), -1) {
		if clause = strings.TrimSpace(clause); clause == "" {
			continue
		}
		lane := "[DEEP]"
		if plain(clause) {
			lane = "[FAST]"
		}
		fmt.Fprintf(&b, "%s %s, in %s\n", lane, clause, or(where, "the file shown"))
	}
	if name := p.firstName(); strings.Count(b.String(), "\n") == 1 && name != "" && !commentPattern.MatchString(request) {
		fmt.Fprintf(&b, "[FAST] add a doc comment to %s, in %s\n", name, where)
	}
	return b.String()
}

// plain reports whether a request is simple enough for the fast lane.
func plain(request string) bool {
	return renamePattern.MatchString(request) || replacePattern.MatchString(request) || removePattern.MatchString(request) ||
		insertPattern.MatchString(request) || commentPattern.MatchString(request)
}

func (p *page) firstName() string {
	for _, line := range strings.Split(p.region, "\n") {
		if m := declares.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

// suspects are patterns of lines that a reviewer would question, in any language.
var suspects = []struct {
	pattern  *regexp.Regexp
	severity string
	message  string
}{
	{regexp.MustCompile(`^\s*_\s*=\s*\w+[.\w]*\(|,\s*_\s*:?=\s*\w+[.\w]*\(`), "warning", "the error or second result of this call is thrown away"},
	{regexp.MustCompile(`except\s*:\s*$|catch\s*(\([^)]*\))?\s*\{\s*\}`), "warning", "every error is swallowed here"},
	{regexp.MustCompile(`\bpanic\(|\bprocess\.exit\(|\bunwrap\(\)`), "information", "this ends the program instead of reporting an error"},
	{regexp.MustCompile(`\b(?:TODO|FIXME|XXX)\b`), "information", "unfinished: the remark says that something is left to do"},
}

// review reports the lines that look suspicious.
func review(p *page) string {
	var b strings.Builder
	places := p.places()
	if p.path != "" {
		places = places[len(places)-1-strings.Count(p.file(), "\n"):]
	}
	for _, s := range suspects {
		for _, at := range places {
			if loc := s.pattern.FindStringIndex(at.text); loc != nil {
				fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", at.path, at.line, loc[0]+1, s.severity, s.message)
			}
		}
	}
	return or(b.String(), "none\n")
}

// commitMessage names what a diff touches.
func commitMessage(p *page) string {
	var files, names []string
	added := 0
	for _, line := range strings.Split(p.diff+"\n"+p.request, "\n") {
		if file, ok := strings.CutPrefix(line, "+++ "); ok {
			files = append(files, path.Base(strings.TrimPrefix(strings.TrimSpace(file), "b/")))
			continue
		}
		if text, ok := strings.CutPrefix(line, "+"); ok {
			added++
			if m := declares.FindStringSubmatch(text); m != nil && !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
	}
	switch {
	case len(names) > 0:
		return "Add " + strings.Join(names[:min(len(names), 3)], ", ") + "\n"
	case len(files) > 0:
		return fmt.Sprintf("Change %s (%d lines added)\n", strings.Join(files[:min(len(files), 3)], ", "), added)
	}
	return "Change what the diff shows\n"
}

// nextEdit repeats the change of a name that recent edits have made, at the
// next place of the file that still has the old one.
func nextEdit(p *page, instructions string) string {
	lines := strings.Split(p.context, "\n")
	for i := 0; i+1 < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "-") || !strings.HasPrefix(lines[i+1], "+") {
			continue
		}
		old, now, ok := renamed(lines[i][1:], lines[i+1][1:])
		if !ok || !wholeWord(old).MatchString(p.file()) {
			continue
		}
		at := wholeWord(old).FindStringIndex(p.file())
		after := p.file()[:at[0]] + now + p.file()[at[1]:]
		return written(p.path, p.file(), after, instructions)
	}
	return "NONE"
}

// renamed is the one name in which two lines differ.
func renamed(before, after string) (old, now string, ok bool) {
	a, b := identifier.FindAllString(before, -1), identifier.FindAllString(after, -1)
	if len(a) != len(b) {
		return "", "", false
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if ok && (a[i] != old || b[i] != now) {
			return "", "", false
		}
		old, now, ok = a[i], b[i], true
	}
	return old, now, ok
}
