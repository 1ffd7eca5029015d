package window

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/similar"
	"tandem/workspace/terms"
)

const (
	mostWords    = 64 << 10 // bytes of the user's text
	mostMeanings = 8        // definitions of a name that is asked for
	mostNamed    = 40       // things that a text names
	leastQuoted  = 10       // letters of a quoted text
	mostQuoted   = 300
	mostQuotes   = 8
	quotedFiles  = 48  // files that may have a quoted text
	longestNamed = 200 // lines of a function that is shown whole for a line of a function inside
)

// A mentioned thing is a definition, file or line that the user's words name.
type mentioned struct {
	name       string   // of a definition
	qualifiers []string // of the name, the outermost first
	sure       bool     // written as code, not as prose
	path       string   // of a file
	line       int      // of the file; 0: the whole file
}

var (
	pathPattern  = regexp.MustCompile(`[\w@.+~/\\$-]*[\w@+~$-]\.[A-Za-z][\w]*(?:", line (\d+)|\((\d+)[,)]|:(\d+))?|[\w@.+~-]+(?:/[\w@.+~-]+)+(?::(\d+))?`)
	namePattern  = regexp.MustCompile("`?[\\pL_$][\\pL\\pN_$]*(?:(?:\\.|::|#|->)[\\pL_$][\\pL\\pN_$]*)*(?:\\(|`)?")
	quotePattern = regexp.MustCompile("\"([^\"\\n]*)\"|`([^`\\n]*)`|'([^'\\n]*)'|(?m:(?:[Ee]rror|[Ee]xception|panic|fatal)\\w*: *(.+)$)")
)

// mentions returns the files and lines in the user's words, and then the names.
func (f *fill) mentions() (out []mentioned) {
	words := f.req.At + " " + f.req.Words
	words = words[:min(len(words), mostWords)]
	files := map[string]bool{}
	for _, m := range pathPattern.FindAllStringSubmatch(words, -1) {
		name, line := m[0], 0
		for _, number := range m[1:] {
			if number != "" {
				line, _ = strconv.Atoi(number)
				name = name[:strings.LastIndex(name, number)]
			}
		}
		name = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(name, "line "), `", `), `:("\`)
		if len(f.filesNamed(name)) > 0 { // otherwise a member, or a path of elsewhere
			files[name] = true
			out = append(out, mentioned{path: strings.ReplaceAll(name, `\`, "/"), line: line, sure: true})
		}
	}
	plain := strings.NewReplacer("(*", "", ").", ".", "<", " ", ">", " ").Replace(words)
	for _, at := range namePattern.FindAllStringIndex(plain, -1) {
		text := plain[at[0]:at[1]]
		parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("`(.:#->", r) })
		if files[text] || len(parts) == 0 {
			continue
		}
		last := parts[len(parts)-1]
		sure := len(parts) > 1 || strings.ContainsAny(text, "`(") || distinctive(last)
		out = append(out, mentioned{name: last, qualifiers: parts[:len(parts)-1], sure: sure})
	}
	return out
}

// plainWords are words of prose that seldom mean a definition.
var plainWords = terms.Set("a about above add added after all also an and any are as at bad be because been before both bug but by call called calls can change changed code could did do does done down each error errors every exception explain fail failed fails false file files fix for from function get handle has have help how i if in index into is it its just know line lines list main make makes me method missing more name names need new no not null of off on one only or other our out over panic please read remove result return returns run same see set should show so some step string support test tests than that the their them then there these they this those thread throw to trace true type types up update us use used user uses using value values want was way we were what when where which while who why will with without work works would write you your")

// questionWords are those of them that questions consist of.
var questionWords = terms.Set("a about above all also an and any are as at be because been but by can could did do does done each every for from has have how i if in into is it its just me no not of off on one only or other our out over please should so some than that the their them then there these they this those to us use used uses using want was way we were what when where which while who why will with without would you your")

// named finds what the user's words name as code, whole: definitions, files, lines, and the
// code with a text that they quote. The budget grows for it.
func named(f *fill) (out []Fragment) {
	f.extra = max(0, f.req.Most-f.budget)
	count := 0
	for _, m := range f.mentions() {
		if count++; !m.sure || count > mostNamed {
			continue
		}
		if m.path != "" {
			out = append(out, f.namedFile(m)...)
		} else {
			out = append(out, f.namedDefinitions(m, false)...)
		}
	}
	return append(out, f.quoted()...)
}

