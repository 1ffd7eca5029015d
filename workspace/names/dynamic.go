package names

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace/cut"
	"tandem/workspace/deps"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A dynamicChecker checks languages in which types are known only in some
// places. What cannot be derived is checked against a vocabulary: a member that
// nothing in the workspace, its libraries and the language itself mentions does
// not exist.
type dynamicChecker struct {
	deps *deps.Resolver

	mu           sync.Mutex // guards all below
	mostUsers    int
	mostFindings int
	audience     audience
	modules      map[string]*module
	vocab        map[string]*cachedVocabulary
	disk         diskState
	globals      map[string]*scriptLibrary // of scripts, by the folder of their library
}

// A diskState is what was found on the disk since a check began; a later one forgets it.
type diskState struct {
	since  time.Time
	exists map[string]bool       // files
	places map[string]deps.Place // what imports of a folder lead to
}

// A cachedVocabulary is read again when it is older than vocabularyAge.
type cachedVocabulary struct {
	words   *deps.Vocabulary
	builtAt time.Time
}

// vocabularyAge is how long a library's vocabulary is reused.
const vocabularyAge = 5 * time.Minute

// A module is one file as seen by its importers.
type module struct {
	path   string // absolute
	stamp  moduleStamp
	place  string    // shown to users
	hidden *audience // of the checker where no model may be told of the file, else nil
	text   string
	python bool
	pieces []piece  // they make up the text
	links  []link   // what it imports or re-exports
	open   bool     // it may have names that cannot be determined
	stars  []string // modules of which it has every name

	members map[string]map[string][]language.Def // see in
	sets    bool                                 // its code may set attributes by names that it computes
}

// A link is a name of a module that refers to a name of another module.
type link struct {
	local  string // its name here
	module string // as written
	name   string // its name there; "" for the module itself
	line   int
}

// namesOne reports whether a name here is one that a module exports under its own name.
func (l link) namesOne() bool {
	return l.module != "" && l.name != "*" && l.name != "default"
}

type moduleStamp struct {
	size    int64
	mod     time.Time
	version int64
}

// A dynamicCheck is one check of the files of a proposal: it sees the workspace
// at one instant.
type dynamicCheck struct {
	*dynamicChecker
	ws       Workspace
	proposal proposal
	proposed map[string]*module // of the proposal, as their importers see them
	family   string
	verdict  *Verdict
	once     remembered
	checked  *module // the file that is being checked
}

// A remembered is what one check finds out once, however often it is needed.
type remembered struct {
	classes   map[classKey]*class
	installed map[string]bool     // see pythonInstalled; by workspace folder
	listed    map[string][]string // see modulesIn; by folder
	hosts     map[hostKey]string  // see hostName
	called    map[string]bool     // see anyCalled; nil until the first question
	pythons   []*deps.PythonEnv   // see pythonMentions; nil until the first question
	unread    cut.Cut             // of the libraries whose words were looked at
}

// maxModules is how many files are cached.
const maxModules = 3000

func (d *dynamicChecker) check(ws Workspace, family string, list []*change, p proposal) Verdict {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.modules == nil || len(d.modules) > maxModules {
		d.modules = map[string]*module{}
	}
	if d.vocab == nil {
		d.vocab = map[string]*cachedVocabulary{}
	}
	if d.disk.exists == nil || time.Since(d.disk.since) > verifyWait {
		d.disk = diskState{time.Now(), map[string]bool{}, map[string]deps.Place{}}
	}
	var out Verdict
	if len(list) > 1 || list[0].Was == "" || list[0].Absent {
		d.disk.places = map[string]deps.Place{} // several files, or one that is created or deleted, differ from the disk
	}
	r := &dynamicCheck{dynamicChecker: d, ws: ws, proposal: p, proposed: map[string]*module{}, family: family, verdict: &out, once: newRemembered()}
	for _, f := range list {
		if len(f.Look) > 0 {
			out.add(d.file(r, f))
		}
	}
	return out
}

func newRemembered() remembered {
	return remembered{classes: map[classKey]*class{}, installed: map[string]bool{}, listed: map[string][]string{}, hosts: map[hostKey]string{}}
}

