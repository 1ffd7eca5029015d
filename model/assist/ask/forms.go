package ask

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// How much an answer lists, and of how many files it reads the lines that name something.
const (
	maxListed    = 12
	maxUsed      = 30
	maxUserFiles = 400
)

// A subject is what a question of one of the forms is about.
type subject struct {
	ctx   context.Context
	snap  *workspace.Snapshot
	view  *workspace.View
	ix    *index.Index
	uri   string // of the document from which the question came
	name  string
	defs  []index.Def    // that the name means, the likeliest first
	files []index.FileID // that the name means if it means no definition
}

// A reply is the answer of one folder; the zero reply says that it does not know the subject.
type reply struct {
	text  string
	found bool // text is of what was found, and not that there is none
}

func found(text string) reply { return reply{text, text != ""} }

// none is the reply of a folder that knows the subject and has nothing to list.
func (s *subject) none(claim string, args ...any) reply {
	return reply{text: s.snap.Absent(fmt.Sprintf(claim, args...))}
}

// A form is a question that the index answers alone. The first group of its pattern that
// matches is the subject.
type form struct {
	pattern *regexp.Regexp
	answer  func(*subject) reply
}

// forms are tried in order.
var forms = []form{
	{question(`what (?:has |have i )?changed(?: here)?|what did i (?:just )?change|(?:my |the )?(?:recent|last) (?:changes|edits)`), (*subject).changed},
	{question(`(?:where|how) (?:is|are|do we|does) (.+?)(?: get)? tested|(?:which |what |where are the )?tests? (?:for|of|cover|covers|exercise|use) (.+)`), (*subject).tested},
	{question(`(?:where|how) (?:is|are|does|do) (.+?)(?: get)? (?:configured|set up|its (?:settings|configuration).*)|(?:where is the )?config(?:uration)? (?:for|of) (.+)`), (*subject).configured},
	{question(`(?:who|what|which (?:functions?|code|files?)) calls? (.+)|callers? of (.+)|where (?:is|are|does|do) (.+?) (?:get )?(?:called|invoked)(?: from)?`), (*subject).called},
	{question(`(?:who|what|which (?:files?|code|packages?|modules?)) (?:uses?|references?|imports?|depends? on|needs?) (.+)|where (?:is|are|does|do) (.+?) (?:get )?(?:used|referenced|imported)|where do (?:we|i|they) use (.+)|(?:uses?|usages?|references?|users?) (?:of|to) (.+)`), (*subject).used},
	{question(`what (?:does|do) (.+?) (?:depend on|depends on|import|imports|use|need|require)|(?:dependencies|imports) of (.+)`), (*subject).depends},
	{question(`(?:which|what) (?:file|module|package|class|type|place) (?:owns?|defines?|declares?|contains?|holds?|has|implements?) (.+)|where (?:is|are|can i find|do i find|does|do) (.+?)(?: (?:defined|declared|implemented|located|live|lives|come from|comes from|definition))?|who owns (.+)|(?:find|show me|show|go to|locate|open) (.+)|(?:definition|declaration|signature|owner) of (.+)|what (?:is|are) (.+)`), (*subject).defined},
}

