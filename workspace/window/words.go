package window

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/similar"
	"tandem/workspace/terms"
)

const (
	mostWords        = 64 << 10 // bytes of the user's text that are searched for names
	mostMeanings     = 8        // definitions of a name that is asked for
	mostNamed        = 40       // things that a text names
	leastQuoted      = 10       // letters of a quoted text that is searched for
	quotedCandidates = 48       // chunks that may have a quoted text
)

// A namer shows what the user's words name.
type namer struct {
	folder  *folder
	place   *place
	words   string // the user's
	purpose purpose
	window  *builder
	focus   []definition // that were named: what the request is about
}

// A mentioned name, file or place is what the user's words refer to.
type mentioned struct {
	name       string   // a definition's
	qualifiers []string // what stands before it, the outermost first
	sure       bool     // it is written as code is, and not as prose
	path       string   // a file's
	line       int      // of path; 0: the file itself
}

var (
	pathPattern  = regexp.MustCompile(`[\w@.+~/\\$-]*[\w@+~$-]\.[A-Za-z][\w]*(?:", line (\d+)|\((\d+)[,)]|:(\d+))?|[\w@.+~-]+(?:/[\w@.+~-]+)+(?::(\d+))?`)
	namePattern  = regexp.MustCompile("`?[\\pL_$][\\pL\\pN_$]*(?:(?:\\.|::|#|->)[\\pL_$][\\pL\\pN_$]*)*(?:\\(|`)?")
	quotePattern = regexp.MustCompile("\"([^\"\\n]*)\"|`([^`\\n]*)`|'([^'\\n]*)'|(?m:(?:[Ee]rror|[Ee]xception|panic|fatal)\\w*: *(.+)$)")
)

// mentions are the files, places and names in a text, in its order.
func (n *namer) mentions(words string) []mentioned {
	words = words[:min(len(words), mostWords)]
	var out []mentioned
	files := map[string]bool{}
	for _, m := range pathPattern.FindAllStringSubmatch(words, -1) {
		name := m[0]
		line := 0
		for _, number := range m[1:] {
			if number != "" {
				line, _ = strconv.Atoi(number)
				name = name[:strings.LastIndex(name, number)]
			}
		}
		name = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(name, "line "), `", `), `:("\`)
		if len(n.filesNamed(name)) == 0 {
			continue // a member of something, or a path of elsewhere
		}
		files[name] = true
		out = append(out, mentioned{path: strings.ReplaceAll(name, `\`, "/"), line: line, sure: true})
	}
	plain := strings.NewReplacer("(*", "", ").", ".", "<", " ", ">", " ").Replace(words)
	for _, at := range namePattern.FindAllStringIndex(plain, -1) {
		text := plain[at[0]:at[1]]
		if files[text] {
			continue
		}
		quoted := strings.ContainsAny(text, "`(")
		parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("`(.:#->", r) })
		if len(parts) == 0 {
			continue
		}
		last := parts[len(parts)-1]
		out = append(out, mentioned{name: last, qualifiers: parts[:len(parts)-1], sure: quoted || len(parts) > 1 || len(last) > 1 && distinctive(last)})
	}
	return out
}

// plainWords are words of prose that hardly ever mean a definition.
var plainWords = terms.Set("a about above add added after all also an and any are as at bad be because been before both bug but by call called calls can change changed code could do does done down each error errors every exception explain fail failed fails false file files fix for from function get handle has have help how i if in index into is it its just know line lines list main make makes method missing more name names need new no not null of off on one only or other our out over panic please read remove result return returns run same see set should show so some step string support test tests than that the their them then there these they this thread throw to trace true type types up update us use used user uses using value values want was way we what when where which while who why will with without work works would write you your")

// questionWords are those of them that a question is made of.
var questionWords = terms.Set("a about above all also an and any are as at be because been but by can could did do does done each every for from has have how i if in into is it its just me no not of off on one only or other our out over please should so some than that the their them then there these they this those to us use used uses using want was way we were what when where which while who why will with without would you your")