// file checks one file. After a panic nothing that was read before is used
// again: it may be half read.
func (d *dynamicChecker) file(r *dynamicCheck, f *change) Verdict {
	v := guarded([]*change{f}, func() Verdict {
		_, root, _ := r.ws.Index(f.abs)
		d.deps.Allow(cmp.Or(root, filepath.Dir(f.abs)))
		return Verdict{Findings: d.audience.findings(func() []edits.Finding {
			if d.audience.public {
				r = &dynamicCheck{dynamicChecker: d, ws: r.ws, proposal: r.proposal, proposed: map[string]*module{}, family: r.family, verdict: &Verdict{}, once: newRemembered()}
			}
			if r.family == "python" {
				return r.python(f)
			}
			return r.script(f)
		})}
	})
	if len(v.Failed) > 0 {
		d.modules, d.vocab, d.globals = map[string]*module{}, map[string]*cachedVocabulary{}, nil
	}
	return v
}

// placed is what an import in a folder leads to. The result is cached for a
// short time.
func (r *dynamicCheck) placed(fromFile, module string, find func() deps.Place) deps.Place {
	key := filepath.Dir(fromFile) + " " + module
	p, ok := r.disk.places[key]
	if !ok {
		p = find()
		r.disk.places[key] = p
	}
	return p
}

// lineIn is the line of an offset, counted from 1.
func lineIn(starts []int, offset int) int {
	i, found := slices.BinarySearch(starts, offset)
	if found {
		return i + 1
	}
	return i
}

// fileExists reports whether a file exists, in the proposal, an editor or on
// disk.
func (r *dynamicCheck) fileExists(abs string) bool {
	if f, ok := r.proposal.files[abs]; ok {
		return !f.Absent
	}
	if _, _, ok := r.ws.Overlay(abs); ok {
		return true
	}
	known, ok := r.disk.exists[abs]
	if !ok {
		info, err := os.Stat(abs)
		known = err == nil && info.Mode().IsRegular()
		r.disk.exists[abs] = known
	}
	return known
}

// variants reports whether a module may be at a path in another language.
func (r *dynamicCheck) variants(at string) bool {
	return slices.ContainsFunc(r.deps.Variants(at), func(file string) bool {
		f := r.proposal.files[file]
		return f == nil || !f.Absent
	})
}

// maxModule is the largest file that is read, in bytes.
const maxModule = 4 << 20

// read returns the text of a file and a stamp that differs from the stamps of
// its later texts.
func (r *dynamicCheck) read(abs string, old moduleStamp) (text string, stamp moduleStamp, same, ok bool) {
	if f, proposed := r.proposal.files[abs]; proposed {
		return f.Text, moduleStamp{version: -1}, false, !f.Absent
	}
	if text, version, open := r.ws.Overlay(abs); open {
		stamp = moduleStamp{size: int64(len(text)), version: version + 1}
		return text, stamp, stamp == old, true
	}
	info, err := os.Stat(abs)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxModule {
		return "", stamp, false, false
	}
	stamp = moduleStamp{size: info.Size(), mod: info.ModTime()}
	if stamp == old {
		return "", stamp, true, true
	}
	data, err := r.deps.ReadFile(abs, maxModule)
	return string(data), stamp, false, err == nil
}

// module reads a file as seen by its importers; nil where it cannot be read.
func (r *dynamicCheck) module(abs string, place deps.Place) *module {
	if r.checked != nil && r.checked.path == abs && place.Own {
		return r.checked
	}
	if m := r.proposed[abs]; m != nil {
		return m
	}
	m := r.modules[abs]
	var old moduleStamp
	if m != nil {
		old = m.stamp
	}
	text, stamp, same, ok := r.read(abs, old)
	if !ok {
		return nil
	}
	if same && m != nil {
		return m
	}
	m = r.moduleWith(abs, text, place, false)
	m.stamp = stamp
	if stamp.version >= 0 {
		r.modules[abs] = m
	} else {
		r.proposed[abs] = m
	}
	return m
}