// question compiles a pattern that matches a whole question, ignoring case and polite phrases.
func question(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(?is)^\s*(?:please |can you |could you |tell me |do you know |hey,? )*(?:` + pattern + `)\s*[?.!]*\s*$`)
}

// answered answers a question of one of the forms from the indexes of all folders, as markdown
// with path:line citations; it returns false if the question has another form or its subject is no
// name.
func answered(ctx context.Context, snap *workspace.Snapshot, uri, asked string) (string, bool) {
	at := slices.IndexFunc(forms, func(f form) bool { return f.pattern.MatchString(asked) })
	if at < 0 {
		return "", false
	}
	name := bare(cmp.Or(forms[at].pattern.FindStringSubmatch(asked)[1:]...))
	var said []string
	var s *subject
	nothing := ""
	for _, view := range slices.Backward(snap.Around(uri)) { // the folder of the document last, which has the last word on nothing
		s = &subject{ctx: ctx, snap: snap, view: view, ix: view.Index(), uri: uri, name: name}
		if s.defs = s.definitions(); len(s.defs) == 0 {
			s.files = s.paths()
		}
		one := forms[at].answer(s)
		if !one.found {
			nothing = cmp.Or(one.text, nothing)
		} else if !slices.Contains(said, one.text) {
			said = append(said, one.text)
		}
	}
	switch left := snap.Unread(); {
	case s == nil:
		return "", false
	case len(said) == 0 && nothing == "":
		nothing = s.unknown()
	case len(said) > 0 && !left.None():
		said = append([]string{fmt.Sprintf("This is of a part of the workspace: %s.\n", left)}, said...)
	}
	slices.Reverse(said)
	answer := cmp.Or(strings.Join(said, "\n"), nothing)
	return answer, answer != ""
}

// Words before and after a subject that name its kind.
var (
	articles = regexp.MustCompile(`(?i)^(?:the|a|an|our|this|that|function|method|class|type|struct|interface|variable|constant|const|field|symbol|file|module|package|func|def)\s+`)
	trailing = regexp.MustCompile(`(?i)\s+(?:function|method|class|type|struct|interface|variable|constant|const|field|symbol|file|module|package|defined|declared|implemented|used|here|in (?:this|the) (?:repo|repository|project|code|codebase|workspace))$`)
)

// bare is a subject without articles, quotes and call parentheses.
func bare(name string) string {
	for {
		was := name
		name = strings.TrimSuffix(strings.Trim(name, " \t\n`'\"“”‘’?.!,;*"), "()")
		if name = trailing.ReplaceAllString(articles.ReplaceAllString(name, ""), ""); name == was {
			return name
		}
	}
}

// definitions are those of a name that may be qualified: Type.Method, package.Func,
// module::name, Class#method. Names of code that others can see come first, tests last.
func (s *subject) definitions() []index.Def {
	parts := strings.FieldsFunc(s.name, func(r rune) bool { return strings.ContainsRune(".:#/", r) })
	if len(parts) == 0 || strings.ContainsAny(s.name, " \t\n") {
		return nil
	}
	out := slices.Clone(s.ix.Lookup(parts[len(parts)-1]))
	if len(parts) > 1 {
		owner := parts[len(parts)-2]
		out = slices.DeleteFunc(out, func(d index.Def) bool {
			f, _ := s.ix.File(d.File)
			return d.Owner() != owner && f.Package != owner && source.Stem(f.Path) != owner && !strings.HasSuffix("/"+source.Folder(f.Path), "/"+owner)
		})
	}
	return s.ranked(out)
}

func (s *subject) ranked(defs []index.Def) []index.Def {
	slices.SortStableFunc(defs, func(a, b index.Def) int { return remoteness(s.ix, a) - remoteness(s.ix, b) })
	return defs
}