// addNamed shows in full what the user's words name, and the file or line at, which is no word
// to search for. The budget grows for that, up to so many tokens.
func (n *namer) addNamed(at string, most int) {
	if n.words == "" && at == "" || n.folder.empty() {
		return
	}
	before, extra := n.window.left, max(0, most-n.window.budget)
	n.window.left += extra
	count := 0
	var later []mentioned
	for _, m := range n.mentions(at + " " + n.words) {
		switch {
		case count >= mostNamed:
		case m.path != "":
			count += n.showNamedFile(m)
		case m.sure:
			count += n.showNamed(m, false)
		case !n.purpose.functions: // where there is little space, a word of prose is worth a search
			later = append(later, m)
		}
	}
	count += n.showQuoted()
	least := n.window.left - n.window.budget/3
	for _, alone := range []bool{false, true} {
		for _, m := range later {
			if count < mostNamed && n.window.left > least && (!alone || count == 0) {
				count += n.showNamed(m, alone)
			}
		}
	}
	used := before + extra - n.window.left
	grown := min(extra, max(0, used-n.window.budget/2))
	n.window.budget += grown
	n.window.left = before + grown - used
}

// showNamed shows the definitions that a name means. A plain word means one only where
// the words name nothing else, and then alone is set: "what does map do?".
func (n *namer) showNamed(m mentioned, alone bool) int {
	common := plainWords[strings.ToLower(m.name)]
	if !m.sure && (common && (!alone || questionWords[strings.ToLower(m.name)]) || len(m.name) < 3) {
		return 0
	}
	ids := n.meanings(m, alone)
	if len(ids) > sameNameMost && !m.sure && !alone && !capital(m.name) {
		return 0
	}
	if len(ids) == 0 && (m.sure || alone) {
		return n.showMethods(m.name)
	}
	ids = ids[:min(len(ids), mostMeanings)]
	for _, id := range ids {
		d := n.folder.definition(id)
		n.window.showBody(d, "defines "+d.Name+", named in your words", n.window.left)
		n.focus = append(n.focus, d)
	}
	return len(ids)
}

// showMethods shows the methods of a name in object literals, which are no definitions of
// the index.
func (n *namer) showMethods(name string) (count int) {
	users := n.folder.ix.Users(name)
	if len(users) > mostUnrelated {
		return 0
	}
	method := regexp.MustCompile(`^\s*(?:async\s+|get\s+|set\s+)?\*?` + regexp.QuoteMeta(name) + `\s*(?:\([^()]*\)[^()]*\{|:\s*(?:async\s*)?(?:function\b|\([^()]*\)).*\{)\s*$`)
	for _, id := range users {
		rel := n.folder.ix.Path(id)
		f := n.folder.file(rel)
		if f == nil || n.folder.family(id) != "script" || count == sameNameMost {
			continue
		}
		for first := 1; first <= f.LineCount() && count < sameNameMost; first++ {
			line := f.Raw(first, first)
			if !strings.Contains(line, name) || !method.MatchString(line) {
				continue
			}
			if _, ok := n.window.chooseLines(rel, choice{first: first, last: blockEnd(f, first), kind: FragmentDefinition, reason: "defines " + name + ", named in your words", named: true}, n.window.left); ok {
				count++
			}
		}
	}
	return count
}

// blockEnd is the line that ends a block, by its indentation.
func blockEnd(f *redact.Source, first int) int {
	indent := func(n int) int {
		line := f.Raw(n, n)
		return len(line) - len(strings.TrimLeft(line, " \t"))
	}
	depth := indent(first)
	for n := first + 1; n <= min(f.LineCount(), first+longestNamed); n++ {
		if strings.TrimSpace(f.Raw(n, n)) != "" && indent(n) <= depth {
			return n
		}
	}
	return first
}