// moduleWith is a file with a text, as its importers see it, or as one that is checked itself.
func (r *dynamicCheck) moduleWith(abs, text string, place deps.Place, checked bool) *module {
	facts, _ := readerOf(r.family, abs, checked)(r.scan(abs, text), text)
	return r.newModule(abs, text, place, []piece{{facts: facts, text: text}})
}

// newModule is a file of some pieces as seen by its importers.
func (r *dynamicCheck) newModule(abs, text string, place deps.Place, pieces []piece) *module {
	m := &module{path: abs, text: text, place: place.Where(), python: r.family == "python", pieces: pieces, sets: strings.Contains(text, "setattr(")}
	if _, checked := r.proposal.files[abs]; !checked && !r.audience.shown(abs) {
		m.hidden = &r.audience
	}
	if m.place == "" {
		_, root, _ := r.ws.Index(abs)
		m.place = cmp.Or(r.deps.WhereOf(root, abs), r.ws.Name(abs))
	}
	for _, p := range pieces {
		m.links, m.stars, m.open = append(m.links, p.links...), append(m.stars, p.stars...), m.open || p.open
	}
	slices.Sort(m.stars)
	m.stars = slices.Compact(m.stars)
	return m
}

// readerOf reads the facts of a file's text, or of a piece of it. checked is whether the file
// itself is checked, and not only what imports it.
func readerOf(family, abs string, checked bool) reader {
	if family == "python" {
		return pythonFacts
	}
	declares := strings.Contains(filepath.Base(abs), ".d.")
	return func(scan *language.FileScan, text string) (*facts, []language.Token) {
		return factsOfScript(scan, text, declares, checked)
	}
}

// A fileCheck is the check of one file, in any language.
type fileCheck struct {
	files     *dynamicCheck
	f         *change
	self, was *module // with the change, and without it: see before
	around    window
	tokens    []language.Token // of the window
	imports   []dynamic.Import
	found     []edits.Finding
}

// checkOf begins the check of a file, the text of which tokensOf reads.
func (r *dynamicCheck) checkOf(f *change, tokensOf func(text string) []language.Token) fileCheck {
	read := readerOf(r.family, f.abs, true)
	pieces := piecesOf(r.ws.Analysis(f.abs), f.abs, f.Text, read)
	if pieces == nil {
		facts, tokens := read(r.scan(f.abs, f.Text), f.Text)
		pieces = []piece{{facts: facts, text: f.Text, toks: tokens}}
	}
	r.checked = r.newModule(f.abs, f.Text, deps.Place{Own: true}, pieces)
	c := fileCheck{files: r, f: f, self: r.checked, around: r.checked.around(f.Look)}
	c.tokens, c.imports = c.self.read(c.around, tokensOf)
	return c
}

// before is the file without the change.
func (c *fileCheck) before() *module {
	if c.was == nil {
		c.was = c.files.moduleWith(c.f.abs, c.f.Was, deps.Place{Own: true}, true)
	}
	return c.was
}

// add adds a finding about the token at i, unless there is one already.
func (c *fileCheck) add(i int, kind, severity, message, near, where string, inLibrary bool) {
	t := c.tokens[i]
	if slices.ContainsFunc(c.found, func(old edits.Finding) bool { return old.Span.Start == t.Start }) {
		return
	}
	c.found = append(c.found, edits.Finding{
		Path: c.f.Path, Span: edits.Span{Start: t.Start, End: t.End}, Kind: kind, Severity: severity,
		Name: strings.Trim(c.f.Text[t.Start:t.End], `"'`), Message: message, Nearest: near, Where: where,
		Library: severity == severityError && kind != kindImport && inLibrary,
	})
}

// doubt records that nobody can judge the name at i, and why.
func (c *fileCheck) doubt(i int, reason, what string) {
	c.files.doubt(c.f, c.tokens[i], reason, what)
}

// inUse reports whether code of the file without the change, or of another file, has a name.
func (c *fileCheck) inUse(name string) bool {
	return c.f.had(name) || c.files.proposal.uses(c.files.ws, c.f, name)
}

// mentioned reports whether such code, or a definition around the name at i, has that name as one that
// a value may have as a member.
func (c *fileCheck) mentioned(i int, name string) bool {
	return c.inUse(name) || c.files.defines(c.f, c.self, name, c.around.lines.of(c.tokens[i].Start))
}