// hinted finds what words of prose name: definitions if they seldom mean anything else. If the
// words name nothing else, every definition counts.
func hinted(f *fill) (out []Fragment) {
	mentions := f.mentions()
	for _, alone := range []bool{false, true} {
		for _, m := range mentions {
			if m.sure || len(out) >= mostNamed {
				continue
			}
			if alone && len(out)+len(f.focus) > 0 {
				return out
			}
			out = append(out, f.namedDefinitions(m, alone)...)
		}
	}
	return out
}

// namedDefinitions returns the definitions that a name means. A plain word means one only if
// the words name nothing else, when alone is set: "what does map do?".
func (f *fill) namedDefinitions(m mentioned, alone bool) (out []Fragment) {
	common := plainWords
	if alone {
		common = questionWords
	}
	if !m.sure && (common[strings.ToLower(m.name)] || len(m.name) < 3) {
		return nil
	}
	list := f.meanings(m, alone)
	doubtful := !m.sure && !alone && !capital(m.name)
	if doubtful && len(list) > sameNameMost {
		return nil
	}
	for _, d := range list[:min(len(list), mostMeanings)] {
		out = append(out, f.folder.body(d, "defines "+d.Name+", named in your words"))
		f.focus = append(f.focus, d)
	}
	return out
}

// capital reports whether a name begins with no small letter.
func capital(name string) bool {
	return name != "" && (name[0] >= utf8.RuneSelf || unicode.IsUpper(rune(name[0])))
}

// meanings returns the definitions that a name may mean, the likeliest first. A function inside
// another counts only if nothing else has the name, and never for a plain word.
func (f *fill) meanings(m mentioned, alone bool) (list []definition) {
	for _, id := range f.folder.definitions(m.name, f.place.rel) {
		d := f.folder.definition(id)
		counts := m.sure || d.Kind != language.KindHeading
		if d.Local {
			counts = d.Kind.IsFunc() && (m.sure || alone)
		}
		if counts {
			list = append(list, d)
		}
	}
	keep := func(ok func(definition) bool) (some bool) {
		kept := slices.DeleteFunc(slices.Clone(list), func(d definition) bool { return !ok(d) })
		if some = len(kept) > 0; some {
			list = kept
		}
		return some
	}
	for i, owner := range slices.Backward(m.qualifiers) {
		if !keep(func(d definition) bool { return f.belongs(d, owner) }) && len(list) > sameNameMost && i == len(m.qualifiers)-1 {
			return nil
		}
	}
	keep(func(d definition) bool { return !d.Local })
	if len(list) > 1 {
		keep(func(d definition) bool { return d.Kind.IsFunc() || d.Kind.IsType() })
	}
	if len(list) > sameNameMost {
		keep(func(d definition) bool { return !language.IsTest(f.folder.pathOf(d.id)) })
	}
	if len(list) > sameNameMost && len(m.qualifiers) == 0 {
		keep(func(d definition) bool { return d.Container == "" })
	}
	return list
}

// belongs reports whether a definition belongs to a type, module, file or folder.
func (f *fill) belongs(d definition, owner string) bool {
	for part := range strings.SplitSeq(d.Container, ".") {
		if end := strings.IndexFunc(part, func(r rune) bool { return !wordRune(r) }); end >= 0 {
			part = part[:end]
		}
		if part == owner {
			return true
		}
	}
	file, _ := f.folder.ix.File(d.id.File())
	stem := strings.TrimSuffix(path.Base(file.Path), path.Ext(file.Path))
	around := append(strings.Split(path.Dir(file.Path), "/"), stem, file.Package, lastName(file.Package))
	return slices.Contains(around, owner)
}

// namedFile returns a file that the words name, or what is at their line of it. If the whole is
// too much, its signatures are shown.
func (f *fill) namedFile(m mentioned) (out []Fragment) {
	for _, id := range f.filesNamed(m.path) {
		rel := f.folder.ix.Path(id)
		source := f.folder.file(rel)
		switch {
		case source == nil:
		case m.line > 0 && m.line <= source.LineCount():
			out = append(out, f.namedLine(id, m.line))
		case f.purpose.outlines:
			out = append(out, f.signatures(id)...)
		default:
			c := Fragment{Path: rel, StartLine: 1, EndLine: source.LineCount(), Kind: FragmentCode, Reason: "the file that your words name", orElse: func() []Fragment { return f.signatures(id) }}
			if f.purpose.whole < filesWhole {
				c.most = f.left / 3
			}
			out = append(out, c)
		}
	}
	return out
}

// filesWhole is the least purpose.whole for which files that the words name may take all that
// is left.
const filesWhole = 90

func (f *fill) signatures(id index.FileID) (out []Fragment) {
	for _, def := range f.folder.ix.DefIDs(id) {
		if d := f.folder.definition(def); !d.Local {
			out = f.folder.signature(out, d, "defines "+d.Name+", in the file that your words name")
		}
	}
	return out
}