// remoteness is the less, the likelier a definition is meant by its name alone.
func remoteness(ix *index.Index, d index.Def) (n int) {
	path := ix.Path(d.File)
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

// paths are the files that the name means: by the end of their path, by their directory or by
// their package.
func (s *subject) paths() (out []index.FileID) {
	name := strings.TrimPrefix(strings.TrimSuffix(s.name, "/"), "./")
	if name == "" {
		return nil
	}
	for _, id := range s.ix.Named(source.Base(name)) {
		if strings.HasSuffix("/"+s.ix.Path(id), "/"+name) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		out = s.ix.Dir(name)
	}
	if len(out) == 0 {
		out = s.ix.Package(name)
	}
	return out
}

// unknown says that the workspace does not have the name, if it looks like one.
func (s *subject) unknown() string {
	looksLikeName := func(r rune) bool { return r == '_' || r == '.' || r >= 'A' && r <= 'Z' }
	if strings.ContainsAny(s.name, " \t\n") || !strings.ContainsFunc(s.name, looksLikeName) {
		return ""
	}
	out := s.snap.Absent(fmt.Sprintf("The index of this workspace has no definition and no file named `%s`.", s.name))
	var near []index.Def
	for _, name := range index.Nearest(s.ix, s.name, 3) {
		near = append(near, s.ranked(s.ix.Lookup(name))[:1]...)
	}
	if len(near) > 0 {
		out += " Near it are:\n\n" + list(near, 3, func(d index.Def) string { return fmt.Sprintf("`%s`, %s", d.Name, s.kindAt(d)) })
	}
	return out
}

// defined answers where the subject is defined, or which files it names.
func (s *subject) defined() reply {
	if len(s.files) > 0 {
		return found(fmt.Sprintf("`%s` is here:\n\n", s.name) + list(s.files, maxListed, func(id index.FileID) string {
			f, _ := s.ix.File(id)
			return fmt.Sprintf("%s (%s)", s.at(id, 1), terms.Counted(f.Lines, "line"))
		}))
	}
	if len(s.defs) == 0 {
		return reply{}
	}
	d := s.defs[0]
	out := fmt.Sprintf("`%s` is a %s defined at %s.\n", d.Qualified(), d.Kind, s.at(d.File, d.StartLine))
	if lines := strings.Split(strings.TrimRight(s.ix.SigText(d.ID), "\n"), "\n"); lines[0] != "" {
		out += fmt.Sprintf("\n```%s\n%s\n```\n", s.ix.Language(d.File), strings.Join(lines[:min(len(lines), 8)], "\n"))
	}
	if len(s.defs) > 1 {
		out += "\nThe name is also defined at:\n\n"
	}
	return found(out + list(s.defs[1:], maxListed/2, func(d index.Def) string {
		return fmt.Sprintf("%s (%s `%s`)", s.at(d.File, d.StartLine), d.Kind, d.Qualified())
	}))
}

func (s *subject) used() reply {
	if len(s.files) > 0 {
		return s.importers()
	}
	return s.uses("used", func(string, use) bool { return true })
}

func (s *subject) called() reply {
	return s.uses("called", func(_ string, u use) bool { return u.call })
}

func (s *subject) tested() reply {
	return s.uses("used by tests", func(path string, _ use) bool { return language.IsTest(path) })
}

func (s *subject) configured() reply {
	return s.uses("named in configuration", func(path string, _ use) bool { return isConfiguration(path) })
}

// A use is a line whose code has a name.
type use struct {
	file index.FileID
	line int // counted from 1
	text string
	call bool
}

// uses answers where the subject is named, tests and generated files last, each place with the
// definition around it.
func (s *subject) uses(verb string, keep func(path string, u use) bool) reply {
	name, where := s.name, ""
	switch {
	case len(s.defs) > 0:
		name, where = s.defs[0].Name, " (defined at "+s.at(s.defs[0].File, s.defs[0].StartLine)+")"
	case len(s.ix.Users(name)) == 0:
		return reply{}
	}
	sites, left := s.usesOf(name, keep)
	files := map[index.FileID]bool{}
	for _, u := range sites {
		files[u.file] = true
	}
	if len(sites) == 0 && left.None() {
		return s.none("`%s`%s is not %s anywhere in this workspace.", name, where, verb)
	}
	out := fmt.Sprintf("`%s`%s is %s at %s in %s", name, where, verb, terms.Counted(len(sites), "place"), terms.Counted(len(files), "file"))
	if n := len(s.ix.Lookup(name)); n > 1 {
		out += fmt.Sprintf(" (%d definitions share the name, and the index tells their uses apart by name alone)", n)
	}
	if !left.None() {
		out += "; " + left.String()
	}
	return found(out + ":\n\n" + list(sites, maxListed, func(u use) string {
		in := ""
		if around := s.ix.Enclosing(u.file, u.line); len(around) > 0 {
			in = " in `" + around[len(around)-1].Qualified() + "`"
		}
		return fmt.Sprintf("%s%s: `%s`", s.at(u.file, u.line), in, strings.ReplaceAll(source.Clip(u.text, 100), "`", "'"))
	}))
}

// usesOf lists the uses of a name in the files that are read for it, and which are not read.
func (s *subject) usesOf(name string, keep func(path string, u use) bool) (out []use, left cut.Cut) {
	type line struct {
		file index.FileID
		line int
	}
	defined := map[line]bool{}
	for _, d := range s.ix.Lookup(name) {
		defined[line{d.File, d.StartLine}] = true
	}
	users, left := cut.First(s.ix.Users(name), maxUserFiles, "more file has the name and was not read", "more files have the name and were not read").All()
	for _, id := range users {
		path := s.ix.Path(id)
		for u := range usesIn(s.text(path), name) {
			if u.file = id; !defined[line{id, u.line}] && keep(path, u) {
				out = append(out, u)
			}
		}
		if s.ctx.Err() != nil {
			left = cut.Because("the search was ended")
			break
		}
	}
	last := func(u use) int {
		switch path := s.ix.Path(u.file); {
		case source.IsGenerated(path):
			return 2
		case language.IsTest(path):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b use) int { return last(a) - last(b) })
	return out, left
}

// usesIn yields the lines of a text whose code has a name; call: which may be a call there.
func usesIn(text, name string) iter.Seq[use] {
	return func(yield func(use) bool) {
		var lexed []source.Lexeme
		n := 0
		for line := range strings.Lines(text) {
			n++
			line = strings.TrimSpace(line)
			if !strings.Contains(line, name) || source.IsComment(line) {
				continue
			}
			lexed = source.Lex(line, lexed[:0])
			found, call := false, false
			for i, t := range lexed {
				if t.Text == name && (t.Class == source.Word || t.Class == source.Keyword) {
					found = true
					call = call || i+1 < len(lexed) && source.OpensCall[lexed[i+1].Text]
				}
			}
			if found && !yield(use{line: n, text: line, call: call}) {
				return
			}
		}
	}
}

var configurationLanguages = terms.Set("json jsonc yaml toml ini properties dotenv dockerfile makefile xml hcl terraform")

// isConfiguration reports whether a file is about settings, by its kind or name.
func isConfiguration(path string) bool {
	about := func(w string) bool { return strings.Contains(strings.ToLower(path), w) }
	return configurationLanguages[language.OfFile(source.Base(path))] || slices.ContainsFunc([]string{"config", "setting", "option", "flag", "defaults", "conf/"}, about)
}

// importers answers which files import the files of the subject.
func (s *subject) importers() reply {
	var rows []string
	for _, id := range s.ix.Files() {
		for _, im := range s.ix.Imports(id) {
			if slices.ContainsFunc(index.Resolve(s.ix, id, im), func(to index.FileID) bool { return slices.Contains(s.files, to) }) {
				rows = append(rows, fmt.Sprintf("%s: `%s`", s.at(id, im.Line), im.Path))
				break
			}
		}
		if s.ctx.Err() != nil {
			return reply{}
		}
	}
	if len(rows) == 0 {
		return s.none("No file of this workspace imports `%s` (%s).", s.name, s.at(s.files[0], 1))
	}
	return found(fmt.Sprintf("`%s` is imported by %s:\n\n", s.name, terms.Counted(len(rows), "file")) + list(rows, maxListed, asIs))
}

// depends answers what the subject's files import and, for a definition, which of the
// workspace's names it uses.
func (s *subject) depends() reply {
	files, out := s.files, ""
	if len(s.defs) > 0 {
		d := s.defs[0]
		files = []index.FileID{d.File}
		out = fmt.Sprintf("`%s` (%s) uses:\n\n", d.Qualified(), s.at(d.File, d.StartLine))
		used := s.usedBy(d)
		if len(used) == 0 {
			out += "- " + s.snap.Absent("nothing else that its folder defines") + "\n"
		}
		out += list(used, maxUsed, func(d index.Def) string { return fmt.Sprintf("`%s`, %s", d.Qualified(), s.kindAt(d)) })
	}
	if len(files) == 0 {
		return reply{}
	}
	var imports []string
	seen := map[string]bool{}
	for _, id := range files {
		for _, im := range s.ix.Imports(id) {
			if seen[im.Path] {
				continue
			}
			seen[im.Path] = true
			row := fmt.Sprintf("`%s` (%s)", im.Path, s.at(id, im.Line))
			if to := index.Resolve(s.ix, id, im); len(to) > 0 {
				row += ", here: " + s.at(to[0], 1)
			}
			imports = append(imports, row)
		}
	}
	if len(imports) == 0 {
		return found(out + fmt.Sprintf("\n%s imports nothing.\n", s.at(files[0], 1)))
	}
	return found(out + fmt.Sprintf("\nImports of %s:\n\n", terms.Counted(len(files), "file")) + list(imports, maxUsed, asIs))
}

// usedBy are the workspace's definitions that a definition's body most likely names.
func (s *subject) usedBy(d index.Def) (out []index.Def) {
	lines := strings.Split(s.text(s.ix.Path(d.File)), "\n")
	seen := map[string]bool{d.Name: true}
	for _, line := range lines[min(d.StartLine-1, len(lines)):min(d.EndLine, len(lines))] {
		if line = strings.TrimSpace(line); source.IsComment(line) {
			continue
		}
		for _, t := range source.Lex(line, nil) {
			if t.Class != source.Word || seen[t.Text] || len(s.ix.LookupIDs(t.Text)) > 20 {
				continue
			}
			seen[t.Text] = true
			all := s.ranked(s.ix.Lookup(t.Text))
			if i := slices.IndexFunc(all, func(x index.Def) bool {
				inside := x.File == d.File && x.StartLine >= d.StartLine && x.EndLine <= d.EndLine
				return !inside && !x.Local && s.ix.Language(x.File) == s.ix.Language(d.File)
			}); i >= 0 {
				out = append(out, all[i])
			}
		}
	}
	return out
}

// changed answers what the user changed recently.
func (s *subject) changed() reply {
	recent := s.snap.RecentEdits(s.uri)
	if len(recent) == 0 {
		return found("Nothing was edited in this session yet.")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The last %s, the newest first:\n", terms.Counted(len(recent), "edit"))
	for _, e := range slices.Backward(recent) {
		fmt.Fprintf(&b, "\n%s\n\n```diff\n%s\n```\n", quoted(fmt.Sprintf("%s:%d", e.Path, max(e.Line, 1))), strings.TrimRight(e.Hunk, "\n"))
	}
	return found(b.String())
}

// list is at most n items, one a line, and how many more there are.
func list[T any](items []T, n int, format func(T) string) string {
	var b strings.Builder
	for _, item := range items[:min(len(items), n)] {
		fmt.Fprintf(&b, "- %s\n", format(item))
	}
	if more := len(items) - n; more > 0 {
		fmt.Fprintf(&b, "- and %d more\n", more)
	}
	return b.String()
}

func asIs(row string) string { return row }

// text is a file's current text, "" if it may not be shown.
func (s *subject) text(path string) string {
	f, err := s.snap.File(s.view.Abs(path))
	if err != nil || f.Binary() || f.Large() {
		return ""
	}
	return f.Content()
}

func (s *subject) at(file index.FileID, line int) string {
	return quoted(fmt.Sprintf("%s:%d", s.snap.Name(s.view.Abs(s.ix.Path(file))), line))
}

func (s *subject) kindAt(d index.Def) string {
	return fmt.Sprintf("%s at %s", d.Kind, s.at(d.File, d.StartLine))
}
