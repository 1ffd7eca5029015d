package questions

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A Historian is a Corpus that also has the user's recent edits.
type Historian interface {
	RecentEdits() []workspace.RecentEdit
}

// An inquiry is one question about one subject.
type inquiry struct {
	ctx     context.Context
	corpus  source.Corpus
	ix      *index.Index
	subject string
	defs    []index.Def    // what the subject names
	files   []index.FileID // the files it names, where it is a path
}

// A rule answers the questions that match a pattern; its first group that
// matched is the subject.
type rule struct {
	pattern *regexp.Regexp
	answer  func(*inquiry) (string, bool)
}

// rules are tried in order. A question that matches none needs a model.
var rules = []rule{
	{question(`what (?:has |have i )?changed(?: here)?|what did i (?:just )?change|(?:my |the )?(?:recent|last) (?:changes|edits)`), (*inquiry).changed},
	{question(`(?:where|how) (?:is|are|do we|does) (.+?)(?: get)? tested|(?:which |what |where are the )?tests? (?:for|of|cover|covers|exercise|use) (.+)`), (*inquiry).tested},
	{question(`(?:where|how) (?:is|are|does|do) (.+?)(?: get)? (?:configured|set up|its (?:settings|configuration).*)|(?:where is the )?config(?:uration)? (?:for|of) (.+)`), (*inquiry).configured},
	{question(`(?:who|what|which (?:functions?|code|files?)) calls? (.+)|callers? of (.+)|where (?:is|are|does|do) (.+?) (?:get )?(?:called|invoked)(?: from)?`), (*inquiry).called},
	{question(`(?:who|what|which (?:files?|code|packages?|modules?)) (?:uses?|references?|imports?|depends? on|needs?) (.+)|where (?:is|are|does|do) (.+?) (?:get )?(?:used|referenced|imported)|where do (?:we|i|they) use (.+)|(?:uses?|usages?|references?|users?) (?:of|to) (.+)`), (*inquiry).used},
	{question(`what (?:does|do) (.+?) (?:depend on|depends on|import|imports|use|need|require)|(?:dependencies|imports) of (.+)`), (*inquiry).depends},
	{question(`(?:which|what) (?:file|module|package|class|type|place) (?:owns?|defines?|declares?|contains?|holds?|has|implements?) (.+)|where (?:is|are|can i find|do i find|does|do) (.+?)(?: (?:defined|declared|implemented|located|live|lives|come from|comes from|definition))?|who owns (.+)|(?:find|show me|show|go to|locate|open) (.+)|(?:definition|declaration|signature|owner) of (.+)|what (?:is|are) (.+)`), (*inquiry).defined},
}

// question compiles a pattern that matches a whole question, ignoring case and
// polite phrases before it.
func question(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(?is)^\s*(?:please |can you |could you |tell me |do you know |hey,? )*(?:` + pattern + `)\s*[?.!]*\s*$`)
}

// Answer answers a question from the index, as markdown with path:line
// citations; it returns false if the question needs a model.
func Answer(ctx context.Context, c source.Corpus, asked string) (string, bool) {
	for _, r := range rules {
		m := r.pattern.FindStringSubmatch(asked)
		if m == nil {
			continue
		}
		q := &inquiry{ctx: ctx, corpus: c, ix: c.Index()}
		for _, group := range m[1:] {
			if group != "" {
				q.subject = clean(group)
				break
			}
		}
		q.resolve()
		if answer, ok := r.answer(q); ok {
			return answer, true
		}
		return q.unknown()
	}
	return "", false
}

// Words before and after a subject that name its kind.
var (
	articles = regexp.MustCompile(`(?i)^(?:the|a|an|our|this|that|function|method|class|type|struct|interface|variable|constant|const|field|symbol|file|module|package|func|def)\s+`)
	trailing = regexp.MustCompile(`(?i)\s+(?:function|method|class|type|struct|interface|variable|constant|const|field|symbol|file|module|package|defined|declared|implemented|used|here|in (?:this|the) (?:repo|repository|project|code|codebase|workspace))$`)
)

// clean removes articles, quotes and call parentheses from a subject.
func clean(subject string) string {
	for {
		was := subject
		subject = strings.Trim(subject, " \t\n`'\"“”‘’?.!,;*")
		subject = strings.TrimSuffix(subject, "()")
		subject = trailing.ReplaceAllString(articles.ReplaceAllString(subject, ""), "")
		if subject == was {
			return subject
		}
	}
}