// scan reads a file's text. That of an open document, or of a change of one, is mostly read
// already.
func (r *dynamicCheck) scan(abs, text string) *language.FileScan {
	name := filepath.Base(abs)
	if a := r.ws.Analysis(abs); a != nil && a.Scan().Language == language.OfFile(name) {
		return a.Next(text).Scan()
	}
	return language.Scan("", name, text)
}

// private reports whether no finding may name what the module has.
func (m *module) private() bool { return m.hidden != nil && !m.hidden.tells() }

// where is what users are told of where the module is; "" if they may not be.
func (m *module) where() string {
	if m.private() {
		return ""
	}
	return m.place
}

// shows reports whether a finding may name what a file tells. The files that
// are checked tell what their author knows.
func (r *dynamicCheck) shows(abs string) bool {
	if _, checked := r.proposal.files[abs]; checked {
		return true
	}
	return r.audience.shows(abs)
}

// unread reports whether files of the workspace will be read that are not yet, and tells that a name
// is not judged for them: each may have, set, import or explain it.
func (r *dynamicCheck) unread(f *change, name language.Token) bool {
	left := r.ws.Unread()
	if !left.None() {
		r.doubt(f, name, doubtUnread, f.Text[name.Start:name.End]+": "+left.String())
	}
	return !left.None()
}

// doubt records a name of a file that nobody can judge, and why.
func (r *dynamicCheck) doubt(f *change, name language.Token, reason, what string) {
	if f.tells(edits.Span{Start: name.Start, End: name.End}) {
		r.verdict.Doubts = counted(r.verdict.Doubts, reason, 1)
		r.verdict.unknownAt(what, Seen{f.Path, name.Start, 1})
	}
}

// lookedUp reports whether a name of a file is looked up, and counts it.
func (r *dynamicCheck) lookedUp(f *change, name language.Token) bool {
	span := edits.Span{Start: name.Start, End: name.End}
	if name.Kind != language.Name || !f.looks(span) {
		return false
	}
	if f.tells(span) {
		r.verdict.Names++
	}
	return true
}

// at is the position of a definition of the module, in a form for users.
func (m *module) at(d language.Def) string {
	if m.private() {
		return ""
	}
	if m.library() {
		return m.place
	}
	return m.place + ":" + itoa(d.StartLine)
}

// library reports whether the module is of an installed library.
func (m *module) library() bool { return ofLibrary(m.place) }

func ofLibrary(where string) bool { return strings.Contains(where, "@") || where == "standard library" }

// vocabulary is a library's vocabulary, read at its first use.
func (r *dynamicCheck) vocabulary(key string, files func() []string) *deps.Vocabulary {
	k := r.vocab[key]
	if k == nil || time.Since(k.builtAt) >= vocabularyAge {
		k = &cachedVocabulary{r.deps.Vocabularies.Of(files()), time.Now()}
		r.vocab[key] = k
	}
	r.once.unread = cut.Join(r.once.unread, k.words.Left())
	return k.words
}

// mostUsers bounds the files that are read to find out how they use a name.
const mostUsers = 64

// someUser reports whether one of the other files of the workspace that have a name, as far as they are
// read, is as is says.
func (r *dynamicCheck) someUser(f *change, name string, is func(*module) bool) (found bool, left cut.Cut) {
	users := slices.DeleteFunc(slices.Collect(usersOf(r.ws, name)), func(abs string) bool { return abs == f.abs })
	users, left = cut.First(users, r.mostUsers, "more file has "+name+" and is not read", "more files have "+name+" and are not read").All()
	return slices.ContainsFunc(users, func(abs string) bool {
		m := r.at(deps.Place{Status: deps.Found, File: abs, Own: true})
		return m != nil && is(m)
	}), left
}

// anyUser reports whether one of the other files of the workspace that have a name is as is says. It
// is true as well where more of them have it than are read, which is told: nobody can judge it then.
func (r *dynamicCheck) anyUser(f *change, name string, is func(*module) bool) bool {
	found, left := r.someUser(f, name, is)
	if found {
		return true
	}
	for at := edits.IndexWord(f.Text, name, 0); at >= 0 && !left.None(); at = edits.IndexWord(f.Text, name, at+len(name)) {
		r.doubt(f, language.Token{Start: at, End: at + len(name)}, doubtMany, left.String())
	}
	return !left.None()
}