// meanings are the definitions that a name may mean, the likeliest first; those of a plain
// word inside functions only where the words name nothing else.
func (n *namer) meanings(m mentioned, alone bool) []index.DefID {
	all := n.folder.definitions(m.name, n.place.rel)
	ids := slices.DeleteFunc(slices.Clone(all), func(id index.DefID) bool {
		d := n.folder.ix.Brief(id)
		return d.Local || !m.sure && d.Kind == language.KindHeading
	})
	if len(ids) == 0 && (m.sure || alone) { // then a function inside another may be meant
		ids = slices.DeleteFunc(all, func(id index.DefID) bool { return !n.folder.ix.Brief(id).Kind.IsFunc() })
	}
	keep := func(ok func(index.DefID, index.Brief) bool) {
		if kept := slices.DeleteFunc(slices.Clone(ids), func(id index.DefID) bool { return !ok(id, n.folder.ix.Brief(id)) }); len(kept) > 0 {
			ids = kept
		}
	}
	if len(m.qualifiers) > 0 {
		most := len(ids)
		owner := m.qualifiers[len(m.qualifiers)-1]
		keep(func(id index.DefID, d index.Brief) bool { return n.belongs(id, d, owner) })
		if len(ids) == most && most > sameNameMost && !slices.ContainsFunc(ids, func(id index.DefID) bool { return n.belongs(id, n.folder.ix.Brief(id), owner) }) {
			return nil
		}
		for _, outer := range m.qualifiers {
			keep(func(id index.DefID, d index.Brief) bool { return n.belongs(id, d, outer) })
		}
	}
	if len(ids) > 1 {
		keep(func(_ index.DefID, d index.Brief) bool { return d.Kind.IsFunc() || d.Kind.IsType() })
	}
	if len(ids) > sameNameMost {
		keep(func(id index.DefID, _ index.Brief) bool { return !language.IsTest(n.folder.pathOf(id)) })
	}
	if len(ids) > sameNameMost && len(m.qualifiers) == 0 {
		keep(func(_ index.DefID, d index.Brief) bool { return d.Container == "" })
	}
	return ids
}

// belongs reports whether a definition is one of a type, module, file or folder.
func (n *namer) belongs(id index.DefID, d index.Brief, owner string) bool {
	for part := range strings.SplitSeq(d.Container, ".") {
		if leadingWord(part) == owner && part != "" {
			return true
		}
	}
	f, _ := n.folder.ix.File(id.File())
	stem := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	return f.Package == owner || lastDotted(f.Package) == owner || stem == owner || slices.Contains(strings.Split(path.Dir(f.Path), "/"), owner)
}

func leadingWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !wordRune(r) })
	if end < 0 {
		return s
	}
	return s[:end]
}

// showNamedFile shows the file that words name, or what is at a line of it.
func (n *namer) showNamedFile(m mentioned) int {
	list := n.filesNamed(m.path)
	for _, id := range list {
		rel := n.folder.ix.Path(id)
		f := n.folder.file(rel)
		if f == nil {
			continue
		}
		if m.line > 0 && m.line <= f.LineCount() {
			n.showLine(id, m.line)
			continue
		}
		n.showFile(id, f)
	}
	return len(list)
}

// filesNamed are the files whose path ends as a name does, those first that share
// most of it, at most two.
func (n *namer) filesNamed(name string) []index.FileID {
	name = strings.TrimPrefix(name, "file://")
	if rel, ok := n.folder.view.Rel(name); ok {
		name = rel
	}
	name = path.Clean(strings.TrimPrefix(name, "./"))
	if id, ok := n.folder.ix.FileID(name); ok {
		return []index.FileID{id}
	}
	most, out := 0, []index.FileID(nil)
	for _, id := range n.folder.ix.Named(path.Base(name)) {
		n := sharedEnd(n.folder.ix.Path(id), name)
		if n > most {
			most, out = n, nil
		}
		if n == most {
			out = append(out, id)
		}
	}
	if len(out) > sameNameMost {
		out = slices.DeleteFunc(out, func(id index.FileID) bool { return !n.namedInTrace(id) })
	}
	return out[:min(len(out), sameNameMost)]
}