// resolve finds what the subject names: definitions, else files.
func (q *inquiry) resolve() {
	if q.subject == "" {
		return
	}
	q.defs = q.ranked(q.lookup(q.subject))
	if len(q.defs) == 0 {
		q.files = q.paths(q.subject)
	}
}

// lookup returns the definitions of a name that may be qualified: Type.Method,
// package.Func, module::name, Class#method.
func (q *inquiry) lookup(name string) []index.Def {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:#/", r) })
	if len(parts) == 0 || strings.ContainsAny(name, " \t\n") {
		return nil
	}
	all := q.ix.Lookup(parts[len(parts)-1])
	if len(parts) == 1 {
		return all
	}
	owner := parts[len(parts)-2]
	var out []index.Def
	for _, d := range all {
		f, _ := q.ix.File(d.File)
		if d.Owner() == owner || f.Package == owner || strings.HasSuffix("/"+source.Folder(f.Path), "/"+owner) || source.Stem(f.Path) == owner {
			out = append(out, d)
		}
	}
	return out
}

// paths returns the files that a subject names: by the end of their path, by
// their directory or by their package.
func (q *inquiry) paths(subject string) []index.FileID {
	subject = strings.TrimPrefix(strings.TrimSuffix(subject, "/"), "./")
	if subject == "" {
		return nil
	}
	var out []index.FileID
	for _, id := range q.ix.Named(source.Base(subject)) {
		if strings.HasSuffix("/"+q.ix.Path(id), "/"+subject) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		out = q.ix.Dir(subject)
	}
	if len(out) == 0 {
		out = q.ix.Package(subject)
	}
	return out
}

// ranked sorts the definitions that a person most likely means first: code before
// tests, names that are visible to other code before local ones.
func (q *inquiry) ranked(defs []index.Def) []index.Def {
	out := slices.Clone(defs)
	slices.SortStableFunc(out, func(a, b index.Def) int { return q.remoteness(a) - q.remoteness(b) })
	return out
}

func (q *inquiry) remoteness(d index.Def) int {
	path, n := q.ix.Path(d.File), 0
	for _, worse := range []struct {
		yes  bool
		cost int
	}{
		{d.Local, 64}, {d.Kind == language.KindHeading, 40}, {language.IsTest(path), 32}, {source.IsGenerated(path), 16}, {!d.Exported, 4},
		{d.Kind == language.KindField || d.Kind == language.KindEnumMember, 3}, {d.Container != "", 2}, {d.Kind == language.KindVar, 1},
	} {
		if worse.yes {
			n += worse.cost
		}
	}
	return n
}

// unknown answers that the workspace does not have the name. It returns false if
// the subject does not look like a name.
func (q *inquiry) unknown() (string, bool) {
	isName := func(r rune) bool { return r == '_' || r == '.' || r >= 'A' && r <= 'Z' }
	if strings.ContainsAny(q.subject, " \t\n") || !strings.ContainsFunc(q.subject, isName) {
		return "", false
	}
	out := fmt.Sprintf("The index of this workspace has no definition and no file named `%s`.", q.subject)
	near := index.Nearest(q.ix, q.subject, 3)
	if len(near) > 0 {
		out += " Near it are:\n"
	}
	for _, name := range near {
		for _, d := range q.ranked(q.ix.Lookup(name))[:1] {
			out += fmt.Sprintf("\n- `%s`, %s at %s", name, d.Kind, q.at(d.File, d.StartLine))
		}
	}
	return out, true
}

// at formats a citation.
func (q *inquiry) at(file index.FileID, line int) string {
	return fmt.Sprintf("%s:%d", q.ix.Path(file), line)
}