// namedLine returns what a line that the words name belongs to: the outermost function around
// it that is not too long, or else the innermost definition.
func (f *fill) namedLine(id index.FileID, line int) Fragment {
	rel := f.folder.ix.Path(id)
	beside := Fragment{Path: rel, StartLine: max(1, line-2*aroundLine), EndLine: line + 2*aroundLine, Kind: FragmentCode, Reason: fmt.Sprintf("%s:%d is in your words", rel, line)}
	d, ok := f.folder.holder(id, line)
	for def, outer := range f.folder.ix.Around(id, line) { // the outermost last
		if !outer.Local && outer.Kind.IsFunc() && outer.EndLine-outer.StartLine <= longestNamed {
			d, ok = definition{def, outer}, true
		}
	}
	if !ok {
		return beside
	}
	c := f.folder.body(d, fmt.Sprintf("defines %s, at %s:%d in your words", d.Name, rel, line))
	if d.Kind.IsFunc() {
		f.focus = append(f.focus, d)
		c.orElse = func() []Fragment { return []Fragment{beside} }
	}
	return c
}

// filesNamed returns at most two files whose paths share most of their ends with a name.
func (f *fill) filesNamed(name string) (out []index.FileID) {
	if f.folder.view == nil {
		return nil
	}
	name = strings.TrimPrefix(name, "file://")
	if at, ok := f.folder.view.Rel(f.folder.snap.Resolve(name)); ok {
		name = at.String()
	}
	name = path.Clean(strings.TrimPrefix(name, "./"))
	if id, ok := f.folder.ix.FileID(name); ok {
		return []index.FileID{id}
	}
	most, parts := 0, strings.Split(name, "/")
	for _, id := range f.folder.ix.Named(path.Base(name)) {
		other, n := strings.Split(f.folder.ix.Path(id), "/"), 0
		for n < min(len(parts), len(other)) && parts[len(parts)-1-n] == other[len(other)-1-n] {
			n++
		}
		if n > most {
			most, out = n, nil
		}
		if n == most {
			out = append(out, id)
		}
	}
	if len(out) > sameNameMost { // a trace names files without folders, but packages
		out = slices.DeleteFunc(out, func(id index.FileID) bool {
			file, _ := f.folder.ix.File(id)
			return (file.Package == "" || !strings.Contains(f.req.Words, file.Package+".")) && !strings.Contains(f.req.Words, path.Dir(file.Path)+"/")
		})
	}
	return out[:min(len(out), sameNameMost)]
}

// quoted returns the code with a text that the words quote, such as an error message: a
// sentence, or a long part of it between values that a program may have put in.
func (f *fill) quoted() (out []Fragment) {
	list := quotePattern.FindAllStringSubmatch(f.req.Words[:min(len(f.req.Words), mostWords)], -1)
	for _, m := range list[:min(len(list), mostQuotes)] {
		text := strings.TrimSpace(strings.Join(m[1:], ""))
		if len(text) > mostQuoted {
			continue
		}
		parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\"'`\\0123456789[]{}<>%/:", r) })
		slices.SortStableFunc(parts, func(x, y string) int { return len(y) - len(x) })
		out = append(out, f.having(text, append([]string{text}, parts...))...)
	}
	return out
}

// having returns code with one of the parts of a text, in files that share most of its words.
func (f *fill) having(text string, parts []string) (out []Fragment) {
	var q similar.Query
	q.Add(text, 1)
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return len(part) < leastQuoted || !strings.Contains(part, " ") })
	if len(parts) == 0 {
		return nil
	}
	seen := map[index.FileID]bool{}
	for _, p := range similar.Rank(f.folder.ix, &q, quotedFiles, f.textOf) {
		source := f.folder.file(f.folder.ix.Path(p.File))
		for _, part := range parts {
			at := strings.Index(source.Text(), part)
			if at < 0 || seen[p.File] {
				continue
			}
			seen[p.File] = true
			c, in := f.folder.lines(p.File, source.LineAt(at))
			c.Kind, c.Reason = FragmentCode, fmt.Sprintf("has %q, quoted in your words", part)
			if out = append(out, c); in.Name != "" {
				f.focus = append(f.focus, in)
			}
		}
	}
	return out[:min(len(out), sameNameMost)]
}

// textOf returns the text of another file than the document, "" if it may not be shown.
func (f *fill) textOf(id index.FileID) string {
	if source := f.folder.file(f.folder.ix.Path(id)); source != nil && !(f.place.indexed && id == f.place.file) {
		return source.Text()
	}
	return ""
}