// at reads what a module's place says; nil where it cannot be read.
func (r *dynamicCheck) at(place deps.Place) *module {
	if r.family != "python" {
		return r.moduleOf(place)
	}
	if place.File == "" {
		return nil
	}
	return r.module(place.File, place)
}

// defines reports whether the change, or a file as it is, defines a name that a value may have
// as a member. A definition does not vouch for what it does itself.
func (r *dynamicCheck) defines(f *change, self *module, name string, line int) bool {
	outside := func(d language.Def) bool { return f.stage == Standing || line < d.StartLine || d.EndLine < line }
	return slices.ContainsFunc(self.defs(name), outside) || r.proposal.other(f, name, func(other *change) bool { return states(other.code(), name) })
}

// hasWord reports whether text has name as a whole word.
func hasWord(text, name string) bool { return edits.IndexWord(text, name, 0) >= 0 }

// had reports whether a name stands in the file without the change.
func (f *change) had(name string) bool {
	return f.stage != Standing && inCode(hasWord, f.Was, name, f.codeWas)
}

// assigns reports whether code of the file assigns a member of a name.
func (f *change) assigns(name string) bool { return inCode(stored, f.Text, name, f.code) }

// vouches reports whether code of the file itself sets a member of a name, or code without the
// change names it in a string.
func (f *change) vouches(name string) bool {
	return f.assigns(name) || inCode(quoted, f.Text, name, f.code) || inCode(inString, f.vouching(), name, f.vouchingCode)
}

// inCode reports whether the code of a text is as is says of a name. The text is asked first: taking its
// prose out takes longer.
func inCode(is func(text, name string) bool, text, name string, code func() string) bool {
	return is(text, name) && is(code(), name)
}

// suggest is the most similar name among the workspace's definitions of the file's family that are
// as is says, and its position.
func (r *dynamicCheck) suggest(f *change, name string, is func(language.Def) bool) (near, where string) {
	ix, root, _ := r.ws.Index(f.abs)
	list := index.Nearest(ix, name, 8)
	for cut := len(name) - 1; cut >= max(3, len(name)/2) && len(name) < maxMisspelt; cut-- {
		list = append(list, index.Prefix(ix, name[:cut], 12)...)
		if len(list) > 20 {
			break
		}
	}
	defined := map[string]index.Def{}
	for _, n := range list {
		same := func(d index.Def) bool { return family(ix.Language(d.File)) == r.family && is(d.Def) }
		if all := ix.Lookup(n); slices.ContainsFunc(all, same) {
			defined[n] = all[slices.IndexFunc(all, same)]
		}
	}
	if near = nearest(name, maps.Keys(defined)); near == "" {
		return "", ""
	}
	d := defined[near]
	return near, cmp.Or(r.deps.WhereOf(root, filepath.Join(root, filepath.FromSlash(ix.Path(d.File)))), ix.Path(d.File)+":"+itoa(d.StartLine))
}

// isMember reports whether a definition is one of a type.
func isMember(d language.Def) bool { return d.Container != "" && !d.Local }

// maxMisspelt bounds the names for which another is looked up.
const maxMisspelt = 200

// accepts reports whether a definition can be called with n arguments; it is
// true where that is not known.
func accepts(d language.Def, n int) bool {
	if d.MinParams == language.Unknown {
		return true
	}
	return n >= d.MinParams && (d.MaxParams < 0 || n <= d.MaxParams)
}

func callable(d language.Def) bool {
	return d.Kind == language.KindFunc || d.Kind == language.KindMethod || d.Kind == language.KindConstructor
}

// parameters describes to users how many arguments a definition takes.
func parameters(d language.Def) string {
	switch {
	case d.MaxParams < 0:
		return "at least " + terms.Counted(d.MinParams, "argument")
	case d.MinParams == d.MaxParams:
		return terms.Counted(d.MinParams, "argument")
	}
	return itoa(d.MinParams) + " to " + terms.Counted(d.MaxParams, "argument")
}