// sharedEnd is how many parts at their ends two paths share.
func sharedEnd(x, y string) int {
	a, b := strings.Split(x, "/"), strings.Split(y, "/")
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// namedInTrace reports whether the words have a file's package or folder as well, as the
// frames of a trace do that name files without their folders.
func (n *namer) namedInTrace(id index.FileID) bool {
	f, _ := n.folder.ix.File(id)
	return f.Package != "" && strings.Contains(n.words, f.Package+".") || strings.Contains(n.words, path.Dir(f.Path)+"/")
}

// showLine shows what a line that words name belongs to, whole.
func (n *namer) showLine(id index.FileID, line int) {
	rel := n.folder.ix.Path(id)
	if d, ok := n.wholeHolder(id, line); ok {
		reason := fmt.Sprintf("defines %s, at %s:%d in your words", d.Name, rel, line)
		if shown := n.window.showBody(d, reason, n.window.left); shown && d.Kind.IsFunc() {
			n.focus = append(n.focus, d)
			return
		}
	}
	n.window.chooseLines(rel, choice{first: max(1, line-aroundCall*2), last: line + aroundCall*2, kind: FragmentCode, reason: fmt.Sprintf("%s:%d is in your words", rel, line)}, n.window.left)
}

// wholeHolder is the outermost function that has a line and is not too long to be read,
// else what holds the line.
func (n *namer) wholeHolder(id index.FileID, line int) (definition, bool) {
	for _, def := range n.folder.ix.DefIDs(id) {
		d := n.folder.definition(def)
		if d.DocLine > line {
			break
		}
		if !d.Local && d.Kind.IsFunc() && line <= d.EndLine && d.EndLine-d.StartLine <= longestNamed {
			return d, true
		}
	}
	return n.folder.holder(id, line)
}

// longestNamed is how many lines a function around a named line may have to be shown for
// it, where the line is in a function inside that one.
const longestNamed = 200

// showFile shows a file whole, or all its signatures where that is too much.
func (n *namer) showFile(id index.FileID, f *redact.Source) {
	most := n.window.left / 3
	if n.purpose.files {
		most = n.window.left
	}
	rel := n.folder.ix.Path(id)
	if !n.purpose.plan {
		if _, ok := n.window.chooseLines(rel, choice{first: 1, last: f.LineCount(), kind: FragmentCode, reason: "the file that your words name"}, most); ok {
			return
		}
	}
	for _, def := range n.folder.ix.DefIDs(id) {
		d := n.folder.definition(def)
		if d.Local || n.window.shows(rel, d.StartLine) {
			continue
		}
		taken, _ := n.window.showSignature(d, "defines "+d.Name+", in the file that your words name", most)
		if most -= taken; most < overhead {
			return
		}
	}
}

// showQuoted shows the code that has a text that the words quote, such as an error
// message: a sentence of 10 to 300 bytes.
func (n *namer) showQuoted() int {
	count, searched := 0, 0
	for _, m := range quotePattern.FindAllStringSubmatch(n.words[:min(len(n.words), mostWords)], -1) {
		for _, quoted := range m[1:] {
			if len(quoted) < 10 || len(quoted) > 300 || !strings.Contains(quoted, " ") || count >= mostNamed || searched == 8 {
				continue
			}
			searched++
			count += n.showText(quoted)
		}
	}
	return count
}

func (n *namer) showText(quoted string) int {
	pieces := quotedPieces(quoted)
	shown := 0
	for _, c := range n.likeText(quoted) {
		rel := n.folder.ix.Path(c.File)
		f := n.folder.file(rel)
		if f == nil || shown == sameNameMost {
			continue
		}
		text := f.Raw(c.First, c.Last)
		for _, piece := range pieces {
			at := strings.Index(text, piece)
			if at < 0 {
				continue
			}
			line := c.First + strings.Count(text[:at], "\n")
			lines, in := n.folder.around(c.File, line)
			reason := fmt.Sprintf("has %q, quoted in your words", piece)
			if _, ok := n.window.chooseLines(rel, choice{first: lines.first, last: lines.last, kind: FragmentCode, reason: reason, named: true}, n.window.left); ok {
				shown++
				if d, ok := n.folder.holder(c.File, line); ok && in != "" {
					n.focus = append(n.focus, d)
				}
			}
			break
		}
	}
	return shown
}

// likeText is the code that may have a quoted text.
func (n *namer) likeText(quoted string) []similar.Chunk {
	if n.folder.corpus == nil {
		return nil
	}
	list := n.folder.corpus.Rank(n.folder.ix, similar.Query{Words: quoted})
	return list[:min(len(list), quotedCandidates)]
}

// quotedPieces are a quoted text and its long parts between what may be a
// value that a program put in: numbers, quotes, paths.
func quotedPieces(quoted string) []string {
	out := []string{strings.TrimSpace(quoted)}
	parts := strings.FieldsFunc(quoted, func(r rune) bool { return strings.ContainsRune("\"'`\\0123456789[]{}<>%/:", r) })
	slices.SortStableFunc(parts, func(x, y string) int { return len(y) - len(x) })
	for _, part := range parts {
		if part = strings.TrimSpace(part); len(part) >= leastQuoted && strings.Contains(part, " ") {
			out = append(out, part)
		}
	}
	return out
}
